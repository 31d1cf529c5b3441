import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { watchedAt, type Watched } from "../reach.ts";
import type { EmissionReport, Failed } from "../reports/reports.ts";
import { Emission, NodeInterfaces } from "./emissions.ts";

const MESH = asSystem("discovery");
const AHEAD_MS = 300_000;

/** Stores what was measured, in one write. */
export async function noteEmissions(
  host: Host,
  rows: readonly { index: number; row: EmissionReport }[],
  place: Watched,
): Promise<{ noted: number; failed: Failed[] }> {
  const now = host.world.clock.now();
  const isAhead = ({ row }: { row: EmissionReport }): boolean =>
    row.at !== undefined && Date.parse(row.at) > now + AHEAD_MS;
  const failed = rows.filter(isAhead).map(({ index }): Failed => ({
    part: "emissions",
    index,
    code: "IN_FUTURE",
    message: "at: it lies in the future.",
  }));
  const noted = rows
    .filter((one) => !isAhead(one))
    .map(({ row }) => ({ ...watchedAt(place), ...row, at: row.at ?? iso(now) }));
  if (noted.length) await host.store(Emission).createMany(MESH, noted);
  return { noted: noted.length, failed };
}

/** Writes down what interfaces this node has. */
export async function noteInterfaces(this: Host): Promise<void> {
  const node = this.broker.nodeID;
  const at = iso(this.world.clock.now());
  const said = { node, at, interfaces: this.world.discovery.interfaces() };
  const store = this.store(NodeInterfaces);
  const id = derivedId(`interfaces of ${node}`);
  const { made } = await store.createOnce(MESH, { id, ...said });
  if (!made) await store.change(MESH, id, () => said);
}
