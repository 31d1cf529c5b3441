import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { alike, share, type ContentWord } from "./terms.ts";
import type { ObjectiveReading } from "./reading.ts";

/** What comes first, and what after it. */
export interface Order {
  first: readonly ContentWord[];
  then: readonly ContentWord[];
  /** The only act, where it begins with it; and whether that comes last. */
  act: ContentWord | undefined;
  isTurned: boolean;
}

const BEFORE = /^(?:before|until)$/;
const CUES = new Set("before until after once following ahead prior then afterwards subsequently later".split(" "));
const AFTER = /^(?:after|once|following)$/;

const EMPTY =
  /^(?:complete|finish|get|bring|first|afterwards|back|only|begin|start|carry|let|then|later|subsequently|do|make|any)$/;

/** "A before B", "A only after B", "first B, then A". */
export function orderOf({ words: spoken }: Statement, terms: readonly ContentWord[]): Order | undefined {
  const texts = spoken.map(({ text }) => text);
  const part = (from: number, to: number): ContentWord[] =>
    terms.filter(({ at }) => at >= from && at < to && !EMPTY.test(texts[at]!));
  const cut = (at: number, width: number, isTurned: boolean): Order | undefined => {
    const [head, tail] = [part(0, at), part(at + width, texts.length)];
    if (head.length === 0 || tail.length === 0) return undefined;
    const isOne = !texts.some((word) => word === "and" || word === "only");
    const act = isOne ? terms.find((term) => term.at === 0) : undefined;
    return isTurned ? { first: tail, then: head, act, isTurned } : { first: head, then: tail, act, isTurned };
  };
  for (const [at, text] of texts.entries()) {
    if (!CUES.has(text)) continue;
    if (at > 0) {
      const isDenied = texts.slice(0, at).some((word) => /^(?:no|not|never|nobody|none)$/.test(word));
      if (text === "until" && !isDenied) continue;
      if (BEFORE.test(text)) return cut(at, 1, isDenied);
      if ((text === "ahead" || text === "prior") && /^(?:of|to)$/.test(texts[at + 1] ?? "")) return cut(at, 2, false);
      if (AFTER.test(text) && texts[at - 1] !== "at") return cut(at, 1, true);
      if (text === "then" || text === "afterwards" || text === "subsequently" || text === "later") {
        const end = text === "then" ? at : texts.lastIndexOf("and", at);
        if (end > 0) return cut(end, 1, false);
      }
    } else if (BEFORE.test(text) || AFTER.test(text)) {
      const comma = spoken.findIndex((word, index) => index > 1 && word.start - spoken[index - 1]!.end === 2);
      if (comma > 0) return cut(comma, 0, BEFORE.test(text));
    }
  }
  return undefined;
}

const FEWEST = 0.5;

/** To empty a tank before an inspection and to fill it after that are two steps. */
const areTwoActs = (one: Order, other: Order): boolean =>
  one.isTurned !== other.isTurned && one.act !== undefined && other.act !== undefined && !alike(one.act, other.act);

/** Whether what one puts first is last for the other. */
export const areTurned = ({ order: one }: ObjectiveReading, { order: other }: ObjectiveReading): boolean =>
  one !== undefined &&
  other !== undefined &&
  !areTwoActs(one, other) &&
  share(one.first, other.then) >= FEWEST &&
  share(one.then, other.first) >= FEWEST &&
  share(one.first, other.first) + share(one.then, other.then) <
    share(one.first, other.then) + share(one.then, other.first);
