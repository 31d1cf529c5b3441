import { sameName } from "../../../../../core/text/statements/names.ts";
import { isOfMatter, matterOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import { isReportingWord } from "../../../../../core/text/words/stop-words.ts";
import { termsOf } from "../../../../../core/text/words/terms.ts";
import { bearing, likeness as cosine, nearnessOf, placeOf } from "../../../../../core/text/words/vectors.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import type { ReadArticle } from "../readings.ts";

/** A content word of a sentence. */
export interface Token {
  stem: string;
  /** Of its word's vector. */
  place: number;
  /** Index in the words of the sentence. */
  at: number;
  isVerb: boolean;
}

/** The content words of a statement, without its times and its speaker. */
export function tokensOf(matter: Statement): readonly Token[] {
  let known = tokensKnown.get(matter);
  if (!known) tokensKnown.set(matter, (known = tokensIn(matter)));
  return known;
}
const tokensKnown = new WeakMap<Statement, readonly Token[]>();

function tokensIn(matter: Statement): Token[] {
  const { words, dates } = matter;
  const isDate = ({ start }: Word): boolean => dates.some((one) => start >= one.start && start < one.end);
  const found = words.flatMap((word, at) => {
    if (isDate(word) || !isOfMatter(matter, word) || isReportingWord(word.text)) return [];
    const [stem] = termsOf([word]);
    return stem ? [{ stem, place: placeOf(stem), at, isVerb: isPastVerb(word.text) }] : [];
  });
  return found.slice(0, MOST_TOKENS);
}

/** Below this distance two words may mean the same; never quite as much as equal words. */
const FARTHEST = 0.4;
const OF_TWO_WORDS = 0.9;

export type Term = Pick<Token, "stem" | "place">;

/** How similar two words are in meaning, 0..1. */
export function likeness(one: Term, other: Term): number {
  if (one.stem === other.stem) return 1;
  const near = nearnessOf(one.place, other.place);
  return near <= FARTHEST ? 0 : (OF_TWO_WORDS * (near - FARTHEST)) / (1 - FARTHEST);
}

/** How much of one sentence another covers. */
export interface Covering {
  /** Share of its weight, 0..1. */
  covered: number;
  /** For each token, how similar its best counterpart is. */
  best: readonly number[];
}

/** `weights`: those of the tokens of the first. */
export function covering(from: readonly Term[], to: readonly Term[], weights: readonly number[]): Covering {
  const best = from.map((one) => to.reduce((most, other) => Math.max(most, likeness(one, other)), 0));
  return { covered: shareOf(best, weights), best };
}

function shareOf(best: readonly number[], weights: readonly number[]): number {
  let [total, found] = [0, 0];
  for (let at = 0; at < best.length; at++) {
    total += weights[at]!;
    found += weights[at]! * best[at]!;
  }
  return total ? found / total : 0;
}

/** The sentences of an article that are compared. */
interface Side {
  matters: readonly Statement[];
  /** The direction of each sentence's meaning. */
  bearings: readonly Float32Array[];
  /** The number of sentences that contain a stem. */
  counts: ReadonlyMap<string, number>;
}

/** News puts what matters first; later sentences are not compared by meaning. */
export const MOST_SENTENCES = 40;
const MOST_TOKENS = 60;

function sideOf(article: ReadArticle): Side {
  let known = sides.get(article);
  if (!known) sides.set(article, (known = readSide(article)));
  return known;
}
const sides = new WeakMap<ReadArticle, Side>();

function readSide(article: ReadArticle): Side {
  const matters = article.sentences.slice(0, MOST_SENTENCES).map((_, at) => matterOf(article.statement(at)));
  const counts = new Map<string, number>();
  for (const matter of matters)
    for (const stem of new Set(tokensOf(matter).map((token) => token.stem)))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const weight = (stem: string): number => rarity(matters.length, counts.get(stem)!);
  const bearings = matters.map((matter) => bearing(tokensOf(matter).map(({ stem }) => [stem, weight(stem)] as const)));
  return { matters, bearings, counts };
}

const rarity = (sentences: number, having: number): number => Math.log((1 + sentences) / (0.5 + having));

/** A shared figure of the same unit brings two sentences this much nearer. */
const BY_FIGURE = 0.15;

/** The comparison of two articles of one story: which sentences of one correspond to which of the other. */
export class Between {
  readonly #mine: Side;
  readonly #theirs: Side;
  readonly #near: readonly Float32Array[];
  #isOfOneEvent: boolean | undefined;

  constructor(mine: ReadArticle, theirs: ReadArticle) {
    this.#mine = sideOf(mine);
    this.#theirs = sideOf(theirs);
    this.#near = this.#mine.matters.map((matter, at) =>
      Float32Array.from(
        this.#theirs.matters,
        (other, there) =>
          cosine(this.#mine.bearings[at]!, this.#theirs.bearings[there]!) +
          (haveOneUnit(matter, other) ? BY_FIGURE : 0),
      ),
    );
  }

  /** The weight of a word: the rarer in both articles, the more. */
  weight = ({ stem }: Term): number =>
    rarity(
      this.#mine.matters.length + this.#theirs.matters.length,
      (this.#mine.counts.get(stem) ?? 0) + (this.#theirs.counts.get(stem) ?? 0),
    );

  /** What each of two sentences covers of the other. */
  coverings(at: number, there: number): [Covering, Covering] {
    const [mine, theirs] = [tokensOf(this.#mine.matters[at]!), tokensOf(this.#theirs.matters[there]!)];
    const [rows, columns] = [mine.map(() => 0), theirs.map(() => 0)];
    for (const [row, one] of mine.entries())
      for (const [column, other] of theirs.entries()) {
        const like = likeness(one, other);
        if (like > rows[row]!) rows[row] = like;
        if (like > columns[column]!) columns[column] = like;
      }
    return [
      { covered: shareOf(rows, mine.map(this.weight)), best: rows },
      { covered: shareOf(columns, theirs.map(this.weight)), best: columns },
    ];
  }

  /** How similar words of one are to words of the other, both ways, 0..1. */
  alike(mine: readonly Term[], theirs: readonly Term[]): number {
    const [here, there] = [mine.map(this.weight), theirs.map(this.weight)];
    return (covering(mine, theirs, here).covered + covering(theirs, mine, there).covered) / 2;
  }

  /** Indexes of the other's sentences that are nearest to one, the nearest first. */
  nearest(at: number, most: number): number[] {
    const row = this.#near[at]!;
    return [...row.keys()]
      .filter((there) => row[there]! > 0)
      .sort((a, b) => row[b]! - row[a]! || a - b)
      .slice(0, most);
  }

  /** How many sentences of either article are nearer to the other's than these two to each other. */
  ranks(at: number, there: number): [number, number] {
    const own = this.#near[at]![there]!;
    const nearer = (all: Iterable<number>): number => [...all].filter((near) => near > own).length;
    return [nearer(this.#near[at]!), nearer(this.#near.map((row) => row[there]!))];
  }

  /** Whether each mentions somebody or something that the other names at its beginning. */
  get isOfOneEvent(): boolean {
    return (this.#isOfOneEvent ??= isLedBy(this.#mine, this.#theirs) && isLedBy(this.#theirs, this.#mine));
  }

  /** The compared sentences of this article and of the other. */
  get matters(): readonly [readonly Statement[], readonly Statement[]] {
    return [this.#mine.matters, this.#theirs.matters];
  }
}

const namesOf = (matters: readonly Statement[]): string[] =>
  matters.flatMap(({ entities }) => entities.map(({ key }) => key));
const LEAD = 2;

/** Whether what one article names at its beginning occurs anywhere in the other; true where it names nothing. */
function isLedBy(one: Side, other: Side): boolean {
  const lead = namesOf(one.matters.slice(0, LEAD));
  const all = namesOf(other.matters);
  return lead.length === 0 || lead.some((name) => all.some((it) => sameName(it, name)));
}

/** Groups of units whose figures can be compared. */
export const familyOf = (unit: string): string => (unit === "number" ? "count" : unit === "point" ? "percent" : unit);

const haveOneUnit = (one: Statement, other: Statement): boolean =>
  one.quantities.some((a) => other.quantities.some((b) => familyOf(a.unit) === familyOf(b.unit)));
