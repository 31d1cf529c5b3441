import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Linkage } from "./linkages.ts";
import type { LinkageProposal } from "./linking.ts";
import { inPicture } from "../pictures.ts";

const mesh = asSystem("cop");

/** All linkages of a picture, or those of these ids. */
export const knownLinkages = (host: Host, picture: string, ids?: Iterable<string>): Promise<Linkage[]> =>
  ids ? host.store(Linkage).many(mesh, [...ids]) : host.store(Linkage).find(mesh, inPicture(picture));

/**
 * Brings linkages in line with what was found. A pair that a person decided about stays decided; a rejected one is asked
 * again when its evidence differs.
 */
export async function settleLinkages(
  host: Host,
  found: readonly LinkageProposal[],
  before: readonly Linkage[],
): Promise<{ added: number; removed: number }> {
  const linkages = host.store(Linkage);
  const known = new Map(before.map((one) => [one.id, one]));
  let added = 0;
  for (const { id, probability, parts, evidence, between: _between, ...rest } of found) {
    const present = known.get(id);
    known.delete(id);
    if (!present) await linkages.createOnce(mesh, { id, probability, parts, evidence, ...rest, status: "pending" });
    else if (present.evidence === evidence || present.status === "approved") continue;
    else
      await linkages.amend(mesh, id, () => ({
        probability,
        parts,
        evidence,
        status: "pending",
        reviewedBy: null,
        reviewedAt: null,
        note: null,
      }));
    added++;
  }
  const gone = [...known.values()].filter(({ status }) => status === "pending").map(({ id }) => id);
  if (gone.length) await linkages.removeAll(mesh, { _id: { $in: gone }, status: "pending" });
  return { added, removed: gone.length };
}
