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
    { fields: ["source"] },
  );
  const inOrder = layers.sort((one, other) => Number(one.source === "layers") - Number(other.source === "layers"));
  for (const [at, { id }] of inOrder.entries()) {
    signal.throwIfAborted();
    await progress("layers", at, inOrder.length);
    await make(this, id, "hand");
  }
  await progress("comparing");
  await review(this, picture);
  void SourceChanged.emit(this, { picture, isMade: true });
  return { layers: layers.length };
}
