import { lazily, lexicon } from "../lexicon.ts";
import { conceptOf } from "./meaning.ts";
import { sameName } from "./names.ts";
import type { Statement } from "./statement.ts";
import { baseOf } from "../words/stem.ts";

/** A statement about the cause or the author of something that happened. */
export interface Cause {
  /** Concepts of the cause, and of its effect. */
  by: ReadonlySet<string>;
  effect: ReadonlySet<string>;
  /** "And not a forklift": a rejected cause. */
  not: ReadonlySet<string>;
  names: readonly string[];
  isDenied: boolean;
  text: string;
}

const lists = lazily(() => ({
  active: phrases(lexicon.causes.active),
  passive: phrases(lexicon.causes.passive),
  authors: phrases(lexicon.causes.authors),
  incidents: new Set(lexicon.causes.incidents.map((word) => conceptOf(baseOf(word)))),
}));
const phrases = (forms: readonly string[]): RegExp => new RegExp(`\\b(?:${forms.join("|")})\\b`, "i");

const END = /[,;:.–—“”"]|\b(?:after|while|when|because|which|who|but|although|as)\b/;
const REPORTED = /\b(?:said|says|told)\b/;

/** The causes that a statement names explicitly. */
export function causesOf(stated: Statement): readonly Cause[] {
  let known = found.get(stated);
  if (!known) found.set(stated, (known = read(stated)));
  return known;
}
const found = new WeakMap<Statement, readonly Cause[]>();

function read(stated: Statement): Cause[] {
  const { text } = stated;
  const [active, passive, author] = [lists().active, lists().passive, lists().authors].map((form) => form.exec(text));
  if (passive) return caused(stated, behind(text, passive), before(text, passive.index), passive);
  if (author) return caused(stated, ...authorIn(text, author), author);
  if (active) return caused(stated, before(text, active.index), behind(text, active), active);
  return [];
}

type Stretch = readonly [from: number, to: number];

function behind(text: string, { 0: cue, index }: RegExpExecArray): Stretch {
  const from = index + cue.length;
  const end = text.slice(from).search(END);
  return [from, end < 0 ? text.length : from + end];
}

/** "Blamed the militia for the attack", "the attack was the work of the militia". */
function authorIn(text: string, cue: RegExpExecArray): [Stretch, Stretch] {
  const [from, to] = behind(text, cue);
  const split = /^(?:blam|accus)/i.test(cue[0]) ? text.slice(from, to).search(/ (?:for|of) /) : -1;
  return split < 0
    ? [[from, to], before(text, cue.index)]
    : [
        [from, from + split],
        [from + split, to],
      ];
}

const CONTRASTED = /,\s(?:and\s)?not\s[^,]+,\s*$/;
function before(text: string, to: number): Stretch {
  const cut = Math.max(...[",", ";", ":", "- "].map((mark) => text.slice(0, to).lastIndexOf(mark)));
  // "A short circuit, not a forklift, caused the blast": the contrasted part is left out.
  const contrasted = CONTRASTED.exec(text.slice(0, to));
  if (contrasted) return before(text, contrasted.index);
  return [cut + 1, to];
}

function caused(stated: Statement, cause: Stretch, effect: Stretch, cue: RegExpExecArray): Cause[] {
  const { words, senses, entities, start, text, negations } = stated;
  const within = (at: number, [from, to]: Stretch): boolean => at - start >= from && at - start < to;
  const said = (stretch: Stretch): Set<string> =>
    new Set(
      senses.filter(({ at, weight }) => weight >= 1 && within(words[at]!.start, stretch)).map(({ concept }) => concept),
    );
  const by = said(cause);
  const names = entities.filter((name) => within(name.start, cause)).map(({ key }) => key);
  if (by.size === 0 || REPORTED.test(text.slice(...cause))) return [];
  const at = words.findIndex((word) => word.start - start >= cue.index);
  const contrasted = CONTRASTED.exec(text.slice(0, cue.index));
  const not = contrasted ? said([contrasted.index, cue.index]) : NOTHING;
  const isContrast = (negated: number): boolean =>
    contrasted !== null && words[negated]!.start - start >= contrasted.index;
  const isDenied = negations.some((one) => !isContrast(one.at) && (one.from === 0 || (at >= one.from && at <= one.to)));
  return [{ by, effect: said(effect), not, names, isDenied, text: text.slice(...cause).trim() }];
}

const NOTHING: ReadonlySet<string> = new Set();

const shares = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((concept) => other.has(concept));
const isIncident = (effect: ReadonlySet<string>): boolean =>
  [...effect].some((concept) => lists().incidents.has(concept));

/** The different causes that two statements about one event name; undefined where they share anything. */
export function otherCause(claim: Statement, candidate: Statement): string | undefined {
  for (const one of causesOf(claim))
    for (const other of causesOf(candidate)) {
      if (one.isDenied || other.isDenied || shares(one.by, other.by)) continue;
      if (one.names.some((name) => other.names.some((it) => sameName(name, it)))) continue;
      const isSetAside = shares(one.not, other.by) || shares(other.not, one.by);
      if (isSetAside || shares(one.effect, other.effect) || (isIncident(one.effect) && isIncident(other.effect)))
        return `${one.text} and ${other.text}`;
    }
  return undefined;
}
