import { z } from "zod";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict } from "../../../../core/problem.ts";
import { PageMeta, paging, TextId } from "../../../../core/records/entity.ts";
import { ENTITY_TYPES } from "../statements/vocabulary.ts";
import { nodeShown, NodeView } from "../views/shapes.ts";
import { viewsFor } from "../views/views.actions.ts";
import { reading } from "../workspaces/workspaces.actions.ts";
import type { Candidate } from "./duplicates.ts";
import { duplicatesOf, judgeEntities, takeBack } from "./judging.ts";
import { Judgement, MOST_ENTITIES, JUDGEMENT_VERDICTS } from "./judgements.ts";
import { FEATURES } from "./weighing.ts";

const judging = { set: "problemSetId", may: "graph:edit" } as const;
const Evidence = z.array(
  z.object({
    feature: z.enum(FEATURES),
    weight: z.number().describe("Bits: log2 of how much more likely it is of one entity than of two."),
    because: z.string(),
  }),
);
const CandidateView = z
  .object({
    problemSetId: z.string(),
    one: NodeView,
    other: NodeView,
    weight: z.number().describe("Prior and evidence together, in bits; the order of the list."),
    probability: z.number().describe("The same as a probability: near 1 it no longer shows which is more certain."),
    nameScore: z.number().describe("How alike their names are, 0..1."),
    why: Evidence.describe("What speaks for one entity, the strongest first."),
    whyNot: Evidence.describe("What speaks for two."),
    nameAlone: z.boolean().describe("Only their names speak for it."),
    ambiguous: z
      .array(z.object({ id: TextId, name: z.string() }))
      .describe("Others that one of the two fits about as well, though they do not fit the other."),
    unsure: z.boolean().describe("Somebody looked, and could not decide."),
  })
  .meta({ id: "DuplicateCandidate" });

const MOST_DROPPED = 50;
const Left = PageMeta.extend({
  dropped: z
    .array(z.object({ key: z.string(), entities: z.int() }))
    .describe(`What too many names have in common to be compared by; at most ${MOST_DROPPED}.`),
  truncated: z.boolean().describe("There are more pairs than are compared."),
});

const shown = (problemSetId: string, { one, other, name, ambiguous, ...rest }: Candidate) => ({
  ...{ problemSetId, ...rest },
  one: nodeShown(one),
  other: nodeShown(other),
  nameScore: name,
  ambiguous: ambiguous.map(({ id, name: called }) => ({ id, name: called })),
});

export const resolutionActions = {
  "duplicates.list": endpoint({
    rest: "GET /resolution/duplicates",
    summary: "Find entities that may be the same",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: TextId.optional().describe("From this problem set; without it, from all of yours."),
      entityId: TextId.optional().describe("Those that this entity is one of."),
      type: z.enum(ENTITY_TYPES).optional(),
      ...paging,
    },
    returns: list(CandidateView, Left),
    tool: "find_duplicate_entities",
    description:
      "Most certain first, by the model of Fellegi and Sunter: name parts across scripts, how rare they " +
      "are, identifiers, shared relations, sources that name both. Based only on what you can see. " +
      "Nothing is merged: people decide that. Pairs that somebody judged distinct are left out.",
    async handler(ctx) {
      const { problemSetId, entityId, type, page = 1, limit = 20 } = ctx.params;
      const rows = [];
      const left: z.input<typeof Left> = { total: 0, page, limit, dropped: [], truncated: false };
      for (const view of await viewsFor(this, ctx, { problemSetId })) {
        const { candidates, dropped, truncated } = await duplicatesOf(this, ctx, view);
        left.dropped.push(...dropped.slice(0, MOST_DROPPED - left.dropped.length));
        left.truncated ||= truncated;
        const about = entityId === undefined ? undefined : (view.canonicalOf(entityId) ?? "");
        for (const candidate of candidates) {
          const ends = [candidate.one, candidate.other];
          if (about !== undefined && !ends.some(({ id }) => id === about)) continue;
          if (type === undefined || ends.some((end) => end.type === type))
            rows.push([view.problemSetId, candidate] as const);
        }
      }
      rows.sort(([, a], [, b]) => b.weight - a.weight);
      const from = (page - 1) * limit;
      return {
        data: rows.slice(from, from + limit).map(([set, candidate]) => shown(set, candidate)),
        meta: { ...left, total: rows.length },
      };
    },
  }),

  "judgements.merge": endpoint({
    rest: "POST /resolution/merge",
    summary: "Merge entities that are the same, or judge that they are not",
    permit: "signed-in",
    within: judging,
    body: {
      problemSetId: TextId,
      entityIds: z
        .array(TextId)
        .min(2)
        .max(MOST_ENTITIES)
        .describe("Any ids of them; for each, what it is known as now is judged with it."),
      verdict: z
        .enum(JUDGEMENT_VERDICTS)
        .default("positive")
        .describe(
          "`positive`: the same. `negative`: no two of them are. `unsure`: somebody looked and could not tell.",
        ),
      reason: Judgement.create.reason,
    },
    returns: data(Judgement.view),
    status: 201,
    tool: "merge_entities",
    description:
      "A judgement is stored and nothing is rewritten: whoever can see it sees one entity, under the " +
      "oldest id, and every id leads to it. It lies in all compartments of what you see of these " +
      "entities, so that nobody else learns of it. `POST " +
      "/api/graph/resolution/judgements/{judgementId}/separate` undoes it.",
    errors: { 409: "They are one already, or somebody judged them apart (`details.judgementId`)." },
    example: {
      problemSetId: "a problem set's id",
      entityIds: ["an entity's id", "another's"],
      reason: "Same passport",
    },
    handler(ctx) {
      return judgeEntities(this, ctx, ctx.params);
    },
  }),

  "judgements.list": endpoint({
    rest: "GET /resolution/judgements",
    summary: "List the judgements of entities",
    permit: "signed-in",
    within: reading,
    beyond: true,
    query: Judgement.query,
    returns: list(Judgement.view),
    handler(ctx) {
      return this.store(Judgement).page(ctx, ctx.params);
    },
  }),

  "judgements.separate": endpoint({
    rest: "POST /resolution/judgements/:judgementId/separate",
    summary: "Undo a merge",
    permit: "signed-in",
    on: Judgement,
    by: "judgementId",
    within: judging,
    beyond: true,
    body: {
      leave: z
        .enum(["negative", "nothing"])
        .default("negative")
        .describe("`negative`: they are judged apart from now on. `nothing`: as if it had never been judged."),
      reason: Judgement.create.reason,
    },
    returns: data(Judgement.view),
    description:
      "The graph is again as it was without the merge, in every answer. Also undoes a negative or " +
      "unsure judgement, with `leave: nothing`.",
    errors: { 409: "It was taken back already." },
    handler(ctx, judgement) {
      const { leave, reason } = ctx.params;
      if (judgement.verdict === "withdrawn" || (judgement.verdict === "negative" && leave === "negative"))
        throw conflict(`This judgement is ${judgement.verdict} already.`);
      return takeBack(this, ctx, judgement, { leave, reason });
    },
  }),
};
