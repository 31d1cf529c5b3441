import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { notify } from "../../../parts/notices.tsx";
import { Confirm } from "../../../parts/dialog.tsx";
import { nameOf, type MapFeature } from "../feature-words.ts";
import { asText, editable } from "../positions.ts";
import type { PictureLayer } from "../use-picture.ts";
import { inWords, type FeatureDraft } from "./draw-panel.tsx";
import { drawingOf } from "./drawing-of.ts";
import { withFeature } from "./spec.ts";

/** A draft that begins with a feature as it is. */
export function draftOf({ feature }: MapFeature, { id, version, rev }: PictureLayer): FeatureDraft {
  const form = editable(feature.geometry);
  return {
    shape: form?.shape ?? "Polygon",
    text: form ? asText(form.positions) : "",
    base: { layerId: id, version, rev },
    before: {
      id: String(feature.id),
      properties: feature.properties,
      geometry: feature.geometry,
      isPlaceKept: form === undefined,
    },
  };
}

/** What one may do with a feature of a drawing: change it, take it out. */
export function FeatureActs({
  one,
  layer,
  onEdit,
  onRemoved,
}: {
  one: MapFeature;
  layer: PictureLayer;
  onEdit(draft: FeatureDraft): void;
  onRemoved(): void;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const write = useAct("PUT /cop/layers/{id}/spec", {
    tellsRefusal: false,
    says: `${nameOf(one)} was taken out.`,
    then: onRemoved,
  });
  const base = { layerId: layer.id, version: layer.version, rev: layer.rev };
  async function remove(): Promise<void> {
    try {
      const drawing = withFeature(await drawingOf(base), String(one.feature.id), null);
      await write.mutateAsync({
        path: { id: layer.id },
        body: drawing as unknown as Record<string, unknown>,
        options: { headers: { "if-match": `"r${base.rev}"` } },
      });
    } catch (error) {
      setAsking(false);
      notify(((await inWords(error, base)) as Error).message, "bad");
    }
  }
  return (
    <>
      <button type="button" onClick={() => onEdit(draftOf(one, layer))}>
        Change
      </button>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        Take out
      </button>
      {isAsking && (
        <Confirm
          title={`Take out ${nameOf(one)}?`}
          act="Take out"
          isBusy={write.isPending}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>It goes from the drawing “{layer.name}”. Earlier versions of the drawing keep it, and can be restored.</p>
        </Confirm>
      )}
    </>
  );
}
