import type { Agreement } from "./dates.ts";
import { lazily, lexicon } from "./lexicon.ts";
import { conceptOf } from "./meaning.ts";
import { sameName } from "./names.ts";
import { comparable, sameValue, type Quantity } from "./quantities.ts";
import type { Statement } from "./statement.ts";
import { baseOf } from "./stem.ts";

/** How a figure stands in its sentence: only what is stated of the whole and of now can be held against another. */
export type Standing = "stated" | "forecast" | "earlier" | "part";

/** A figure with what it measures. */
export interface Measure {
  quantity: Quantity;
  standing: Standing;
  /** Concepts beside it: what is measured. */
  of: ReadonlySet<string>;
  /** What became of the people that it counts. */
  fates: ReadonlySet<string>;
  /** The name that stands nearest before it: whose share, which country's rate. */
  who?: string | undefined;
  /** Words that make another measure of one of the same name: "core" inflation, "electric" cars, an "aftershock". */
  kinds: ReadonlySet<string>;
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
  empty: new Set(lexicon.measures.empty.map((word) => conceptOf(baseOf(word)))),
}));

const FORECAST =
  /\b(?:expect(?:s|ed|ing)?|forecast(?:s|ed)?|predict(?:s|ed)?|project(?:s|ed|ion)|anticipated?|target|aims?|hop(?:es?|ed|ing)|demand(?:s|ed)?|wants?|asks?|plan(?:s|ned)?|could|may|might)\b/i;
const COMPARED = /\bthan (?:\w+ )?(?:expected|forecast|predicted)\b/i;
const EARLIER_BEFORE =
  /(?:\b(?:from|against|compared (?:with|to)|versus|after)\s+(?:about |some |an? |the )?|\bhad been\s+(?:\w+\s+)?)$/i;
const EARLIER_BEHIND =
  /^[^,;.]{0,25}?\b(?<!from )(?:(?:a|one|the) (?:year|month|week|quarter|day) (?:earlier|ago|before|previously)|last (?:year|month|week|time)|previously|the year before)\b/i;
const WAS = /\b(?:was|were|had been|stood)\b/i;
const PART_BEFORE = /\b(?:including|among (?:them|the dead|those)|of (?:them|whom|those)|one of)\s*(?:\w+\s*)?$/i;
/** "Two of the seven members": seven are the whole, and none of the two's own. */
const WHOLE_BEFORE =
  /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|third|most|some|many)) of (?:the |its |their )?$/i;
const PART_BEHIND = /^[^,;.]{0,40}\b(?:of (?:them|whom|those)|among them|(?:is|are|was|were) among)\b/i;

function standingOf({ text, start }: Statement, { start: from, end }: Quantity): Standing {
  const before = text.slice(0, from - start);
  const behind = text.slice(end - start);
  if (/\balone\b/i.test(text) || PART_BEFORE.test(before) || WHOLE_BEFORE.test(before) || PART_BEHIND.test(behind))
    return "part";
  if (EARLIER_BEFORE.test(before) || (EARLIER_BEHIND.test(behind) && WAS.test(before))) return "earlier";
  const clause = before.slice(1 + Math.max(before.lastIndexOf(","), before.lastIndexOf(";")));
  const awaited = FORECAST.exec(clause);
  if (awaited && !clause.slice(awaited.index).includes(" than ") && !COMPARED.test(before)) return "forecast";
  return "stated";
}

/** The figures of a statement with what they measure. */
export function measuresOf(statement: Statement): Measure[] {
  return statement.quantities.map((quantity) => measureOf(statement, quantity));
}

function measureOf(statement: Statement, quantity: Quantity): Measure {
  const { words, senses } = statement;
  const first = words.findIndex((word) => word.end > quantity.start);
  const last = words.findLastIndex((word) => word.start < quantity.end);
  const beside = senses.filter(({ at }) => at >= first - FATE_BESIDE && at <= last + FATE_BESIDE);
  const of = new Set<string>(quantity.of.map(conceptOf));
  const fates = new Set<string>();
  let nearest = Infinity;
  for (const { concept, pole, weight, at } of beside) {
    const fate = lists().fates.get(concept);
    const far = at < first ? first - at : at - last;
    // A life that is saved is no death.
    if (fate && !(fate === "dead" && pole === "alive")) {
      if (far < nearest) fates.clear();
      if (far <= nearest) fates.add(fate);
      nearest = Math.min(nearest, far);
    } else if (far <= BESIDE && weight === 1 && !concept.startsWith("±direction")) of.add(concept);
  }
  const kinds = new Set(
    words
      .slice(Math.max(0, first - BESIDE), last + BESIDE)
      .map((word) => baseOf(word.text))
      .filter((word) => lists().kinds.has(word)),
  );
  const who = statement.entities.findLast(({ end }) => end <= quantity.start)?.key;
  return { quantity, standing: standingOf(statement, quantity), of, fates, kinds, who };
}

const sharesAny = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((concept) => !lists().empty.has(concept) && other.has(concept));
const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item));

const isCount = ({ quantity: { unit } }: Measure): boolean => unit === "count" || unit === "number";

/** Whether two figures measure the same; `loosely`: as far as equal values of one event need it. */
export function sameMeasure(a: Measure, b: Measure, loosely = false): boolean {
  if (!comparable(a.quantity, b.quantity)) return false;
  const counts = isCount(a) || isCount(b);
  if (counts && a.fates.size > 0 && b.fates.size > 0) return sharesAny(a.fates, b.fates);
  if (loosely) return true;
  if (a.quantity.value === b.quantity.value && sharesAny(a.of, b.of)) return true;
  if (!sameSet(a.kinds, b.kinds)) return false;
  if (a.fates.size + b.fates.size > 0 && counts) return false;
  if (a.quantity.unit === "magnitude") return true;
  if (!counts) return (!a.who || !b.who || sameName(a.who, b.who)) && sharesAny(a.of, b.of);
  // People are counted by what is said beside them, all else by its name.
  const [mine, theirs] = [a, b].map(({ quantity }) => quantity.of.map(conceptOf).filter((thing) => thing !== "people"));
  return mine!.length + theirs!.length === 0 ? sharesAny(a.of, b.of) : sharesAny(new Set(mine), new Set(theirs));
}

export interface Figures {
  agreement: Agreement;
  /** Figures of the claim that are there, and those that differ. */
  agreeing: number;
  differing: number;
  reasons: string[];
}

/**
 * Holds the figures of a claim against those of a sentence, each against what measures the same. `loosely`: both tell
 * of one event, so that an equal value of one unit is the same figure.
 */
export function compareFigures(claimed: readonly Measure[], found: readonly Measure[], loosely = false): Figures {
  const reasons: string[] = [];
  let agreeing = 0;
  let differing = 0;
  for (const one of claimed) {
    const match = found.find(
      (other) => sameMeasure(one, other, loosely) && sameValue(one.quantity, other.quantity) === "agree",
    );
    if (match) {
      agreeing += 1;
      reasons.push(`same figure: ${one.quantity.text} and ${match.quantity.text}`);
      continue;
    }
    const partners = found.filter(
      (other) => other.standing === "stated" && one.standing === "stated" && sameMeasure(one, other),
    );
    const verdicts = partners.map((other) => sameValue(one.quantity, other.quantity));
    if (verdicts.includes("differ") && !verdicts.includes("unclear")) {
      differing += 1;
      reasons.push(`different figure: ${one.quantity.text} against ${partners[0]!.quantity.text}`);
    }
  }
  const agreement = differing > agreeing ? "differ" : agreeing > 0 ? "agree" : "unclear";
  return { agreement, agreeing, differing, reasons };
}
