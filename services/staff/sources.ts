import { z } from "zod";
import type { Actor } from "../../core/access/access.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { newRequestId } from "../../core/ids.ts";
import { isNotFound, nullIf } from "../../core/problem.ts";
import { sentences } from "../../core/text/words/sentences.ts";
import { isContent, terms } from "../../core/text/words/terms.ts";
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
  const whole = SUMMARY.test(said) ? passagesToSum(question, found) : [];
  if (whole.length) return { sources: whole.map((passage, at) => ({ ...passage, n: at + 1 })), unread: unread.sort() };
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

/** Asks for what a record says as a whole. */
const SUMMARY = /\b(?:summari[sz]e|summari[sz]ing|summary|sum up|overview|gist|outline)\b/i;

/** Passages of the text that is to be summed up, from its beginning to its end: that whose title fits, else whose words. */
function passagesToSum(question: string, found: readonly Passage[]): Passage[] {
  const wanted = question.replace(new RegExp(SUMMARY, "gi"), " ");
  const texts = found.filter(({ type }) => type === "document" || type === "article");
  const ofOne = [...Map.groupBy(texts, ({ type, id }) => `${type} ${id}`).values()];
  const [titles, bodies] = [
    rankNamed(
      wanted,
      ofOne.map(([first]) => first!.title),
    ),
    rankNamed(
      wanted,
      ofOne.map((passages) => passages.map(({ text }) => text).join(" ")),
    ),
  ];
  const best = ofOne
    .map((passages, at) => ({ passages, title: titles[at]!, body: bodies[at]! }))
    .filter(({ title, body }) => title > 0 || body > 0)
    .sort((one, other) => other.title - one.title || other.body - one.body)[0];
  if (!best) return [];
  const { passages } = best;
  const step = Math.max(1, passages.length / MOST_SOURCES);
  return Array.from({ length: Math.min(MOST_SOURCES, passages.length) }, (_, at) => passages[Math.floor(at * step)]!);
}

/** By what records of a kind are listed, where a question names the kind and a state of it. */
const LISTED = {
  sensor: { action: "sensors.list", field: "status" },
  resource: { action: "resources.list", field: "readiness" },
  objective: { action: "strategic.objectives.list", field: "status" },
  mission: { action: "missions.list", field: "status" },
  gate: { action: "gates.list", field: "status" },
} as const;
const PATHS = {
  sensor: "/api/sensors",
  resource: "/api/resources",
  objective: "/api/strategic/objectives",
  mission: "/api/missions",
} as const;

/**
 * How many records are meant by "which sensors are silent", where they are more than were quoted, and where all of them
 * are; undefined of any other question.
 */
export async function countedFor(
  host: Host,
  actor: Actor,
  { said, problemSetId }: { said: string; problemSetId?: string | undefined },
  cited: readonly NumberedPassage[],
): Promise<string | undefined> {
  if (problemSetId === undefined) return undefined;
  const spoken = new Set(words(said).map(({ text }) => text.toLowerCase()));
  const kind = (Object.keys(LISTED) as (keyof typeof LISTED)[]).find((one) => spoken.has(`${one}s`));
  if (!kind) return undefined;
  const ask = askingAs(host, actor);
  const { action, field } = LISTED[kind];
  const states = [...spoken].filter((word) => isContent(word) && word !== `${kind}s`).slice(0, MOST_STATES);
  for (const state of states) {
    // Of a word that is no state of this kind nothing is listed.
    const listed = await ask(action, { problemSetId, [field]: state, limit: 1 }).catch(() => null);
    const total: number = listed?.meta?.total ?? 0;
    const quoted = new Set(cited.filter(({ type }) => type === kind).map(({ id }) => id)).size;
    if (total <= quoted || total < 2) continue;
    const more = listed.meta.more ? "more than " : "";
    const path = kind === "gate" ? `/api/gates/${problemSetId}?` : `${PATHS[kind]}?problemSetId=${problemSetId}&`;
    return `In all, ${more}${total} ${kind}s are ${state}; quoted are ${quoted}. All of them: GET ${path}${field}=${state}`;
  }
  return undefined;
}
const MOST_STATES = 6;

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
  if (SUMMARY.test(question) && sources.every(({ id }) => id === sources[0]?.id)) return summed(sources);
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

const MOST_SUMMED = 6;

/** The sentences that say most of what a text speaks of, in its own order: each by how often its terms occur. */
function summed(sources: readonly NumberedPassage[]): string {
  const said = new Map<string, { n: number; terms: string[] }>();
  for (const { n, text } of sources)
    for (const sentence of sentences(text)) {
      const line = sentence.text.replace(/\s+/g, " ").trim();
      if (!TORN.test(line) && !isHeading(line) && !said.has(line)) said.set(line, { n, terms: terms(line) });
    }
  const often = new Map<string, number>();
  for (const one of said.values()) for (const term of new Set(one.terms)) often.set(term, (often.get(term) ?? 0) + 1);
  const weight = (found: readonly string[]): number =>
    [...new Set(found)].reduce((sum, term) => sum + often.get(term)!, 0) / Math.sqrt(found.length + LEVELLED);
  return [...said]
    .map(([text, one], at) => ({ text, n: one.n, at, weight: weight(one.terms) }))
    .sort((one, other) => other.weight - one.weight || one.at - other.at)
    .slice(0, MOST_SUMMED)
    .sort((one, other) => one.at - other.at)
    .map(({ text, n }) => `${text.replace(/\[(\d{1,3})\]/g, "($1)")} [${n}]`)
    .join("\n");
}
/** Terms that a sentence is counted longer by, so that short ones do not win for being short. */
const LEVELLED = 4;
