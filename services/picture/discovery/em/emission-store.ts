import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { nextId } from "../../../../core/contract/repeatable.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { watchedAt, type Watched } from "../reach.ts";
import type { EmissionReport, Failed } from "../reports/reports.ts";
import { Emission, NodeInterfaces } from "./emissions.ts";

const MESH = asSystem("discovery");
const AHEAD_MS = 300_000;

/** Stores what was measured, in one write; what a run before this one stored of it already stays as it is. */
export async function noteEmissions(
  host: Host,
  caller: Caller,
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
    .map(({ row }) => ({ ...watchedAt(place), ...row, at: row.at ?? iso(now), id: nextId(caller, Emission.name) }));
  const store = host.store(Emission);
  const stored = caller.locals.repeatable
    ? await store.many(
        MESH,
        noted.map(({ id }) => id),
      )
    : [];
  const known = new Set(stored.map(({ id }) => id));
  const fresh = noted.filter(({ id }) => !known.has(id));
  if (fresh.length) await store.createMany(MESH, fresh);
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
