import { readFileSync } from "node:fs";
import { join } from "node:path";
import { matterOf, type Statement } from "../../../core/text/statements/statement.ts";
import { CHECK_WORTHY, checkWorthiness } from "../../../services/news/verification/claims/check-worthiness.ts";
import { bearing } from "../../../services/news/verification/references/alignment.ts";
import { Between, MOST_SENTENCES } from "../../../services/news/verification/references/pairs/between.ts";
import { featuresOf } from "../../../services/news/verification/references/pairs/features.ts";
import { ReadArticle } from "../../../services/news/verification/references/readings.ts";
import {
  authorOf,
  corpus,
  dense,
  OUTLETS,
  STRANGERS,
  type Facts,
  type LabelledArticle,
  type LabelledEvent,
} from "../news/corpus.ts";

/** In the order in which the model has them. */
export const RELATIONS = ["neither", "agree", "exclude", "succeed"] as const;
export type Relation = (typeof RELATIONS)[number];

/** How a pair came about: two labelled sentences, two of events that look alike, a labelled pair, or one made of another. */
export type Making = "labelled" | "look-alike" | "alone" | "figure" | "negation";

/** Two sentences with what they are to each other. */
export interface Example {
  author: string;
  making: Making;
  relation: Relation;
  /** What they exclude each other in: event, key and both values. */
  keys: readonly string[];
  /** Whether either is a claim. */
  isClaim: boolean;
  values: Readonly<Record<string, number>>;
  one: string;
  other: string;
}

/** Scored by what was learned from the others, so that one set of a stranger stays unread. */
const UNREAD = ["tau"];
/** The strangers whose sets are learned from. */
export const LEARNED: readonly string[] = STRANGERS.filter((author) => !UNREAD.includes(author));

interface Read {
  article: LabelledArticle;
  event: LabelledEvent;
  read: ReadArticle;
  facts: readonly (Facts | undefined)[];
}

function readOf(article: LabelledArticle, event: LabelledEvent): Read {
  const read = new ReadArticle(article.text);
  const facts = read.sentences.map(({ start, end }) => {
    const marks = article.marks.filter((mark) => mark.end > start && mark.end <= end + 1);
    return marks.length ? new Map(marks.flatMap((mark) => [...mark.facts])) : undefined;
  });
  return { article, event, read, facts };
}

function relationOf(event: LabelledEvent, one?: Facts, other?: Facts): Pick<Example, "relation" | "keys"> {
  const shared = [...(one?.keys() ?? [])].filter((key) => other?.has(key));
  const apart = shared.filter((key) => one!.get(key) !== other!.get(key));
  const keys = apart
    .filter((key) => event.contradict.includes(key))
    .map((key) => [event.id, key, ...[one!.get(key)!, other!.get(key)!].sort()].join(" "));
  if (keys.length) return { relation: "exclude", keys };
  return { relation: apart.length ? "succeed" : shared.length ? "agree" : "neither", keys };
}

function valuesOf(
  one: Statement,
  other: Statement,
  place: Pick<Parameters<typeof featuresOf>[0], "between" | "at" | "there" | "later">,
) {
  const [mine, theirs] = [matterOf(one), matterOf(other)];
  const borne = bearing(mine, theirs, { event: "same" });
  return featuresOf({ one: mine, other: theirs, bearing: borne, ...place });
}

/** Farther apart, two sentences are not held against each other. */
const NEAREST = 8;
const HOUR_MS = 3_600_000;

function* between(one: Read, other: Read): Generator<Example> {
  const held = new Between(one.read, other.read);
  const later = (one.article.ago - other.article.ago) / HOUR_MS;
  const isOne = one.event === other.event;
  const isWorth = ({ article, read }: Read, at: number): boolean =>
    checkWorthiness(article.text, read.statement(at)).score >= CHECK_WORTHY;
  for (const at of one.read.sentences.keys())
    for (const there of other.read.sentences.keys()) {
      if (Math.max(at, there) >= MOST_SENTENCES) continue;
      if (Math.min(...held.ranks(at, there)) >= NEAREST) continue;
      const [a, b] = [one.read.statement(at), other.read.statement(there)];
      const found = isOne ? relationOf(one.event, one.facts[at], other.facts[there]) : NEITHER;
      yield {
        author: authorOf(one.event.half),
        making: isOne ? "labelled" : "look-alike",
        ...found,
        isClaim: isWorth(one, at) || isWorth(other, there),
        values: valuesOf(a, b, { between: held, at, there, later }),
        one: a.text,
        other: b.text,
      };
      if (found.relation === "agree") yield* turned(one, other, at, there, later);
    }
}
const NEITHER = { relation: "neither", keys: [] } as const;

const FACTORS = [0.6, 1.15, 0.8, 1.4, 0.9, 1.7, 1.25, 0.7, 1.08, 0.5, 2.2];

/** A figure in another size, written in the same manner; nothing where it is written in words. */
function resized(text: string, { start, end }: { start: number; end: number }, factor: number): string | undefined {
  const number = /\d[\d,]*(?:\.\d+)?/.exec(text.slice(start, end))?.[0];
  const value = Number(number?.replaceAll(",", ""));
  if (!number || !(value > 1)) return undefined;
  const decimals = number.split(".")[1]?.length ?? 0;
  const digits = String(Math.trunc(value)).length;
  const step = decimals ? 10 ** -decimals : 10 ** Math.max(0, digits - (value % 10 === 0 ? 2 : 3));
  const size = Math.round((value * factor) / step) * step;
  if (size === value || size <= 0) return undefined;
  const written = decimals
    ? size.toFixed(decimals)
    : number.includes(",")
      ? size.toLocaleString("en-US")
      : String(size);
  return text.slice(0, start) + text.slice(start, end).replace(number, written) + text.slice(end);
}

const RUNNING = /\b(?:rose|risen|rises|toll|so far|at least|now)\b/i;
const FINITE = /\b(?:was|were|is|are|has|have|had|will)\b(?! (?:not|no|never))/;

/** What two sentences that agree would be, did the other have another figure, or deny it. */
function* turned(one: Read, other: Read, at: number, there: number, later: number): Generator<Example> {
  const [a, b] = [one.read.statement(at), other.read.statement(there)];
  const { text } = other.article;
  const isCounting = RUNNING.test(`${a.text} ${b.text}`);
  const equal = b.quantities.find((it) =>
    a.quantities.some(({ value, unit }) => value === it.value && unit === it.unit),
  );
  const factor = FACTORS[(a.start + b.start) % FACTORS.length]!;
  const isPlain = [a, b].every((side) => side.negations.length + matterOf(side).lacking.length === 0);
  const verb = isPlain ? FINITE.exec(b.text) : null;
  const behind = verb ? b.start + verb.index + verb[0].length : 0;
  for (const [making, changed] of [
    ["figure", equal && !isCounting ? resized(text, equal, factor) : undefined],
    ["negation", verb ? `${text.slice(0, behind)} not${text.slice(behind)}` : undefined],
  ] as const) {
    if (changed === undefined) continue;
    const read = new ReadArticle(changed);
    const again = read.sentences.findIndex(({ start, end }) => start <= b.start && end > b.start);
    if (again < 0) continue;
    const c = read.statement(again);
    yield {
      author: authorOf(one.event.half),
      making,
      relation: "exclude",
      keys: [],
      isClaim: true,
      values: valuesOf(a, c, { between: new Between(one.read, read), at, there: again, later }),
      one: a.text,
      other: c.text,
    };
  }
}

/** Labelled pairs of sentences that stand by themselves, told of one event. */
function* alone(): Generator<Example> {
  for (const file of ["slots.tsv", "kept.tsv"]) {
    const [head, ...rows] = readFileSync(join(import.meta.dirname, file), "utf8")
      .trim()
      .split("\n");
    const fields = head!.split("\t");
    for (const line of rows) {
      const cells = line.split("\t");
      const row = Object.fromEntries(fields.map((field, at) => [field, cells[at]!])) as Record<string, string>;
      if (row["event"] !== "same") continue;
      const [one, other] = [new ReadArticle(row["claim"]!), new ReadArticle(row["sentence"]!)];
      const [a, b] = [one.statement(0), other.statement(0)];
      yield {
        author: "house",
        making: "alone",
        relation: ({ contradict: "exclude", support: "agree" } as const)[row["relation"]!] ?? "neither",
        keys: [],
        isClaim: true,
        values: valuesOf(a, b, { between: new Between(one, other), at: 0, there: 0, later: 0 }),
        one: a.text,
        other: b.text,
      };
    }
  }
}

/** "quake-serrano" and "quake-tolva" of one set look alike. */
const kindOf = ({ id, half }: LabelledEvent): string => `${half} ${id.split("-").slice(0, 2).join("-")}`;

const readIn = (event: LabelledEvent): Read[] =>
  event.articles.filter(({ outlet }) => OUTLETS[outlet]!.language === "en").map((article) => readOf(article, event));

/** An article and others, beside copies and what its own outlet says. */
function* beside(one: Read, others: readonly Read[]): Generator<Example> {
  for (const other of others)
    if (one.article.root !== other.article.root && one.article.outlet !== other.article.outlet)
      yield* between(one, other);
}

/**
 * All pairs of English sentences of two outlets that the labelled corpora tell something of: by their marks they agree,
 * exclude or succeed each other, or have nothing to do with each other.
 */
export function* examples(): Generator<Example> {
  const events = corpus()
    .filter(({ half }) => !UNREAD.includes(half))
    .map(readIn);
  for (const [index, told] of events.entries())
    for (const [place, one] of told.entries()) {
      const alike = events.slice(index + 1).filter(([first]) => first && kindOf(first.event) === kindOf(one.event));
      yield* beside(one, [...told.slice(place + 1), ...alike.flat()]);
    }
  for (const event of dense()) {
    const told = readIn(event);
    for (const [place, one] of told.entries()) yield* beside(one, told.slice(place + 1));
  }
  yield* alone();
}
