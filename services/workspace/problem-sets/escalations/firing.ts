import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedBeside, derivedId } from "../../../../core/ids.ts";
import { isConflict, nullIf } from "../../../../core/problem.ts";
import { Activity, EscalationFired } from "../activity/activity.ts";
import { Appointment, dueAt, Escalation, Rule, stateAfter, EscalationTarget, Watch } from "./escalations.ts";
import { Member } from "../members/members.ts";
import { tellMember } from "../activity/notifying.ts";
import { readAmong } from "../members/roster.ts";
import { setOf } from "../sets/sets.actions.ts";

export const MESH = asSystem("problem-sets");
const BATCH = 200;

/** An item of activity as it is made, and what its fact told. */
interface Watched {
  item: Pick<Activity, "problemSetId" | "compartments" | "kind" | "summary" | "at" | "subject">;
  told: Record<string, unknown>;
}

interface WatchState
  extends
    Pick<Watch, "id" | "problemSetId" | "compartments" | "about" | "subjectId">,
    Pick<Watch, "state" | "over" | "since" | "summary"> {
  /** What the id was before ids lay beside those of their subjects: what has it keeps it. */
  formerId: string;
}

/** The state that an item brings its subject into, as it is stored; undefined where no rule watches for it. */
function stateOf({ item, told }: Watched): WatchState | undefined {
  const { problemSetId, compartments, subject, summary, at: since } = item;
  const after = stateAfter(item, told);
  if (!after || !subject) return undefined;
  const { about, state } = after;
  const seed = `watch ${subject.type} ${subject.id} in ${problemSetId}`;
  const [id, formerId] = [derivedBeside(subject.id, seed), derivedId(seed)];
  const now = { state: state ?? "over", over: state === null, since, summary };
  return { id, formerId, problemSetId, compartments, about, subjectId: subject.id, ...now };
}

/**
 * Stores the states of what rules watch, and when each rule is to look at them. Facts may come twice and out of order:
 * the latest state of each counts.
 */
export async function watchSubjects(host: Host, watched: readonly Watched[]): Promise<void> {
  const latest = new Map<string, WatchState>();
  for (const state of watched.map(stateOf)) {
    const other = state && latest.get(state.id);
    if (state && !(other && other.since > state.since)) latest.set(state.id, state);
  }
  if (latest.size) await appointEach(host, await storedStates(host, [...latest.values()]));
}

async function storedStates(host: Host, states: readonly WatchState[]): Promise<Watch[]> {
  const watches = host.store(Watch);
  const ids = states.flatMap(({ id, formerId }) => [id, formerId]);
  const before = new Map((await watches.many(MESH, ids)).map((watch) => [watch.id, watch]));
  const known = states.map(({ formerId, id, ...state }) => ({ ...state, id: before.has(formerId) ? formerId : id }));
  const fresh = known.filter(({ id }) => !before.has(id));
  const created = fresh.length ? await watches.createEachOnce(MESH, fresh) : [];
  const made = new Map(created.flatMap(({ record, made: isNew }) => (isNew ? [[record.id, record]] : [])));
  const changed = ({ id, state, over, since, summary }: Omit<WatchState, "formerId">): Promise<Watch> => {
    const isKnown = (now: Watch): boolean => now.since > since || (now.since === since && now.state === state);
    const change = { state, over, since, summary };
    return watches.change(MESH, id, (now) => (isKnown(now) ? null : change), { seen: before.get(id) });
  };
  return Promise.all(known.map((state) => made.get(state.id) ?? changed(state)));
}

/** Appoints each rule with the states that it waits for. */
async function appointEach(host: Host, standing: readonly Watch[]): Promise<void> {
  const states = Map.groupBy(
    standing.filter(({ over }) => !over),
    ({ problemSetId, about, state }) => JSON.stringify([problemSetId, about, state]),
  );
  for (const watches of states.values()) {
    const { problemSetId, about, state } = watches[0]!;
    const waited = { problemSetId, "condition.about": about, "condition.state": state };
    for (const rule of await host.store(Rule).find(MESH, waited))
      for (const watch of watches) await appoint(host, rule, watch);
  }
}

/**
 * Rules do not fire in an archived set. Once it is restored they look again at states that last; a rule that fired
 * before does not fire again.
 */
export async function reappoint(this: Host, { problemSetId }: { problemSetId: string }): Promise<void> {
  const [rules, watches] = await Promise.all([
    this.store(Rule).find(MESH, { problemSetId }),
    this.store(Watch).find(MESH, { problemSetId, over: false }),
  ]);
  for (const rule of rules)
    for (const watch of watches.filter(
      ({ about, state }) => about === rule.condition.about && state === rule.condition.state,
    )) {
      const { id, dueAt: due } = await appoint(this, rule, watch);
      if (!due) await this.store(Appointment).amend(MESH, id, () => ({ dueAt: dueAt(rule, watch.since) }));
    }
}

/** Tells those whom an escalation is for, also after a kill between its record and their notifications. */
export async function tellOfEscalation(this: Host, { id }: { id: string }): Promise<void> {
  const escalation = await this.store(Escalation).one(MESH, { _id: id });
  if (escalation) for (const userId of await readersOf(this, escalation)) await tellOf(this, escalation, userId);
}

export async function appoint(host: Host, rule: Rule, watch: Watch): Promise<Appointment> {
  const given = {
    id: derivedId(`appointment of ${rule.id} with ${watch.id} since ${watch.since}`),
    problemSetId: rule.problemSetId,
    ruleId: rule.id,
    watchId: watch.id,
    since: watch.since,
    dueAt: dueAt(rule, watch.since),
  };
  return (await host.store(Appointment).createOnce(MESH, given)).record;
}

/**
 * Fires the rules whose time has come and whose state still lasts. The escalation's id follows from the appointment: it
 * is recorded once, also across nodes.
 */
export async function keepAppointments(this: Host): Promise<void> {
  const due = await this.store(Appointment).find(
    MESH,
    { dueAt: { $lte: iso(this.world.clock.now()) } },
    { sort: ["dueAt"], limit: BATCH },
  );
  for (const appointment of due) {
    const [rule, watch] = await Promise.all([
      this.store(Rule).one(MESH, { _id: appointment.ruleId }),
      this.store(Watch).one(MESH, { _id: appointment.watchId }),
    ]);
    if (
      rule &&
      watch &&
      !watch.over &&
      watch.since === appointment.since &&
      (await open(this, appointment.problemSetId))
    ) {
      await fire(this, MESH, {
        id: derivedId(`escalation of ${appointment.id}`),
        problemSetId: rule.problemSetId,
        compartments: watch.compartments,
        ruleId: rule.id,
        subject: { type: watch.about, id: watch.subjectId },
        target: rule.target,
        by: MESH.meta.actor!.userId,
        reason: `${rule.name}: ${watch.summary} It has been ${watch.state} since ${watch.since}.`,
      });
    }
    await this.store(Appointment).revise(MESH, appointment, { dueAt: null }).catch(nullIf(isConflict));
  }
}

const open = async (host: Host, problemSetId: string): Promise<boolean> =>
  (await setOf(host, problemSetId)).status === "active";

interface Firing {
  id?: string;
  problemSetId: string;
  compartments: string[];
  ruleId?: string;
  subject?: { type: string; id: string } | undefined;
  target: EscalationTarget;
  reason: string;
  by: string;
}

export async function fire(host: Host, caller: Caller, { by, ...given }: Firing): Promise<Escalation> {
  const { problemSetId, compartments, reason, subject } = given;
  const readers = await readersOf(host, given);
  const firedAt = iso(host.world.clock.now());
  const what = subject ? `${subject.type} ${subject.id}` : "a matter";
  const { record } = await host.store(Escalation).createOnce(
    caller,
    { ...given, firedAt, told: readers.length },
    {
      facts: ({ id }: Escalation) => [EscalationFired.fact(id, { id, problemSetId, compartments, by, what, reason })],
    },
  );
  for (const userId of readers) await tellOf(host, record, userId);
  return record;
}

/**
 * User ids of the target's members (the commanders, where the one member named has gone) who are read into all of it,
 * through whichever set each compartment belongs to.
 */
async function readersOf(
  host: Host,
  { problemSetId, compartments, target }: Pick<Firing, "problemSetId" | "compartments" | "target">,
): Promise<string[]> {
  const members = host.store(Member);
  const active = (whom: object) =>
    members.find(MESH, { problemSetId, status: "active", ...whom }, { fields: ["userId"] });
  const found = await active(target);
  const targeted = (found.length || "role" in target ? found : await active({ role: "commander" })).map(
    ({ userId }) => userId,
  );
  return readAmong(host, targeted, compartments);
}

const tellOf = (
  host: Host,
  { id: activityId, problemSetId, compartments, reason: summary, firedAt: at }: Escalation,
  userId: string,
): Promise<void> => {
  const id = derivedId(`escalation ${activityId} to ${userId}`);
  return tellMember(host, {
    id,
    problemSetId,
    compartments,
    userId,
    activityId,
    kind: "escalation.fired",
    summary,
    at,
  });
};
