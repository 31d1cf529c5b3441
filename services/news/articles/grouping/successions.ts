import { areFarApart, sameMeasure } from "../../../../core/text/statements/comparison.ts";
import { measuresOf, type Measure } from "../../../../core/text/statements/figures/measures.ts";
import { sameValue } from "../../../../core/text/statements/figures/quantities.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import { statement, type Statement } from "../../../../core/text/statements/statement.ts";
import { conceptOf } from "../../../../core/text/statements/meaning.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";
import { RecentTexts } from "../../../../core/text/words/remembered.ts";
import { isReportingWord } from "../../../../core/text/words/stop-words.ts";
import { creditOf } from "../dedup/credit.ts";

/** An article of one story, as far as its figures go. */
export interface Counting {
  id: number;
  sourceId: number;
  /** Copies carry the same: whoever prints an agency's report speaks with its voice. */
  reportId?: string | undefined;
  title: string;
  text: string;
  publishedAt: string;
}

export interface Stated {
  articleId: number;
  /** The figure as it stands there. */
  text: string;
  value: number;
}

/** A figure that the same outlet or agency replaced by a later one. */
export interface Succession {
  /** What is counted or measured: "deaths", "magnitude", a unit. */
  subject: string;
  earlier: Stated;
  later: Stated;
}

/** A figure that an article states, with where and when it did. */
interface Told {
  articleId: number;
  at: number;
  voices: ReadonlySet<string>;
  sourceId: number;
  reportId: string | undefined;
  measure: Measure;
  before: number | undefined;
}

/** A figure with whom its sentence has it from. */
interface Attributed {
  measure: Measure;
  from: ReadonlySet<string>;
  /** Of those who remain, how many they were with those who went: "fourteen were freed, and six remain" of twenty. */
  before: number | undefined;
}

const MOST_ARTICLES = 60;
const READ_SENTENCES = 12;
const READ_CHARACTERS = 3_000;
/** "Two hospitals" and "three provinces" are no running counts. */
const LEAST_COUNTED = 4;

/** The figures that sentences of a text state of the whole and of now, its title among them. */
export const statedFigures = (title: string, text: string): Measure[] =>
  attributedIn(title, text).map(({ measure }) => measure);

/** Remembered, since each check of an article of the story asks for all of them again. */
const recent = new RecentTexts<readonly Attributed[]>(400_000);
function attributedIn(title: string, text: string): readonly Attributed[] {
  const read = text.slice(0, READ_CHARACTERS);
  return recent.of(`${title}\n\n${read}`, () => attributed(title, read));
}

function attributed(title: string, read: string): Attributed[] {
  const opening = sentences(read).slice(0, READ_SENTENCES);
  // A title of signs alone has no sentence.
  const [headline] = sentences(title);
  const told = [
    headline && statement(title, headline),
    ...opening.map((one) => /\d|\p{L}/u.test(one.text) && statement(read, one)),
  ];
  return told
    .filter((one): one is Statement => Boolean(one))
    .flatMap((one) => {
      const from = authoritiesIn(one);
      return measuresOf(one)
        .filter(isRunning)
        .map((measure) => ({ measure, from, before: numberBefore(one, measure) }));
    });
}

const BEFORE_SAYING = 4;
/** Words that the names of many authorities share. */
const ANYBODY = new Set(
  (
    "agency official spokesman spokeswoman spokesperson head chief source people minister government company " +
    "firm president"
  )
    .split(" ")
    .map((word) => conceptOf(baseOf(word))),
);

/** "The civil protection agency said": what it is called, so that its next count is known for its own. */
function authoritiesIn({ words, senses }: Statement): ReadonlySet<string> {
  const saying = words.flatMap(({ text }, at) => (isReportingWord(text) || text === "put" ? [at] : []));
  const named = senses.filter(
    ({ at, weight, concept }) =>
      weight === 1 && !ANYBODY.has(concept) && saying.some((said) => at < said && at >= said - BEFORE_SAYING),
  );
  return new Set(named.map(({ concept }) => `authority ${concept}`));
}

/** What goes on being counted: people and what became of them, sizes, sums. */
const isRunning = ({ standing, quantity: { unit, value, of }, fates }: Measure): boolean =>
  standing === "stated" &&
  value >= LEAST_COUNTED &&
  (fates.size > 0 ||
    (unit === "count" && of.length > 0) ||
    unit === "percent" ||
    unit === "magnitude" ||
    /^[A-Z]{3}$/.test(unit));

const REMAINING = /^\s*(?:others? |people |more )?(?:remain(?:s|ed)?|(?:are|were|is|was) (?:still|left))\b/i;

/** The sum of those who remain and of the one other count of the sentence. */
function numberBefore(told: Statement, { quantity: left }: Measure): number | undefined {
  if (left.unit !== "count" || !REMAINING.test(told.text.slice(left.end - told.start))) return undefined;
  const [gone, ...more] = measuresOf(told).filter(({ quantity }) => quantity !== left && quantity.unit === "count");
  return gone && more.length === 0 ? gone.quantity.value + left.value : undefined;
}

const subjectOf = ({ fates, quantity: { unit, of } }: Measure): string =>
  fates.size > 0 ? [...fates].sort().join(" and ") : unit === "count" ? of.join(" ") : unit;

/**
 * Figures of a story that the same outlet or agency replaced later: the same measure with another value. An outlet that
 * corrects itself does not contradict itself, and no longer stands by the old figure.
 */
export function successions(articles: readonly Counting[]): Succession[] {
  const byAge = articles
    .toSorted((a, b) => Date.parse(a.publishedAt) - Date.parse(b.publishedAt) || a.id - b.id)
    .slice(-MOST_ARTICLES);
  const speaking = voicesOf(byAge);
  const told = byAge.flatMap(({ id, sourceId, reportId, title, text, publishedAt }) =>
    attributedIn(title, text).map(({ measure, from, before }): Told => ({
      articleId: id,
      at: Date.parse(publishedAt),
      voices: new Set([...speaking.get(id)!, ...from]),
      sourceId,
      reportId,
      measure,
      before,
    })),
  );
  const found: Succession[] = [];
  for (const [at, earlier] of told.entries()) {
    const same = told.slice(at + 1).filter((one) => follows(one, earlier));
    // Where the last word still holds the figure, nothing was replaced.
    const last = same.filter(({ articleId }) => articleId === same.at(-1)?.articleId);
    const later = last.every((one) => isOther(one.measure, earlier.measure)) ? last[0] : undefined;
    if (later) found.push({ subject: subjectOf(earlier.measure), earlier: statedBy(earlier), later: statedBy(later) });
  }
  return found;
}

/** Whether the same outlet or agency gives the same measure later. */
const follows = (later: Told, earlier: Told): boolean =>
  later.articleId !== earlier.articleId &&
  later.at > earlier.at &&
  [...later.voices].some((voice) => earlier.voices.has(voice)) &&
  (sameMeasure(later.measure, earlier.measure) || areLeftOf(later, earlier)) &&
  !areMisprinted(later, earlier) &&
  // Shares are somebody's.
  (later.measure.quantity.unit !== "percent" || (!!later.measure.who && !!earlier.measure.who));

/** Two prints of one report by two outlets, 400 and 4,000: one of them is wrong, and it need not be the earlier. */
const areMisprinted = (one: Told, other: Told): boolean =>
  one.reportId !== undefined &&
  one.reportId === other.reportId &&
  one.sourceId !== other.sourceId &&
  areFarApart(one.measure.quantity.value, other.measure.quantity.value);

const areLeftOf = ({ before }: Told, { measure: { quantity } }: Told): boolean =>
  quantity.unit === "count" && quantity.value === before;

/** Another number, also where "at least 112" leaves room for 140. */
const isOther = ({ quantity: one }: Measure, { quantity: other }: Measure): boolean =>
  sameValue({ ...one, bound: undefined } as typeof one, { ...other, bound: undefined } as typeof other) === "differ";

const statedBy = ({ articleId, measure: { quantity } }: Told): Stated => ({
  articleId,
  text: quantity.text,
  value: quantity.value,
});

/** Each article's own outlet, the agency it credits, and those of the reports that it copies. */
function voicesOf(articles: readonly Counting[]): Map<number, ReadonlySet<string>> {
  const ofReport = new Map<string, Set<string>>();
  const found = new Map<number, ReadonlySet<string>>();
  for (const { id, sourceId, reportId = String(id), text } of articles) {
    const voices = ofReport.get(reportId) ?? new Set();
    ofReport.set(reportId, voices.add(`source ${sourceId}`));
    const credit = creditOf(text);
    if (credit) voices.add(`agency ${credit}`);
    found.set(id, voices);
  }
  return found;
}
