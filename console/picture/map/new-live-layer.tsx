import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { chosenReaders } from "../../app/compartments.tsx";
import { inPlace, Readers, type PicturePlace } from "../place.tsx";
import type { LayerType } from "./feature-words.ts";

const SOURCES: readonly (readonly [source: string, words: string, type: LayerType])[] = [
  ["units", "Units of the command", "units"],
  ["resources", "Resources", "resources"],
  ["sensors", "Sensors", "sensors"],
  ["coverage", "What sensors cover", "coverage"],
  ["missions", "Areas of missions", "control-measures"],
  ["reports", "Reports from other systems", "events"],
];
/** What lies in problem sets alone. */
const INSIDE = ["units", "missions"];

/** Adds a layer that follows records, so that nobody has to draw what is known already. */
export function NewLiveLayer({ place }: { place: PicturePlace }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add a live layer
      </button>
      {isOpen && <NewLayerDialog place={place} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewLayerDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const move = useAct("POST /cop/layers/{id}/transition", {
    says: "The layer is made, and waits for a review.",
    then: onClose,
  });
  const create = useAct("POST /cop/layers", { tellsRefusal: false });
  const sources = SOURCES.filter(([source]) => place.problemSetId !== undefined || !INSIDE.includes(source));
  return (
    <Dialog title="Add a live layer" onClose={onClose}>
      <p>It shows records where they are, and moves with them. Somebody else reviews it before it is on the COP.</p>
      <Form
        act="Add"
        onSubmit={async ({ name = "", source = "", stale, ...fields }) => {
          const style = stale ? { staleAfterSeconds: Number(stale) * 60 } : {};
          const type = SOURCES.find(([one]) => one === source)![2];
          const { data } = await create.mutateAsync({
            body: { ...inPlace(place), ...chosenReaders(fields), name, type, kind: "live", spec: { source, style } },
          });
          await move.mutateAsync({ path: { id: data.id }, body: { to: "review" } });
        }}
      >
        <Field label="Name" name="name" required />
        <Select label="It shows" name="source" options={sources.map(([source, words]) => [source, words] as const)} />
        <Field
          label="Stale after minutes"
          name="stale"
          type="number"
          min={1}
          max={10_080}
          hint="Without a report for so long, a feature is shown as stale. Left empty: never."
        />
        <Readers place={place} />
      </Form>
    </Dialog>
  );
}
