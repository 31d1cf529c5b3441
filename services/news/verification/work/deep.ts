import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import type { JobRun } from "../../../../core/work/job.ts";
import { appraiseBias, appraiseByModel, appraisePatterns, DAYS_BACK } from "../model/appraisal.ts";
import { claimView } from "../claims/claim.ts";
import { contentOf, editionOf, recordOf } from "../content.ts";
import type { Content } from "../../articles/client.ts";
import { checkAll, checkedContentView } from "../references/corroboration.ts";
import { claimsOf, extract } from "../claims/extraction.ts";
import type { Verifier } from "../host.ts";
import { settle } from "../claims/settlement.ts";
import { costOf, type Spending } from "../model/spending.ts";
import { newState, spendingOf, type WorkState } from "./work.ts";

export interface DeepInput {
  contentId: number;
}

/** The progress of the pipeline: finished stages stay finished after a kill, for the text they were done on. */
interface DeepState extends WorkState {
  edition: string;
  done: Stage[];
  crossReference?: ReturnType<typeof checkedContentView>;
}

interface At {
  host: Verifier;
  caller: Caller;
  content: Content;
  spent: Spending;
  state: DeepState;
}

/** The pipeline, in its order. Each stage keeps what it finds with the article. */
const STAGES = {
  claims: ({ host, caller, content, spent }: At) => extract(host, caller, content, spent),
  async "cross-reference"({ host, caller, content, spent, state }: At) {
    const checked = await checkAll(host, caller, content, await claimsOf(host, caller, content.id), DAYS_BACK, spent);
    state.crossReference = checkedContentView(content, DAYS_BACK, checked);
  },
  bias: ({ host, caller, content, spent }: At) => appraiseBias(host, caller, content, spent),
  patterns: ({ host, caller, content }: At) => appraisePatterns(host, caller, content),
  judgement: async ({ host, caller, content, spent }: At) =>
    appraiseByModel(host, caller, content, (await recordOf(host, content))!, spent),
} as const;
type Stage = keyof typeof STAGES;
const ORDER = Object.keys(STAGES) as Stage[];

/**
 * Runs the remaining stages of an article's verification; a text that changed meanwhile is verified from the beginning.
 */
export async function deep(this: Verifier, run: JobRun<DeepInput, DeepState>) {
  const content = await contentOf(this, run.job.input.contentId);
  const edition = editionOf(content);
  const kept = run.job.state;
  const state: DeepState =
    kept?.edition === edition ? kept : { ...newState(), ...(kept && { cost: kept.cost }), edition, done: [] };
  const save = () => run.progress(ORDER[state.done.length] ?? "trail", state.done.length, ORDER.length, state);
  const at: At = { host: this, caller: asSystem("verification"), content, spent: spendingOf(run, state, save), state };
  for (const stage of ORDER.slice(state.done.length)) {
    await save();
    await STAGES[stage](at);
    state.done.push(stage);
  }
  await save();
  return summedUp(at);
}

async function summedUp({ host, caller, content, spent, state }: At) {
  const { trail, record } = await settle(host, caller, content, (await recordOf(host, content))!, { tells: true });
  const usedModel = [record.extraction, record.crossReference, record.bias, record.llm].some(
    (part) => part?.method === "llm",
  );
  return {
    contentId: content.id,
    contentTitle: content.title,
    method: usedModel ? ("llm" as const) : ("heuristic" as const),
    finalConfidenceScore: trail.finalConfidenceScore,
    confidenceLevel: trail.confidenceLevel,
    recommendation: trail.summary.recommendation,
    claims: (await claimsOf(host, caller, content.id)).map(claimView),
    crossReference: state.crossReference!,
    bias: record.bias!,
    heuristic: record.heuristic!,
    llm: record.llm!,
    trail,
    cost: costOf(spent),
  };
}
