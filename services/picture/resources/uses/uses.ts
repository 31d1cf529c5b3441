import { z } from "zod";
import { readInto } from "../../../../core/access/barrier.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { conflict, isNotFound, notFound, nullIf } from "../../../../core/problem.ts";
import { Resource } from "../registry/resources.ts";

const MESH = asSystem("resources");

/** What holds on to a resource, so that it is not removed under it. */
export const Use = z.object({
  type: z.enum(["group", "sensor"]),
  id: z.string(),
  name: z.string(),
  compartments: z.array(z.string()),
});
export type Use = z.output<typeof Use>;

/**
 * What uses a resource, under the resource's id. Beside the record and not in it: a revision that moves would tell those
 * who see the resource of a sensor or group that they do not see.
 */
export const Uses = entity("resources.uses", {
  title: "uses of a resource",
  fields: {
    uses: z.array(Use),
    /** It is being removed: nothing takes it up any more. */
    going: z.boolean(),
  },
});
type Uses = Item<typeof Uses>;

const opened = async (host: Host, resourceId: string): Promise<Uses> =>
  (await host.store(Uses).createOnce(MESH, { id: resourceId, uses: [], going: false })).record;

/** Notes a use of a resource that the caller sees. Throws 404 where they see none, or it is just being removed. */
export async function hold(host: Host, ctx: Ctx<unknown>, resourceId: string, use: Use): Promise<Resource> {
  const resources = host.store(Resource);
  await resources.get(ctx, resourceId);
  await opened(host, resourceId);
  await host.store(Uses).amend(MESH, resourceId, ({ uses, going }) => {
    if (going) throw notFound("resource", resourceId);
    return uses.some(({ id, name }) => id === use.id && name === use.name)
      ? null
      : { uses: [...uses.filter(({ id }) => id !== use.id), use] };
  });
  // Removed before the use was noted: then nothing else says so.
  return resources.get(ctx, resourceId).catch(async (error: unknown) => {
    await host.store(Uses).removeAll(MESH, { _id: resourceId });
    throw error;
  });
}

export async function release(host: Host, resourceId: string, by: string): Promise<void> {
  await host
    .store(Uses)
    .amend(MESH, resourceId, ({ uses }) =>
      uses.some(({ id }) => id === by) ? { uses: uses.filter(({ id }) => id !== by) } : null,
    )
    .catch(nullIf(isNotFound));
}

/** What is to be done with each kind of use: a mission is named by the resource, and names none itself. */
const wayOut = (types: readonly string[]): string =>
  [
    ...(types.some((type) => type !== "mission") ? ["take it out there"] : []),
    ...(types.includes("mission") ? ["take the mission off its `missionIds`"] : []),
  ].join(", and ");

/**
 * Removes a resource by `remove`, while nothing can take it up. Throws 409, naming them, where something uses it that
 * the caller sees; what they do not see neither stops them nor is told.
 */
export async function removeUnused(
  host: Host,
  ctx: Ctx<unknown>,
  { id, missions }: { id: string; missions: readonly { id: string; name: string }[] },
  remove: () => Promise<void>,
): Promise<void> {
  const store = host.store(Uses);
  await opened(host, id);
  await store.amend(MESH, id, ({ uses, going }) => {
    const usedBy = [
      ...uses
        .filter(({ compartments }) => readInto(ctx.meta.actor, compartments))
        .map(({ type, id: by, name }) => ({ type, id: by, name })),
      ...missions.map((mission) => ({ type: "mission", ...mission })),
    ];
    if (usedBy.length) {
      const names = usedBy.map(({ type, name }) => `the ${type} "${name}"`).join(", ");
      throw conflict(`It is in use by ${names}: ${wayOut(usedBy.map(({ type }) => type))} first.`, { usedBy });
    }
    return going ? null : { going: true };
  });
  try {
    await remove();
  } catch (error) {
    await store.amend(MESH, id, () => ({ going: false }));
    throw error;
  }
}
