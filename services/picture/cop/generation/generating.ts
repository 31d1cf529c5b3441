import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { SourceChanged } from "../events.ts";
import { Layer, WATCHED_STATES } from "../layers/layers.ts";
import { inPicture } from "../pictures.ts";
import { make } from "./making.ts";
import { review } from "./reviewing.ts";

/** The kind of job that makes a picture anew. */
export const GENERATE = "cop.generate";

/** Makes each layer of a picture anew, those that show other layers last; then compares what they show. */
export async function generate(
  this: Host,
  { job, signal, progress }: JobRun<{ picture?: string; problemSetId?: string }>,
): Promise<{ layers: number }> {
  const { problemSetId, picture = problemSetId! } = job.input;
  const layers = await this.store(Layer).find(
    asSystem("cop"),
    { ...inPicture(picture), state: { $in: [...WATCHED_STATES] } },
    { fields: ["source", "compartments"] },
  );
  const inOrder = layers.sort((one, other) => Number(one.source === "layers") - Number(other.source === "layers"));
  // Whoever sees the set may follow: a line for each layer in a compartment would tell how many there are.
  const told = inOrder.filter(({ compartments }) => !compartments.length);
  for (const layer of inOrder) {
    signal.throwIfAborted();
    if (told.includes(layer)) await progress("layers", told.indexOf(layer), told.length);
    await make(this, layer.id, "hand");
  }
  await progress("comparing", told.length, told.length);
  await review(this, picture);
  void SourceChanged.emit(this, { picture, isMade: true });
  return { layers: layers.length };
}
