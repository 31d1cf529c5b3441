import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { placeKey, watchedAt, type Watched } from "../reach.ts";
import type { Failed, LinkReport } from "../reports/reports.ts";
import { nameOfEnd } from "./graph.ts";
import { Link } from "./links.ts";

const MESH = asSystem("discovery");

/** Stores what was said of links: the same said again is seen later. `mayDeclare`: also what was said by hand. */
export async function noteLinks(
  host: Host,
  rows: readonly { index: number; row: LinkReport }[],
  place: Watched,
  mayDeclare: boolean,
): Promise<{ noted: number; failed: Failed[] }> {
  const failed: Failed[] = [];
  const store = host.store(Link);
  const lastSeenAt = iso(host.world.clock.now());
  let noted = 0;
  for (const { index, row } of rows) {
    if (row.evidence === "manual" && !mayDeclare) {
      failed.push({
        part: "links",
        index,
        code: "FORBIDDEN",
        message: "evidence: links by hand need discovery:decide.",
      });
      continue;
    }
    const id = derivedId(
      `link in ${placeKey(place)}: ${JSON.stringify([nameOfEnd(row.from), nameOfEnd(row.to), row.evidence])}`,
    );
    // What is seen is there; only a person says that something is not.
    const said = { ...row, present: row.evidence !== "manual" || row.present, lastSeenAt };
    const { made } = await store.createOnce(MESH, { ...watchedAt(place), ...said, id });
    if (!made) await store.change(MESH, id, () => said);
    noted++;
  }
  return { noted, failed };
}
