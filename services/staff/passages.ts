import type { PublishedEndpoint } from "../../core/contract/catalogue.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { sentences } from "../../core/text/words/sentences.ts";
import { terms } from "../../core/text/words/terms.ts";
import { words } from "../../core/text/words/words.ts";
import { rankNamed } from "./designations.ts";
import type { StaffHost } from "./staff-host.ts";
import { resourceRows } from "./resource-rows.ts";
import { betweenRunningHeads } from "../knowledge/documents/client.ts";
import { operationInWords, operationsFor, operationsNear, operationsOrdered } from "./operations/operations.ts";
import { upTo } from "../../core/text/cutting.ts";

export const SOURCE_TYPES = [
  "document",
  "objective",
  "gate",
  "mission",
  "proposal",
  "request",
  "resource",
  "consumable",
  "sensor",
  "article",
  "operation",
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const MOST_ROWS = 100;
/** Pages of so many rows that are read of each kind, the newest first. */
const MOST_PAGES = 5;
/** Documents whose text is searched: those whose titles match best, then the newest; of short ones more. */
const MOST_TEXTS = 96;
const TEXTS_AT_ONCE = 12;
const MOST_CHARACTERS = 400_000;
const MOST_ARTICLES = 5;
/** Missions whose plans, requests whose answers, and resources whose readings are read: the best matches. */
const MOST_PLANS = 4;
const MOST_SERIES = 12;
const MOST_TERMS = 12;
const PASSAGE = 600;

/** A passage that an answer may rest on, with its record and its position there. */
export interface NumberedPassage {
  n: number;
  type: SourceType;
  id: string;
  title: string;
  /** Where to read on: an address of ours, or the article's own. */
  href: string;
  text: string;
  compartments: string[];
  /** What else its record is asked for with. */
  among?: Record<string, string>;
  version?: number;
  start?: number;
  /** When it was written, or told. */
  told?: string;
}
export type Passage = Omit<NumberedPassage, "n">;

/** How each kind of record is read, and where people can see it. */
export const READ: Record<
  Exclude<SourceType, "operation">,
  { action: string; by: string; href: (id: string) => string }
> = {
  document: { action: "documents.get", by: "documentId", href: (id) => `/api/documents/${id}` },
  objective: { action: "strategic.objectives.get", by: "id", href: (id) => `/api/strategic/objectives/${id}` },
  gate: { action: "gates.get", by: "gateId", href: (id) => `/api/gates/gate/${id}` },
  proposal: {
    action: "dao.proposals.getById",
    by: "proposalId",
    href: (id) => `/api/dao/proposals/${id}`,
  },
  // With the problem set whose request it is, which `among` names.
  request: { action: "inheritance.rfis.get", by: "rfiId", href: (id) => `/api/inheritance/rfis/${id}` },
  mission: { action: "missions.get", by: "id", href: (id) => `/api/missions/${id}` },
  resource: { action: "resources.get", by: "id", href: (id) => `/api/resources/${id}` },
  consumable: { action: "resources.consumables.get", by: "id", href: (id) => `/api/resources/consumables/${id}` },
  sensor: { action: "sensors.get", by: "id", href: (id) => `/api/sensors/${id}` },
  article: { action: "articles.get", by: "id", href: (id) => `/api/articles/${id}` },
};

export type Ask = (action: string, params: object) => Promise<any>;
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
  return passages.map(({ start, text: passage }) => ({ start, text: upTo(2 * PASSAGE, passage) }));
}

/** Parts as sentences, each with its own final mark or a full stop. */
export const said = (...parts: (string | undefined)[]): string =>
  parts
    .filter((part) => part?.trim())
    .map((part) => (/[.!?…。？！]["'”’)]*$/u.test(part!.trim()) ? part!.trim() : `${part!.trim()}.`))
    .join(" ");
/** A complete sentence about one fact: sentences are quoted one by one. */
export const fact = (what: string, name: string, value: unknown): string => `${what} of ${name}: ${String(value)}`;
export type RecordRow = Record<string, any> & { id: string; compartments: string[] };
export const record = (type: keyof typeof READ, row: RecordRow, title: string, text: string): Passage => ({
  type,
  id: String(row.id),
  title: upTo(300, title),
  href: READ[type].href(String(row.id)),
  text: upTo(2 * PASSAGE, text),
  compartments: row.compartments ?? [],
  ...((row["publishedAt"] ?? row["createdAt"]) && { told: String(row["publishedAt"] ?? row["createdAt"]) }),
});

/** The rows of a problem set's list, over its pages. */
export async function rowsIn(ask: Ask, action: string, problemSetId: string): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { data } = await ask(action, { problemSetId, limit: MOST_ROWS, ...(page > 1 && { page }) });
    rows.push(...data);
    if (data.length < MOST_ROWS) break;
  }
  return rows;
}

export async function documentsOf(ask: Ask, question: string, problemSetId: string): Promise<Passage[]> {
  const rows = await rowsIn(ask, "documents.list", problemSetId);
  const scores = rankNamed(
    question,
    rows.map(({ title, description }) => said(title, description)),
  );
  const best = rows
    .map((row, at) => ({ row, score: scores[at]! }))
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_TEXTS);
  const readOne = async ({ row }: { row: RecordRow }): Promise<Passage[]> => {
    // A document that is not read yet, or cannot be, has no text: the answer goes without it.
    const found = await ask("documents.texts.get", { documentId: row.id }).catch(() => null);
    return betweenRunningHeads(found ?? {}).flatMap(({ text, start }) =>
      passagesOf(text).map((passage) => ({
        ...record("document", row, row["title"], passage.text),
        version: found.version,
        start: start + passage.start,
      })),
    );
  };
  const read: Passage[] = [];
  for (let at = 0, characters = 0; at < best.length && characters < MOST_CHARACTERS; at += TEXTS_AT_ONCE) {
    const found = (await Promise.all(best.slice(at, at + TEXTS_AT_ONCE).map(readOne))).flat();
    characters += found.reduce((sum, { text }) => sum + text.length, 0);
    read.push(...found);
  }
  return read;
}

export const rowsOf =
  (type: keyof typeof READ, action: string, told: (row: RecordRow) => [title: string, text: string]) =>
  async (ask: Ask, _question: string, problemSetId: string): Promise<Passage[]> =>
    (await rowsIn(ask, action, problemSetId)).map((row) => record(type, row, ...told(row)));

export async function articlesOf(ask: Ask, question: string): Promise<Passage[]> {
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

/** The rows whose passages match a question best: more of them is read. */
export function fittingBest(question: string, rows: readonly RecordRow[], passages: readonly Passage[]): RecordRow[] {
  const scores = rankNamed(
    question,
    passages.map(({ text }) => text),
  );
  return rows
    .map((row, at) => ({ row, score: scores[at]! }))
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_PLANS)
    .map(({ row }) => row);
}

/** How the sentence begins that says where something is. */
export const PLACE = "Place";
const placeOf = ({ location, locatedAt }: RecordRow): string =>
  `${location.latitude}, ${location.longitude} (WGS 84), at ${locatedAt}`;

/** Resources, and their latest readings. */
export async function resourcesOf(ask: Ask, question: string, problemSetId: string): Promise<Passage[]> {
  const rows = await resourceRows<RecordRow>(ask, question, { problemSetId, most: MOST_ROWS });
  const resources = rows.map((row) =>
    record(
      "resource",
      row,
      row["name"],
      said(
        `Resource ${row["name"]}, ${row["kind"]}`,
        row["description"],
        fact("Readiness", row["name"], row["readiness"]),
        row["readinessReason"] && fact("Reason for the readiness", row["name"], row["readinessReason"]),
        row["location"] && fact(PLACE, row["name"], placeOf(row)),
      ),
    ),
  );
  const measured = fittingBest(question, rows, resources).map(async (row) => {
    const latest: RecordRow[] = await ask("resources.readings.getLatest", { id: row.id }).catch(() => []);
    const told = latest.slice(0, MOST_SERIES).map(({ key, value, at }) => {
      const unit = row["series"]?.find((one: RecordRow) => one["key"] === key)?.unit;
      return fact(`Latest ${key}`, row["name"], `${value}${unit ? ` ${unit}` : ""}, at ${at}`);
    });
    return told.length ? [record("resource", row, row["name"], said(...told))] : [];
  });
  return [...resources, ...(await Promise.all(measured)).flat()];
}

const operation = (endpoint: PublishedEndpoint): Passage => ({
  type: "operation",
  id: endpoint.action,
  title: endpoint.contract.summary,
  href: "/api/docs",
  text: operationInWords(endpoint),
  compartments: [],
});

/** How something is done here, from the API's own description, which everybody may read. */
export const operationsOf = async (host: Host, question: string): Promise<Passage[]> =>
  (await operationsFor(question, (host as StaffHost).meshServices())).map(operation);

/** The operations for a request, where no model takes orders; undefined where nothing was requested. */
export async function operationsInstead(host: Host, said: string): Promise<Passage[] | undefined> {
  if (host.world.llm.configured) return undefined;
  return (await operationsOrdered(said, (host as StaffHost).meshServices()))?.map(operation);
}

/** The operations closest to a question, where nothing else was found. */
export const operationsBeside = async (host: Host, question: string): Promise<Passage[]> =>
  (await operationsNear(question, (host as StaffHost).meshServices())).map(operation);
