import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { LocationFields, locationOf } from "../location-fields.tsx";
import { inPlace, placeQuery, Readers, type PicturePlace } from "../place.tsx";
import type { ResourceShown } from "./resources.tsx";

export type ResourceReadiness = ResourceShown["readiness"];
export type ResourceKind = ResourceShown["kind"];
export const READINESS: readonly ResourceReadiness[] = ["ready", "limited", "maintenance", "unavailable", "lost"];
export const KINDS: readonly ResourceKind[] = [
  ...(["vehicle", "vessel", "aircraft", "equipment", "facility", "team", "animal", "stock", "other"] as const),
];

/** Adds a resource, or changes one that is there. */
export function ResourceDialog({
  place,
  before,
  onClose,
}: {
  place: PicturePlace;
  before?: ResourceShown;
  onClose(): void;
}): ReactNode {
  const go = useNavigate();
  const add = useAct("POST /resources", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} was added.`,
    then: ({ data }) => void go(`/picture/resources/${data.id}${placeQuery(place)}`),
  });
  const change = useAct("PATCH /resources/{id}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  function save({ name = "", kind, description, serial, ...fields }: FormFields): Promise<unknown> {
    const location = locationOf(fields);
    if (!before)
      return add.mutateAsync({
        body: {
          ...inPlace(place),
          ...chosenReaders(fields),
          ...{ name, kind: kind as ResourceKind },
          ...(description && { description }),
          ...(serial && { serial }),
          ...(location && { location }),
        },
      });
    const { id, rev } = before;
    return change.mutateAsync({
      path: { id },
      // What was emptied goes.
      body: {
        ...{ name, kind: kind as ResourceKind },
        ...{ description: description ?? null, serial: serial ?? null, location: location ?? null },
      },
      options: { headers: { "if-match": `"r${rev}"` } },
    });
  }
  return (
    <Dialog title={before ? `Change ${before.name}` : "Add a resource"} onClose={onClose}>
      <Form act={before ? "Save" : "Add"} onSubmit={save}>
        <Field label="Name" name="name" defaultValue={before?.name ?? ""} required />
        <Select label="Kind" name="kind" options={KINDS} defaultValue={before?.kind ?? "vehicle"} />
        <TextField label="Description" name="description" rows={2} defaultValue={before?.description ?? ""} />
        <Field label="Serial or registration number" name="serial" defaultValue={before?.serial ?? ""} />
        <LocationFields {...(before?.location && { location: before.location })} />
        {!before && <Readers place={place} />}
      </Form>
    </Dialog>
  );
}
