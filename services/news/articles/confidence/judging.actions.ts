import { z } from "zod";
import { bare, data, nothing } from "../../../../core/contract/answer.ts";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { NumberId } from "../../../../core/records/entity.ts";
import { Article, ArticleVerdict, AssessedClaim, newMark } from "../articles.ts";
import { ArticlesChanged, ArticleVerified } from "../events.ts";
import type { Articles } from "../host.ts";
import { judged, renewed } from "./scoring.ts";

const LONGEST_NOTES = 5_000;

const MOST_FINDINGS = 100;
const FINDING = z.object({
  id: NumberId,
  contentHash: z.string().optional(),
  score: z.number().min(0).max(1),
  sources: z.array(z.string()).max(100).default([]),
  claims: z.array(AssessedClaim).max(200).default([]),
  verified: z.boolean().optional(),
  factors: Article.record.shape.factors.optional(),
});

/** Keeps a finding with its article; null where the article has changed since it was looked at. */
function assessed(
  host: Host,
  caller: Caller,
  {
    id,
    contentHash,
    score,
    sources,
    claims,
    verified,
    factors = [{ name: "verification", contribution: score, description: "what verification found" }],
  }: z.output<typeof FINDING>,
  seen?: Article,
): Promise<Article | null> {
  const at = iso(host.world.clock.now());
  return host.store(Article).amend(
    caller,
    id,
    (article) =>
      contentHash !== undefined && article.contentHash !== contentHash
        ? null
        : {
            assessment: { score, sources, claims, at },
            verified: article.verdict?.verified ?? verified,
            unindexed: newMark(at),
            ...renewed({ confidence: score, factors }, article.verdict),
          },
    { seen },
  );
}

/** What people and verification find out about articles, and how an article goes. */
export const judging = {
  verify: endpoint({
    tool: "judge_article",
    rest: "PUT /:id/verification",
    summary: "Record a verdict on an article, with a reason",
    description:
      "A person's verdict outranks every automatic one: later verifications are added to it but never " +
      "undo it. It raises the article's confidence to at least 0.9, or caps it at 0.4, and is a step of " +
      "the verification trail, with who gave it and when. A new verdict by a person replaces it. Briefings leave out " +
      "what a person rejected.",
    permit: "articles:verify",
    on: Article,
    body: {
      verified: z.boolean(),
      notes: z.string().max(LONGEST_NOTES).default("").describe("Why, for others to read."),
    },
    returns: data(ArticleVerdict),
    example: { verified: true, notes: "Confirmed by the ministry's press office." },
    async handler(ctx, article) {
      const { verified, notes } = ctx.params;
      const at = iso(this.world.clock.now());
      const verdict = { verified, notes, by: actorOf(ctx), at, contentHash: article.contentHash };
      const fact = ArticleVerified.fact(article.id, { id: article.id, verified, by: verdict.by, at });
      const { confidence } = await this.store(Article).revise(
        ctx,
        article,
        { verified, verdict, ...judged(article, verdict), unindexed: newMark(at) },
        { facts: [fact] },
      );
      await ArticlesChanged.emit(ctx, {});
      return { verified, notes, verifiedBy: verdict.by, verifiedAt: at, confidence };
    },
  }),

  assess: endpoint({
    summary: "Keep what automatic verification found out about an article",
    permit: "internal",
    description:
      "`contentHash` is that of the article that was looked at: a finding about a text that has changed " +
      "since is dropped, and the answer is `kept: false`. A person's verdict keeps the last word.",
    body: FINDING.shape,
    returns: bare(z.object({ kept: z.boolean(), confidence: z.number() })),
    async handler(ctx) {
      const kept = await assessed(this, ctx, ctx.params);
      if (kept) await ArticlesChanged.emit(ctx, {});
      return {
        kept: kept !== null,
        confidence: (kept ?? (await this.store(Article).get(ctx, ctx.params.id))).confidence,
      };
    },
  }),

  assessEach: endpoint({
    summary: "Keep what automatic verification found out about several articles",
    permit: "internal",
    description: "As `assess`, in one step; `kept` counts those that were kept. An article that is gone fails it.",
    body: { findings: z.array(FINDING).max(MOST_FINDINGS) },
    returns: bare(z.object({ kept: z.int() })),
    async handler(ctx) {
      const { findings } = ctx.params;
      const articles = await this.store(Article).many(
        ctx,
        findings.map(({ id }) => id),
      );
      const seen = new Map(articles.map((article) => [article.id, article]));
      // Asked for in one turn, they share a commit.
      const kept = await Promise.all(findings.map((finding) => assessed(this, ctx, finding, seen.get(finding.id))));
      if (kept.some(Boolean)) await ArticlesChanged.emit(ctx, {});
      return { kept: kept.filter(Boolean).length };
    },
  }),

  cited: endpoint({
    summary: "These articles are cited by a briefing: retention keeps them",
    permit: "internal",
    body: { ids: z.array(NumberId).max(1_000) },
    returns: bare(z.object({ cited: z.int() })),
    async handler(ctx) {
      return {
        cited: await this.store(Article).collection.updateMany(
          { _id: { $in: ctx.params.ids }, cited: false },
          { $set: { cited: true } },
        ),
      };
    },
  }),

  remove: endpoint({
    rest: "DELETE /:id",
    summary: "Remove an article",
    permit: "articles:administer",
    beyond: true,
    on: Article,
    returns: nothing(),
    status: 204,
    description:
      "For articles that must not be kept. Within moments search no longer finds it, and a feed that " +
      "still lists it does not bring it back. Briefings that cite it keep their text.",
    async handler(ctx, article) {
      await (this as Articles).removal.remove(ctx, [article]);
      await ArticlesChanged.emit(ctx, {});
      return null;
    },
  }),
};
