import { memberOf } from "../../../core/access/access.ts";
import { actorOf, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { Document, tombstone } from "./documents.ts";
import { DocumentRemoved } from "./events.ts";
import { bytesOf, giveBack } from "./quota.ts";
import { tellChange } from "./reading.ts";

/** Takes a document back: whoever put it in may, and those whose role allows it. Twice is harmless. */
export async function withdraw(
  host: Host,
  caller: Caller,
  document: Document,
  reason: string | undefined,
): Promise<Document> {
  if (document.createdBy !== actorOf(caller))
    memberOf(caller.meta.actor, document.problemSetId, "documents:withdraw", { writes: true });
  const by = actorOf(caller);
  const mark = { at: iso(host.world.clock.now()), by, ...(reason && { reason }) };
  const told = ({ id, problemSetId, compartments, title, version }: Document) =>
    DocumentRemoved.fact(id, { id, problemSetId, compartments, title, version, by, reason });
  let taken = document;
  // Its text may be read meanwhile, which changes it: whoever takes it back need not care.
  const left = await host.store(Document).amend(
    caller,
    document.id,
    (now) => {
      taken = now;
      return now.status === "withdrawn" ? null : tombstone(mark);
    },
    { seen: document, facts: (now: Document) => [told(now)] },
  );
  if (!left) return taken;
  await giveBack(host, taken.problemSetId, bytesOf(taken));
  // After the record: what dies in between is swept away.
  for (const blob of taken.blobs) await host.world.blobs.remove(blob);
  await tellChange(host, left);
  return left;
}
