import { z } from "zod";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { Comment } from "./comments.ts";
import { demandPredecessor, giveWay, handDown, passUp } from "./escalating.ts";
import { ObjectiveChanged, ObjectiveDecided, objectiveEvent } from "./events.ts";
import { tellLive } from "./live.ts";
import { onObjective, reading } from "./objectives.actions.ts";
import { Objective } from "./objectives.ts";
import { demandStill } from "./removing.ts";
import { refuseAct, whoIs, withinSet } from "./actor-role.ts";
import { ACT_NAMES, OBJECTIVE_ACTS, movedObjective, possibilities, waitsAbove } from "./workflow.ts";

const View = data(Objective.view);
const Note = z.string().trim().min(1).max(4_000);
const NEWEST_COMMENTS = 100;

const Workflow = z
  .object({
    objectiveId: z.string(),
    status: Objective.view.shape.status,
    waitsAbove: z.boolean().describe("The verdict was passed up to the parent and has not come down."),
    history: Objective.record.shape.history,
    next: z
      .record(z.enum(ACT_NAMES), z.object({ allowed: z.boolean(), why: z.string() }))
      .describe("What you may do with it now, and why or why not."),
    comments: z.array(Comment.view).describe(`The newest ${NEWEST_COMMENTS}, the oldest of them first.`),
    commentCount: z.int(),
  })
  .meta({ id: "ObjectiveWorkflow" });

/** A transition that is no verdict: submitting, or taking into review. */
async function move(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
  act: "submit" | "take",
  note?: string,
): Promise<Objective> {
  const who = refuseAct(act, objective, ctx.meta.actor);
  const at = iso(host.world.clock.now());
  const change = act === "submit" ? ("submitted" as const) : ("taken" as const);
  const now = await host
    .store(Objective)
    .revise(ctx, objective, movedObjective(objective, act, OBJECTIVE_ACTS[act].to, who, at, note), {
      facts: [ObjectiveChanged.fact(objective.id, { ...objectiveEvent(objective, who.userId), change })],
    });
  await tellLive(host, now);
  return now;
}

/** A verdict, and its immediate consequences; the fact ensures them in any case. */
async function decide(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
  act: "approve" | "reject",
  note: string | undefined,
): Promise<Objective> {
  const who = refuseAct(act, objective, ctx.meta.actor);
  if (act === "approve") await demandPredecessor(host, objective);
  const at = iso(host.world.clock.now());
  const status = OBJECTIVE_ACTS[act].to;
  const told = { ...objectiveEvent(objective, who.userId), status, ...(note && { reason: note }) };
  const decided = await host
    .store(Objective)
    .revise(ctx, objective, movedObjective(objective, act, status, who, at, note), {
      facts: [ObjectiveDecided.fact(objective.id, told)],
    });
  await giveWay.call(host, told);
  await handDown.call(host, told);
  await tellLive(host, decided);
  return decided;
}

export const workflowActions = {
  "objectives.submit": endpoint({
    rest: "POST /objectives/:id/submit",
    summary: "Submit an objective for review",
    permit: "signed-in",
    within: withinSet(OBJECTIVE_ACTS.submit.may),
    ...onObjective,
    body: { note: Note.optional() },
    returns: View,
    description: "Possible for a draft, or for one that was rejected and revised.",
    handler(ctx, objective) {
      return move(this, ctx, objective, "submit", ctx.params.note);
    },
  }),

  "objectives.take": endpoint({
    rest: "POST /objectives/:id/workflow/take",
    summary: "Start reviewing an objective",
    permit: "signed-in",
    within: withinSet(OBJECTIVE_ACTS.take.may),
    ...onObjective,
    returns: View,
    beyond: true,
    description: "Other reviewers then leave it to you, until one of them takes it over.",
    errors: { 403: "Your role may not, you put it up yourself, or you come with a key." },
    async handler(ctx, objective) {
      const isMine = objective.status === "in_review" && objective.reviewer === actorOf(ctx);
      return isMine ? objective : move(this, ctx, objective, "take");
    },
  }),

  "objectives.review": endpoint({
    rest: "POST /objectives/:id/review",
    summary: "Approve or reject an objective",
    permit: "signed-in",
    within: withinSet(OBJECTIVE_ACTS.approve.may),
    ...onObjective,
    body: {
      decision: z.enum(["approve", "reject"]),
      reason: Note.optional().describe("Why; a rejection needs it."),
    },
    returns: View,
    description:
      "Requires a person other than the one who submitted it. Once approved, it is inherited by the " +
      "children of the problem set, and replaces the objective that it supersedes.",
    errors: {
      403: "Your role may not, you put it up yourself, or you come with a key.",
      409: "It is not up for review, its verdict waits in the parent, or somebody else took it.",
    },
    example: { decision: "reject", reason: "Nobody can measure it." },
    handler(ctx, objective) {
      const { decision, reason } = ctx.params;
      if (decision === "reject" && !reason)
        throw invalid([{ path: "reason", message: "Say why: whoever wrote it is to mend it." }]);
      return decide(this, ctx, objective, decision, reason);
    },
  }),

  "workflows.get": endpoint({
    rest: "GET /objectives/:id/workflow",
    summary: "Show an objective's status, its history, and what you may do next",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    returns: data(Workflow),
    async handler(ctx, objective) {
      const about = { problemSetId: objective.problemSetId, objectiveId: objective.id };
      const [newest, commentCount] = await Promise.all([
        this.store(Comment).find(ctx, about, { sort: ["-createdAt"], limit: NEWEST_COMMENTS }),
        this.store(Comment).count(ctx, about),
      ]);
      return {
        objectiveId: objective.id,
        status: objective.status,
        waitsAbove: waitsAbove(objective),
        history: objective.history,
        next: possibilities(objective, whoIs(ctx.meta.actor, objective.problemSetId)),
        comments: newest.reverse(),
        commentCount,
      };
    },
  }),

  "objectives.comment": endpoint({
    rest: "POST /objectives/:id/workflow/comment",
    summary: "Comment on an objective",
    permit: "signed-in",
    within: withinSet("objectives:comment"),
    ...onObjective,
    body: { text: Comment.create.text },
    returns: data(Comment.view),
    status: 201,
    example: { text: "The measure counts convoys, the statement speaks of attacks." },
    async handler(ctx, objective) {
      const { id: objectiveId, problemSetId, compartments } = objective;
      const told = { ...objectiveEvent(objective, actorOf(ctx)), change: "commented" as const };
      const comment = await this.store(Comment).create(
        ctx,
        { problemSetId, compartments, objectiveId, text: ctx.params.text },
        { facts: [ObjectiveChanged.fact(objectiveId, told)] },
      );
      await tellLive(this, objective);
      return demandStill(this, objectiveId, Comment, comment);
    },
  }),

  "objectives.escalate": endpoint({
    rest: "POST /objectives/:id/workflow/escalate",
    summary: "Escalate the verdict on an objective to the parent problem set",
    permit: "signed-in",
    within: withinSet(OBJECTIVE_ACTS.escalate.may),
    ...onObjective,
    body: { reason: Note.optional() },
    returns: View,
    description:
      "Creates a linked objective in the parent, submitted for review, with its statement and your " +
      "reason, but without its citations and comments. The decision there decides this objective.",
    errors: {
      409: "Its state does not allow it, or the parent is archived (`ARCHIVED`).",
      422:
        "`NO_PARENT`: this problem set has none. `NO_ELIGIBLE_REVIEWER`: nobody in the parent who may decide " +
        "is read into the objective's compartments.",
    },
    async handler(ctx, objective) {
      const who = refuseAct("escalate", objective, ctx.meta.actor);
      const waiting = await passUp(this, ctx, objective, who, ctx.params.reason);
      await tellLive(this, waiting);
      return waiting;
    },
  }),
};
