import { z } from "zod";
import { unionOfCompartments } from "../../../../core/access/access.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { derivedId } from "../../../../core/ids.ts";
import { invalid, isConflict, isNotFound, notFound, nullIf } from "../../../../core/problem.ts";
import { Activity, EscalationFired } from "../activity/activity.ts";
import { Appointment, dueAt, Escalation, Rule, stateAfter, Target, Watch, WATCHED } from "./escalations.ts";
import { Member } from "../members/members.ts";
import { tellMember } from "../activity/telling.ts";
import { memberBy, readAmong } from "../members/roster.ts";
import { setOf } from "../sets/sets.actions.ts";

const MESH = asSystem("problem-sets");
const managing = { set: "id", may: "escalations:manage" };
const inPath = { id: TextId };
const BATCH = 200;

export const escalationActions = {
  "escalationRules.list": endpoint({
    rest: "GET /:id/escalation-rules",
    summary: "List the escalation rules of a problem set",
    permit: "signed-in",
    path: inPath,
    within: { set: "id", may: "escalations:read" },
    query: { ...paging },
    returns: list(Rule.view),
    handler(ctx) {
      return this.store(Rule).page(ctx, ctx.params, { problemSetId: ctx.params.id });
    },
  }),

  "escalationRules.create": endpoint({
    rest: "POST /:id/escalation-rules",
    summary: "Add an escalation rule: what may not last, how long, and who is told",
    permit: "signed-in",
    path: inPath,
    within: managing,
    returns: data(Rule.view),
    status: 201,
    description: "It fires by itself, once for each time that the state lasts too long; also for what lasts already.",
    body: {
      name: Rule.create.name,
      condition: Rule.create.condition,
      delayMinutes: Rule.create.delayMinutes,
      target: Rule.create.target,
    },
    example: {
      name: "Slow gates",
      condition: { about: "gate", state: "submitted" },
      delayMinutes: 120,
      target: { role: "commander" },
    },
    async handler(ctx) {
      const { id, ...fields } = ctx.params;
      const { about, state } = fields.condition;
      if (!(WATCHED[about] as readonly string[]).includes(state))
        throw invalid([
          { path: "condition.state", message: `A ${about} waits in one of: ${WATCHED[about].join(", ")}.` },
        ]);
      const target = await targetIn(this, id, fields.target);
      const rule = await this.store(Rule).create(ctx, { ...fields, target, problemSetId: id });
      for (const watch of await this.store(Watch).find(MESH, { problemSetId: id, about, state, over: false }))
        await appoint(this, rule, watch);
      return rule;
    },
  }),

  "escalationRules.remove": endpoint({
    rest: "DELETE /:id/escalation-rules/:ruleId",
    summary: "Remove an escalation rule",
    permit: "signed-in",
    path: inPath,
    on: Rule,
    by: "ruleId",
    within: { set: "problemSetId", may: managing.may },
    returns: nothing(),
    status: 204,
    async handler(ctx, rule) {
      if (rule.problemSetId !== ctx.params.id) throw notFound(Rule.title, rule.id);
      await this.store(Rule).remove(ctx, rule);
      return null;
    },
  }),

  "escalations.fire": endpoint({
    rest: "POST /:id/escalate",
    summary: "Escalate by hand",
    permit: "signed-in",
    path: inPath,
    within: { set: "id", may: "escalations:fire" },
    returns: data(Escalation.view),
    status: 201,
    body: {
      reason: z.string().min(3).max(2_000),
      target: Target.default({ role: "commander" }),
      subject: z.strictObject({ type: z.string().min(1).max(40), id: TextId }).optional(),
      compartments: z.array(TextId).max(20).default([]),
    },
    example: { reason: "Nobody answers the request.", target: { role: "commander" } },
    description:
      "Told to the members of the target who may see it: it lies in the compartments you name, and in those of what it is about.",
    async handler(ctx) {
      const { id, ...fields } = ctx.params;
      const target = await targetIn(this, id, fields.target);
      const about = fields.subject
        ? await this.store(Activity).find(ctx, { problemSetId: id, "subject.id": fields.subject.id }, { limit: 1 })
        : [];
      const compartments = unionOfCompartments([fields, ...about]);
      return fire(this, ctx, { ...fields, target, problemSetId: id, compartments, by: ctx.meta.actor!.userId });
    },
  }),

  "escalations.list": endpoint({
    rest: "GET /:id/escalations",
    summary: "List what was escalated in a problem set",
    permit: "signed-in",
    beyond: true,
    path: inPath,
    within: { set: "id", may: "escalations:read" },
    query: { ...paging },
    returns: list(Escalation.view),
    handler(ctx) {
      return this.store(Escalation).page(ctx, ctx.params, { problemSetId: ctx.params.id });
    },
  }),
};

type Target = z.output<typeof Target>;

/**
 * A target as members are known in the set: by the DID that they joined with. Throws 400 for somebody who is no active
 * member.
 */
async function targetIn(host: Host, problemSetId: string, target: Target): Promise<Target> {
  if (!("did" in target)) return target;
  const member = await memberBy(host, MESH, problemSetId, target.did).catch(nullIf(isNotFound));
  if (member?.status !== "active") throw invalid([{ path: "target.did", message: "No active member has this DID." }]);
  return { did: member.did };
}

/**
 * Keeps the state of what rules watch, and makes the rules' appointments; facts may come twice and out of order, the
 * latest state stands.
 */
export async function watchSubject(host: Host, item: Activity, told: Record<string, unknown>): Promise<void> {
  const after = stateAfter(item, told);
  if (!after || !item.subject) return;
  const id = derivedId(`watch ${item.subject.type} ${item.subject.id} in ${item.problemSetId}`);
  const { about } = after;
  const fields = { state: after.state ?? "over", over: after.state === null, since: item.at, summary: item.summary };
  const before = await host.store(Watch).one(MESH, { _id: id });
  const standing = before
    ? await host
        .store(Watch)
        .change(MESH, id, (now) =>
          now.since > item.at || (now.since === item.at && now.state === fields.state) ? null : fields,
        )
    : (
        await host.store(Watch).createOnce(MESH, {
          id,
          problemSetId: item.problemSetId,
          compartments: item.compartments,
          about,
          subjectId: item.subject.id,
          ...fields,
        })
      ).record;
  if (standing.over) return;
  for (const rule of await host
    .store(Rule)
    .find(MESH, { problemSetId: item.problemSetId, "condition.about": about, "condition.state": standing.state }))
    await appoint(host, rule, standing);
}

/**
 * What came due in the archive was let pass: rules look again at what lasts. What fired before fires no second time.
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

/** Tells of an escalation whoever it is for, also after a kill between its record and its lines. */
export async function tellOfEscalation(this: Host, { id }: { id: string }): Promise<void> {
  const escalation = await this.store(Escalation).one(MESH, { _id: id });
  if (escalation) for (const userId of await readersOf(this, escalation)) await tellOf(this, escalation, userId);
}

async function appoint(host: Host, rule: Rule, watch: Watch): Promise<Appointment> {
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
  target: Target;
  reason: string;
  by: string;
}

async function fire(host: Host, caller: Caller, { by, ...given }: Firing): Promise<Escalation> {
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
