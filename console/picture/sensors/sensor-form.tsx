import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { LocationFields, locationOf } from "../location-fields.tsx";
import { inPlace, placeQuery, Readers, type PicturePlace } from "../place.tsx";
import { groundOf } from "./coverage.ts";
import type { SensorShown } from "./sensors.tsx";

export type SensorKind = SensorShown["kind"];
export const SENSOR_KINDS: readonly SensorKind[] = [
  ...(["camera", "radar", "acoustic", "electromagnetic", "chemical", "radiological", "weather", "motion"] as const),
  "other",
];

/** Enrols a sensor, or changes one; where it is changes by reports of its own. */
export function SensorDialog({
  place,
  before,
  onClose,
}: {
  place: PicturePlace;
  before?: SensorShown;
  onClose(): void;
}): ReactNode {
  const go = useNavigate();
  const add = useAct("POST /sensors", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is enrolled.`,
    then: ({ data }) => void go(`/picture/sensors/${data.id}${placeQuery(place)}`),
  });
  const change = useAct("PATCH /sensors/{id}", { tellsRefusal: false, says: "It is changed.", then: onClose });
  function save(fields: FormFields): Promise<unknown> {
    const { name = "", kind, description, heartbeat } = fields;
    const said = { name, kind: kind as SensorKind, heartbeatSeconds: Number(heartbeat) };
    const coverage = groundOf(fields);
    const location = locationOf(fields);
    if (!before)
      return add.mutateAsync({
        body: {
          ...inPlace(place),
          ...chosenReaders(fields),
          ...said,
          ...(description && { description }),
          ...(coverage && { coverage }),
          ...(location && { location }),
        },
      });
    return change.mutateAsync({
      path: { id: before.id },
      body: {
        ...said,
        description: description ?? null,
        // An area that was drawn has no fields here, and stays.
        ...(before.coverage?.shape !== "polygon" && { coverage: coverage ?? null }),
      },
      options: { headers: { "if-match": `"r${before.rev}"` } },
    });
  }
  return (
    <Dialog title={before ? `Change ${before.name}` : "Enrol a sensor"} onClose={onClose}>
      <Form act={before ? "Save" : "Enrol"} onSubmit={save}>
        <Field label="Name" name="name" defaultValue={before?.name ?? ""} required />
        <Select label="Kind" name="kind" options={SENSOR_KINDS} defaultValue={before?.kind ?? "camera"} />
        <TextField label="Description" name="description" rows={2} defaultValue={before?.description ?? ""} />
        <Field
          label="Reports every … seconds"
          name="heartbeat"
          type="number"
          min={1}
          max={86_400}
          hint="It is silent when three reports have not come."
          defaultValue={before?.heartbeatSeconds ?? 60}
          required
        />
        {before?.coverage?.shape !== "polygon" && (
          <GroundFields {...(before?.coverage && { before: before.coverage })} />
        )}
        {!before && <LocationFields />}
        {!before && <Readers place={place} />}
      </Form>
    </Dialog>
  );
}

type Ground = NonNullable<SensorShown["coverage"]>;

function GroundFields({ before }: { before?: Ground }): ReactNode {
  const [shape, setShape] = useState<string>(before?.shape ?? "radius");
  const sector = before?.shape === "sector" ? before : undefined;
  return (
    <>
      <Select
        label="It covers"
        name="shape"
        options={[
          ["radius", "a circle around it"],
          ["sector", "a sector"],
        ]}
        value={shape}
        onChange={({ target }) => setShape(target.value)}
      />
      <div className="two">
        <Field
          label="How far, in metres"
          name="range"
          type="number"
          min={1}
          defaultValue={before && before.shape !== "polygon" ? before.range : ""}
        />
        {shape === "sector" && (
          <>
            <Field
              label="From, in degrees"
              name="azimuth"
              type="number"
              min={0}
              max={360}
              hint="0 is north, 90 east."
              defaultValue={sector?.azimuth ?? 0}
            />
            <Field
              label="Degrees wide"
              name="width"
              type="number"
              min={1}
              max={360}
              defaultValue={sector?.width ?? 90}
            />
          </>
        )}
      </div>
    </>
  );
}
