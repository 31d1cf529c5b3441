import { faultOf, LlmError, quoting } from "../../../adapters/llm/llm.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Job, JobRun } from "../../../core/work/job.ts";
import { live } from "../../../core/contract/live.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { contradictionsOf, ratingsOf } from "../verification/client.ts";
import { Briefing } from "./briefings.ts";
import { BriefingCompleted, BriefingFailed, BriefingGenerated } from "./events.ts";
import { composing, preparing } from "./writing/compose.ts";
import { acceptDraft, BriefingDraft, groundedPrompt } from "./writing/draft.ts";
import type { BriefingInput, BriefingSnapshot, Composed } from "./model.ts";
import { articlesAbout, type ReadArticles } from "./reading.ts";
import { DELIVER } from "./delivering.ts";

/** A rating of the Admiralty code as a share; F, and no rating, cannot be judged. */
const shareOf = (rating: string | undefined): number | undefined =>
  rating === undefined || rating === "F" ? undefined : 1 - "ABCDE".indexOf(rating) / 4;

/**
 * The job: collect, compose, store; then tell, and send where a schedule wants it sent. Repeating it after a kill does
 * no harm.
 */
export async function generate(
  this: Host,
  { job, progress, signal }: JobRun<{ briefingId: number }>,
): Promise<unknown> {
  const briefing = await this.store(Briefing).get(asSystem("briefings"), job.input.briefingId);
  if (briefing.status === "completed") return finish(this, briefing);
  const began = performance.now();
  await progress("collecting", 0, 3);
  const collection = await collected(this, briefing);
  signal.throwIfAborted();
  await progress("composing", 1, 3);
  const input = await inputOf(this, briefing, collection);
  const draft = await drafted(this, input, signal);
  const composed = draft?.composed ?? (await inTurns(composing(input), { signal }));
  await progress("storing", 2, 3);
  const completed = await complete(this, briefing, composed, {
    ...(draft?.fault && { modelFault: draft.fault }),
    generatedAt: input.now,
    durationMs: Math.round(performance.now() - began),
  });
  return finish(this, completed);
}

const collected = (host: Host, { order, period, sourceIds }: Briefing): Promise<ReadArticles> =>
  articlesAbout(host, {
    ...period,
    domains: order.domains,
    minConfidence: order.minConfidence,
    sourceIds,
    limit: order.maxArticles,
  });

/** What a briefing is composed of: its articles, how far their sources can be relied on, and where they disagree. */
async function inputOf(host: Host, briefing: Briefing, { articles, isCut }: ReadArticles): Promise<BriefingInput> {
  const [standings, contradictions] = await Promise.all([
    ratingsOf(host, [...new Set(articles.map(({ sourceId }) => sourceId))]),
    contradictionsOf(
      host,
      articles.map(({ id }) => id),
    ),
  ]);
  const ratings = new Map(standings.map(({ id, rating }) => [id, rating]));
  const sources = new Map(
    articles.map(({ sourceId, sourceName }) => [
      sourceId,
      { name: sourceName, reliability: shareOf(ratings.get(sourceId)) },
    ]),
  );
  const now = iso(host.world.clock.now());
  return {
    articles,
    isCut,
    period: briefing.period,
    previous: await previousOf(host, briefing),
    now,
    sources,
    contradictions,
    domains: briefing.order.domains,
  };
}

/** Stores a composed briefing and tells that it is there. */
async function complete(
  host: Host,
  briefing: Briefing,
  { title, content, stats, articles, method, snapshot }: Composed,
  made: { modelFault?: string; generatedAt: string; durationMs: number },
): Promise<Briefing> {
  // Retention keeps cited articles. They are marked before the briefing shows them, so that none it cites can be gone.
  if (articles.length) await host.ask("articles.cited", { ids: articles });
  const { generatedAt } = made;
  const completed = await host.store(Briefing).revise(
    asSystem("briefings"),
    briefing,
    { title, content, stats, articles, method, snapshot, status: "completed", ...made },
    {
      facts: [
        BriefingGenerated.fact(briefing.id, {
          id: briefing.id,
          generatedAt,
          ...(briefing.training && { training: true }),
        }),
      ],
    },
  );
  await live(host, {
    event: BriefingCompleted,
    to: { topic: "briefings", training: completed.training === true },
    data: { id: completed.id, title, generatedAt },
  });
  return completed;
}

/**
 * What the last briefing of the same order told: of other hours, another list, or fewer articles, stories would seem to
 * go quiet or be new.
 */
async function previousOf(host: Host, { order, training, listId }: Briefing): Promise<BriefingSnapshot | undefined> {
  const same = {
    status: "completed",
    training: training ?? { $ne: true },
    "order.hours": order.hours,
    "order.minConfidence": order.minConfidence,
    "order.maxArticles": order.maxArticles,
    // Without a list only one that was narrowed by none, be it named or the active one.
    ...(listId === undefined ? { sourceIds: { $exists: false } } : { listId }),
  };
  const [previous] = await host.store(Briefing).find(asSystem("briefings"), same, { sort: ["-generatedAt"], limit: 1 });
  return previous?.snapshot as BriefingSnapshot | undefined;
}

/** The model's draft with every citation checked, or in words why there is none; null without a model. */
async function drafted(
  { world: { llm }, logger }: Host,
  input: BriefingInput,
  signal: AbortSignal,
): Promise<{ composed: Composed | null; fault?: string } | null> {
  if (!llm.configured || !input.articles.length) return null;
  try {
    const prepared = await inTurns(preparing(input), { signal });
    const { value } = await llm.complete({
      messages: groundedPrompt(prepared, quoting()),
      schema: BriefingDraft,
      name: "briefing",
      maxTokens: 4_000,
      signal,
    });
    const { composed, dropped } = acceptDraft(value, prepared);
    if (dropped.length)
      logger.warn(`The model's draft lost ${dropped.length} statements or citations that do not hold.`);
    return composed ? { composed } : { composed, fault: "What the model wrote did not hold against the articles." };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    logger.warn(`The model gave no draft (${error.kind}); the briefing is extracted.`);
    return { composed: null, fault: faultOf(error) };
  }
}

/** Each channel is a job of its own: one that is away is tried for an hour, and holds up none of the others. */
async function finish(host: Host, { id, channels = [] }: Briefing): Promise<{ sentTo?: string[] }> {
  const names = [...new Set(channels)];
  for (const channel of names)
    await host.jobs.add(DELIVER, { briefingId: id, channel }, { by: "system:briefings", key: `${id}:${channel}` });
  return names.length ? { sentTo: names } : {};
}

/** Says in the briefing why it was not made, and tells those who look on. */
export async function failBriefing(host: Host, briefingId: number, reason: string): Promise<void> {
  const failed = await host
    .store(Briefing)
    .amend(asSystem("briefings"), briefingId, ({ status }) =>
      status === "generating" ? { status: "failed", error: reason } : null,
    );
  if (failed)
    await live(host, {
      event: BriefingFailed,
      to: { topic: "briefings", training: failed.training === true },
      data: { id: failed.id, error: reason },
    });
}

export function giveUp(this: Host, { input }: Job<{ briefingId: number }>, reason: string): Promise<void> {
  return failBriefing(this, input.briefingId, reason);
}
