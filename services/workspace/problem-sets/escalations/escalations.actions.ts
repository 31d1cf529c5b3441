import { z } from "zod";
import { readInto, unionOfCompartments } from "../../../../core/access/barrier.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { invalid, isNotFound, notFound, nullIf } from "../../../../core/problem.ts";
import { Activity } from "../activity/activity.ts";
import { Escalation, Rule, EscalationTarget, Watch, WATCHED } from "./escalations.ts";
import { memberBy, readAmong } from "../members/roster.ts";
import { MESH, appoint, fire } from "./firing.ts";

const managing = { set: "id", may: "escalations:manage" };
const inPath = { id: TextId };
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
    summary: "Add an escalation rule: which state may not last, for how long, and who is notified",
    permit: "signed-in",
    path: inPath,
    within: managing,
    returns: data(Rule.view),
    status: 201,
    description:
      "It fires automatically, once each time that the state lasts too long; also for a state that already does.",
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
    summary: "Escalate manually",
    permit: "signed-in",
    path: inPath,
    within: { set: "id", may: "escalations:fire" },
    returns: data(Escalation.view),
    status: 201,
    body: {
      reason: z.string().trim().min(3).max(2_000),
      target: EscalationTarget.default({ role: "commander" }),
      subject: z.strictObject({ type: z.string().min(1).max(40), id: TextId }).optional(),
      compartments: z.array(TextId).max(20).default([]),
    },
    example: { reason: "Nobody answers the request.", target: { role: "commander" } },
    description:
      "The members of the target who may see it are notified: it lies in the compartments you name, and " +
      "in those of what it is about. `type` and `id` are those of an item's `subject` in the activity.",
    async handler(ctx) {
      const { id, ...fields } = ctx.params;
      const target = await targetIn(this, id, fields.target);
      const about = fields.subject ? await activityOf(this, ctx, id, fields.subject) : [];
      // Stored outside of compartments, it would reveal what may lie in one.
      if (fields.subject && !about.length && !fields.compartments.length)
        throw invalid([
          {
            path: "subject",
            message: "You see no activity of this type and id: name its compartments, or leave it out.",
          },
        ]);
      const compartments = unionOfCompartments([fields, ...about]);
      // Whoever is not read in themselves learns nothing of who is: they are refused below.
      if ("did" in target && readInto(ctx.meta.actor, compartments)) await demandSight(this, id, target, compartments);
      return fire(this, ctx, { ...fields, target, problemSetId: id, compartments, by: ctx.meta.actor!.userId });
    },
  }),

  "escalations.list": endpoint({
    rest: "GET /:id/escalations",
    summary: "List the escalations of a problem set",
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

/** The latest activity about a subject that the caller sees: an escalation lies where that lies. */
const activityOf = (host: Host, ctx: Ctx<unknown>, problemSetId: string, { type, id }: { type: string; id: string }) =>
  host
    .store(Activity)
    .find(ctx, { problemSetId, "subject.id": id, "subject.type": type }, { sort: ["-createdAt"], limit: 1 });

/**
 * A target as members are known in the set: by the DID that they joined with. Throws 400 for somebody who is no active
 * member.
 */
async function targetIn(host: Host, problemSetId: string, target: EscalationTarget): Promise<EscalationTarget> {
  if (!("did" in target)) return target;
  const member = await memberBy(host, MESH, problemSetId, target.did).catch(nullIf(isNotFound));
  if (member?.status !== "active") throw invalid([{ path: "target.did", message: "No active member has this DID." }]);
  return { did: member.did };
}

/** Throws 400 where the one member named would not hear of it, not being read into what it is about. */
async function demandSight(host: Host, id: string, { did }: { did: string }, compartments: string[]): Promise<void> {
  const { userId } = await memberBy(host, MESH, id, did);
  if (!(await readAmong(host, [userId], compartments)).length)
    throw invalid([{ path: "target.did", message: "This member is not read into what you escalate: name another." }]);
}
