import type { SetRole } from "../../../../config/set-roles.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import type { Update } from "../../../../core/records/documents.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { holderOf } from "../../../identity/identity/client.ts";
import { openersOf } from "../compartments/opening.ts";
import { commands, Member, MemberJoined } from "./members.ts";
import { tellAccess } from "./telling-access.ts";
import { onBehalfOf } from "../sets/sets.ts";

const MESH = asSystem("problem-sets");

/** The caller's role in a set; undefined for the mesh itself. */
export const ownRole = (caller: Caller, setId: string): SetRole | undefined =>
  caller.meta.actor?.omniscient ? undefined : (caller.meta.actor?.memberships?.[setId]?.role as SetRole | undefined);

/** A member of a set by the DID they joined with, or by another one of theirs. Throws 404. */
export async function memberBy(host: Host, caller: Caller, problemSetId: string, did: string): Promise<Member> {
  const members = host.store(Member);
  const known = await members.one(caller, { problemSetId, did });
  if (known) return known;
  const userId = await holderOf(host, did);
  const member = userId && (await members.one(caller, { problemSetId, userId }));
  if (!member) throw notFound("member", did);
  return member;
}

/**
 * Who of these is read into all the compartments, through whichever set each belongs to; the one rule of `sees`, asked
 * of many.
 */
export async function readAmong(
  host: Host,
  userIds: readonly string[],
  compartments: readonly string[],
): Promise<string[]> {
  if (!compartments.length || !userIds.length) return [...userIds];
  const openers = await openersOf(host, compartments);
  if (compartments.some((id) => !openers.has(id))) return [];
  const needed = [...new Set(openers.values())];
  const read = await host
    .store(Member)
    .find(
      MESH,
      { userId: { $in: [...userIds] }, status: "active", compartments: { $in: needed } },
      { fields: ["userId", "compartments"] },
    );
  const held = Map.groupBy(read, ({ userId }) => userId);
  return userIds.filter((userId) =>
    needed.every((id) => held.get(userId)?.some((member) => member.compartments.includes(id))),
  );
}

interface Joining {
  problemSetId: string;
  userId: string;
  did: string;
  role: SetRole;
}

export const joinedFact = (caller: Caller, { id }: Pick<Member, "id">, joining: Joining): Fact =>
  MemberJoined.fact(id, { ...joining, by: actorOf(caller) });

/**
 * Makes somebody a member, once: who is one already stays as they are, suspended or not. `isTold`: whoever calls tells
 * that they joined and that their access changed, once there is something to see.
 */
export async function join(host: Host, caller: Caller, joining: Joining, { isTold = false } = {}): Promise<Member> {
  const members = host.store(Member);
  const facts = (member: Member): Fact[] => [joinedFact(caller, member, joining)];
  const { record, made } = await members.createOnce(
    onBehalfOf(caller),
    { ...joining },
    { by: ["problemSetId", "userId"], ...(!isTold && { facts }) },
  );
  if (made && !isTold) await tellAccess(host, joining);
  return record;
}

/**
 * Checked between reading a member and taking the command from them: another commander must be there. Throws 409
 * otherwise.
 */
async function callWitness(host: Host, { id, problemSetId }: Member): Promise<void> {
  const witnessed = await host
    .store(Member)
    .witness(MESH, { problemSetId, role: "commander", status: "active", _id: { $ne: id } });
  if (!witnessed)
    throw conflict("This is the last commander of the problem set: make somebody else commander first.", {
      reason: "LAST_COMMANDER",
    });
}

/** What is to become of a member: fields, compartments to read in or out, or the end of the membership. */
interface Altering {
  change: Partial<Pick<Member, "role" | "status">> | "remove";
  compartments?: Pick<Update, "$addToSet" | "$pull">;
  facts: Fact[];
}
type Plan = (member: Member) => Altering | null;

/**
 * Changes or removes a member by plan, and makes every node forget that person's access. The plan is asked again where
 * the record changed meanwhile; null leaves it as it is. A set keeps its last commander; of two commanders who remove
 * each other at once, one succeeds.
 */
export async function alter(host: Host, caller: Caller, member: Member, plan: Plan): Promise<Member | null> {
  const members = host.store(Member);
  let at = member;
  return retryOnConflict(
    async (attempt) => {
      if (attempt > 1) at = await members.get(caller, member.id);
      const planned = plan(at);
      if (!planned) return at;
      const { change, facts, compartments } = planned;
      if (commands(at) && (change === "remove" || !commands({ ...at, ...change }))) await callWitness(host, at);
      const altered =
        change === "remove"
          ? await members.remove(caller, at, { facts }).then(() => null)
          : await members.revise(caller, at, change, { ...compartments, facts });
      await tellAccess(host, member);
      return altered;
    },
    { apart: member.id },
  );
}
