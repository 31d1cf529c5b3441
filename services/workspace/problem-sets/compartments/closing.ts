import { setPermitsOf } from "../../../../config/set-roles.ts";
import { holds } from "../../../../core/access/access.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { on, type EventSubscription } from "../../../../core/events/event.ts";
import { conflict, forbidden, invalid } from "../../../../core/problem.ts";
import { Member } from "../members/members.ts";
import { Compartment, CompartmentClosing, CompartmentDissolved, CompartmentRestored } from "./compartments.ts";
import { heldBy, manages } from "./compartments.actions.ts";
import { tellHolders } from "./opening.ts";

const MESH = asSystem("problem-sets");
const DAY_MS = 86_400_000;
/** How long what was dissolved can be restored. */
export const RESTORABLE_DAYS = 30;
/** A request to dissolve lapses after this time where nobody joined it. */
export const CLOSING_DAYS = 7;

export const isReadIn = (caller: Caller, { id, problemSetId }: Compartment): boolean =>
  caller.meta.actor?.omniscient === true || heldBy(caller, problemSetId).includes(id);

/** The compartment that another is moved to. Throws 400 where there is no such, 403 unless the caller is read into both. */
export async function mergeTarget(
  host: Host,
  caller: Caller,
  compartment: Compartment,
  to: string | undefined,
): Promise<Compartment> {
  const target =
    to === undefined || to === compartment.id ? null : await host.store(Compartment).one(caller, { _id: to });
  if (target?.problemSetId !== compartment.problemSetId || target.status !== "active")
    throw invalid([{ path: "to", message: "Name another active compartment of this problem set." }]);
  if (!isReadIn(caller, compartment) || !isReadIn(caller, target))
    throw forbidden("What lies in a compartment is moved by somebody who is read into it and into the other one.");
  return target;
}

/** Whether another person, who may still do it, asked for the same lately. */
async function isSecond(host: Host, caller: Caller, { problemSetId, closing }: Compartment): Promise<boolean> {
  const since = iso(host.world.clock.now() - CLOSING_DAYS * DAY_MS);
  if (!closing || closing.by === actorOf(caller) || closing.at < since) return false;
  const first = await host.store(Member).one(MESH, { problemSetId, userId: closing.by, status: "active" });
  return first !== null && holds(setPermitsOf(first.role), manages.may);
}

/**
 * Dissolves a compartment: at once for somebody who is read in, else as the second of two who ask. What lies in it is
 * closed, or open from then on to those who are read into the target.
 */
export async function dissolve(
  host: Host,
  caller: Caller,
  compartment: Compartment,
  target: Compartment | undefined,
): Promise<Compartment> {
  const compartments = host.store(Compartment);
  const { id, problemSetId } = compartment;
  const told = { problemSetId, by: actorOf(caller), compartments: [id] };
  const now = host.world.clock.now();
  if (!isReadIn(caller, compartment) && !(await isSecond(host, caller, compartment))) {
    if (compartment.closing?.by === told.by && compartment.closing.at >= iso(now - CLOSING_DAYS * DAY_MS))
      return compartment;
    const closing = { by: told.by, at: iso(now) };
    return compartments.revise(caller, compartment, { closing }, { facts: [CompartmentClosing.fact(id, told)] });
  }
  const dissolved = await compartments.revise(
    caller,
    compartment,
    {
      status: "dissolved",
      closing: null,
      restorableUntil: iso(now + RESTORABLE_DAYS * DAY_MS),
      movedTo: target?.id ?? null,
    },
    { facts: [CompartmentDissolved.fact(id, told)] },
  );
  await settleMove(host, id);
  return dissolved;
}

/**
 * Withdraws a request, or restores a dissolved compartment within its time: those who were read in are again, and
 * nobody else.
 */
export async function restore(host: Host, caller: Caller, compartment: Compartment): Promise<Compartment> {
  const { id, problemSetId, status, closing, restorableUntil, movedTo } = compartment;
  if (status === "active" && !closing) return compartment;
  if (status === "dissolved" && !(restorableUntil && restorableUntil > iso(host.world.clock.now())))
    throw conflict(`A compartment is restored within ${RESTORABLE_DAYS} days after it was dissolved.`);
  if (movedTo !== undefined && !isReadIn(caller, compartment))
    throw forbidden("What was moved is taken back by somebody who is read into the compartment it was moved to.");
  const told = { problemSetId, by: actorOf(caller), compartments: [id] };
  const change = { status: "active", closing: null, restorableUntil: null, movedTo: null };
  const facts = [CompartmentRestored.fact(id, told)];
  const restored = await host.store(Compartment).revise(caller, compartment, change, { facts });
  await settleMove(host, id);
  return restored;
}

/**
 * Makes the other compartments' records say what became of this one: those that it was moved to open it, no other does.
 * Done by whoever changed it, and again when its fact is heard, so that a kill in between leaves nothing half done.
 */
async function settleMove(host: Host, id: string): Promise<void> {
  const compartments = host.store(Compartment);
  const at = await compartments.one(MESH, { _id: id });
  if (!at) return;
  const { problemSetId, status, movedTo, takes = [] } = at;
  const target = status === "dissolved" ? movedTo : undefined;
  const takers = { problemSetId, $or: [{ _id: target ?? "" }, { takes: target ?? id }] };
  const concerned = await compartments.find(MESH, takers, { fields: ["status"] });
  if (target !== undefined)
    await compartments.collection.updateMany(takers, {
      $addToSet: { takes: { $each: [...takes, id] } },
      $inc: { rev: 1 },
    });
  // Its own mark goes last: after a kill in between it is still known where it was.
  else
    for (const taken of concerned.length ? [...takes, id] : [])
      await compartments.collection.updateMany(takers, { $pull: { takes: taken }, $inc: { rev: 1 } });
  await tellHolders(host, problemSetId, [id, ...concerned.map((one) => one.id)]);
  const now = await compartments.one(MESH, { _id: id });
  if (now && (now.status !== status || now.movedTo !== movedTo)) await settleMove(host, id);
}

const settleAgain = async function (this: Host, { compartments: [id] }: { compartments: string[] }): Promise<void> {
  await settleMove(this, id!);
};
export const settling: readonly EventSubscription[] = [CompartmentDissolved, CompartmentRestored].map((told) =>
  on(told, settleAgain),
);

/** Takes compartments off their members once they cannot be restored any longer. */
export async function forgetDissolved(this: Host): Promise<void> {
  const compartments = this.store(Compartment);
  const now = iso(this.world.clock.now());
  for (const { id, problemSetId } of await compartments.find(MESH, { restorableUntil: { $lte: now } })) {
    await this.store(Member).collection.updateMany(
      { problemSetId, compartments: id },
      { $pull: { compartments: id }, $inc: { rev: 1 } },
    );
    await compartments.collection.updateMany(
      { _id: id, restorableUntil: { $lte: now } },
      { $unset: { restorableUntil: 1 }, $inc: { rev: 1 } },
    );
  }
}
