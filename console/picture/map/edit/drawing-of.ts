import { ask } from "../../../api/client.ts";
import type { DrawingBase, FeatureDrawing } from "./spec.ts";

const EMPTY: FeatureDrawing = { type: "FeatureCollection", features: [] };

/** The drawing of a layer in one of its versions, with features that are gone from the picture as well. */
export async function drawingOf({ layerId, version }: DrawingBase): Promise<FeatureDrawing> {
  if (version === 0) return EMPTY;
  const { data } = await ask("GET /cop/layers/{id}/versions/{version}/spec", { path: { id: layerId, version } });
  return data as unknown as FeatureDrawing;
}
