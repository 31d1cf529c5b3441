import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { fold, words, type Word } from "../../../../core/text/words/words.ts";
import { COUNTED, figuresIn, isArrived, type Figure } from "./figures.ts";

/** Fates of other languages than English, each with its language: `deaths fr`. */
const fates = lazily(() =>
  phraseIndex(
    Object.fromEntries(
      Object.entries(lexicon.tolls.languages).flatMap(([language, { fates: listed }]) =>
        Object.entries(listed).map(([subject, forms]) => [`${language} ${subject}`, forms] as const),
      ),
    ),
  ),
);

const numerals = lazily(
  () =>
    new Map(
      Object.entries(lexicon.tolls.languages).map(([language, { numerals: listed }]) => [
        language,
        new Map(
          listed.split(" ").map((entry) => {
            const [word, value] = entry.split(":") as [string, string];
            return [fold(word), Number(value)] as const;
          }),
        ),
      ]),
    ),
);

const DIGITS = /^\d{1,3}(?:[.\u00a0\u202f ]\d{3})+|^\d+/;
const ENGLISH_DIGITS = /^\d{1,3}(?:,\d{3})+|^\d+/;
/** Farther from its number a word counts something else, unless the sentence tells where a count has got to. */
const REACH = 6;
const FAR_REACH = 12;
/** How far a count of votes has come is a share; their number is another matter. */
const SHARE = /^\s?(?:%|per ?cent|prozent|pour cent|por cien(?:to)?|por cento|per cento|процент|في المئة|بالمئة)/iu;
const APART = /[.;:!?–—]\s|\d/;

interface Counted {
  value: number;
  first: number;
  last: number;
  end: number;
}

/** Numbers of a sentence as a language writes them: "1.800", "vingt-deux". */
function countedIn(text: string, spoken: readonly Word[], language: string): Counted[] {
  const listed = numerals().get(language)!;
  const found: Counted[] = [];
  for (let at = 0; at < spoken.length; at++) {
    const { start, end, text: word } = spoken[at]!;
    const [digits] = (language === "en" ? ENGLISH_DIGITS : DIGITS).exec(text.slice(start)) ?? [];
    const hyphened = spoken[at + 1] && text[end] === "-" ? `${word}-${spoken[at + 1]!.text}` : "";
    const inWords = listed.get(hyphened) ?? listed.get(word);
    if (digits) {
      const last = spoken.findLastIndex((one) => one.start < start + digits.length);
      if (text[start + digits.length] !== ",") {
        const value = Number(digits.replace(/\D/g, ""));
        found.push({ value, first: at, last, end: start + digits.length });
      }
      at = last;
    } else if (inWords !== undefined) {
      const last = listed.has(hyphened) ? at + 1 : at;
      found.push({ value: inWords, first: at, last, end: spoken[last]!.end });
      at = last;
    }
  }
  return found;
}

/** The tolls that a sentence of another language than English states, as figures of the same subjects. */
export function tollsIn(text: string, spoken: readonly Word[] = words(text)): Figure[] {
  const named = fates().find(text, spoken);
  return named.flatMap((hit) => {
    const language = hit.label.slice(0, 2);
    const subject = hit.label.slice(3);
    const beside = countedIn(text, spoken, language)
      .map((counted) => {
        const before = counted.last < hit.first;
        const gap = before ? text.slice(counted.end, hit.start) : text.slice(hit.end, spoken[counted.first]!.start);
        return { ...counted, gap, far: before ? hit.first - counted.last : counted.first - hit.last + 0.5 };
      })
      .filter(({ gap, far, first, end }) => {
        const reach = isArrived(text, spoken[first]!.start) ? FAR_REACH : REACH;
        return far > 0 && far <= reach && !APART.test(gap) && (subject !== COUNTED || SHARE.test(text.slice(end)));
      })
      .sort((a, b) => a.far - b.far);
    const [nearest] = beside;
    if (!nearest) return [];
    const { value, first, end } = nearest;
    const phrase = text.slice(Math.min(hit.start, spoken[first]!.start), Math.max(hit.end, end));
    return [
      {
        subject,
        label: subject,
        specific: true,
        value,
        low: value,
        high: value,
        exact: true,
        phrase,
        company: new Set<string>(),
      },
    ];
  });
}

/** The figures of a sentence in whatever language, as far as they are known. */
export function figuresTold(text: string): Figure[] {
  const spoken = words(text);
  const figures = figuresIn(text, spoken);
  const tolls = tollsIn(text, spoken).filter(
    (toll) => !figures.some((figure) => figure.subject === toll.subject && figure.value === toll.value),
  );
  return [...figures, ...tolls];
}
