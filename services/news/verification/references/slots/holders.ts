import { once } from "../../../../../core/once.ts";
import { sameName, type Name } from "../../../../../core/text/statements/names.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { words as wordsOf } from "../../../../../core/text/words/words.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { likeness, phraseBehind, subjectOf, themeOf, type Theme } from "../../../../../core/text/statements/themes.ts";

const SOMEBODY =
  "(?:attackers?|gunm[ae]n|shooters?|assailants?|perpetrators?|bombers?|hijackers?|kidnappers?|robbers?|thie(?:f|ves)|killers?|hackers?|culprits?)";
const ALONE = new RegExp(
  `\\b(?:single|lone|sole|one) ${SOMEBODY}\\b|\\b(?:act(?:ed|s|ing)?|work(?:ed|s|ing)?) (?:alone|on (?:his|her) own)\\b|` +
    `\\b(?:no|without) (?:accomplices?|helpers?)\\b`,
  "i",
);
const TOGETHER = new RegExp(
  `\\b(?:two|three|four|five|six|several|other|more|\\d+) (?:\\w+ )?(?:${SOMEBODY}|accomplices?|helpers?)\\b|` +
    `\\b(?:with|had|by|an?) (?:\\w+ )?(?:accomplices?|helpers?)\\b|\\bhelped (?:him|her|the ${SOMEBODY})\\b`,
  "i",
);
const CAUGHT = /\b(?:killed|dead|died|arrested|caught|wounded|shot)\b/i;

const partyIn = once(({ text }: Statement) => {
  if (ALONE.test(text)) return CAUGHT.test(text) ? undefined : { isAlone: true };
  return TOGETHER.test(text) ? { isAlone: false } : undefined;
});

/** A lone attacker had no helpers. Those who were caught may be some of several. */
export function otherParty(claim: Statement, candidate: Statement): string | undefined {
  const one = partyIn(claim);
  const other = one && partyIn(candidate);
  return one && other && one.isAlone !== other.isAlone ? "alone against others with him" : undefined;
}

const TAKES =
  /^(?:take|took|taken|takes|seized?|captured?|overran|conquered|holds?|controls?|hold|control|occupy|occupies|occupied)$/;
const TAKEN_BACK = /\b(?:back|retook|retaken|recaptured?|again|lost|until|before)\b/i;
const IN_HANDS = /\b(?:(?:firmly |still )?in the hands of|under (?:the )?control of|(?:controlled|held) by)\s/i;

interface Held {
  place: Theme;
  by: Theme;
}

/** Who holds a place: "the rebels have taken the airport", "the airport is in the hands of the army". */
const heldIn = once((stated: Statement): Held | undefined => {
  if (TAKEN_BACK.test(stated.text) || stated.negations.length > 0) return undefined;
  const hands = IN_HANDS.exec(stated.text);
  if (hands) {
    const first = stated.words.findIndex(({ start }) => start - stated.start >= hands.index);
    const behind = stated.words.findIndex(({ start }) => start - stated.start >= hands.index + hands[0].length);
    const [place, by] = [subjectOf(stated, first), behind < 0 ? undefined : phraseBehind(stated, behind)];
    return place && by && { place, by };
  }
  const at = stated.words.findIndex(({ text }) => TAKES.test(text));
  if (at < 0) return undefined;
  const [place, by] = [themeOf(stated, at), subjectOf(stated, at)];
  return place && by && place.head !== by.head ? { place, by } : undefined;
});

/** Two different holders of one place. */
export function otherHolder(claim: Statement, candidate: Statement): string | undefined {
  const one = heldIn(claim);
  const other = one && heldIn(candidate);
  if (!one || !other || !isOnePlace(one.place, other.place)) return undefined;
  const isApart =
    likeness(one.by, { ...other.by, isObject: one.by.isObject }) === "apart" &&
    ![...one.by.all].some((it) => other.by.all.has(it));
  return isApart ? `in two hands: ${one.by.head} and ${other.by.head}` : undefined;
}

const HEADS = /^(?:commands|heads|chairs|captains|leads)$/;
/** What one leads among others, or for a while: a race, a table, a vote. */
const LED_BY_MANY = /^(?:race|table|poll|vote|field|group|count|leagu|list|standing|way|march|protest|calls?)/;

interface Head {
  of: Theme;
  by: Name;
  /** What it is called, to the next mark. */
  called: string;
}

/** Who is at the head of what: "Colonel Dvorak commands the garrison". */
const headIn = once((stated: Statement): Head | undefined => {
  const { text, start, words, negations, entities } = stated;
  const at = words.findIndex((word) => HEADS.test(word.text));
  if (at < 1 || negations.length > 0) return undefined;
  const [of, key] = [themeOf(stated, at), subjectOf(stated, at)?.names[0]];
  const by = entities.find((name) => name.key === key);
  if (!of || !by || LED_BY_MANY.test(of.head)) return undefined;
  const [object = ""] = text.slice(words[at]!.end - start).split(/[,;:.]/, 1);
  const called = wordsOf(object).filter((word) => !isFunctionWord(word.text));
  return { of, by, called: called.map((word) => word.text).join(" ") };
});

/** Two persons at the head of one thing. */
export function otherHead(claim: Statement, candidate: Statement): string | undefined {
  const one = headIn(claim);
  const other = one && headIn(candidate);
  if (!one || !other || sameName(one.by.key, other.by.key)) return undefined;
  const isNamed = one.of.names.some((name) => other.of.names.some((it) => sameName(name, it)));
  const isOne = isNamed || (one.called === other.called && likeness(one.of, other.of) === "same");
  return isOne ? `two at the head of one: ${one.by.text} and ${other.by.text}` : undefined;
}

/** "The town of Velin", "Velin". */
const isOnePlace = (one: Theme, other: Theme): boolean =>
  likeness(one, other) === "same" || one.names.some((name) => other.names.some((it) => sameName(name, it)));
