import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { conflict, isConflict } from "../../../../core/problem.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { demandPresent, documentRecord, rewriteDocument, wholeTextOf } from "../../documents/client.ts";
import { Review, ReviewSettled, settledAs, SETTLED_FROM } from "./reviews.ts";
import { tellLive } from "./reviewing.ts";
import { plannedChanges, REFUSALS, replaceable } from "./settling.ts";

const MOST_TRIES = 3;

/** Stores what is wanted before the document is changed: after a kill the change can be completed. */
async function intend(host: Host, caller: Caller, review: Review, wanted: readonly string[]): Promise<Review> {
  const { version } = await documentRecord(host, review.documentId);
  // A change that already made its version is completed, whatever is wanted now.
  if (review.settling && review.settling.basis + 1 === version) return review;
  return host.store(Review).revise(caller, review, { settling: { wanted: [...wanted], basis: version } });
}

async function takeOverOnce(host: Host, caller: Caller, given: Review, wanted: readonly string[]): Promise<Review> {
  const review = await intend(host, caller, given, wanted);
  const { wanted: asked, basis } = review.settling!;
  const { documentId, findings } = review;
  const whole = await wholeTextOf(host, documentId, basis);
  if (!whole) throw conflict("The newest version is still being read; ask again when it can be.");
  const { edits, failed } = plannedChanges(findings, asked, whole);
  const refused = failed.map((one) => ({ ...one, message: REFUSALS[one.code] }));
  if (!edits.length && asked.length)
    return host.store(Review).revise(caller, review, { settling: null, failed: refused });
  const made = edits.length
    ? await rewriteDocument(host, {
        actor: caller.meta.actor!,
        documentId,
        basis,
        edits: edits.map(({ start, end, with: instead }) => ({ start, end, with: instead })),
      })
    : null;
  const applied = edits.map(({ findingId }) => findingId);
  const status = settledAs(applied, replaceable(findings));
  return endReview(host, caller, review, { status, applied, failed: refused, ...(made && { madeVersion: basis + 1 }) });
}

/** Ends a review, and announces it. */
export async function endReview(
  host: Host,
  caller: Caller,
  review: Review,
  change: { status: "accepted" | "partially_accepted" | "rejected"; madeVersion?: number; reason?: string } & Partial<
    Pick<Review, "applied" | "failed">
  >,
): Promise<Review> {
  const by = actorOf(caller);
  const { id, problemSetId, compartments, documentId, version } = review;
  const { status, madeVersion, reason } = change;
  const fact = { id, problemSetId, compartments, documentId, version, status, by };
  const settled = await host
    .store(Review)
    .revise(
      caller,
      review,
      { ...change, settling: null, decidedBy: by, decidedAt: iso(host.world.clock.now()) },
      { facts: [ReviewSettled.fact(id, { ...fact, ...(madeVersion && { madeVersion }), ...(reason && { reason }) })] },
    );
  await tellLive(host, settled);
  return settled;
}

/**
 * Applies findings in one new version of the document: those named, or all with a replacement. Impossible ones are
 * listed in `failed`; if none was possible, the review stays open. Throws 409 where it is not open.
 */
export async function takeOver(
  host: Host,
  caller: Caller,
  review: Review,
  wanted?: readonly string[],
): Promise<Review> {
  refuseUnless(SETTLED_FROM, review.status, wanted ? "accept in part" : "accept");
  demandPresent(await documentRecord(host, review.documentId));
  for (let attempt = 1, known = review; ; attempt += 1) {
    try {
      return await takeOverOnce(host, caller, known, wanted ?? replaceable(known.findings));
    } catch (error) {
      // Another version was added meanwhile: the findings are located in that one.
      if (!isConflict(error) || attempt === MOST_TRIES) throw error;
      known = await host.store(Review).get(caller, review.id);
      refuseUnless(SETTLED_FROM, known.status, "accept");
    }
  }
}
