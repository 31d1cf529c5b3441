import { lazily, lexicon } from "../../lexicon.ts";
import { isNature } from "../kinds.ts";
import { conceptOf } from "../meaning.ts";
import type { Quantity } from "./quantities.ts";
import { isOfMatter, type Statement } from "../statement.ts";
import { baseOf } from "../../words/stem.ts";
import { isFunctionWord } from "../../words/stop-words.ts";
import type { Word } from "../../words/words.ts";

/** The role of a figure in its sentence: only stated figures of the whole and of now are compared with others. */
export type FigureStatus = "stated" | "planned" | "forecast" | "earlier" | "part" | "quoted";

/** A figure with what it measures. */
export interface Measure {
  quantity: Quantity;
  standing: FigureStatus;
  /** Concepts beside it, which identify what is measured. */
  of: ReadonlySet<string>;
  /** What happened to the people that it counts. */
  fates: ReadonlySet<string>;
  /** The nearest name before it: whose share, or which country's rate. */
  who?: string | undefined;
  /** The nearest named rate: inflation is no interest rate, although the same bank reports both. */
  indicator?: string | undefined;
  /** Words that specify a measure: "core" inflation, "electric" cars, an "aftershock". */
  kinds: ReadonlySet<string>;
  /** The whole of a share, or the base of a rate: "of voters", "a day". */
  per: readonly string[];
  /** Whether it gives a change, and not a level. */
  isChange: boolean;
  isLevel: boolean;
  /** Whether it is in the future: "will cut", "plans to cut". */
  isAhead: boolean;
  /** The period that it covers, in words: "since May", "in the last three months". */
  over?: string | undefined;
}

const BESIDE = 9;
/** "The death toll of the earthquake in the south of the country has risen to 140." */
const FATE_BESIDE = 14;
const lists = lazily(() => ({
  kinds: new Set(lexicon.measures.kinds.map(baseOf)),
  fates: new Map(
    Object.entries(lexicon.measures.fates).flatMap(([fate, words]) =>
      words.map((word) => [conceptOf(baseOf(word)), fate] as const),
    ),
  ),
  indicators: Object.entries(lexicon.measures.indicators).map(
    ([indicator, words]) => [indicator, new RegExp(`\\b(?:${words.join("|")})s?\\b`, "gi")] as const,
  ),
  quoted: new Set(lexicon.measures.quoted.map(baseOf)),
  markets: new Set(lexicon.measures.markets),
  currencies: new Set(lexicon.measures.currencies),
  empty: new Set(lexicon.measures.empty.map((word) => conceptOf(baseOf(word)))),
}));

/** Whether a concept beside a figure identifies what is measured. */
export const namesMeasure = (concept: string): boolean => !lists().empty.has(concept);

/** What happened to people, by a concept; one word for each fate. */
export const fateOf = (concept: string): string | undefined => lists().fates.get(concept);

const FORECAST =
  /\b(?:expect(?:s|ed|ing)?|forecast(?:s|ed)?|predict(?:s|ed)?|project(?:s|ed|ion)|anticipated?|target|aims?|hop(?:es?|ed|ing)|demand(?:s|ed)?|wants?|ask(?:s|ed)?|could|may|might|would|should|if)\b/i;
const PLANNED = /\b(?:plan(?:s|ned|ning)?|intend(?:s|ed)?)\b/i;
/** What will be done differs from what is planned, and from what is already so. */
const AHEAD = /\b(?:will|(?:is|are|was|were) (?:to|going to)|plan(?:s|ned|ning)?|intend(?:s|ed)?)\b/i;
const COMPARED = /\bthan (?:\w+ )?(?:expected|forecast|predicted)\b/i;
const EARLIER_BEFORE =
  /(?:\b(?:from|against|compared (?:with|to)|versus|after)\s+(?:about |some |an? |the )?|\bhad been\s+(?:\w+\s+)?)$/i;
const EARLIER_BEHIND =
  /^[^,;.]{0,25}?\b(?<!from )(?:(?:a|one|the) (?:year|month|week|quarter|day) (?:earlier|ago|before|previously)|last (?:year|month|week|time)|previously|the year before)\b/i;
const WAS = /\b(?:was|were|had been|stood)\b/i;
/** "Another 12", "55 new cases": an increase of a sum that is not given. */
const ADDED_BEFORE = /\b(?:another|further|additional|extra|other|remaining|first|next|last|latest|top|bottom)\s*$/i;
const ADDED_BEHIND = /^\s*(?:new|additional|further|extra|more)\b/i;
const PART_BEFORE = /\b(?:including|among (?:them|the dead|those)|of (?:them|whom|those)|one of)\s*(?:\w+\s*)?$/i;
/** "Two of the seven members": seven is the whole. */
const WHOLE_BEFORE =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|third|most|some|many)) of (?:the |its |their )?$/i;
const PART_BEHIND = /^[^,;.]{0,40}\b(?:of (?:them|whom|those)|among them|(?:is|are|was|were) among)\b/i;

const MOVED = /\b(?:up|down|at|to close|closed|settled|trading|traded|lost|added)\b/;

/** Whether it gives a market price: that is valid only for a minute. */
export function isQuote({ text, words, senses }: Statement): boolean {
  const has = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word.text));
  if (has(lists().markets)) return true;
  if (has(lists().currencies) && /\b(?:against|versus|the euro|to the)\b/.test(text) && MOVED.test(text)) return true;
  return (
    words.some((word) => lists().quoted.has(baseOf(word.text))) &&
    (senses.some(({ concept }) => concept === "±direction") || MOVED.test(text))
  );
}

const SHARE_OF = /^\s*of (?:all |the |its |their |our |his |her |an? )?(?=\p{L})/u;
const LONGEST_WHOLE = 3;
/** "Fell by 3", "up 3", "rose some 3" are changes; "fell to 3" is a level. */
const CHANGED =
  /\b(?:by|up|down|(?:cut|rise|increase|reduction|drop|hike|decrease) of)\s+(?:about |some |around |nearly |almost |roughly |only |just |an? )?$/i;
const STANDS =
  /\b(?:to|from|at|of|was|were|is|are)\s+(?:about |some |around |nearly |almost |roughly |only |just |an? )?$/i;
const RATE = /^\s*(?:an?|per|each|every) (minute|hour|day|night|week|month|year|quarter|head|person|household|child)\b/;
const PERIOD =
  /\b(?:since (?!(?:many|most|some|several|all|both|no|nobody|they|he|she|it|we|there|these|those|this|that)\b)\w+|so far (?:this|in) \w+|(?:over|in|during|within|for) the (?:last|past|next) [\w-]+(?: \w+)?|(?:in|for) the (?:first|second|third|fourth) (?:quarter|half)|(?:this|last) (?:year|quarter|season))\b/i;

/** "Has reached 412 cases since January": a total, like counts without a beginning. */
const TOTAL = /\b(?:ha(?:s|ve) (?:reached|passed|topped|risen to|grown to|climbed to)|in total|in all|altogether)\b/i;

function standingOf(statement: Statement, { start: from, end, unit, of }: Quantity): FigureStatus {
  const { text, start } = statement;
  const before = text.slice(0, from - start);
  const behind = text.slice(end - start);
  if (/\balone\b/i.test(text) || PART_BEFORE.test(before) || WHOLE_BEFORE.test(before) || PART_BEHIND.test(behind))
    return "part";
  if (unit !== "percent" && (ADDED_BEFORE.test(before) || ADDED_BEHIND.test(behind))) return "part";
  // Bodies are found one after the other.
  if (of.includes("body") || of.includes("corps")) return "part";
  if (EARLIER_BEFORE.test(before) || (EARLIER_BEHIND.test(behind) && WAS.test(before))) return "earlier";
  const clause = before.slice(1 + Math.max(before.lastIndexOf(","), before.lastIndexOf(";")));
  const awaited = FORECAST.exec(clause);
  if (awaited && !clause.slice(awaited.index).includes(" than ") && !COMPARED.test(before)) return "forecast";
  if (PLANNED.test(clause)) return "planned";
  return unit !== "barrel" && isQuote(statement) ? "quoted" : "stated";
}

function perOf({ text, start, words }: Statement, { end, unit }: Quantity): readonly string[] {
  const behind = text.slice(end - start);
  const rate = RATE.exec(behind)?.[1];
  if (rate) return [`a ${rate}`];
  const before = unit === "percent" ? SHARE_OF.exec(behind)?.[0] : undefined;
  if (before === undefined) return [];
  const whole = words.filter((word) => word.start >= end + before.length).slice(0, LONGEST_WHOLE);
  const cut = whole.findIndex((word) => isFunctionWord(word.text));
  return (cut < 0 ? whole : whole.slice(0, cut)).map((word) => conceptOf(baseOf(word.text)));
}

/** The figures of a statement with what they measure. */
export function measuresOf(statement: Statement): readonly Measure[] {
  if (statement.quantities.length === 0) return NONE;
  let known = measured.get(statement);
  if (!known) {
    const period = PERIOD.exec(statement.text)?.[0].toLowerCase();
    const over = period?.startsWith("since ") && TOTAL.test(statement.text) ? undefined : period;
    measured.set(statement, (known = statement.quantities.map((quantity) => measureOf(statement, quantity, over))));
  }
  return known;
}
const NONE: readonly Measure[] = [];
/** "340 dead fish": none of the dead. */
export const countsNature = ({ of }: Quantity): boolean => of.some((thing) => isNature(conceptOf(thing)));
const NO_FATES: ReadonlySet<string> = new Set();
/** One claim is compared with many sentences, and one sentence with many claims. */
const measured = new WeakMap<Statement, readonly Measure[]>();

/** Whether a word is nearer to this figure than to any other of its sentence. */
function isNearest({ quantities }: Statement, quantity: Quantity, { start, end }: Word): boolean {
  const far = (one: Quantity): number => (end <= one.start ? one.start - end : start - one.end);
  return quantities.every((one) => one === quantity || far(one) >= far(quantity));
}

function measureOf(statement: Statement, quantity: Quantity, over: string | undefined): Measure {
  const { words, senses } = statement;
  const first = words.findIndex((word) => word.end > quantity.start);
  const last = words.findLastIndex((word) => word.start < quantity.end);
  const beside = senses.filter(({ at }) => at >= first - FATE_BESIDE && at <= last + FATE_BESIDE);
  const of = new Set<string>(quantity.of.map(conceptOf));
  const fates = new Set<string>();
  let nearest = Infinity;
  for (const { concept, pole, weight, at } of beside) {
    const named = lists().fates.get(concept);
    // A saved life is no death.
    const fate = named === "dead" && pole === "alive" ? "saved" : named;
    const far = at < first ? first - at : at - last;
    if (fate) {
      if (far < nearest) fates.clear();
      if (far <= nearest) fates.add(fate);
      nearest = Math.min(nearest, far);
    } else if (far <= BESIDE && weight === 1 && !concept.startsWith("±direction")) of.add(concept);
  }
  const kinds = new Set(
    words
      .slice(Math.max(0, first - BESIDE), last + BESIDE)
      .filter((word) => isOfMatter(statement, word) && isNearest(statement, quantity, word) && !isSaidOfIt(words, word))
      .map((word) => baseOf(word.text))
      .filter((word) => lists().kinds.has(word)),
  );
  const who = statement.entities.findLast(({ end }) => end <= quantity.start)?.key;
  const before = statement.text.slice(0, quantity.start - statement.start);
  return {
    quantity,
    standing: standingOf(statement, quantity),
    of,
    fates: countsNature(quantity) ? NO_FATES : fates,
    indicator: quantity.unit === "percent" ? indicatorNear(statement, quantity) : undefined,
    kinds,
    who,
    per: perOf(statement, quantity),
    isChange: CHANGED.test(before),
    isLevel: STANDS.test(before),
    isAhead: AHEAD.test(before),
    over,
  };
}

/** The named rate that stands nearest to a percentage. */
function indicatorNear({ text, start }: Statement, quantity: Quantity): string | undefined {
  const [from, to] = [quantity.start - start, quantity.end - start];
  const far = (at: number, length: number): number => (at < from ? from - at - length : at - to);
  const found = lists().indicators.flatMap(([indicator, words]) =>
    [...text.matchAll(words)].map(({ 0: word, index }) => ({ indicator, far: far(index, word.length) })),
  );
  return found.sort((a, b) => a.far - b.far)[0]?.indicator;
}

/** "Has been confirmed on six farms", "in Marsh county": a verb, or the end of a name, not a kind of farm. */
function isSaidOfIt(words: readonly Word[], word: Word): boolean {
  const before = words[words.indexOf(word) - 1];
  if (!before) return false;
  return (before.capital && !isFunctionWord(before.text)) || /^(?:is|are|was|were|be|been)$/.test(before.text);
}
