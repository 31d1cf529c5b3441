import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict, nullIf } from "../../../../core/problem.ts";
import { Preference } from "./preferences.ts";

const MESH = asSystem("assistant");
const SLICE = 100;
/** A tool was replaced or removed: preferences for the former one end. */
export async function endTrust(
  this: Host,
  { tool, definition }: { tool: string; definition: string | null },
): Promise<void> {
  const other = definition === null ? {} : { definitionHash: { $ne: definition } };
  const store = this.store(Preference);
  for (;;) {
    const ended = await store.find(MESH, { tool, ...other }, { limit: SLICE });
    for (const one of ended) await store.remove(MESH, one).catch(nullIf(isConflict));
    if (ended.length < SLICE) return;
  }
}
