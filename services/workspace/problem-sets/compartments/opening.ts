import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Member } from "../members/members.ts";
import { tellAccess } from "../members/telling-access.ts";
import { Compartment } from "./compartments.ts";

const MESH = asSystem("problem-sets");
/** More moves in a row than anybody makes: a circle ends here, and opens nothing. */
const MOST_MOVES = 50;

/**
 * What each of the compartments that members hold opens: itself as long as it is active, and what was moved there. A
 * dissolved one opens nothing from the moment it is dissolved.
 */
export async function openedBy(
  host: Host,
  members: readonly Pick<Member, "compartments">[],
): Promise<(held: readonly string[]) => string[]> {
  const ids = [...new Set(members.flatMap(({ compartments }) => compartments))];
  const active = ids.length
    ? await host.store(Compartment).find(MESH, { _id: { $in: ids }, status: "active" }, { fields: ["status", "takes"] })
    : [];
  const opens = new Map(active.map(({ id, takes = [] }) => [id, [id, ...takes]]));
  return (held) => [...new Set(held.flatMap((id) => opens.get(id) ?? []))];
}

/**
 * For each of these compartments the one that somebody must be read into to see what lies there: itself, or where it
 * was moved to. None for those that are closed.
 */
export async function openersOf(host: Host, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const openers = new Map<string, string>();
  let asked = new Map(ids.map((id) => [id, id]));
  for (let moves = 0; asked.size && moves < MOST_MOVES; moves++) {
    const found = await host
      .store(Compartment)
      .find(MESH, { _id: { $in: [...new Set(asked.values())] } }, { fields: ["status", "movedTo"] });
    const next = new Map<string, string>();
    for (const [id, at] of asked) {
      const compartment = found.find((one) => one.id === at);
      if (compartment?.status === "active") openers.set(id, at);
      else if (compartment?.movedTo !== undefined) next.set(id, compartment.movedTo);
    }
    asked = next;
  }
  return openers;
}

/** Makes every node forget the access of those who hold one of these compartments. */
export async function tellHolders(host: Host, problemSetId: string, ids: readonly string[]): Promise<void> {
  const held = await host
    .store(Member)
    .find(MESH, { problemSetId, compartments: { $in: [...ids] } }, { fields: ["userId"] });
  await Promise.all(held.map(({ userId }) => tellAccess(host, { userId, problemSetId })));
}
