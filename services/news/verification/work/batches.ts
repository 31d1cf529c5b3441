import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { inWords } from "../../../../core/problem.ts";
import { contentsOf, newestArticles, type Article, type Content } from "../../articles/client.ts";
import { appraiseBias, appraisePatterns, DAYS_BACK } from "../model/appraisal.ts";
import type { Outcome } from "./batch.ts";
import { editionOf, recordOf } from "../content.ts";
import { checkAll } from "../references/corroboration.ts";
import { extract } from "../claims/extraction.ts";
import type { Verifier } from "../host.ts";
import { judge } from "../model/judgement.ts";
import { Readings } from "../references/readings.ts";
import { settle } from "../claims/settlement.ts";
import { costOf, type Spending } from "../model/spending.ts";
import { Verification } from "../verification.ts";
import { newState, spendingOf, type WorkState } from "./work.ts";

const PAGE = 200;
/** A batch looks through this many of the newest articles for those that are not done. */
const MOST_LOOKED = 10_000;

export interface BatchInput {
  what: keyof typeof BATCHES;
  limit: number;
  /** Of the article, 0..1. */
  minConfidence?: number;
  daysBack?: number | null;
}

interface BatchState extends WorkState {
  todo: { id: number; title: string }[];
  /** Whether more articles than these are left. */
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
  isDone(record: Verification): boolean;
  work(at: At): Promise<Partial<Outcome>>;
}

/** What can be done to many articles: each by itself. */
const BATCHES = {
  claims: {
    isDone: ({ extraction }) => extraction !== undefined,
    async work({ host, caller, content, spent }) {
      const { claims, record } = await extract(host, caller, content, spent);
      await settle(host, caller, content, record, { tells: false, compares: false });
      return { claims: claims.length, method: record.extraction!.method };
    },
  },
  "cross-reference": {
    isDone: ({ crossReference }) => crossReference !== undefined,
    async work({ host, caller, content, spent, readings, input: { daysBack } }) {
      const { claims } = await extract(host, caller, content, spent);
      await checkAll(host, caller, content, claims, daysBack ?? DAYS_BACK, spent, readings);
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
} as const satisfies Record<string, Batch>;

/**
 * Works on the newest articles that are not done yet, each by itself: one that fails is told in its own result. Goes on
 * after a kill with the first that has no result.
 */
export async function batch(this: Verifier, run: JobRun<BatchInput, BatchState>) {
  const { input } = run.job;
  const state = run.job.state ?? { ...newState(), ...(await wanted(this, input)), results: [] };
  const { todo, results } = state;
  const readings = new Readings();
  const save = () => run.progress(input.what, results.length, todo.length, state);
  await save();
  for (const article of todo.slice(results.length)) {
    const spent = spendingOf(run, state, save);
    const outcome = await one(this, article, { spent, input, readings });
    // Work that was called off has no outcome: it goes on elsewhere.
    run.signal.throwIfAborted();
    results.push(outcome);
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

async function one(
  host: Verifier,
  { id, title }: BatchState["todo"][number],
  at: Pick<At, "spent" | "input" | "readings">,
): Promise<Outcome> {
  const about = { contentId: id, title };
  try {
    const [content] = await contentsOf(host, [id]);
    if (!content) return { ...about, success: false, error: "The article was removed meanwhile." };
    return {
      ...about,
      success: true,
      ...(await BATCHES[at.input.what].work({ host, caller: asSystem("verification"), content, ...at })),
    };
  } catch (error) {
    host.logger.warn(`Verification of article ${id}: ${(error as Error).message}`);
    return { ...about, success: false, error: inWords(error) };
  }
}

/**
 * The newest that are not done; looks for one more than wanted, so that the answer can tell whether anything is left.
 */
async function wanted(
  host: Verifier,
  { what, limit, minConfidence }: BatchInput,
): Promise<Pick<BatchState, "todo" | "more">> {
  const found: Article[] = [];
  for (let offset = 0; offset < MOST_LOOKED && found.length <= limit; offset += PAGE) {
    const page = await newestArticles(host, {
      offset,
      limit: PAGE,
      ...(minConfidence !== undefined && { minConfidence }),
    });
    const records = new Map(
      (
        await host.store(Verification).many(
          asSystem("verification"),
          page.map(({ id }) => id),
        )
      ).map((record) => [record.id, record]),
    );
    found.push(
      ...page.filter((article) => {
        const record = records.get(article.id);
        return !record || record.edition !== editionOf(article) || !BATCHES[what].isDone(record);
      }),
    );
    if (page.length < PAGE) break;
  }
  return { todo: found.slice(0, limit).map(({ id, title }) => ({ id, title })), more: found.length > limit };
}
