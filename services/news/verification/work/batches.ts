import { setImmediate as nextTurn } from "node:timers/promises";
import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import { preparing } from "../../../../core/text/preparing.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { inWords } from "../../../../core/problem.ts";
import { articlesOf, contentsOf, type Article, type Content } from "../../articles/client.ts";
import { appraiseBias, appraisePatterns, DAYS_BACK } from "../model/appraisal.ts";
import type { Outcome } from "./batch.ts";
import { editionOf, recordOf, recordsOf } from "../content.ts";
import { checkAll } from "../references/corroboration.ts";
import { extract } from "../claims/extraction.ts";
import type { Verifier } from "../host.ts";
import { judge } from "../model/judgement.ts";
import { Readings } from "../references/readings.ts";
import { settle } from "../claims/settlement.ts";
import { costOf, type Spending } from "../model/spending.ts";
import { Verification } from "../verification.ts";
import { newest } from "./newest.ts";
import { Piece } from "./piece.ts";
import { newState, spendingOf, type WorkState } from "./work.ts";

/** A batch looks through this many of the newest articles for those that are not done. */
const MOST_LOOKED = 10_000;

export interface BatchInput {
  what: keyof typeof BATCHES;
  limit: number;
  /** Of the article, 0..1. */
  minConfidence?: number;
  daysBack?: number | null;
  /** These articles, which nobody asked for: by rules alone. Otherwise the newest ones that are not done. */
  unasked?: readonly number[];
}

interface BatchState extends WorkState {
  todo: { id: number; title: string }[];
  /** Whether more articles than these remain. */
  more: boolean;
  results: Outcome[];
}

interface At {
  host: Verifier;
  caller: Caller;
  content: Content;
  spent: Spending;
  input: BatchInput;
  readings: Readings;
}
interface Batch {
  isDone(record: Verification, host: Verifier): boolean;
  needsClaims?: boolean;
  work(at: At): Promise<Partial<Outcome>>;
}

/** What can be done to many articles: each by itself. */
const BATCHES = {
  claims: {
    needsClaims: true,
    isDone: ({ extraction }) => extraction !== undefined,
    async work({ host, caller, content, spent }) {
      const { claims, record } = await extract(host, caller, content, spent);
      await settle(host, caller, content, record, { tells: false, compares: false });
      return { claims: claims.length, method: record.extraction!.method };
    },
  },
  "cross-reference": {
    needsClaims: true,
    isDone: ({ crossReference }, { world }) =>
      crossReference !== undefined && !(crossReference.unasked && world.llm.configured),
    async work({ host, caller, content, spent, readings, input: { daysBack, unasked } }) {
      const { claims, record: before } = await extract(host, caller, content, spent);
      // Compared again, as far back as was asked for once.
      const window = (unasked ? before.crossReference?.daysBack : daysBack) ?? DAYS_BACK;
      await checkAll(host, caller, content, claims, window, spent, {
        readings,
        unasked: Boolean(unasked),
      });
      const { trail, verified, record } = await settle(host, caller, content, (await recordOf(host, content))!, {
        tells: true,
        compares: false,
      });
      return {
        claims: claims.length,
        score: trail.finalConfidenceScore,
        verified,
        method: record.crossReference!.method,
      };
    },
  },
  bias: {
    isDone: ({ bias }) => bias !== undefined,
    async work({ host, caller, content, spent }) {
      const record = await appraiseBias(host, caller, content, spent);
      await settle(host, caller, content, record, { tells: false, compares: false });
      return { score: record.bias!.overallBiasScore, method: record.bias!.method };
    },
  },
  llm: {
    isDone: ({ llm }) => llm !== undefined,
    async work({ host, caller, content, spent }) {
      const { record, trail, verified } = await judge(host, caller, content, spent);
      return {
        claims: record.extraction!.claims,
        score: trail.finalConfidenceScore,
        verified,
        method: record.llm!.method,
      };
    },
  },
  patterns: {
    isDone: ({ heuristic }) => heuristic !== undefined,
    async work({ host, caller, content }) {
      const { trail, verified } = await settle(host, caller, content, await appraisePatterns(host, caller, content), {
        tells: true,
        compares: false,
      });
      return { score: trail.finalConfidenceScore, verified, method: "heuristic" };
    },
  },
} satisfies Record<string, Batch> as Record<"claims" | "cross-reference" | "bias" | "llm" | "patterns", Batch>;

/** So many articles are kept in one step, or fewer once there are so many writes: a commit takes the loop for them. */
const PIECE = 20;
const MOST_WRITES = 150;

/**
 * Processes the newest unfinished articles, each by itself: a failure is reported in that article's result. After a
 * kill it continues with the first article without a result.
 */
export async function batch(this: Verifier, run: JobRun<BatchInput, BatchState>) {
  const { input } = run.job;
  const state = run.job.state ?? {
    ...newState(),
    ...(await (input.unasked ? these : wanted)(this, input)),
    results: [],
  };
  const { todo, results } = state;
  const readings = new Readings();
  const save = () => run.progress(input.what, results.length, todo.length, state);
  await save();
  // What a model says is paid for: each article is kept by itself.
  const asksModel = !input.unasked && (this.world.llm.configured || input.what === "llm");
  const size = asksModel ? 1 : PIECE;
  while (results.length < todo.length) {
    const articles = todo.slice(results.length, results.length + size);
    const spent = spendingOf(run, state, save);
    // As after a failure: the model is not asked.
    if (input.unasked) spent.failed = true;
    const at = { spent, input, readings };
    const outcomes = await (size === 1 ? [await one(this, articles[0]!, at)] : several(this, articles, at));
    // Cancelled work has no result: it continues elsewhere.
    run.signal.throwIfAborted();
    results.push(...outcomes);
    Object.assign(state, { cost: costOf(spent), failed: false, answers: {} });
    await save();
  }
  const failed = results.filter(({ success }) => !success).length;
  return {
    processed: results.length,
    succeeded: results.length - failed,
    failed,
    more: state.more,
    results,
    cost: state.cost,
  };
}

type Shared = Pick<At, "spent" | "input" | "readings">;

/**
 * The first of these articles, stored in one step; where that fails, or another process worked on one of them, each by
 * itself.
 */
async function several(host: Verifier, articles: BatchState["todo"], at: Shared): Promise<Outcome[]> {
  const { signal } = at.spent;
  const outcomes = new Map<number, Outcome>();
  try {
    at.readings.renew();
    const ids = articles.map(({ id }) => id);
    const contents = new Map((await contentsOf(host, ids)).map((content) => [content.id, content]));
    const found = ids.flatMap((id) => contents.get(id) ?? []);
    const piece = await Piece.open(host, found);
    await prepared(piece.host, found, at);
    for (const article of articles) {
      signal.throwIfAborted();
      outcomes.set(article.id, await outcomeOf(piece.host, article, async () => contents.get(article.id), at));
      await nextTurn();
      if (piece.size >= MOST_WRITES) break;
    }
    signal.throwIfAborted();
    articles = articles.slice(0, outcomes.size);
    for (const id of await piece.keep()) outcomes.delete(id);
  } catch (error) {
    signal.throwIfAborted();
    host.logger.warn(`Verification of ${articles.length} articles in one step: ${(error as Error).message}`);
    outcomes.clear();
  }
  for (const article of articles) if (!outcomes.has(article.id)) outcomes.set(article.id, await one(host, article, at));
  return articles.map(({ id }) => outcomes.get(id)!);
}

/**
 * Creates the claims of several articles at once, so that their ids are allocated together; failures are reported
 * later.
 */
async function prepared(host: Verifier, contents: readonly Content[], { spent, input }: Shared): Promise<void> {
  if (!BATCHES[input.what].needsClaims) return;
  // Else the first of a process would be overtaken by the others, and its claims have the later ids.
  await inTurns(preparing());
  const making: Promise<unknown>[] = [];
  for (const content of contents) {
    making.push(extract(host, asSystem("verification"), content, spent).catch(() => {}));
    await nextTurn();
  }
  await Promise.all(making);
}

async function one(host: Verifier, article: BatchState["todo"][number], at: Shared): Promise<Outcome> {
  at.readings.renew();
  return outcomeOf(host, article, async () => (await contentsOf(host, [article.id]))[0], at);
}

async function outcomeOf(
  host: Verifier,
  { id, title }: BatchState["todo"][number],
  read: () => Promise<Content | undefined>,
  at: Shared,
): Promise<Outcome> {
  const about = { contentId: id, title };
  try {
    const content = await read();
    if (!content) return { ...about, success: false, error: "The article was removed meanwhile." };
    const caller = asSystem("verification");
    return { ...about, success: true, ...(await BATCHES[at.input.what].work({ host, caller, content, ...at })) };
  } catch (error) {
    host.logger.warn(`Verification of article ${id}: ${(error as Error).message}`);
    return { ...about, success: false, error: inWords(error) };
  }
}

async function these(host: Verifier, { unasked = [] }: BatchInput): Promise<Pick<BatchState, "todo" | "more">> {
  const found = await articlesOf(host, unasked);
  return { todo: found.map(({ id, title }) => ({ id, title })), more: false };
}

/** The newest unfinished ones, and one more than wanted: it tells whether anything remains. */
async function wanted(
  host: Verifier,
  { what, limit, minConfidence }: BatchInput,
): Promise<Pick<BatchState, "todo" | "more">> {
  const found: Article[] = [];
  for await (const page of newest(host, MOST_LOOKED, minConfidence)) {
    const records = await recordsOf(host, page);
    found.push(
      ...page.filter((article) => {
        const record = records.get(article.id);
        return !record || record.edition !== editionOf(article) || !BATCHES[what].isDone(record, host);
      }),
    );
    if (found.length > limit) break;
  }
  return { todo: found.slice(0, limit).map(({ id, title }) => ({ id, title })), more: found.length > limit };
}
