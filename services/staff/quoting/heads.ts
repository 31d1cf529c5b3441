import { isFunctionWord } from "../../../core/text/words/stop-words.ts";
import { regularStem, stem } from "../../../core/text/words/stem.ts";
import { isWord, placeOf } from "../../../core/text/words/vectors.ts";
import type { Word } from "../../../core/text/words/words.ts";
import { toldIn, type Wording } from "./concepts.ts";
import { FRAME } from "./forms.ts";

// What a question is about: what is counted, of what kind something is, which of its kind.

/** Whether a word says nothing of what a question is about. */
export const isPassed = ({ text }: Word): boolean => isFunctionWord(text) || FRAME.has(text);

/** What is asked about: the noun after "which", what "who" does, what something is the so-and-so of. */
export function headOf(spoken: readonly Word[]): number[] {
  const at = spoken.findIndex(({ text }) => HEADED.has(text));
  if (at < 0) return [];
  const by = spoken[at]!.text;
  const content = (from: number): number[] => {
    let to = from;
    while (spoken[to] && !isPassed(spoken[to]!)) to += 1;
    return Array.from({ length: to - from }, (_, n) => from + n).filter((n) => !GENERAL.has(spoken[n]!.text));
  };
  // What somebody does is told in many words.
  if (by === "who" && !BE.has(spoken[at + 1]?.text ?? "")) return [];
  // "How much did the boats cost" is asked of boats.
  if (by === "how" && spoken[at + 1]?.text === "much" && isFunctionWord(spoken[at + 2]?.text ?? "")) {
    let from = at + 2;
    while (spoken[from] && isPassed(spoken[from]!)) from += 1;
    return content(from)
      .filter((n) => !PRICED.has(regularStem(spoken[n]!.text)))
      .slice(-1);
  }
  if (by === "how" && !MEASURED.has(spoken[at + 1]?.text ?? "")) return [];
  if (by === "what" && BE.has(spoken[at + 1]?.text ?? "")) return spoken[at + 2]?.text === "the" ? content(at + 3) : [];
  let next = at + (by === "how" ? 2 : 1);
  if (by === "how" || by === "who") while (spoken[next] && isPassed(spoken[next]!)) next += 1;
  // What somebody is doing, too.
  return content(next)
    .slice(0, 1)
    .filter((n) => by !== "who" || !spoken[n]!.text.endsWith("ing"));
}
const PRICED: ReadonlySet<string> = new Set([
  "cost",
  "price",
  "charg",
  "pay",
  "earn",
  "worth",
  "need",
  "hold",
  "weigh",
]);
const BE: ReadonlySet<string> = new Set(["is", "are", "was", "were", "s"]);
const HEADED: ReadonlySet<string> = new Set(["which", "what", "who", "how"]);
const MEASURED: ReadonlySet<string> = new Set(
  "big large high tall deep far old heavy wide fast strong hot cold thick full severe serious small low".split(" "),
);
/** Heads that say only what kind of answer is wanted. */
const GENERAL: ReadonlySet<string> = new Set(
  "time times day days date hour way ways place places reason cause number amount total count latest current exact now next last first".split(
    " ",
  ),
);

/** What is counted: the words after "how many", up to what is said of them. */
export function countedIn(question: string, spoken: readonly Word[]): Wording[] {
  const how = spoken.findIndex(
    ({ text }, at) => (text === "many" || text === "much") && spoken[at - 1]?.text === "how",
  );
  if (how < 0) return [];
  let from = how + 1;
  while (
    ["of", "the", "more", "other", "our", "their", "those", "these", "different"].includes(spoken[from]?.text ?? "")
  )
    from += 1;
  // "Off-duty doctors" are counted, "of those" are not.
  if (
    isFunctionWord(spoken[from]?.text ?? "") &&
    spoken[from + 1]?.start === spoken[from]!.end + 1 &&
    question[spoken[from]!.end] === "-"
  )
    from += 1;
  let to = from;
  while (to < spoken.length && to - from < 3 && !isPassed(spoken[to]!) && !(to > from && isPast(spoken[to]!))) to += 1;
  return toldIn(spoken.slice(from, to)).map((one) => ({ ...one, first: one.first + from, last: one.last + from }));
}

/** What those did who are counted: "how many ships sank". */
export function deedOf(spoken: readonly Word[], counted: readonly Wording[]): number[] {
  const next = counted.length ? Math.max(...counted.map(({ last }) => last)) + 1 : -1;
  const deed = spoken[next];
  return deed && !isPassed(deed) && !NO_DEED.test(deed.text) && isPast(deed) ? [next] : [];
}
/** Present verbs that end like past ones, and one that says little: "how many need shelter". */
const NO_DEED = /^(?:came|need|feed|speed|breed|bleed|proceed|succeed|exceed)$/;

/** A verb of the past: "how many people voted", "how many came". */
const isPast = ({ text }: Word): boolean =>
  /\wed$/.test(text) || (regularStem(text) !== stem(text) && !PLURALS.has(text));
const PLURALS: ReadonlySet<string> = new Set(
  "men women children people feet teeth mice geese policemen firemen lives wives knives wolves".split(" "),
);

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
export function ordinalIn(spoken: readonly Word[]): { key: string; number: number } | undefined {
  const at = spoken.findIndex(({ text }) => ORDINALS.includes(text));
  const noun = spoken[at + 1];
  if (at < 0 || !noun || isFunctionWord(noun.text)) return undefined;
  return { key: regularStem(noun.text), number: ORDINALS.indexOf(spoken[at]!.text) + 1 };
}

/** Names of two words of which the second is a kind: "Stone Bridge". */
export const pairsIn = (spoken: readonly Word[]): (readonly [own: string, kind: string])[] =>
  spoken.flatMap((word, at) => {
    const next = spoken[at + 1];
    const isPair =
      at > 0 && next?.capital && word.capital && next.start - word.end === 1 && isWord(placeOf(stem(next.text)));
    return isPair && !isFunctionWord(word.text) ? [[word.text, next.text] as const] : [];
  });
