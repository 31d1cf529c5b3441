import { setPermitsOf } from "../../../../config/set-roles.ts";
import { holds, type Actor } from "../../../../core/access/access.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { notConfigured, notFound } from "../../../../core/problem.ts";
import type { Dao } from "../daos.ts";

/** Whether some node of the mesh does this action now. */
export const served = (host: Host, action: string): boolean => {
  const found = host.broker.findNextActionEndpoint(action, {}, undefined as never);
  return !(found instanceof Error);
};

/**
 * Asks another domain as the mesh, or as an actor of its own. Throws 503 `NOT_CONFIGURED` where this installation lacks
 * it.
 */
export async function ask<T>(host: Host, action: string, params: object, actor?: Actor): Promise<T> {
  if (!served(host, action))
    throw notConfigured(`This installation has no ${action.split(".")[0]}: ${action} cannot be done.`);
  return actor ? host.broker.call<T, object>(action, params, { meta: { actor } }) : host.ask(action, params);
}

/**
 * A DAO as an actor: it acts for itself behind its own barrier, in its problem set and its compartments and nowhere
 * else.
 */
export const daoActor = (dao: Dao, by: string): Actor => ({
  userId: by,
  roles: ["system"],
  via: "system",
  permits: ["*"],
  ...(dao.training && { mode: "training" as const }),
  memberships: { [dao.problemSetId]: { role: "dao", permits: ["*"], compartments: dao.compartments } },
});

/**
 * The user an account names: a DID is asked for, anything else is a user id. Throws 404 for a DID nobody here holds.
 */
export async function userOf(host: Host, account: string): Promise<string> {
  if (!account.startsWith("did:")) return account;
  const holder = await ask<{ userId: string } | null>(host, "identity.holderOf", { did: account });
  if (!holder) throw notFound("account", account);
  return holder.userId;
}

export const didOf = async (host: Host, account: string): Promise<string> =>
  account.startsWith("did:")
    ? account
    : (await ask<{ did: string }>(host, "identity.primaryDid", { userId: account })).did;

export interface SetMember {
  userId: string;
  did: string;
  role: string;
}

/**
 * Active members of the DAO's problem set who are read into all its compartments, a parent's included, and whose role
 * lets them vote.
 */
export async function peopleOf(
  host: Host,
  { problemSetId, compartments }: Pick<Dao, "problemSetId" | "compartments">,
): Promise<SetMember[]> {
  const members = await ask<SetMember[]>(host, "problem-sets.readersOf", { problemSetId, compartments });
  return members.filter((member) => holds(setPermitsOf(member.role), "dao:vote"));
}
