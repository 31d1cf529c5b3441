import { z } from "zod";
import { bare, success } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { feeding, NumberId } from "../../../../core/records/entity.ts";
import { notFound } from "../../../../core/problem.ts";
import type { Verifier } from "../host.ts";
import { unknown } from "./source-records.ts";
import { reliability, meaningOf } from "./reliability.ts";
import { ReliabilityRating } from "../scales.ts";
import { StandingChange, StandingView } from "./history.ts";
import { knownSources, sourceOf } from "../../sources/client.ts";

const NO_RECORD = {
  ...unknown,
  interval: [0, 1] as [number, number],
  reasons: ["none of its claims was held against other sources yet"],
};

/** Endpoints about the reliability of sources by their own record. */
export const standings = {
  "reliabilities.get": endpoint({
    tool: "source_reliability",
    rest: "GET /sources/:sourceId/reliability",
    summary: "Read a source's reliability, its basis and its history",
    permit: "verification:read",
    beyond: true,
    path: { sourceId: NumberId },
    query: feeding,
    returns: success(StandingView),
    errors: { 404: "There is no source `sourceId`." },
    description:
      "The rating of the Admiralty code (NATO AJP-2.1) from the source's own record of corroborated and " +
      "contradicted claims, independent of how credible one claim is. A claim from a year ago counts " +
      "half; a rating is given only with high certainty, and F if fewer than eight claims are settled.",
    async handler(ctx) {
      const host = this as Verifier;
      const { sourceId, limit, cursor } = ctx.params;
      const [kept, known] = await Promise.all([host.sources.one(sourceId), knownSources(host, [sourceId])]);
      if (!kept && !known.includes(sourceId)) throw notFound("source", sourceId);
      const { rating, estimate, interval, evidence, reasons } = kept ? reliability(kept.record) : NO_RECORD;
      const history = await this.store(StandingChange).feed(
        ctx,
        { limit, order: "-at", ...(cursor && { cursor }) },
        { sourceId },
      );
      return {
        sourceId,
        sourceName: kept?.name ?? (await sourceOf(host, sourceId)).name,
        rating,
        meaning: meaningOf(rating, evidence),
        estimate,
        interval,
        evidence,
        reasons,
        corroborated: kept?.corroborated ?? 0,
        contradicted: kept?.contradicted ?? 0,
        since: kept?.record.since ?? null,
        asOf: kept?.record.asOf ?? null,
        months: [...(kept?.record.months ?? [])],
        history: history.data,
        next: history.meta.next,
      };
    },
  }),

  standings: endpoint({
    summary: "The ratings of sources that have a record",
    permit: "internal",
    body: { ids: z.array(NumberId).max(10_000) },
    returns: bare(z.array(z.object({ id: NumberId, rating: ReliabilityRating }))),
    async handler(ctx) {
      return [...(await (this as Verifier).sources.many(ctx.params.ids)).values()];
    },
  }),
};
