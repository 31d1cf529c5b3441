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
  if (document.status === "withdrawn") return document;
  const by = actorOf(caller);
  const { id, problemSetId, compartments, title, version } = document;
  const facts = [DocumentRemoved.fact(id, { id, problemSetId, compartments, title, version, by, reason })];
  const mark = { at: iso(host.world.clock.now()), by, ...(reason && { reason }) };
  const left = await host.store(Document).revise(caller, document, tombstone(mark), { facts });
  await giveBack(host, problemSetId, bytesOf(document));
  // After the record: what dies in between is swept away.
  for (const blob of document.blobs) await host.world.blobs.remove(blob);
  await tellChange(host, left);
  return left;
}
