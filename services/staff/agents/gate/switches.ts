import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { entity } from "../../../../core/records/entity.ts";

/** The switch of all agents; the switch of one problem set's agents has the set's id. */
export const ALL = "all";
const MESH = asSystem("agents");

/** An emergency brake: while it is `frozen`, none of its agents does anything. */
export const Switch = entity("agents.switches", {
  title: "switch",
  fields: { frozen: z.boolean(), reason: z.string().max(2_000), by: z.string() },
  indexes: [{ fields: ["by"] }],
});

/** Sets a switch; setting it twice changes nothing. */
export async function throwSwitch(
  host: Host,
  id: string,
  set: { frozen: boolean; reason: string; by: string },
): Promise<void> {
  const { made } = await host.store(Switch).createOnce(MESH, { id, ...set });
  if (!made) await host.store(Switch).amend(MESH, id, ({ frozen }) => (frozen === set.frozen ? null : set));
}

/** Whether agents are frozen: all of them, or those in this problem set. Always read from the store. */
export const isFrozen = async (host: Host, problemSetId: string | undefined): Promise<boolean> =>
  (await host.store(Switch).many(MESH, [ALL, ...(problemSetId ? [problemSetId] : [])])).some(({ frozen }) => frozen);
