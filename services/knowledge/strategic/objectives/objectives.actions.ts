import { z } from "zod";
import { isVoid } from "../../../../core/records/stored-form.ts";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { CitedPlace, type Citation } from "../../../../core/contract/citation.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid, unprocessable } from "../../../../core/problem.ts";
import { iso } from "../../../../core/clock.ts";
import { Verification } from "./checks.ts";
import { citationsAt } from "./citing.ts";
import { tellLive } from "./live.ts";
import { ObjectiveChanged, objectiveEvent } from "./events.ts";
import { Objective } from "./objectives.ts";
import { refuseAct, withinSet } from "./actor-role.ts";
import { verify } from "./verifying.ts";
import { OBJECTIVE_ACTS, withLine } from "./workflow.ts";

export const onObjective = { on: Objective, by: "id" } as const;
export const reading = withinSet("objectives:read");
const editing = withinSet(OBJECTIVE_ACTS.edit.may);

const { statement, description, kind, measure, dueAt, owner } = Objective.create;
const citations = z.array(CitedPlace).max(50);
/** Written by a person: full confidence. */
const BY_HAND = { value: 1, parts: [{ part: "written by a person", value: 1 }] };

/** The document under which a manual objective is listed: the first that it cites. */
const sourceOf = ([first]: readonly Citation[]) => ({
  documentId: first?.documentId ?? null,
  documentVersion: first?.version ?? null,
});

/** The objective that a new one will supersede. Throws 404, 409 and 422 where it cannot. */
async function predecessorOf(
  host: Host,
  ctx: Ctx<unknown>,
  id: string,
  { problemSetId, compartments }: { problemSetId: string; compartments: string[] },
): Promise<void> {
  const before = await host.store(Objective).get(ctx, id);
  if (before.problemSetId !== problemSetId)
    throw invalid([{ path: "supersedes", message: "The objective lies in another problem set." }]);
  if (before.status !== "approved") throw conflict(`Only an approved objective is superseded; it is ${before.status}.`);
  if (before.compartments.join() !== compartments.join())
    throw unprocessable("COMPARTMENTS", "A successor lies in the compartments of what it takes the place of.");
}

export const objectiveActions = {
  "objectives.list": endpoint({
    rest: "GET /objectives",
    summary: "List the objectives that you can see",
    permit: "signed-in",
    within: reading,
    query: Objective.query,
    returns: list(Objective.view),
    tool: "list_objectives",
    description: "From all your problem sets, or from one; those found in one document with `documentId`.",
    handler(ctx) {
      return this.store(Objective).page(ctx, ctx.params);
    },
  }),

  "objectives.get": endpoint({
    rest: "GET /objectives/:id",
    summary: "Show an objective and the words it is based on",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    returns: data(Objective.view),
    tool: "show_objective",
    description: "With its state, its measure, and the passages of the document that it was found in.",
    handler: (_ctx, objective) => objective,
  }),

  "objectives.create": endpoint({
    rest: "POST /objectives",
    summary: "Write an objective by hand",
    permit: "signed-in",
    within: editing,
    body: {
      ...Objective.create,
      citations: citations.default([]).describe("The words of documents that it comes from."),
    },
    returns: data(Objective.view),
    status: 201,
    beyond: true,
    description:
      "With `supersedes` it replaces an approved objective once it is approved itself. Cited documents " +
      "must lie in the same problem set, and in no compartment that it does not lie in.",
    errors: { 422: "`COMPARTMENTS`: it would be seen by people who may not read what it cites or supersedes." },
    example: {
      problemSetId: "the problem set's id",
      statement: "Reduce attacks on convoys by half before the summer",
      measure: { indicator: "attacks on convoys a month", baseline: 12, target: 6 },
      dueAt: "2027-06-01T00:00:00Z",
      owner: "G3",
    },
    async handler(ctx) {
      const { citations: places, ...fields } = ctx.params;
      if (fields.supersedes) await predecessorOf(this, ctx, fields.supersedes, fields);
      const cited = await citationsAt(ctx, places, fields);
      const by = actorOf(ctx);
      const objective = await this.store(Objective).create(
        ctx,
        {
          ...fields,
          citations: cited,
          ...(cited.length > 0 && sourceOf(cited)),
          ...{ confidence: BY_HAND, method: "manual", status: "draft", edited: true, history: [] },
        },
        {
          facts: (made: Objective) => [
            ObjectiveChanged.fact(made.id, { ...objectiveEvent(made, by), change: "created" }),
          ],
        },
      );
      await tellLive(this, objective);
      return objective;
    },
  }),

  "objectives.update": endpoint({
    rest: "PUT /objectives/:id",
    summary: "Change an objective",
    permit: "signed-in",
    within: editing,
    ...onObjective,
    body: {
      statement: statement.optional(),
      description: description.nullable(),
      kind: kind.nullable(),
      measure: measure.nullable(),
      dueAt: dueAt.nullable(),
      owner: owner.nullable(),
      citations: citations.optional().describe("Takes the place of those it has."),
      proposal: z.null().optional().describe("Null: dismisses what extraction proposed."),
    },
    returns: data(Objective.view),
    description:
      "Possible for a draft or a rejected objective. Fields that are left out stay unchanged, null " +
      "clears. From then on extraction leaves it alone and attaches what it finds as `proposal`. An " +
      "approved objective is replaced by a successor instead.",
    errors: { 409: "Its state does not allow it (`CONFLICT`)." },
    async handler(ctx, objective) {
      const who = refuseAct("edit", objective, ctx.meta.actor);
      const { citations: places, ...fields } = ctx.params;
      const cited = places && (await citationsAt(ctx, places, objective));
      if (isVoid(objective, { ...fields, ...(cited && { citations: cited }) })) return objective;
      const at = iso(this.world.clock.now());
      const change = {
        ...fields,
        ...(cited && { citations: cited, ...(objective.method === "manual" && sourceOf(cited)) }),
        edited: true,
        history: withLine(objective, "edit", objective.status, who, at),
      };
      const told = (made: Objective) => ({ ...objectiveEvent(made, who.userId), change: "edited" as const });
      const changed = await this.store(Objective).revise(ctx, objective, change, {
        facts: (made: Objective) => [ObjectiveChanged.fact(made.id, told(made))],
      });
      await tellLive(this, changed);
      return changed;
    },
  }),

  "objectives.verify": endpoint({
    rest: "POST /objectives/:id/verify",
    summary: "Check an objective: citation, measure, date, owner and contradictions",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    reads: true,
    returns: data(Verification),
    tool: "verify_objective",
    description:
      "One line for each check. Contradictions are searched among the objectives that you can see, " +
      "citations among the documents that you may read. The rules read English, and say so for other " +
      "languages; a language model also searches for contradictions, of which only those quoted from " +
      "both texts are kept. Nothing is changed.",
    handler(ctx, objective) {
      return verify(this, ctx, objective);
    },
  }),

  "objectives.remove": endpoint({
    rest: "DELETE /objectives/:id",
    summary: "Remove an objective",
    permit: "signed-in",
    within: editing,
    ...onObjective,
    returns: nothing(),
    status: 204,
    description:
      "Possible for a draft or a rejected objective; its risks, assessments, intent, operations and " +
      "comments are removed too.",
    errors: { 409: "Its state does not allow it (`CONFLICT`)." },
    async handler(ctx, objective) {
      const { userId } = refuseAct("remove", objective, ctx.meta.actor);
      const told = { ...objectiveEvent(objective, userId), change: "removed" as const };
      await this.store(Objective).remove(ctx, objective, { facts: [ObjectiveChanged.fact(objective.id, told)] });
      await tellLive(this, objective);
      return null;
    },
  }),
};
