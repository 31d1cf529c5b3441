import { z } from "zod";
import type { Actor } from "../../core/access/access.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { newRequestId } from "../../core/ids.ts";
import { isNotFound, nullIf } from "../../core/problem.ts";
import { isContent } from "../../core/text/words/terms.ts";
import { inTurns } from "../../core/work/turns.ts";
import { words } from "../../core/text/words/words.ts";
import { rankNamed } from "./designations.ts";
import { asked } from "./quoting/asking.ts";
import { SUMMARY } from "./quoting/extracting.ts";
import { answering as answersInSteps, type AnsweringLine } from "./quoting/quoting.ts";
import {
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
import { IN_SET } from "./records/records.ts";

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
export const askingAs =
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
  const numbered = found.map((passage, at) => ({ ...passage, n: at + 1 }));
  const answering = await inTurns(answersInSteps(asked(question, said), numbered));
  // Instructions for how to do something come before facts.
  const chosen: Passage[] = (await operationsInstead(host, said)) ?? (await operationsOf(host, said));
  if (!chosen.length && !answering.length && !host.world.llm.configured)
    chosen.push(...(await operationsBeside(host, said)));
  const inOrder = ranked.sort((one, other) => other.score - one.score).map(({ passage }) => passage);
  for (const passage of [...passagesOf(answering, found), ...inOrder]) {
    if (chosen.length === MOST_SOURCES) break;
    if (chosen.includes(passage)) continue;
    const beside = chosen.filter(({ type, id }) => type === passage.type && id === passage.id);
    if (beside.length < MOST_OF_ONE) chosen.push(passage);
  }
  if (!chosen.length) chosen.push(...(await operationsBeside(host, said)));
  return { sources: chosen.map((passage, at) => ({ ...passage, n: at + 1 })), unread: unread.sort() };
}

/** The passages of what answers best, each after the one before it, which it may lean on. */
function passagesOf(answering: readonly AnsweringLine[], found: readonly Passage[]): Passage[] {
  const best = [...new Set(answering.map(({ line }) => line.n - 1))].slice(0, MOST_ANSWERS);
  const isOne = (one: Passage, other: Passage | undefined): boolean => one.type === other?.type && one.id === other.id;
  return best.flatMap((at) => (isOne(found[at]!, found[at - 1]) ? [found[at - 1]!, found[at]!] : [found[at]!]));
}
const MOST_ANSWERS = 4;

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
  const seen = async ({ type, id, among }: NumberedPassage): Promise<boolean> => {
    if (type === "operation") return true;
    const { action, by } = READ[type];
    return (
      (await ask(action, { ...among, [by]: type === "article" ? Number(id) : id }).catch(nullIf(isNotFound))) !== null
    );
  };
  const checked = await Promise.all(sources.map((source) => seen(source).catch(() => false)));
  return sources
    .filter((_source, at) => checked[at])
    .map(({ text, compartments: _lies, told: _told, among: _among, ...source }) => ({ ...source, quote: text }));
}
