import { sees } from "../../../core/access/barrier.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { conflict, invalid, isConflict, notFound, Problem } from "../../../core/problem.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import { barrier } from "../../../core/access/place.ts";
import type { Desk } from "./decrypting.ts";
import { DEFAULT_KEY, EncryptionKey, newVersion, ownPlace, setPlace } from "./keys.ts";

/** A key the caller can use, or 404. */
export async function keyById(at: Desk, ctx: Ctx<unknown>, id: string): Promise<EncryptionKey> {
  const key = await at.store(EncryptionKey).one(ctx, { _id: id });
  if (!key) throw notFound("encryption key", id);
  return key;
}

interface Wanted {
  name: string;
  problemSetId?: string;
  compartments?: string[];
}

export async function makeKey(
  at: Desk,
  ctx: Ctx<unknown>,
  { name, problemSetId, compartments }: Wanted,
): Promise<EncryptionKey> {
  const actor = ctx.meta.actor!;
  if (compartments?.length && !sees(barrier, actor, { problemSetId, compartments })) {
    throw invalid([{ path: "compartments", message: "You are not read into all of these." }]);
  }
  const id = nextId(ctx, EncryptionKey.name);
  const versions = [newVersion(at.sealer, id, 1, iso(at.world.clock.now()))];
  const owner =
    problemSetId === undefined
      ? { ownerId: actor.userId, place: ownPlace(actor.userId) }
      : { problemSetId, compartments, place: setPlace(problemSetId, compartments) };
  return at.store(EncryptionKey).create(ctx, { id, name, ...owner, version: 1, versions });
}

export async function keyNamed(
  at: Desk,
  ctx: Ctx<unknown>,
  name: string,
  problemSetId: string | undefined,
): Promise<EncryptionKey> {
  const actor = ctx.meta.actor!;
  const whose = problemSetId === undefined ? { ownerId: actor.userId } : { problemSetId };
  const find = async (): Promise<EncryptionKey | undefined> => {
    const [byId] = await at.store(EncryptionKey).find(ctx, { ...whose, _id: name });
    const [first, second] = byId ? [byId] : await at.store(EncryptionKey).find(ctx, { ...whose, name }, { limit: 2 });
    // To choose one would let whoever made the other choose who can read this.
    if (second)
      throw conflict(`Several keys of this problem set that you can use are named ${name}; name one by its id.`, {
        name,
      });
    return first;
  };
  const key = await find();
  if (key) return key;
  if (problemSetId !== undefined) throw notFound("encryption key", name);
  if (name !== DEFAULT_KEY)
    throw new Problem(
      404,
      "NOT_FOUND",
      `You have no encryption key ${name}; one of a problem set goes with problemSetId.`,
    );
  try {
    return await makeKey(at, ctx, { name });
  } catch (error) {
    // Another request made it first.
    const made = isConflict(error) ? await find() : undefined;
    if (!made) throw error;
    return made;
  }
}
