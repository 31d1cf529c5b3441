import { z } from "zod";
import { list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { Instant, paging, TextId } from "../../../../core/records/entity.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { Origin, Statement } from "../statements/statements.ts";
import { ENTITY_TYPES, RELATION_NAMES } from "../statements/vocabulary.ts";
import { viewsFor } from "../views/views.actions.ts";
import { reading } from "../workspaces/workspaces.actions.ts";
import { HALF_LIFE_DAYS, MOST_EVIDENCE, tensionsIn, type Tension } from "./tensions.ts";

const Actor = z.object({ id: TextId, name: z.string(), type: z.enum(ENTITY_TYPES) });
const Mean = z.number().nullable().describe("-1 hostile … 1 friendly; null where nothing was told.");
const TensionView = z
  .object({
    problemSetId: z.string(),
    actors: z.array(Actor).describe("Two."),
    tension: z.int().describe("0..100: how hostile the reports about them are, as confirmed by independent stories."),
    balance: z.number().describe("Mean of the reports, -1 hostile … 1 friendly; newer ones count more."),
    weight: z.number().describe("Independent stories, each by how much its age leaves of it."),
    stories: z.int(),
    trend: z.object({
      direction: z
        .enum(["rising", "falling", "steady", "new", "past"])
        .describe("Of the tension. `new`: nothing was told in the window before; `past`: nothing in the last."),
      recent: Mean,
      before: Mean,
    }),
    evidence: z
      .array(
        z.object({
          statementId: TextId,
          relation: z.enum(RELATION_NAMES),
          sign: z.number(),
          at: Instant,
          weight: z.number(),
          origin: Origin,
        }),
      )
      .describe(`What counts most, with the words that it comes from; at most ${MOST_EVIDENCE}.`),
  })
  .meta({ id: "GraphTension" });

export const tensionActions = {
  "tensions.list": endpoint({
    rest: "GET /tensions",
    summary: "List tensions between actors",
    permit: "signed-in",
    within: reading,
    query: {
      problemSetId: TextId.optional().describe("From this problem set; without it, from all of yours."),
      actorId: TextId.optional().describe("Those that this actor is part of."),
      windowDays: z.int().min(1).max(365).default(30).describe("Days of each of the two windows that tell the trend."),
      ...paging,
    },
    returns: list(TensionView),
    tool: "list_tensions",
    description:
      `Pairs of actors about whom a source reports something hostile, most tense first. Each story ` +
      `counts once, however often it was printed, and half as much after ${HALF_LIFE_DAYS} days. Based ` +
      `only on the statements that you can see.`,
    async handler(ctx) {
      const { problemSetId, actorId, windowDays, page = 1, limit = 20 } = ctx.params;
      const now = this.world.clock.now();
      const rows: { set: string; tension: Tension }[] = [];
      for (const view of await viewsFor(this, ctx, { problemSetId })) {
        const about = actorId === undefined ? undefined : (view.canonicalOf(actorId) ?? "");
        for (const tension of await inTurns(tensionsIn(view, { now, windowDays })))
          if (about === undefined || tension.actors.some(({ id }) => id === about))
            rows.push({ set: view.problemSetId, tension });
      }
      rows.sort((one, other) => other.tension.tension - one.tension.tension);
      const shown = rows.slice((page - 1) * limit, page * limit);
      const ids = shown.flatMap(({ tension }) => tension.sayings.slice(0, MOST_EVIDENCE).map((one) => one.statementId));
      const statements = new Map((await this.store(Statement).many(ctx, ids)).map((one) => [one.id, one]));
      return {
        data: shown.map(({ set, tension: { actors, sayings, ...told } }) => ({
          problemSetId: set,
          actors: actors.map(({ id, name, type }) => ({ id, name, type })),
          ...told,
          evidence: sayings.slice(0, MOST_EVIDENCE).flatMap(({ statementId, relation, sign, at, weight }) => {
            const origin = statements.get(statementId)?.origin;
            return origin
              ? [{ statementId, relation, sign, at, weight: Math.round(weight * 1_000) / 1_000, origin }]
              : [];
          }),
        })),
        meta: { total: rows.length, page, limit },
      };
    },
  }),
};
