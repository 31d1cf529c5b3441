import { asSystem } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { on } from "../../../core/events/event.ts";
import { Problem } from "../../../core/problem.ts";
import { JobWatch } from "../../../core/work/watch.ts";
import { demandPresent, documentRecord, wholeTextOf, type Document, type WholeText } from "../documents/client.ts";
import { DocumentRead } from "../documents/events.ts";

/** The domain itself as a caller. */
export const MESH = asSystem("strategic");
/** Wakes readers on events of documents; a lost hint only costs a moment. */
const readings = new JobWatch();
const LOOK_MS = 400;
const MOST_LOOKS = 15;
export const hearsReadings = on(DocumentRead, function (this: Host, { id }) {
  readings.wake(id);
  return Promise.resolve();
});

/**
 * The text of a version, awaited while it is being read; later than that the job is postponed. Throws its reader's
 * error where it cannot be read.
 */
export async function readyText(
  host: Host,
  documentId: string,
  version: number,
  signal: AbortSignal,
): Promise<{ document: Document; whole: WholeText }> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    signal.throwIfAborted();
    const hint = readings.next(documentId, LOOK_MS);
    const document = await documentRecord(host, documentId);
    demandPresent(document);
    const whole = await wholeTextOf(host, documentId, version);
    if (whole) return { document, whole };
    await hint;
  }
  throw new Problem(503, "BEING_READ", "The document's text is still being read.", { away: true });
}

/** The requested version. Throws 404 for an unknown one, 410 for a removed one, 422 where it cannot be read. */
export function demandReadable(document: Document, wanted: number | undefined): number {
  demandPresent(document);
  const found = document.versions.find(({ version }) => version === (wanted ?? document.version));
  if (!found) throw new Problem(404, "NOT_FOUND", `No version ${wanted}.`);
  if (found.status === "unreadable")
    throw new Problem(422, "UNREADABLE", found.explanation ?? "It cannot be read.", {
      details: { reason: found.reason },
    });
  return found.version;
}
