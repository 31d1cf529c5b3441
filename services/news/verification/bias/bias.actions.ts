import { meaningOf } from "../reliability/reliability.ts";
import type { z } from "zod";
import { success } from "../../../../core/contract/answer.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { NumberId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import { appraiseBias } from "../model/appraisal.ts";
import type { BatchView } from "../work/batch.ts";
import { BiasView, SourceBias } from "./view.ts";
import { batchLimit, contentPath, NO_ARTICLE } from "../claims/claims.actions.ts";
import { contentOf } from "../content.ts";
import type { Verifier } from "../host.ts";
import { unknown } from "../reliability/source-records.ts";
import { settle } from "../claims/settlement.ts";
import { spending } from "../model/spending.ts";
import { Verification } from "../verification.ts";
import { BATCH, BATCH_ANSWER, isUnderWay, undertake } from "../work/work.ts";
import { knownSources, sourceOf } from "../../sources/client.ts";

type Counts = Record<string, number>;

/** Endpoints that analyse the bias of articles, and summarise it by source. */
export const biases = {
  "biases.analyse": endpoint({
    tool: "analyse_bias",
    rest: "POST /bias/:contentId",
    summary: "Analyse the bias of an article",
    permit: "articles:verify",
    path: contentPath,
    returns: success(BiasView),
    errors: NO_ARTICLE,
    description:
      "Uses English word lists of the project's own and text structure, and additionally the language " +
      "model if one is configured; every quoted passage has its offsets in the article. The lists do " +
      "not judge text in other languages, and the answer says so. The result describes how an article " +
      "is written, not whether it is true.",
    async handler(ctx) {
      const host = this as Verifier;
      const content = await contentOf(host, ctx.params.contentId);
      const record = await appraiseBias(host, ctx, content, spending(host));
      await settle(host, ctx, content, record, { tells: false });
      return record.bias!;
    },
  }),

  "biases.analyseBatch": endpoint({
    rest: "POST /bias/batch",
    summary: "Analyse the bias of the newest articles",
    permit: "articles:verify",
    query: { limit: batchLimit },
    returns: BATCH_ANSWER,
    accepted: isUnderWay,
    description:
      "Processes the newest articles whose bias was not analysed yet, so that repeating it continues. " +
      "`score` is the bias score.",
    handler(ctx) {
      return undertake<z.input<typeof BatchView>>(this as Verifier, ctx, BATCH, {
        what: "bias",
        limit: ctx.params.limit,
      });
    },
  }),

  "biases.getBySource": endpoint({
    tool: "source_bias",
    rest: "GET /bias/source/:sourceId",
    summary: "Summarise the bias found in a source",
    permit: "verification:read",
    path: { sourceId: NumberId },
    returns: success(SourceBias),
    errors: { 404: "There is no source `sourceId`." },
    description:
      "Covers its analysed articles, with the source's reliability from its own record. A removed " +
      "source is still summarised if articles of it were analysed.",
    handler(ctx) {
      return biasOfSource(this as Verifier, ctx, ctx.params.sourceId);
    },
  }),
};

async function biasOfSource(host: Verifier, caller: Caller, sourceId: number) {
  const { collection } = host.store(Verification);
  const query = { sourceId, "bias.at": { $exists: true } };
  const counted = async (by: string): Promise<Counts> =>
    Object.fromEntries((await collection.groups({ query, by })).map(({ key, count }) => [String(key), count]));
  const having = (indicator: string) =>
    collection.count({ query: { ...query, [`bias.indicators.${indicator}`]: true } });
  const [[all], known, standings, [newest]] = await Promise.all([
    collection.groups({ query, avg: { score: "bias.overallBiasScore", confidence: "bias.politicalConfidence" } }),
    knownSources(host, [sourceId]),
    host.sources.many([sourceId]),
    host.store(Verification).find(caller, { sourceId }, { sort: ["-score"], limit: 1, fields: ["sourceName"] }),
  ]);
  if (!known.includes(sourceId) && !newest && !standings.has(sourceId)) throw notFound("source", sourceId);
  const [political, emotionalLevels, sensationalismLevels, cherryPicking, adHominem, falseBalance] = await Promise.all([
    counted("bias.politicalBias"),
    counted("bias.emotionalLevel"),
    counted("bias.sensationalismLevel"),
    having("cherryPicking"),
    having("adHominem"),
    having("falseBalance"),
  ]);
  const leaning =
    Object.entries(political)
      .filter(([bias]) => bias !== "unknown")
      .sort(([, a], [, b]) => b - a)[0]?.[0] ?? "unknown";
  const { rating, estimate, evidence } = standings.get(sourceId) ?? unknown;
  return {
    sourceId,
    sourceName: newest?.sourceName ?? standings.get(sourceId)?.name ?? (await nameOf(host, sourceId)),
    articles: all?.count ?? 0,
    averageBiasScore: rounded(all?.["score"]),
    politicalBias: leaning as "unknown",
    politicalConfidence: rounded(all?.["confidence"]),
    politicalDistribution: political,
    emotionalLevels,
    sensationalismLevels,
    indicators: { cherryPicking, adHominem, falseBalance },
    reliability: { rating, meaning: meaningOf(rating, evidence), estimate, evidence },
  };
}

const rounded = (value: unknown): number => (typeof value === "number" ? Math.round(value * 100) / 100 : 0);
const nameOf = async (host: Verifier, id: number): Promise<string> => (await sourceOf(host, id)).name;
