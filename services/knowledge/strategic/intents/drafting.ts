import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { Citation } from "../../../../core/contract/citation.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem } from "../../../../core/problem.ts";
import { locate } from "../../../../core/text/locate.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { words } from "../../../../core/text/words/words.ts";
import { atOnce } from "../../../../core/work/turns.ts";
import { askModel } from "../../model-questions.ts";
import { addressesMachines } from "../extraction/objections.ts";
import { objectivePassages } from "../extraction/passages.ts";
import { signsOf } from "../extraction/signs.ts";
import { citeIn, citedPart, type PartOfText } from "../objectives/citing.ts";
import type { Objective } from "../objectives/objectives.ts";

const MOST_PAGES = 5;
const MOST_TASKS = 10;
const LONGEST = 1_000;

const Line = z
  .object({
    text: z.string(),
    citations: z.array(Citation).describe("Empty: it is the objective's own words, which no document says."),
  })
  .meta({ id: "IntentDraftLine" });
export const IntentDraft = z
  .object({
    objectiveId: z.string(),
    method: z.enum(["heuristic", "llm"]),
    model: z.string().optional(),
    purpose: Line,
    keyTasks: z.array(Line),
    endState: Line,
    unread: z.array(z.string()).describe("Cited documents that you cannot read: nothing from them is used."),
  })
  .meta({ id: "IntentDraft" });
export type IntentDraft = z.output<typeof IntentDraft>;
type Line = z.output<typeof Line>;
type Stated = Pick<Objective, "statement" | "measure" | "dueAt"> & Partial<Pick<Objective, "citations">>;

/** A page that an objective cites. */
export interface CitedPage {
  documentId: string;
  part: PartOfText;
}

const PURPOSE =
  /\b(?:in order to|so that|so as to|purpose|intent is|to (?:enable|ensure|protect|prevent|allow|deny|restore|preserve))\b/i;
const TASK = /\b(?:must|shall|will|is to|are to|has to|have to)\b/i;
const END_STATE = /\b(?:end state|endstate|upon completion|when (?:this is )?(?:done|complete)|at the end of)\b/i;
const LONGEST_TASK = 300;
/** A text of fewer words is a heading. */
const LEAST_WORDS = 5;

interface Sentence {
  page: CitedPage;
  start: number;
  end: number;
  text: string;
}

const sentencesOf = (pages: readonly CitedPage[]): Sentence[] =>
  pages.flatMap((page) =>
    sentences(page.part.text).map(({ text, start, end }) => {
      const lead = text.length - text.trimStart().length;
      const trimmed = text.trim();
      const from = page.part.start + start + lead;
      return { page, start: from, end: Math.min(from + trimmed.length, page.part.start + end), text: trimmed };
    }),
  );

/** The text below a heading that announces an end state. */
const belowEndState = (pages: readonly CitedPage[]): Sentence | undefined =>
  pages
    .flatMap((page) => {
      const { text, start: from } = page.part;
      const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, page: 1 }];
      const found = atOnce(objectivePassages({ text, blocks })).find(({ heading }) => heading?.means === "end-state");
      return found
        ? [{ page, start: from + found.start, end: from + found.end, text: text.slice(found.start, found.end) }]
        : [];
    })
    .at(0);

const lineOf = ({ page, start, end, text }: Sentence): Line => ({
  text: upTo(LONGEST, text),
  citations: [citeIn(page.documentId, page.part, { start, end })],
});
/** The objective's statement, with those of its citations that say just that on a page that was read. */
const ownWords = ({ statement, citations = [] }: Stated, pages: readonly CitedPage[]): Line => ({
  text: statement,
  citations: citations.filter(
    ({ documentId, quote }) => quote === statement && pages.some((page) => page.documentId === documentId),
  ),
});

/** What is aimed at by the objective's measure, in no document's words; without one its statement. */
function endStateOf(objective: Stated, pages: readonly CitedPage[]): Line {
  const { measure, dueAt } = objective;
  if (!measure) return ownWords(objective, pages);
  const unit = measure.unit ? ` ${measure.unit}` : "";
  const text = `${measure.indicator}: ${measure.target}${unit}${dueAt ? ` by ${dueAt.slice(0, 10)}` : ""}`;
  return { text, citations: [] };
}

/**
 * A draft by rules: sentences of the cited pages about purpose, tasks and end state; else the objective's own words.
 */
export function draftByRules(
  objective: Stated,
  pages: readonly CitedPage[],
): Pick<IntentDraft, "purpose" | "keyTasks" | "endState"> {
  const told = sentencesOf(pages).filter(
    ({ text }) => text.length <= LONGEST && words(text).length >= LEAST_WORDS && !addressesMachines(text),
  );
  const endState = belowEndState(pages) ?? told.find(({ text }) => END_STATE.test(text));
  const purpose = told.find((one) => one.start !== endState?.start && PURPOSE.test(one.text));
  const tasks = told.filter(
    (one) =>
      one !== purpose &&
      one.start !== endState?.start &&
      one.text.length <= LONGEST_TASK &&
      TASK.test(one.text) &&
      // Quoted, denied or hoped-for sentences are no tasks, as they are no objectives.
      signsOf(one.text).against === undefined,
  );
  return {
    purpose: purpose ? lineOf(purpose) : ownWords(objective, pages),
    keyTasks: tasks.length ? tasks.slice(0, MOST_TASKS).map(lineOf) : [ownWords(objective, pages)],
    endState: endState ? lineOf(endState) : endStateOf(objective, pages),
  };
}

const Said = z.strictObject({ text: z.string().trim().min(1).max(LONGEST), quote: z.string().min(1).max(2_000) });
const Answer = z.strictObject({ purpose: Said, keyTasks: z.array(Said).max(MOST_TASKS), endState: Said });
export type DraftingAnswer = z.output<typeof Answer>;

/** Keeps the lines of a model's draft whose quotation stands on a page that it saw; the rest follows the rules. */
export function acceptDraft(
  answer: DraftingAnswer,
  pages: readonly CitedPage[],
  byRules: Pick<IntentDraft, "purpose" | "keyTasks" | "endState">,
): Pick<IntentDraft, "purpose" | "keyTasks" | "endState"> {
  const cited = ({ text, quote }: z.output<typeof Said>): Line | undefined => {
    for (const { documentId, part } of pages) {
      const place = locate(part.text, quote);
      if (!place) continue;
      const at = { start: place.start + part.start, end: place.end + part.start };
      return { text, citations: [citeIn(documentId, part, at)] };
    }
    return undefined;
  };
  const keyTasks = answer.keyTasks.flatMap((one) => cited(one) ?? []);
  return {
    purpose: cited(answer.purpose) ?? byRules.purpose,
    keyTasks: keyTasks.length ? keyTasks : byRules.keyTasks,
    endState: cited(answer.endState) ?? byRules.endState,
  };
}

/** The pages that an objective cites, as far as the caller may read them. */
async function pagesOf(ctx: Ctx<unknown>, { citations }: Objective): Promise<{ pages: CitedPage[]; unread: string[] }> {
  const wanted = new Map(citations.map((one) => [`${one.documentId} ${one.version} ${one.page}`, one]));
  const pages: CitedPage[] = [];
  const unread = new Set<string>();
  for (const { documentId, version, page } of [...wanted.values()].slice(0, MOST_PAGES))
    try {
      const part = await citedPart(ctx, { documentId, version, page });
      if (part.status === "ready") pages.push({ documentId, part });
      else unread.add(documentId);
    } catch (error) {
      if (!isProblem(error) || ![403, 404, 410, 422].includes(error.code)) throw error;
      unread.add(documentId);
    }
  return { pages, unread: [...unread] };
}

/** Drafts an intent from an objective and its documents, as the caller may read them. Stores nothing. */
export async function draft(host: Host, ctx: Ctx<unknown>, objective: Objective): Promise<z.input<typeof IntentDraft>> {
  const { pages, unread } = await pagesOf(ctx, objective);
  const byRules = draftByRules(objective, pages);
  const { value, model } = pages.length
    ? await askModel(host, {
        name: "intent",
        schema: Answer,
        task:
          "Draft a commander's intent for the objective from the pages: its purpose, its key tasks, its end " +
          "state. Give for each line the words of a page that it rests on, copied exactly. Take nothing from " +
          "elsewhere.",
        material: ({ quote }) => [
          quote(objective.statement, "objective"),
          ...pages.map(({ part }, at) => quote(part.text, `page ${at + 1}`)),
        ],
      })
    : {};
  const lines = value ? acceptDraft(value, pages, byRules) : byRules;
  return {
    objectiveId: objective.id,
    method: value ? "llm" : "heuristic",
    ...(model !== undefined && { model }),
    ...lines,
    unread,
  };
}
