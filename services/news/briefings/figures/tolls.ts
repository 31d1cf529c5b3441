import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { fold, words, type Word } from "../../../../core/text/words/words.ts";
import { countedAs, isArrived } from "../../../../core/text/statements/figures/people.ts";
import { numeralAt } from "../../../../core/text/statements/figures/numerals.ts";
import { isAge } from "../../../../core/text/statements/figures/unmeasured.ts";
import { isFunctionWord } from "../../../../core/text/words/stop-words.ts";
import { isPerson, withoutAsides } from "./fates.ts";
import { isNoToll } from "./no-tolls.ts";
import { COUNTED, figuresIn, isOfPart, isWhole, type Figure } from "./figures.ts";

/** What befalls people, in each language: `fr deaths`; of English what `quantities` does not list. */
const fates = lazily(() =>
  phraseIndex(
    Object.fromEntries(
      Object.entries(lexicon.tolls.languages).flatMap(([language, { fates: listed }]) =>
        Object.entries(listed).map(([subject, forms]) => [`${language} ${subject}`, forms] as const),
      ),
    ),
  ),
);

/** Numbers in words, by language; English ones are read by `numeralAt`. */
const numerals = lazily(
  () =>
    new Map(
      Object.entries(lexicon.tolls.languages).flatMap(([language, words]) =>
        "numerals" in words ? [[language, numeralsOf(words.numerals)] as const] : [],
      ),
    ),
);
const numeralsOf = (listed: string): ReadonlyMap<string, number> =>
  new Map(
    listed.split(" ").map((entry) => {
      const [word, value] = entry.split(":") as [string, string];
      return [fold(word), Number(value)] as const;
    }),
  );

const DIGITS = /^\d{1,3}(?:[.\u00a0\u202f ]\d{3})+|^\d+/;
/** "One" is a pronoun more often than a number. */
const FEWEST = 2;
/** Farther from its number a word counts something else, unless the sentence tells where a count has got to. */
const REACH = 6;
const FAR_REACH = 12;
/** How many words a comma is worth. */
const BEHIND_COMMA = 3;
/** How far a count of votes has come is a share; their number is another matter. */
const SHARE = /^\s?(?:%|per ?cent|prozent|pour cent|por cien(?:to)?|por cento|per cento|процент|في المئة|بالمئة)/iu;
const APART = /[.;:!?–—]\s|\d/;

/** Behind these it is told of others, or of another time. */
const OTHER_CLAUSE =
  /\b(?:where|which|whose|when|after|before|while|because|until|help|search|rescue|treat|save|attend|mourn)\b/i;

interface Counted {
  value: number;
  /** Whether its noun names people, so that a predicate farther off is theirs. */
  isNamed?: boolean;
  first: number;
  last: number;
  end: number;
}

const DETERMINERS = new Set(["the", "its", "their", "these", "our"]);
const PHRASE = 5;

/**
 * Whether an English number counts people, as far as its noun tells: "five of the foreign mine workers", or no noun at
 * all ("21 rescued"). Of animals and things nobody keeps a toll.
 */
function isOfPeople(
  text: string,
  spoken: readonly Word[],
  { last, end }: Pick<Counted, "last" | "end">,
): "named" | "bare" | undefined {
  const isPart = spoken[last + 1]?.text === "of";
  const from = last + (isPart ? 2 : 1);
  const noun = spoken.slice(from, from + PHRASE);
  for (const [at, { text: word, start }] of noun.entries()) {
    if (countedAs(word) !== undefined || isPerson(word)) return "named";
    if (isPart && word === "those") return "named";
    if (isPart && at === 0 && DETERMINERS.has(word)) continue;
    const before = at === 0 ? end : noun[at - 1]!.end;
    if (isFunctionWord(word) || /[^\s'’-]/.test(text.slice(before, start))) return at === 0 ? "bare" : undefined;
    if (endsFate(word)) return at === 0 ? "bare" : undefined;
  }
  return noun.length === 0 ? "bare" : undefined;
}

/** English numbers that count people. */
function countedInEnglish(text: string, spoken: readonly Word[]): Counted[] {
  const found: Counted[] = [];
  for (let at = 0; at < spoken.length; at++) {
    const numeral = numeralAt(text, spoken, at);
    if (!numeral) continue;
    const { value, last, end } = numeral;
    const isOld = isAge(text, { ...numeral, start: spoken[at]!.start });
    const noun = isOld ? undefined : isOfPeople(text, spoken, numeral);
    const isNamed = noun === "named";
    if (isNamed || (noun === "bare" && value >= FEWEST)) found.push({ value, first: at, last, end, isNamed });
    at = last;
  }
  return found;
}

/** Numbers of a sentence as a language writes them: "1.800", "vingt-deux". */
function countedIn(text: string, spoken: readonly Word[], language: string): Counted[] {
  if (language === "en") return countedInEnglish(text, spoken);
  const listed = numerals().get(language)!;
  const found: Counted[] = [];
  for (let at = 0; at < spoken.length; at++) {
    const { start, end, text: word } = spoken[at]!;
    const [digits] = DIGITS.exec(text.slice(start)) ?? [];
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

/** "Crews rescue 12": behind a number it begins something else ("18 rescue boats"). */
const BEFORE_NUMBER = new Set(["rescue"]);
/** Words that begin what befell somebody, so that no noun stands before them. */
const verbs = lazily(
  () =>
    new Set(
      Object.values(lexicon.tolls.languages.en.fates)
        .flat()
        .map((form) => form.split(" ")[0]!)
        .filter((word) => !BEFORE_NUMBER.has(word)),
    ),
);
const endsFate = (word: string): boolean => verbs().has(word);

/** The tolls that a sentence states by these words, in whatever language, as figures of the same subjects. */
export function tollsIn(text: string, spoken: readonly Word[] = words(text)): Figure[] {
  const named = fates().find(text, spoken);
  const counted = new Map<string, readonly Counted[]>();
  for (const { label } of named) {
    const language = label.slice(0, 2);
    if (!counted.has(language)) counted.set(language, countedIn(text, spoken, language));
  }
  return named.flatMap((hit) => {
    const language = hit.label.slice(0, 2);
    const subject = hit.label.slice(3);
    const beside = counted
      .get(language)!
      .map((one) => {
        const before = one.last < hit.first;
        const gap = withoutAsides(
          before ? text.slice(one.end, hit.start) : text.slice(hit.end, spoken[one.first]!.start),
        );
        const between =
          language === "en"
            ? gap.split(/[^\s]+/u).length - 1 + (gap.includes(",") ? BEHIND_COMMA : 0)
            : Math.abs(hit.first - one.last) - 1;
        return { ...one, gap, isBehind: !before, far: before ? between + 1 : one.first - hit.last + 0.5 };
      })
      .filter(({ gap, far, first, end, isNamed, isBehind }) => {
        const { start } = spoken[first]!;
        if (isNoToll(text, start, end) || isWhole(text, start) || isOfPart(text, spoken, end)) return false;
        // "Was shot dead and three others were wounded": the next number has its own verb.
        if (language === "en" && isBehind && /\band\b/.test(gap)) return false;
        const isSubject = isNamed === true && !OTHER_CLAUSE.test(gap);
        const reach = isArrived(text, start) || isSubject ? FAR_REACH : REACH;
        return far > 0 && far <= reach && !APART.test(gap) && (subject !== COUNTED || SHARE.test(text.slice(end)));
      })
      .sort((a, b) => a.far - b.far);
    const [nearest] = beside;
    if (!nearest) return [];
    const { value, first, end } = nearest;
    const phrase = text.slice(Math.min(hit.start, spoken[first]!.start), Math.max(hit.end, end));
    return [tollOf(subject, value, phrase)];
  });
}

const ORDINALS = [
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
];
const NEXT = new RegExp(
  `\\ban? (${ORDINALS.join("|")}) (?:[\\p{L}'’-]{1,20} ){0,2}?(\\p{L}{3,20})\\b[^.;:\\d–—]{0,60}? (?:(?:(?:has|had) )?(died|perished)|(?:was|been) (killed|pronounced dead|found dead|confirmed dead|arrested|detained)|(tested positive|fallen ill|fell ill|contracted))\\b`,
  "iu",
);

/** "A fourth victim died in hospital", "a sixth person has tested positive": so many it befell by then. */
function nextIn(text: string): Figure[] {
  const found = NEXT.exec(text);
  if (!found || !isPerson(found[2]!.toLowerCase())) return [];
  if (isNoToll(text, found.index, found.index + found[0].length)) return [];
  const [, ordinal, , , befell] = found;
  const subject = found[5] ? "cases" : befell && /^(?:arrest|detain)/i.test(befell) ? "arrests" : "deaths";
  return [tollOf(subject, ORDINALS.indexOf(ordinal!.toLowerCase()) + FEWEST, found[0])];
}

const tollOf = (subject: string, value: number, phrase: string): Figure => ({
  ...{ subject, label: subject, specific: true, exact: true, phrase, company: new Set<string>() },
  ...{ value, low: value, high: value },
});

/** The figures of a sentence in whatever language, as far as they are known. */
export function figuresTold(text: string): Figure[] {
  const spoken = words(text);
  const figures = figuresIn(text, spoken);
  const tolls = [...tollsIn(text, spoken), ...nextIn(text)].filter(
    (toll) => !figures.some((figure) => figure.subject === toll.subject && figure.value === toll.value),
  );
  return [...figures, ...tolls];
}
