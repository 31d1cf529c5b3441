import { terms } from "../../../../core/text/words/terms.ts";
import { erratumOf, takenBack, takesBack } from "../../../../core/text/statements/speech/errata.ts";
import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { successions, type BriefingArticle, type Succession } from "../../articles/client.ts";
import { figuresIn, type Figure } from "./figures.ts";
import { GROWING, isBackground, mostOf, toldAt } from "./series.ts";

const ROSE =
  /\b(?:ris(?:es?|en|ing)|rose|climb(?:s|ed|ing)?|rais(?:es|ed|ing)|(?:gr(?:ows?|own|ew)|increas(?:es|ed|ing)|jump(?:s|ed)|doubled|swell(?:s|ed)?) to|bring(?:s|ing)|brought|reach(?:es|ed)|pass(?:es|ed)|tops|topped|up from|now|so far|by now)\b/i;
/** Who is named as the one who counts: "the civil protection agency said". */
const SPEAKER =
  /(?:^|, |; )((?:\p{L}[\p{L}'’.-]* ){1,7}?)(?:said|says|reported|announced|told|put|has counted|counted|confirmed)\b/gu;

interface Stated {
  article: BriefingArticle;
  text: string;
  figure: Figure;
}

/** The sentences of one article, headline first. */
export interface Sayings {
  article: BriefingArticle;
  texts: readonly string[];
}

const speakersOf = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(SPEAKER), ([, words]) => terms(words!)).flat());

/** Two words in common, or the only one that either has, name one speaker. */
function sameSpeaker(a: string, b: string): boolean {
  const [mine, theirs] = [speakersOf(a), speakersOf(b)];
  const shared = [...mine].filter((term) => theirs.has(term)).length;
  return shared > 0 && shared >= Math.min(2, mine.size, theirs.size);
}

/** Whether one figure took the other's place: later and higher, and said to have risen, or counted by the same. */
function replaces(later: Stated, earlier: Stated): boolean {
  const [after, before] = [later, earlier].map(({ article, figure }) => toldAt(article, figure)) as [string, string];
  if (after <= before || later.figure.low <= mostOf(earlier.figure)) return false;
  return ROSE.test(later.text) || sameSpeaker(later.text, earlier.text);
}

/**
 * A higher count of somebody else's contradicts the lower one, unless the same outlet or speaker gives it, or it is
 * said to have risen.
 */
function isCorrection({ earlier, later }: Succession, sayings: readonly Sayings[]): boolean {
  const [before, after] = [earlier, later].map(({ articleId, text }) => {
    const { article, texts } = sayings.find((each) => each.article.id === articleId)!;
    // The headline seldom says who counted.
    return { sourceId: article.sourceId, told: texts.filter((said) => said.includes(text)) };
  }) as [{ sourceId: number; told: string[] }, { sourceId: number; told: string[] }];
  return (
    (after.told.length === 0 || !after.told.every(isBackground)) &&
    (before.sourceId === after.sourceId ||
      after.told.some((text) => ROSE.test(text) || before.told.some((old) => sameSpeaker(text, old))))
  );
}

/** What an article says of its own earlier words, with what it says now: the sentence that takes back, and the next. */
const notesIn = (texts: readonly string[]): string[] =>
  texts.filter((text, at) => takesBack(text) || (at > 0 && takesBack(texts[at - 1]!)));

/** From here on a number is particular enough to be known again by itself. */
const PARTICULAR = 10;

/**
 * Which figures of a story were replaced by later ones: what one outlet or agency corrected (`successions`, or by an
 * article of its own), and what is said to have risen, whoever says it.
 */
export class Growth {
  readonly #standing = new Map<string, Stated>();
  readonly #corrected = new Set<number>();
  readonly #instead = new Set<number>();
  readonly #takenBack = new Set<number>();

  constructor(sayings: readonly Sayings[]) {
    if (sayings.length < 2) return;
    const corrections = successions(sayings.map(({ article }) => article)).filter((each) =>
      isCorrection(each, sayings),
    );
    for (const { later } of corrections) this.#instead.add(later.value);
    for (const { earlier } of corrections)
      if (earlier.value >= PARTICULAR && !this.#instead.has(earlier.value)) this.#corrected.add(earlier.value);
    for (const { article, texts } of sayings) {
      const { wrong, right } = takenBack(erratumOf(article) === "correction" ? texts : notesIn(texts));
      for (const number of right) this.#instead.add(number);
      for (const number of wrong)
        if (number >= PARTICULAR) {
          this.#corrected.add(number);
          this.#takenBack.add(number);
        }
    }
    const stated = sayings.flatMap(({ article, texts }) =>
      texts.flatMap((text, place) =>
        (place > 0 && isBackground(text) ? [] : figuresIn(text))
          .filter(({ subject, exact, high }) => (exact || high === Infinity) && GROWING.has(subject))
          .map((figure): Stated => ({ article, text, figure })),
      ),
    );
    for (const later of stated) {
      const { subject, exact } = later.figure;
      if (!exact) continue;
      const before = this.#standing.get(subject);
      if (before && before.figure.low >= later.figure.low) continue;
      if (stated.some((earlier) => earlier.figure.subject === subject && replaces(later, earlier)))
        this.#standing.set(subject, later);
    }
  }

  /**
   * Whether a figure was replaced. An outlet that repeats the old figure after the new one was known does not bring it
   * back.
   */
  isReplaced(figure: Figure): boolean {
    const standing = this.#standing.get(figure.subject);
    return this.#corrected.has(figure.value) || (standing !== undefined && mostOf(figure) < standing.figure.low);
  }

  /** Whether a text has a number that an outlet put right. */
  isTakenBack(text: string): boolean {
    return this.#takenBack.size > 0 && numbersIn(text).some((number) => this.#takenBack.has(number));
  }

  /** Whether a text states a figure that was replaced, but not the one that replaced it. */
  isOutdated(text: string): boolean {
    if (this.#standing.size === 0 && this.#corrected.size === 0) return false;
    const figures = figuresIn(text);
    return (
      figures.some((figure) => this.isReplaced(figure)) &&
      !figures.some((figure) => this.#standing.has(figure.subject) && !this.isReplaced(figure)) &&
      !numbersIn(text).some((number) => this.#instead.has(number))
    );
  }
}
