import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { inPlace, listedIn, Readers, type PicturePlace } from "../../place.tsx";
import type { SupplyShown } from "./supply-words.ts";

interface SupplyDialogProps {
  place: PicturePlace;
  before?: SupplyShown;
  onClose(): void;
}

/** Adds a supply, or changes what is said of one; how much there is, is counted apart. */
export function SupplyDialog({ place, before, onClose }: SupplyDialogProps): ReactNode {
  const holders = useAnswer("GET /resources", [{ query: { ...listedIn(place), sort: "name", limit: 100 } }]);
  const add = useAct("POST /resources/consumables", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} was added.`,
    then: onClose,
  });
  const change = useAct("PATCH /resources/consumables/{id}", {
    tellsRefusal: false,
    says: "It is changed.",
    then: onClose,
  });
  function save({ name = "", unit = "", description, minimum, capacity, leadTimeDays, level, ...fields }: FormFields) {
    const { resourceId } = fields;
    const said = { name, minimum: Number(minimum ?? 0) };
    if (before)
      return change.mutateAsync({
        path: { id: before.id },
        // What was emptied goes.
        body: {
          ...said,
          description: description ?? null,
          capacity: capacity ? Number(capacity) : null,
          leadTimeDays: leadTimeDays ? Number(leadTimeDays) : null,
          resourceId: resourceId ?? null,
        },
        options: { headers: { "if-match": `"r${before.rev}"` } },
      });
    return add.mutateAsync({
      body: {
        ...inPlace(place),
        ...chosenReaders(fields),
        ...said,
        unit,
        level: Number(level ?? 0),
        ...(description && { description }),
        ...(capacity && { capacity: Number(capacity) }),
        ...(leadTimeDays && { leadTimeDays: Number(leadTimeDays) }),
        ...(resourceId && { resourceId }),
      },
    });
  }
  const figure = { type: "number", step: "any", min: 0 };
  return (
    <Dialog title={before ? `Change ${before.name}` : "Add a supply"} onClose={onClose}>
      <Form act={before ? "Save" : "Add"} onSubmit={save}>
        <Field label="Name" name="name" defaultValue={before?.name} hint="Such as diesel." maxLength={200} required />
        {!before && (
          <div className="two">
            <Field label="How much there is" name="level" {...figure} defaultValue={0} required />
            <Field
              label="Counted in"
              name="unit"
              hint="Litres, packs. It cannot be changed later."
              maxLength={40}
              required
            />
          </div>
        )}
        <div className="two">
          <Field
            label="Short from"
            name="minimum"
            {...figure}
            defaultValue={before?.minimum ?? 0}
            hint="At so much and below."
            required
          />
          <Field
            label="Room for"
            name="capacity"
            {...figure}
            defaultValue={before?.capacity}
            hint="May be left empty."
          />
        </div>
        <Field
          label="Days until more can come"
          name="leadTimeDays"
          {...figure}
          defaultValue={before?.leadTimeDays}
          hint="With it, it is short as soon as it would be used up before."
        />
        <Select
          key={holders.data ? "known" : "coming"}
          label="Held by"
          name="resourceId"
          defaultValue={before?.resourceId ?? ""}
          options={[["", "not said"], ...(holders.data?.data ?? []).map(({ id, name }) => [id, name] as const)]}
        />
        <TextField label="Description" name="description" rows={2} defaultValue={before?.description} />
        {!before && <Readers place={place} />}
      </Form>
    </Dialog>
  );
}
