import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { memberOf, personOf } from "../../../../core/access/access.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { CitedPlace } from "../../../../core/contract/citation.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { citationsAt } from "../objectives/citing.ts";
import { MESH } from "../objectives/escalating.ts";
import { objectiveEvent } from "../objectives/events.ts";
import { onObjective, reading } from "../objectives/objectives.actions.ts";
import { Objective } from "../objectives/objectives.ts";
import { demandStill } from "../objectives/removing.ts";
import { withinSet } from "../objectives/actor-role.ts";
import { IntentDraft, draft } from "./drafting.ts";
import { Intent, IntentChanged, IntentVersion } from "./intents.ts";

const { purpose, keyTasks, endState } = Intent.create;
const citations = z.array(CitedPlace).max(50);
const status = z.enum(["draft", "approved"]);
const writing = withinSet("intents:write");
const APPROVING = "`approved` passes it down to the children with its objective, and requires the commander in person.";

/** Throws 403 where the caller may not approve an intent, or change an approved one. */
function demandApprover(ctx: Ctx<unknown>, problemSetId: string): void {
  personOf(ctx.meta.actor);
  memberOf(ctx.meta.actor, problemSetId, "intents:approve", { writes: true });
}

const told = (intent: Intent, objective: Objective, by: string) => {
  const { id, objectiveId, problemSetId, compartments, version, status: state } = intent;
  const { title } = objectiveEvent(objective, by);
  return { id, objectiveId, problemSetId, compartments, title, version, status: state, by };
};

/** Of records of an older version only the first text says whose it is. */
const writerOf = ({ writtenBy, version, createdBy }: Intent): string | undefined =>
  writtenBy ?? (version === 1 ? createdBy : undefined);

/** Whether a change says something else; an approval alone does not. */
const saysElse = (intent: Intent, change: Partial<Pick<Intent, "purpose" | "keyTasks" | "endState">>): boolean =>
  (["purpose", "keyTasks", "endState"] as const).some(
    (part) => change[part] !== undefined && !isDeepStrictEqual(change[part], intent[part]),
  );

/** Keeps an intent's present text before it changes; two concurrent changes keep the same version. */
async function keepVersion(host: Host, intent: Intent): Promise<void> {
  const { id, version, problemSetId, compartments, objectiveId, updatedAt: at } = intent;
  await host.store(IntentVersion).createOnce(MESH, {
    id: derivedId(`intent ${id}, version ${version}`),
    ...{ problemSetId, compartments, objectiveId, version, at, intentId: id },
    ...{ purpose: intent.purpose, keyTasks: intent.keyTasks, endState: intent.endState },
    ...{ citations: intent.citations, status: intent.status },
    ...{ writtenBy: writerOf(intent), approvedBy: intent.approvedBy, approvedAt: intent.approvedAt },
  });
}

export const intentActions = {
  "intents.get": endpoint({
    rest: "GET /objectives/:id/intent",
    summary: "Read the commander's intent for an objective",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    returns: data(Intent.view),
    tool: "show_intent",
    errors: { 404: "It has none yet." },
    description: "The ETag is the intent's: send it back as `If-Match` to change it.",
    async handler(ctx, objective) {
      const intent = await this.store(Intent).one(ctx, { objectiveId: objective.id });
      if (!intent) throw notFound("intent for objective", objective.id);
      return intent;
    },
  }),

  "intents.create": endpoint({
    rest: "POST /objectives/:id/intent",
    summary: "Write the commander's intent for an objective",
    permit: "signed-in",
    within: writing,
    ...onObjective,
    body: { purpose, keyTasks, endState, citations: citations.default([]), status: status.default("draft") },
    returns: data(Intent.view),
    status: 201,
    description: `One per objective. ${APPROVING}`,
    errors: { 409: "It has one already: change that." },
    example: {
      purpose: "So that the north is supplied through the winter",
      keyTasks: ["Open the coastal road", "Hold the bridge"],
      endState: "Convoys pass by day and night without escort.",
    },
    async handler(ctx, objective) {
      const { citations: places, ...fields } = ctx.params;
      if (objective.status === "superseded") throw conflict("An objective that is superseded gets no intent.");
      if (fields.status === "approved") demandApprover(ctx, objective.problemSetId);
      const by = actorOf(ctx);
      const { id: objectiveId, problemSetId, compartments } = objective;
      const approval = { approvedBy: by, approvedAt: iso(this.world.clock.now()) };
      const intent = await this.store(Intent).create(
        ctx,
        {
          ...fields,
          ...{ objectiveId, problemSetId, compartments, version: 1, writtenBy: by },
          citations: await citationsAt(ctx, places, objective),
          ...(fields.status === "approved" && approval),
        },
        { facts: (made: Intent) => [IntentChanged.fact(made.id, told(made, objective, by))] },
      );
      return demandStill(this, objectiveId, Intent, intent);
    },
  }),

  "intents.update": endpoint({
    rest: "PUT /intent/:intentId",
    summary: "Change a commander's intent",
    permit: "signed-in",
    within: writing,
    on: Intent,
    by: "intentId",
    mustMatch: true,
    body: {
      purpose: Intent.update.purpose,
      keyTasks: Intent.update.keyTasks,
      endState: Intent.update.endState,
      citations: citations.optional(),
      status: status.optional(),
    },
    returns: data(Intent.view),
    description:
      `Creates the next version; earlier ones are kept. ${APPROVING} An approved intent can be changed only by ` +
      "those who may approve it.",
    async handler(ctx, intent) {
      const { citations: places, ...fields } = ctx.params;
      if (fields.status === "approved" || intent.status === "approved") demandApprover(ctx, intent.problemSetId);
      const objective = await this.store(Objective).get(ctx, intent.objectiveId);
      const by = actorOf(ctx);
      const next = fields.status ?? intent.status;
      const cited = places && (await citationsAt(ctx, places, intent));
      await keepVersion(this, intent);
      const approval =
        next === "approved"
          ? { approvedBy: by, approvedAt: iso(this.world.clock.now()) }
          : { approvedBy: null, approvedAt: null };
      return this.store(Intent).revise(
        ctx,
        intent,
        {
          ...fields,
          ...(cited && { citations: cited }),
          version: intent.version + 1,
          writtenBy: saysElse(intent, fields) ? by : writerOf(intent),
          ...approval,
        },
        { facts: (made: Intent) => [IntentChanged.fact(made.id, told(made, objective, by))] },
      );
    },
  }),

  "intents.listVersions": endpoint({
    rest: "GET /intent/:intentId/versions",
    summary: "List the earlier versions of a commander's intent",
    permit: "signed-in",
    within: reading,
    on: Intent,
    by: "intentId",
    query: IntentVersion.query,
    returns: list(IntentVersion.view),
    beyond: true,
    handler(ctx, intent) {
      return this.store(IntentVersion).page(ctx, ctx.params, {
        problemSetId: intent.problemSetId,
        intentId: intent.id,
      });
    },
  }),

  "intents.generate": endpoint({
    rest: "POST /objectives/:id/intent/generate",
    summary: "Draft a commander's intent from an objective and its source pages",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    reads: true,
    returns: data(IntentDraft),
    description:
      "A draft in which each line cites the words it is based on, from documents that you may read. It " +
      "is returned but not stored, so it overwrites nothing. It is made by rules; a language model adds " +
      "only lines whose quotation is on a page.",
    handler(ctx, objective) {
      return draft(this, ctx, objective);
    },
  }),
};
