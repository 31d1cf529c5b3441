import type { NumberedPassage } from "../passages.ts";
import { atOnce, type Steps } from "../../../core/work/turns.ts";
import type { Asked } from "./asking.ts";
import { reachOf, toldKeys } from "./concepts.ts";
import { fitOf, type Fit } from "./fitting.ts";
import { linesOf, type Line } from "./lines.ts";

/** How much of what was asked a sentence must speak of itself; less for a number: "By noon it was 29." */
const LEAST_OWN = 0.05;
const LEAST_LEANING = 0.05;
/** What is nearly as good as the best is told beside it. */
const CLOSE = 0.97;
const CLOSE_OF_MANY = 0.88;
/** What tells a later state of the same. */
const CLOSE_OF_LATER = 0.5;
const CLOSE_OF_NEWER = 0.85;
const MOST = 4;
const MOST_ALONE = 2;

interface Fitting extends Fit {
  line: Line;
  /** All lines of its record. */
  around: readonly Line[];
  /** When its record was written, as far as it is known. */
  told: string;
}
export interface AnsweringLine extends Fitting {
  /** Whether it is told as an answer, alone or beside the best. */
  isSure: boolean;
}

/** How much of what was asked must be within reach of a record's words, for its sentences to be read. */
const LEAST_REACHED = 0.35;

/** Whether a record may speak of what was asked: by its words alone, since most do not. */
function reaching({ terms }: Asked): (texts: readonly string[]) => boolean {
  const reached = terms.map((term) => ({ reach: reachOf(term), weight: term.weight }));
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  return (texts) => {
    const keys = new Set(texts.flatMap((text) => toldKeys(text)));
    const found = reached.reduce((sum, { reach, weight }) => sum + (meet(reach, keys) ? weight : 0), 0);
    return found >= LEAST_REACHED * total;
  };
}
const meet = (reach: ReadonlySet<string>, keys: ReadonlySet<string>): boolean => {
  for (const key of reach) if (keys.has(key)) return true;
  return false;
};

/** The sentences that answer a question, the best first. */
export const answersIn = (
  what: Asked,
  sources: readonly NumberedPassage[],
  isTold?: (text: string) => boolean,
): AnsweringLine[] => atOnce(answering(what, sources, isTold));

/** The same in steps, a record each. */
export function* answering(
  what: Asked,
  sources: readonly NumberedPassage[],
  isTold: (text: string) => boolean = () => true,
): Steps<AnsweringLine[]> {
  const found: Fitting[] = [];
  const mayAnswer = reaching(what);
  for (const [of, passages] of Map.groupBy(sources, ({ type, id }) => `${type} ${id}`)) {
    yield;
    if (!mayAnswer([passages[0]!.title, ...passages.map(({ text }) => text)])) continue;
    const inOrder = passages.toSorted((one, other) => (one.start ?? 0) - (other.start ?? 0) || one.n - other.n);
    const around = inOrder.flatMap(({ n, title, text }) => linesOf({ n, of, title, text }));
    const told = passages[0]!.told ?? "";
    const least = what.isNow && what.wanted === "number" ? LEAST_LEANING : LEAST_OWN;
    for (const line of around) {
      if (!isTold(line.text)) continue;
      const fit = fitOf(what, line, around);
      if (fit && fit.own >= least) found.push({ ...fit, line, around, told });
    }
  }
  const inOrder = found.sort((one, other) => other.score - one.score);
  const isSure = inOrder.length > 0 && isAnswer(what, inOrder[0]!, inOrder);
  return inOrder.map((one, at) => ({ ...one, isSure: isSure && (at === 0 || isFitting(one)) }));
}

/** How much must be spoken of, whoever else speaks of it. */
const FULL = 0.85;
/** How much at least, where no other record comes as near by a margin; less, with the form of the answer and none near. */
const CLEAR = 0.55;
const MARGIN = 0.06;
const LEAST_CLEAR = 0.35;
const ALONE = 0.45;
/** Of what is no name, and in the sentence itself. */
const LEAST_WHOLE = 0.25;
const LEAST_SAID = 0.25;

/** Whether the best sentence is told as an answer. */
function isAnswer({ isMany }: Asked, best: Fitting, found: readonly Fitting[]): boolean {
  const { all, own, whole, sign } = best;
  if (!isFitting(best) || whole < LEAST_WHOLE || own < LEAST_SAID || all < (sign > 0 ? LEAST_CLEAR : CLEAR))
    return false;
  if (all >= FULL || isMany) return true;
  const other = found.find(({ line }) => line.of !== best.line.of && line.text !== best.line.text);
  return best.score - (other?.score ?? 0) >= (all >= CLEAR ? MARGIN : ALONE);
}
/** Whether all that must be named is, and nothing speaks against the form of the answer. */
const isFitting = ({ missing, sign }: Fit): boolean => !missing.length && sign >= 0;
/** How much is spoken of in what is told beside the best. */
const AS_MUCH = 0.75;

/** What of these is quoted: the best, and what is nearly as good; of how things stand now, what was told last. */
export function chosen(what: Asked, all: readonly AnsweringLine[]): AnsweringLine[] {
  const [best] = all;
  if (!best?.isSure) return [];
  const found = all.filter((one) => one.isSure && one.all >= LEAST_CLEAR && one.all >= AS_MUCH * best.all);
  const close = (share: number): AnsweringLine[] => found.filter(({ score }) => score >= share * best.score);
  if (what.wanted === "all" && best.around[0] === best.line && best.around.length <= MOST + 1)
    return [best, ...best.around.slice(1, MOST).map((line) => ({ ...best, line }))];
  if (what.isMany) return close(CLOSE_OF_MANY).slice(0, MOST);
  if (!what.isNow) return close(CLOSE).slice(0, MOST_ALONE);
  const isNumber = what.wanted === "number" || what.wanted === "money";
  const later = close(isNumber ? CLOSE_OF_LATER : CLOSE_OF_NEWER).filter(({ own }) => own >= LEAST_SAID);
  return later.sort(byTime).slice(-1);
}

const byTime = (one: AnsweringLine, other: AnsweringLine): number =>
  one.told.localeCompare(other.told) ||
  one.line.n - other.line.n ||
  one.around.indexOf(one.line) - other.around.indexOf(other.line);

/** How a sentence begins that is not understood without the one before it. */
const LEANING =
  /^(?:\p{Ll}|(?:It|Its|He|She|His|Her|They|Their|This|That|These|Those|There|Both|Others?|Neither|Such)\b)/u;

/** A found sentence with the one that it leans on. */
export function readable(
  { line, around }: AnsweringLine,
  isTold: (text: string) => boolean,
): { text: string; n: number[] } {
  const before = around[around.indexOf(line) - 1];
  if (!before || !isTold(before.text) || !LEANING.test(line.text)) return { text: line.text, n: [line.n] };
  return { text: `${before.text} ${line.text}`, n: [...new Set([before.n, line.n])] };
}
