import { z } from "zod";
import type { Actor } from "../../core/access/access.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { newRequestId } from "../../core/ids.ts";
import { isNotFound, nullIf } from "../../core/problem.ts";
import { sentences } from "../../core/text/words/sentences.ts";
import { words } from "../../core/text/words/words.ts";
import { rankNamed, speaksOfAnother } from "./designations.ts";
import {
  IN_SET,
  PLACE,
  READ,
  articlesOf,
  operationsBeside,
  operationsInstead,
  operationsOf,
  SOURCE_TYPES,
  type Ask,
  type Passage,
  type NumberedPassage,
  type SourceType,
} from "./passages.ts";

const READ_MS = 5_000;
const MOST_SOURCES = 8;
/** The most passages of one record, so that one long text does not fill the answer. */
const MOST_OF_ONE = 3;

export const ReplyCitation = z
  .object({
    n: z.int().describe("As `[n]` in the text."),
    type: z.enum(SOURCE_TYPES),
    id: z.string(),
    title: z.string(),
    href: z.string().describe("A path of this API, or the article's own address."),
    quote: z.string().describe("The passage that was read."),
    version: z.int().optional().describe("Of the document."),
    start: z.int().optional().describe("Where the passage begins in the document's text, in UTF-16 units."),
  })
  .meta({ id: "StaffCitation" });
export type ReplyCitation = z.output<typeof ReplyCitation>;

/** Asks a domain as somebody, by its own endpoints: what they do not see is not in the answer. */
const askingAs =
  (host: Host, actor: Actor): Ask =>
  (action, params) =>
    host.broker.call(action, params, { meta: { actor }, timeout: READ_MS, requestID: newRequestId() });

/**
 * What somebody may read that speaks of a question, numbered from 1, the best first: of a problem set, and of the news.
 * `said` is the question without those that it goes on from. `unread` names the kinds that could not be asked.
 */
export async function sourcesFor(
  host: Host,
  actor: Actor,
  { said, question, problemSetId }: { said: string; question: string; problemSetId?: string | undefined },
): Promise<{ sources: NumberedPassage[]; unread: SourceType[] }> {
  const ask = askingAs(host, actor);
  const unread: SourceType[] = [];
  const tried = async (type: SourceType, reading: Promise<Passage[]>): Promise<Passage[]> =>
    reading.catch(() => {
      unread.push(type);
      return [];
    });
  const found = (
    await Promise.all([
      ...(problemSetId === undefined
        ? []
        : Object.entries(IN_SET).map(([type, read]) => tried(type as SourceType, read(ask, question, problemSetId)))),
      tried("article", articlesOf(ask, question)),
    ])
  ).flat();
  const scores = rankNamed(
    question,
    found.map(({ title, text }) => `${title}. ${text}`),
  );
  const ranked = found.map((passage, at) => ({ passage, score: scores[at]! })).filter(({ score }) => score > 0);
  // Instructions for how to do something come before facts.
  const chosen: Passage[] = operationsInstead(host, said) ?? operationsOf(host, said);
  for (const { passage } of ranked.sort((one, other) => other.score - one.score)) {
    if (chosen.length === MOST_SOURCES) break;
    const beside = chosen.filter(({ type, id }) => type === passage.type && id === passage.id);
    if (beside.length < MOST_OF_ONE) chosen.push(passage);
  }
  if (!chosen.length) chosen.push(...operationsBeside(host, said));
  return { sources: chosen.map((passage, at) => ({ ...passage, n: at + 1 })), unread: unread.sort() };
}

/** Of these sources, those that somebody can still see, as citations. */
export async function citable(host: Host, actor: Actor, sources: readonly NumberedPassage[]): Promise<ReplyCitation[]> {
  const ask = askingAs(host, actor);
  const seen = async ({ type, id }: NumberedPassage): Promise<boolean> => {
    if (type === "operation") return true;
    const { action, by } = READ[type];
    return (await ask(action, { [by]: type === "article" ? Number(id) : id }).catch(nullIf(isNotFound))) !== null;
  };
  const checked = await Promise.all(sources.map((source) => seen(source).catch(() => false)));
  return sources
    .filter((_source, at) => checked[at])
    .map(({ text, compartments: _lies, ...source }) => ({ ...source, quote: text }));
}

const MOST_SENTENCES = 4;
/** A sentence that matches less than half as well as the best one does not answer the same question. */
const LEAST_SHARE = 0.5;

/** Asks for a place, which a record says in other words than the question. */
const WHERE = /\bwhere\b/i;

/** A closing bracket without an opening one is the end of a link's mark-up, not a sentence. */
const TORN = /^[^[]*\]/;

/** A heading answers nothing: at most two words, without a mark at its end. */
const isHeading = (text: string): boolean => words(text).length < 3 && !/[.!?…。？！]["'”’)]*$/u.test(text);

/**
 * An answer by quotation: the operations that do what was asked, else the sentences that match the question best, each
 * with its source's number.
 */
export function extracted(question: string, sources: readonly NumberedPassage[]): string {
  const operations = sources.filter(({ type }) => type === "operation");
  if (operations.length) return operations.map(({ n, text }) => `${text} [${n}]`).join("\n");
  const isOther = speaksOfAnother(question);
  const all = sources
    .flatMap(({ n, text }) =>
      sentences(text).map((sentence) => ({ n, text: sentence.text.replace(/\s+/g, " ").trim() })),
    )
    .filter(({ text }) => !TORN.test(text) && !isHeading(text) && !isOther(text));
  // A sentence that stands in two records, as an objective's does in its document, is quoted once, with both.
  const read = [...Map.groupBy(all, ({ text }) => text)].map(([text, them]) => ({ text, of: them.map(({ n }) => n) }));
  const scores = rankNamed(
    question,
    read.map(({ text }) => text),
  );
  const top = Math.max(0, ...scores);
  const close = read
    .map((one, at) => ({ ...one, at, score: scores[at]! }))
    .filter(({ score }) => score > 0 && score >= LEAST_SHARE * top);
  const places = WHERE.test(question) ? close.filter(({ text }) => text.startsWith(`${PLACE} of `)) : [];
  const best = (places.length ? places : close)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MOST_SENTENCES)
    .sort((one, other) => one.at - other.at);
  // Bracketed numbers within a text name none of our sources.
  const numbers = (of: readonly number[]): string => [...new Set(of)].map((n) => `[${n}]`).join(" ");
  return best.map(({ of, text }) => `${text.replace(/\[(\d{1,3})\]/g, "($1)")} ${numbers(of)}`).join("\n");
}
