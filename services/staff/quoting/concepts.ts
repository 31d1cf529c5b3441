import { lazily, lexicon } from "../../../core/text/lexicon.ts";
import { regularStem } from "../../../core/text/words/stem.ts";
import { isSign } from "../../../core/text/words/terms.ts";
import { words, type Word } from "../../../core/text/words/words.ts";

/** A word or phrase, by its stem and by what it can stand for. */
export interface Wording {
  key: string;
  /** Groups of words that stand for each other. */
  groups: readonly number[];
  first: number;
  last: number;
  /** Of a phrase, its words with content. */
  parts?: readonly Wording[];
}

/** How well another word stands for one that was asked for. */
const SAME = 1;
const ALIKE = 0.85;
/** Of a long group, whose words are less alike. */
const AKIN = 0.75;
const OF_KIND = 0.8;
const FOR_KIND = 0.65;
/** A phrase by its words, one by one. */
const IN_PARTS = 0.9;
/** Its opposite answers whether it is so. */
const OPPOSITE = 0.85;
const LONG_GROUP = 9;
/** Words that may stand inside a phrase: "take the wounded away". */
const WIDEST_PHRASE = 6;

interface Phrase {
  keys: readonly string[];
  groups: number[];
}
/** A group's strength, and for a kind which side of it a word is on. */
const paraphrases = lazily(() => {
  const single = new Map<string, Set<number>>();
  const phrases = new Map<string, Phrase[]>();
  const strengths: number[] = [];
  /** One word of each form of a group: of a phrase, its longest. */
  const members: string[][] = [];
  const add = (form: string, group: number): void => {
    const keys = words(form).map(({ text }) => regularStem(text));
    (members[group] ??= []).push(keys.reduce((longest, key) => (key.length > longest.length ? key : longest)));
    if (keys.length === 1) {
      const known = single.get(keys[0]!) ?? new Set();
      single.set(keys[0]!, known.add(group));
      return;
    }
    const own = phrases.get(keys[0]!) ?? [];
    const same = own.find((one) => one.keys.join(" ") === keys.join(" "));
    if (same) same.groups.push(group);
    else own.push({ keys, groups: [group] });
    phrases.set(
      keys[0]!,
      own.sort((one, other) => other.keys.length - one.keys.length),
    );
  };
  for (const group of [...lexicon.paraphrases.groups, ...lexicon.synonyms.groups]) {
    for (const form of group) add(form, strengths.length);
    strengths.push(group.length > LONG_GROUP ? AKIN : ALIKE);
  }
  const firstAxis = strengths.length;
  for (const group of lexicon.paraphrases.whether) {
    for (const form of group) add(form, strengths.length);
    strengths.push(OPPOSITE);
  }
  for (const poles of Object.values(lexicon.antonyms.axes as Record<string, Record<string, string[]>>)) {
    for (const form of Object.values(poles).flat()) add(form, strengths.length);
    strengths.push(OPPOSITE);
  }
  // Two numbers a kind, side by side: the kind's own words, and what is of it.
  const firstKind = strengths.length;
  for (const [kind, forms] of Object.entries(lexicon.paraphrases.kinds)) {
    add(kind, strengths.length);
    for (const form of forms) add(form, strengths.length + 1);
    strengths.push(OF_KIND, FOR_KIND);
  }
  return { single, phrases, strengths, members, firstAxis, firstKind };
});

/** "As well", "as far": no well, and no distance. */
const ADVERBS: ReadonlySet<string> = new Set(["well", "far", "long", "soon", "much", "many"]);
const NO_GROUPS: readonly number[] = [];

const keyOf = (word: string): string => (/^0\d+$/.test(word) ? word.replace(/^0+(?=\d)/, "") : regularStem(word));

/** The words of a text alone, and pairs of signs. */
export function toldKeys(text: string): string[] {
  const spoken = words(text);
  return spoken.map(({ text: word }, at) => (isSign(word) ? word + (spoken[at + 1]?.text ?? "") : keyOf(word)));
}

/** What stands in words: each word, each known phrase, and each pair of signs of a script without blanks. */
export function toldIn(spoken: readonly Word[]): Wording[] {
  const { single, phrases } = paraphrases();
  const keys = spoken.map(({ text }) => keyOf(text));
  return keys.flatMap((key, at): Wording[] => {
    const isAdverb = ADVERBS.has(key) && keys[at - 1] === "as";
    const word = { key, groups: isAdverb ? NO_GROUPS : [...(single.get(key) ?? NO_GROUPS)], first: at, last: at };
    if (isSign(spoken[at]!.text)) {
      const next = spoken[at + 1];
      const isPair = next && isSign(next.text) && next.start === spoken[at]!.end;
      return isPair ? [{ ...word, key: spoken[at]!.text + next.text, last: at + 1 }] : [];
    }
    const found = (phrases.get(key) ?? []).flatMap(({ keys: wanted, groups }) => {
      const last = endOf(wanted, keys, at);
      return last < 0 ? [] : [{ key: wanted.join(" "), groups, first: at, last }];
    });
    return [word, ...found];
  });
}

/** The place of a phrase's last word; -1 where it does not begin there. One other word may stand within it. */
function endOf(wanted: readonly string[], keys: readonly string[], from: number): number {
  let at = from;
  let left = 1;
  for (const key of wanted) {
    if (keys[at] !== key && left > 0 && at > from && keys[at + 1] === key) {
      at += 1;
      left -= 1;
    }
    if (keys[at] !== key || at - from > WIDEST_PHRASE) return -1;
    at += 1;
  }
  return at - 1;
}

/** The words of which one must stand in a text that speaks of what was asked for, in whatever words. */
export function reachOf({ key, groups, parts = [] }: Wording): ReadonlySet<string> {
  const { members, firstKind } = paraphrases();
  const other = (group: number): number =>
    group < firstKind ? group : group + ((group - firstKind) % 2 === 0 ? 1 : -1);
  const all = groups.flatMap((group) => [...members[group]!, ...members[other(group)]!]);
  return new Set([...key.split(" "), ...all, ...parts.flatMap((part) => [...reachOf(part)])]);
}

/** How well what stands somewhere stands for what was asked for, from 0 to 1; opposites where it is asked whether. */
export function standsFor(
  asked: Wording,
  { keys, groups }: { keys: ReadonlySet<string>; groups: ReadonlySet<number> },
  isWhether = false,
): number {
  const whole = standsWhole(asked, { keys, groups }, isWhether);
  if (!asked.parts || whole === SAME) return whole;
  const parts = asked.parts.map((part) => standsWhole(part, { keys, groups }, isWhether));
  return Math.max(whole, (IN_PARTS * parts.reduce((sum, one) => sum + one, 0)) / parts.length);
}

function standsWhole(
  asked: Wording,
  { keys, groups }: { keys: ReadonlySet<string>; groups: ReadonlySet<number> },
  isWhether: boolean,
): number {
  if (keys.has(asked.key)) return SAME;
  const { strengths, firstAxis, firstKind } = paraphrases();
  let best = 0;
  for (const group of asked.groups) {
    if (group < firstKind) {
      if ((group < firstAxis || isWhether) && groups.has(group)) best = Math.max(best, strengths[group]!);
      continue;
    }
    const isKind = (group - firstKind) % 2 === 0;
    if (groups.has(isKind ? group + 1 : group - 1)) best = Math.max(best, isKind ? OF_KIND : FOR_KIND);
  }
  return best;
}
