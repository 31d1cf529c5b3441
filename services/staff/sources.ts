import { z } from "zod";
import type { Actor } from "../../core/access/access.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { newRequestId } from "../../core/ids.ts";
import { isNotFound, nullIf } from "../../core/problem.ts";
import { rank } from "../../core/text/searching/relevance.ts";
import { sentences } from "../../core/text/words/sentences.ts";
import { terms } from "../../core/text/words/terms.ts";
import { words } from "../../core/text/words/words.ts";

export const SOURCE_TYPES = ["document", "objective", "gate", "mission", "article"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

const READ_MS = 5_000;
const MOST_SOURCES = 8;
/** Passages of one record: one long text is not all that there is. */
const MOST_OF_ONE = 3;
const MOST_ROWS = 100;
/** Documents whose text is looked through: those whose titles fit best, then the newest. */
const MOST_TEXTS = 12;
const MOST_ARTICLES = 5;
const MOST_TERMS = 12;
const PASSAGE = 600;

/** A passage that an answer may rest on, with the record it is of and the place where it stands. */
export interface Source {
  n: number;
  type: SourceType;
  id: string;
  title: string;
  /** Where to look: an address of ours, or the article's own. */
  href: string;
  text: string;
  compartments: string[];
  version?: number;
  start?: number;
}
type Passage = Omit<Source, "n">;

export const Citation = z
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
export type Citation = z.output<typeof Citation>;

/** How each kind of record is read, and where it is looked at. */
const READ: Record<SourceType, { action: string; by: string; href: (id: string) => string }> = {
  document: { action: "documents.get", by: "documentId", href: (id) => `/api/documents/${id}` },
  objective: { action: "strategic.objectives.get", by: "id", href: (id) => `/api/strategic/objectives/${id}` },
  gate: { action: "gates.get", by: "gateId", href: (id) => `/api/gates/gate/${id}` },
  mission: { action: "missions.get", by: "id", href: (id) => `/api/missions/${id}` },
  article: { action: "articles.get", by: "id", href: (id) => `/api/articles/${id}` },
};

type Ask = (action: string, params: object) => Promise<any>;
/** Asks a domain as somebody, by its own endpoints: what they do not see is not in the answer. */
export const askingAs =
  (host: Host, actor: Actor): Ask =>
  (action, params) =>
    host.broker.call(action, params, { meta: { actor }, timeout: READ_MS, requestID: newRequestId() });

/** A text in passages of whole sentences, with their offsets. */
export function passagesOf(text: string): { text: string; start: number }[] {
  const passages: { text: string; start: number }[] = [];
  let from = 0;
  let end = 0;
  for (const sentence of sentences(text)) {
    if (end > from && sentence.end - from > PASSAGE) {
      passages.push({ start: from, text: text.slice(from, end) });
      from = sentence.start;
    } else if (end === from) from = sentence.start;
    end = sentence.end;
  }
  if (end > from) passages.push({ start: from, text: text.slice(from, end) });
  return passages.map(({ start, text: passage }) => ({ start, text: passage.slice(0, 2 * PASSAGE).toWellFormed() }));
}

const said = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(". ");
type Row = Record<string, any> & { id: string; compartments: string[] };
const record = (type: SourceType, row: Row, title: string, text: string): Passage => ({
  type,
  id: String(row.id),
  title: title.slice(0, 300),
  href: READ[type].href(String(row.id)),
  text: text.slice(0, 2 * PASSAGE).toWellFormed(),
  compartments: row.compartments ?? [],
});

async function documentsOf(ask: Ask, question: string, problemSetId: string): Promise<Passage[]> {
  const rows: Row[] = (await ask("documents.list", { problemSetId, limit: MOST_ROWS })).data;
  const scores = rank(
    question,
    rows.map(({ title, description }) => said(title, description)),
  );
  const best = rows
    .map((row, at) => ({ row, score: scores[at]! }))
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_TEXTS);
  const read = async ({ row }: { row: Row }): Promise<Passage[]> => {
    // One that is not read yet, or cannot be, has no text; that is no reason to answer nothing.
    const found = await ask("documents.texts.get", { documentId: row.id }).catch(() => null);
    return passagesOf(found?.text ?? "").map((passage) => ({
      ...record("document", row, row["title"], passage.text),
      version: found.version,
      start: (found.start ?? 0) + passage.start,
    }));
  };
  return (await Promise.all(best.map(read))).flat();
}

const rowsOf =
  (type: SourceType, action: string, told: (row: Row) => [title: string, text: string]) =>
  async (ask: Ask, _question: string, problemSetId: string): Promise<Passage[]> =>
    ((await ask(action, { problemSetId, limit: MOST_ROWS })).data as Row[]).map((row) =>
      record(type, row, ...told(row)),
    );

async function articlesOf(ask: Ask, question: string): Promise<Passage[]> {
  const asked = [...new Set(words(question).filter(({ text }) => terms(text).length))].slice(0, MOST_TERMS);
  if (!asked.length) return [];
  const q = asked.map(({ text }) => `"${text.replaceAll('"', "")}"`).join(" | ");
  const hits: { id: number }[] = (await ask("search.search", { q, limit: MOST_ARTICLES })).data;
  const read = await Promise.all(hits.map(({ id }) => ask("articles.get", { id }).catch(() => null)));
  return read.filter(Boolean).flatMap((article) => {
    const row = { ...article, compartments: [] };
    const href = URL.canParse(article.url) && /^https?:/.test(article.url) ? article.url : undefined;
    return passagesOf(article.content ?? "").map(({ text, start }) => ({
      ...record("article", row, article.title, text),
      ...(href && { href }),
      start,
    }));
  });
}

const IN_SET = {
  document: documentsOf,
  objective: rowsOf("objective", "strategic.objectives.list", (row) => [
    row["statement"],
    said(row["statement"], `Its status: ${row["status"]}`),
  ]),
  gate: rowsOf("gate", "gates.list", (row) => [
    row["name"],
    said(`Gate ${row["name"]}`, row["description"], `Its status: ${row["status"]}`),
  ]),
  mission: rowsOf("mission", "missions.list", (row) => [
    row["name"],
    said(`Mission ${row["name"]}`, row["description"], row["objective"], `Its status: ${row["status"]}`),
  ]),
} as const;

/**
 * What somebody may read that speaks of a question, numbered from 1, the best first: of a problem set, and of the news.
 * `unread` names the kinds that could not be asked.
 */
export async function sourcesFor(
  host: Host,
  actor: Actor,
  { question, problemSetId }: { question: string; problemSetId?: string | undefined },
): Promise<{ sources: Source[]; unread: SourceType[] }> {
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
  const scores = rank(
    question,
    found.map(({ title, text }) => `${title}. ${text}`),
  );
  const ranked = found.map((passage, at) => ({ passage, score: scores[at]! })).filter(({ score }) => score > 0);
  const chosen: Passage[] = [];
  for (const { passage } of ranked.sort((one, other) => other.score - one.score)) {
    if (chosen.length === MOST_SOURCES) break;
    const beside = chosen.filter(({ type, id }) => type === passage.type && id === passage.id);
    if (beside.length < MOST_OF_ONE) chosen.push(passage);
  }
  return { sources: chosen.map((passage, at) => ({ ...passage, n: at + 1 })), unread: unread.sort() };
}

/** Of these sources those that are still there for somebody to see, as citations. */
export async function citable(host: Host, actor: Actor, sources: readonly Source[]): Promise<Citation[]> {
  const ask = askingAs(host, actor);
  const seen = async ({ type, id }: Source): Promise<boolean> => {
    const { action, by } = READ[type];
    return (await ask(action, { [by]: type === "article" ? Number(id) : id }).catch(nullIf(isNotFound))) !== null;
  };
  const checked = await Promise.all(sources.map((source) => seen(source).catch(() => false)));
  return sources
    .filter((_source, at) => checked[at])
    .map(({ text, compartments: _lies, ...source }) => ({ ...source, quote: text }));
}

const MOST_SENTENCES = 4;
/** A sentence that fits half as well as the best one does not answer the same question. */
const LEAST_SHARE = 0.5;

/** An answer in the words of what was read: the sentences that fit the question best, each with its source's number. */
export function extracted(question: string, sources: readonly Source[]): string {
  const read = sources.flatMap(({ n, text }) =>
    sentences(text).map((sentence) => ({ n, text: sentence.text.replace(/\s+/g, " ").trim() })),
  );
  const scores = rank(
    question,
    read.map(({ text }) => text),
  );
  const top = Math.max(0, ...scores);
  const best = read
    .map((one, at) => ({ ...one, at, score: scores[at]! }))
    .filter(({ score }) => score > 0 && score >= LEAST_SHARE * top)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MOST_SENTENCES)
    .sort((one, other) => one.at - other.at);
  // Numbers in brackets that stand in a text name none of our sources.
  return best.map(({ n, text }) => `${text.replace(/\[(\d{1,3})\]/g, "($1)")} [${n}]`).join("\n");
}
