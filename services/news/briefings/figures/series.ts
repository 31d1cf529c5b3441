import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { isChecked } from "../../../../core/text/statements/speech/checked.ts";
import { takesBack } from "../../../../core/text/statements/speech/errata.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { comparable, compatible, COUNTED, figuresIn, partsIn, type Figure } from "./figures.ts";
import type { Sayings } from "./growth.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";
import { byText } from "../model.ts";
import { isScant } from "../stories/texts.ts";
import { figuresTold } from "./tolls.ts";

/** How many an event befell. */
const TOLLS = ["deaths", "injuries", "people displaced", "cases", "arrests", "people rescued"];
/** What only grows while an event goes on: a later, higher figure replaces those before. */
export const GROWING = new Set([...TOLLS, COUNTED]);

/** A figure with the place where it is told: 0 for the headline, then sentence by sentence. */
export interface Told {
  article: BriefingArticle;
  figure: Figure;
  place: number;
  at: string;
}

/**
 * When an article told a count that only grows: of one that its outlet has changed since, then. A word that was put right
 * brings no other figure up to date, which may have fallen meanwhile.
 */
export const toldAt = ({ publishedAt, changedAt }: BriefingArticle, { subject }: Pick<Figure, "subject">): string =>
  changedAt !== undefined && changedAt > publishedAt && GROWING.has(subject) ? changedAt : publishedAt;

/** News tells what is new at once: what stands further down is background, unless it goes on growing. */
const AT_ONCE = 3;
/** "In 2011 a fire killed nine", "last year": of another time than the event's. */
const BACKGROUND =
  /\b(?:(?:19|20)\d\d|last (?:year|month|week|season)|years? (?:ago|earlier)|earlier this year|(?:in|since) (?:January|February|March|April|May|June|July|August|September|October|November|December))\b/i;

/** Whether a sentence speaks of another event than its article's, or of what the article said before. */
export const isBackground = (text: string): boolean => BACKGROUND.test(text) || takesBack(text) || isChecked(text);

/** A vote whose winner is known: how much was counted before is no news. */
const DECIDED = /\b(?:won|wins|winner|elected|re-elected|victory|concede[sd]?)\b/i;

/** Reads the figures that a story tells of its own event. */
const toldIn = ({ article, texts }: Sayings): Told[] =>
  texts.flatMap((text, place) =>
    place > 0 && isBackground(text)
      ? []
      : figuresTold(text)
          .filter(({ exact, high }) => exact || high === Infinity)
          .map((figure): Told => ({ article, figure, place, at: toldAt(article, figure) })),
  );

/** So many of some things, and when it was told. */
interface Counted {
  at: string;
  subject: string;
  value: number;
}

/** Of seats, votes and points several have some at once: one figure is no earlier count of another. */
const HELD = new Set(["seat", "vote", "point", "goal", "delegate"].map((word) => `noun:${baseOf(word)}`));
const isThing = ({ subject, value }: { subject: string; value: number }): boolean =>
  subject.startsWith("noun:") && !HELD.has(subject) && Number.isInteger(value);

const thingsIn = ({ article: { publishedAt: at }, texts }: Sayings): Counted[] =>
  texts
    .filter((text, place) => place === 0 || !isBackground(text))
    .flatMap((text) => [...figuresIn(text).filter(({ exact }) => exact), ...partsIn(text)].filter(isThing))
    .map(({ subject, value }) => ({ at, subject, value }));

/** Of "at least 27" it is 27 that is told. */
export const mostOf = ({ value, high }: Figure): number => (high === Infinity ? value : high);

/** Numbers farther apart than so many times count different things. */
const MOST_APART = 10;

/** A short post of low confidence replaces no count. */
const SOUND = 0.4;
export const isSound = (article: BriefingArticle): boolean => !isScant(article) || article.confidence >= SOUND;

/** Whether a figure takes another's place where it is the later: a toll by growing, other counts in either direction. */
function displaces({ figure, place, article }: Told, earlier: Figure): boolean {
  if (!figure.exact || !isSound(article) || !comparable(figure, earlier)) return false;
  const isHigher = figure.low > mostOf(earlier);
  if (GROWING.has(figure.subject)) return isHigher;
  // Further down only what is counted goes on, and by growing.
  if (place < AT_ONCE) return !compatible(figure, earlier);
  return isHigher && isCount(figure) && figure.value <= MOST_APART * earlier.value;
}

/** Whether a figure is still what is known: "at least 17" is true of 23, and no longer says it. */
const isStill = (figure: Figure, later: Figure): boolean =>
  compatible(figure, later) && (figure.high < Infinity || figure.value >= later.low);

const isSame = (one: Figure, other: Figure): boolean => comparable(one, other) && one.value === other.value;

/** Whether people or things are counted, and nothing is measured. */
export const isCount = ({ subject, specific }: Figure): boolean => specific || subject.startsWith("noun:");

/** Numbers from here on are worth a comparison without a name. */
const LEAST = 5;

/** The numbers of a headline but for shares, sums and measures, which seldom run. */
function countsIn(headline: string): number[] {
  const measured = new Set(
    figuresIn(headline).flatMap(({ subject, value }) =>
      /^(?:percentage|amount|unit:|magnitude)/.test(subject) ? [value] : [],
    ),
  );
  return numbersIn(headline).filter((number) => number >= LEAST && !measured.has(number));
}

/** "22", or with what they count where a headline gives several: "3 deaths, 21 cases". */
export function latterOf(instead: readonly Told[], isNamed: boolean): string | undefined {
  const counts = [...new Map(instead.map(({ figure }) => [figure.subject, figure])).values()].filter(isCount);
  return counts.length > 0 ? counts.map((figure) => countOf(figure, isNamed)).join(", ") : undefined;
}

/** "22", or "22 deaths". */
export const countOf = ({ value, label }: Figure, isNamed: boolean): string =>
  value.toLocaleString("en-US") + (isNamed ? ` ${label.replace(/^the (?:number|share) of /, "")}` : "");

/** Whether a text counts more than one thing, so that a bare number would not tell of which it is. */
export const givesSeveral = (text: string): boolean =>
  new Set(
    figuresTold(text)
      .filter(isCount)
      .map(({ value }) => value),
  ).size > 1;

/** The figures of one event in the order in which they became known, whoever told them. */
export class Series {
  readonly #told: readonly Told[];
  readonly #things: readonly Counted[];
  /** When a headline was given, its numbers, and all that its article knows. */
  readonly #headlines: readonly { at: string; numbers: readonly number[]; all: ReadonlySet<number> }[];

  /** When a vote's outcome was told last; empty where it was not. */
  readonly #decided: string;

  constructor(sayings: readonly Sayings[]) {
    this.#decided = sayings.reduce(
      (last, { article, texts: [headline = "", first = ""] }) =>
        isSound(article) && article.publishedAt > last && (DECIDED.test(headline) || DECIDED.test(first))
          ? article.publishedAt
          : last,
      "",
    );
    this.#headlines = sayings
      .filter(({ article }) => isSound(article))
      .map(({ article, texts }) => ({
        at: article.publishedAt,
        numbers: countsIn(texts[0]!),
        all: new Set(texts.flatMap((text) => numbersIn(text))),
      }));
    this.#things = sayings
      .filter(({ article }) => isSound(article))
      .flatMap(thingsIn)
      .sort((a, b) => byText(a.at, b.at));
    this.#told = sayings.flatMap(toldIn).sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.place - b.place);
  }

  /**
   * The figure that was told after one became known and that replaces it, the last; whoever repeats an old one is no
   * witness. Of a count that only grows the one that became known last: who still tells an earlier one is behind.
   */
  laterThan(figure: Figure, publishedAt: string): Told | undefined {
    const known = this.#firstTold(figure);
    const since = Math.min(Date.parse(publishedAt), known ? Date.parse(known.at) : Infinity);
    const later = this.#told.filter(
      (each) =>
        Date.parse(each.at) > since &&
        displaces(each, figure) &&
        this.#firstTold(each.figure)!.at >= new Date(since).toISOString(),
    );
    const last = later.at(-1);
    if (!last || !GROWING.has(figure.subject)) return last;
    return later.reduce((newest, each) =>
      this.#firstTold(each.figure)!.at >= this.#firstTold(newest.figure)!.at ? each : newest,
    );
  }

  #firstTold(figure: Figure): Told | undefined {
    return this.#told.find((each) => comparable(each.figure, figure) && compatible(each.figure, figure));
  }

  /**
   * Whether it tells for the first time of fewer dead than the other had told of before: two tolls that grow side by
   * side are of two events.
   */
  isBeside(other: Series): boolean {
    const at = (told: Told): number => Date.parse(told.at);
    const isNew = (mine: Told): boolean =>
      mine.figure.exact && this.#told.find((first) => isSame(first.figure, mine.figure)) === mine;
    return this.#told.some(
      (mine) =>
        GROWING.has(mine.figure.subject) &&
        isNew(mine) &&
        other.#told.some(
          (theirs) =>
            at(theirs) < at(mine) && comparable(theirs.figure, mine.figure) && theirs.figure.low > mostOf(mine.figure),
        ),
    );
  }

  /** What stands instead of the figures of a text, and not in it: first that of the figure told first. */
  allInstead(text: string, publishedAt: string): Told[] {
    const figures = figuresTold(text);
    // "12,000 flee": what is counted may stand in the text below, beside the same number.
    const numbers = new Set(numbersIn(text));
    const below = this.#told.filter(
      ({ article, figure: { value } }) => article.publishedAt === publishedAt && numbers.has(value),
    );
    return [...figures, ...below.map((each) => each.figure)].flatMap((figure) => {
      const later = this.laterThan(figure, publishedAt);
      return later && !figures.some((other) => isStill(other, later.figure)) ? [later] : [];
    });
  }

  /** Whether later counts can stand beside an older one: tolls can, shares of votes until the outcome is told. */
  goesOn(later: readonly Told[], publishedAt: string): boolean {
    return later.every(
      ({ figure: { subject } }) => GROWING.has(subject) && (subject !== COUNTED || this.#decided <= publishedAt),
    );
  }

  instead(text: string, publishedAt: string): Told | undefined {
    return this.allInstead(text, publishedAt)[0];
  }

  /** Whether a text states how many died, or else how many it befell otherwise, as it is known last. */
  isToll(text: string): boolean {
    if (isBackground(text)) return false;
    const counted = this.#told.filter(({ figure }) => figure.exact && TOLLS.includes(figure.subject));
    const subject = counted.some(({ figure }) => figure.subject === "deaths") ? "deaths" : counted[0]?.figure.subject;
    const most = Math.max(...counted.map(({ figure }) => (figure.subject === subject ? figure.value : 0)));
    return figuresTold(text).some((figure) => figure.subject === subject && figure.value === most);
  }

  /**
   * Whether a headline gives numbers of which later headlines know others: where no name of the thing counted links
   * them, as between two languages.
   */
  isOvertaken(headline: string, publishedAt: string): boolean {
    const mine = countsIn(headline);
    return (
      mine.length > 0 &&
      this.#headlines.some(
        ({ at, numbers, all }) => at > publishedAt && numbers.length > 0 && mine.every((number) => !all.has(number)),
      )
    );
  }

  /**
   * What a later report counts of the things that a headline counts, where it is more: in one story an older count of
   * the same things is not told alone, though nothing else links the two.
   */
  outgrownBy(headline: string, publishedAt: string): number | undefined {
    const mine = figuresIn(headline).filter(isThing);
    const isLater = ({ at, subject, value }: Counted): boolean =>
      at > publishedAt &&
      mine.some((one) => one.subject === subject && value > mostOf(one) && value <= MOST_APART * one.value);
    // A figure that was known before and is repeated is somebody else's count.
    const isNew = ({ subject, value }: Counted): boolean =>
      this.#things.find((one) => one.subject === subject && one.value === value)!.at > publishedAt;
    const later = this.#things.findLast((one) => isLater(one) && isNew(one));
    return mine.some(({ value }) => later && value >= later.value) ? undefined : later?.value;
  }

  /** How later reports give the figure of a headline, where they give another. */
  later(headline: string, publishedAt: string): string | undefined {
    const instead = this.allInstead(headline, publishedAt);
    if (instead.length > 0) return latterOf(instead, givesSeveral(headline));
    const grown = givesSeveral(headline) ? undefined : this.outgrownBy(headline, publishedAt);
    if (grown !== undefined) return grown.toLocaleString("en-US");
    const [told, ...others] = countsIn(headline);
    if (told === undefined || others.length > 0 || !this.isOvertaken(headline, publishedAt)) return undefined;
    const [number, ...more] = this.#headlines.findLast(({ numbers }) => numbers.length > 0)!.numbers;
    const isNear = number! <= MOST_APART * told && told <= MOST_APART * number!;
    return more.length === 0 && isNear ? number!.toLocaleString("en-US") : undefined;
  }
}
