import { useState, type ReactNode } from "react";
import { ask, Refusal } from "../../../api/client.ts";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Field, Form, Select, TextField } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { inPlace, Readers, type PicturePlace } from "../../place.tsx";
import { TYPE_WORDS, type LayerType } from "../feature-words.ts";
import { geometryOf, readPositions, type DrawnShape } from "../positions.ts";
import type { PictureLayer } from "../use-picture.ts";
import { drawingOf } from "./drawing-of.ts";
import { fieldOf, withFeature, withFields, type DrawingBase, type DrawnFeature } from "./spec.ts";

/** What somebody draws: a new feature, or one that is there. */
export interface FeatureDraft {
  shape: DrawnShape;
  /** As typed or clicked: one position a line. */
  text: string;
  /** Of a feature that is there. */
  before?: { id: string; properties: Record<string, unknown> | null; isPlaceKept: boolean; geometry: unknown };
  /** The drawing as it was when the editing began; absent until a layer is chosen. */
  base?: DrawingBase;
}

export const SHAPE_WORDS: Record<DrawnShape, string> = { Point: "a point", LineString: "a line", Polygon: "an area" };
const NEW_LAYER = "new";
/** Types that people draw; the others follow records. */
const DRAWN_TYPES: readonly LayerType[] = ["events", "control-measures", "routes", "custom", "units", "resources"];

interface PanelProps {
  place: PicturePlace;
  draft: FeatureDraft;
  /** Drawings that this person may change now. */
  layers: readonly PictureLayer[];
  onChange(draft: FeatureDraft): void;
  onDone(layerId: string): void;
  onClose(): void;
}

/** What is wrong with the positions is told at their field. */
function positioned(shape: DrawnShape, text: string): ReturnType<typeof geometryOf> {
  try {
    return geometryOf(shape, readPositions(text));
  } catch (error) {
    const { message } = error as Error;
    throw new Refusal(400, { message, details: [{ path: "positions", message }] });
  }
}

/** Draws a feature: its place by clicks on the map or typed, and what it is. */
export function DrawPanel({ place, draft, layers, onChange, onDone, onClose }: PanelProps): ReactNode {
  const [layerId, setLayer] = useState(draft.base?.layerId ?? layers[0]?.id ?? NEW_LAYER);
  const save = useSave(place, onDone);
  const { shape, text, before } = draft;
  const isPlaceKept = before?.isPlaceKept ?? false;
  async function submit(fields: Record<string, string>): Promise<void> {
    const geometry = isPlaceKept ? before!.geometry : positioned(shape, text);
    const feature: DrawnFeature = {
      type: "Feature",
      id: before?.id ?? crypto.randomUUID(),
      geometry,
      properties: withFields(before?.properties, fields),
    };
    await save({ feature, base: draft.base, layer: layers.find(({ id }) => id === layerId), fields });
  }
  return (
    <Section title={before ? `Change ${fieldOf(before.properties, "name") || "it"}` : `Draw ${SHAPE_WORDS[shape]}`}>
      <p className="muted">
        {isPlaceKept
          ? "Its shape has several parts, and stays as it is."
          : shape === "Point"
            ? "Click on the map where it is, or type its place."
            : "Click on the map at each of its corners, or type them."}
      </p>
      <Form
        act={before ? "Save" : "Add it"}
        label={before ? "Change the feature" : "Draw"}
        onSubmit={submit}
        beside={
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {!isPlaceKept && (
          <TextField
            label={shape === "Point" ? "Place" : "Corners"}
            name="positions"
            rows={shape === "Point" ? 1 : 5}
            hint={`Latitude and longitude in degrees, as 48.8, 17.05 or 48°48'N 17°3'E${shape === "Point" ? "." : "; one position a line."}`}
            value={text}
            onChange={({ target }) => onChange({ ...draft, text: target.value })}
          />
        )}
        {!before && (
          <Select
            label="Layer"
            name="layer"
            value={layerId}
            onChange={({ target }) => setLayer(target.value)}
            options={[...layers.map(({ id, name }): [string, string] => [id, name]), [NEW_LAYER, "A new drawing …"]]}
          />
        )}
        {!before && layerId === NEW_LAYER && <NewLayerFields place={place} />}
        <FeatureFields properties={before?.properties} />
      </Form>
    </Section>
  );
}

const NewLayerFields = ({ place }: { place: PicturePlace }): ReactNode => (
  <>
    <Field label="Name of the new drawing" name="layerName" required />
    <Select
      label="It shows"
      name="layerType"
      options={DRAWN_TYPES.map((type): [string, string] => [type, TYPE_WORDS[type][0]])}
    />
    <Readers place={place} />
  </>
);

function FeatureFields({ properties }: { properties: Record<string, unknown> | null | undefined }): ReactNode {
  const value = (name: Parameters<typeof fieldOf>[1]): { name: string; defaultValue: string } => ({
    name,
    defaultValue: fieldOf(properties, name),
  });
  return (
    <>
      <Field label="Name" {...value("name")} required />
      <Field label="Kind" hint="As breach, bridge, checkpoint." {...value("kind")} />
      <div className="two">
        <Field label="Source" {...value("source")} />
        <Field label="Confidence in %" type="number" min={0} max={100} {...value("confidence")} />
        <Field label="Seen at" type="datetime-local" {...value("at")} />
        <Field label="Holds until" type="datetime-local" {...value("staleAt")} />
      </div>
      <TextField label="Note" rows={2} {...value("note")} />
      <details>
        <summary>Symbol and accuracy</summary>
        <Field label="Symbol" hint="A code of MIL-STD-2525, as 10031000161211000000." {...value("symbol")} />
        <Field label="Accuracy in metres" type="number" min={0} {...value("ce")} />
      </details>
    </>
  );
}

interface Saving {
  feature: DrawnFeature;
  base: DrawingBase | undefined;
  layer: PictureLayer | undefined;
  fields: Record<string, string>;
}

/** Saves a feature into its drawing as it was when the editing began; a new drawing is made with its first feature. */
function useSave(place: PicturePlace, onDone: (layerId: string) => void): (saving: Saving) => Promise<void> {
  const create = useAct("POST /cop/layers", {
    tellsRefusal: false,
    says: ({ data }) => `The drawing “${data.name}” was made, as a draft.`,
  });
  const write = useAct("PUT /cop/layers/{id}/spec", {
    tellsRefusal: false,
    says: ({ data }) => `Saved in “${data.name}”, version ${data.version}.`,
  });
  return async ({ feature, base, layer, fields }) => {
    if (!base && !layer) {
      const spec = { type: "FeatureCollection", features: [feature] };
      const { layerName = "", layerType } = fields;
      const made = await create.mutateAsync({
        body: { ...inPlace(place), ...chosenReaders(fields), name: layerName, type: layerType as LayerType, spec },
      });
      return onDone(made.data.id);
    }
    const from = base ?? { layerId: layer!.id, version: layer!.version, rev: layer!.rev };
    const spec = withFeature(await drawingOf(from), String(feature.id), feature);
    try {
      await write.mutateAsync({
        path: { id: from.layerId },
        body: spec as unknown as Record<string, unknown>,
        options: { headers: { "if-match": `"r${from.rev}"` } },
      });
    } catch (error) {
      throw await inWords(error, from);
    }
    onDone(from.layerId);
  };
}

/** Says who changed the drawing meanwhile, where that is why it was refused. */
export async function inWords(error: unknown, { layerId, version }: DrawingBase): Promise<unknown> {
  if (!(error instanceof Refusal && error.status === 412)) return error;
  const { data } = await ask("GET /cop/layers/{id}", { path: { id: layerId } });
  const who = data.specByName ?? "Somebody";
  return new Error(
    data.version === version
      ? `The layer “${data.name}” was changed meanwhile: it is ${data.state} now. Nothing was saved; close this, and look again.`
      : `${who} changed “${data.name}” while you were at it: it has version ${data.version} now, and you began at ${version}. ` +
          "Nothing was saved; close this, look at what changed, and try again.",
  );
}
