import { isUnserved, nullIf } from "../../../core/problem.ts";
import { ERASED, NAMELESS } from "../../../core/access/person-reference.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { PersonInSet } from "../../../core/contract/person-names.ts";

interface Told {
  id: string;
  name?: string;
}
interface Profiled {
  id: string;
  displayName?: string;
  erased: boolean;
}

/**
 * What persons are called, in the order of the question; null for those who do not belong to the problem set that was
 * named.
 */
export async function peopleNames(host: Host, asked: readonly PersonInSet[]): Promise<(string | null)[]> {
  const userIds = await usersAmong(host, asked);
  const ids = [...new Set([...userIds, ...asked.map(({ person }) => person)].filter((id) => id !== null))];
  const [accounts, profiles] = await Promise.all([
    host.ask<Told[]>("auth.people", { ids }),
    // A mesh without that service has no profiles.
    host.ask<Profiled[]>("user-profile.people", { ids }).catch(nullIf(isUnserved)),
  ]);
  const named = new Map(accounts.map(({ id, name }) => [id, name]));
  const profiled = new Map((profiles ?? []).map((profile) => [profile.id, profile]));
  return asked.map(({ person }, at) => {
    const id = userIds[at] ?? null;
    if (profiled.get(id ?? person)?.erased) return ERASED;
    if (id === null || !named.has(id)) return null;
    return ownName(profiled.get(id)?.displayName ?? named.get(id)) ?? NAMELESS;
  });
}

/** Somebody who was erased, or has no name, is never shown under another's. */
const ownName = (name: string | undefined): string | undefined =>
  name === ERASED || name === NAMELESS ? undefined : name;

/** The user behind each id or DID; null where they are not known in the problem set that was named. */
async function usersAmong(host: Host, asked: readonly PersonInSet[]): Promise<(string | null)[]> {
  const inSets = asked.filter(({ problemSetId }) => problemSetId !== undefined);
  if (!inSets.length) return asked.map(({ person }) => person);
  const found = await host.ask<(string | null)[]>("problem-sets.knownAmong", { asked: inSets });
  const known = new Map(inSets.map((one, at) => [one, found[at] ?? null]));
  return asked.map((one) => (known.has(one) ? known.get(one)! : one.person));
}
