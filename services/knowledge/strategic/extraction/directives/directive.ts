import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import type { Hit } from "../../../../../core/text/words/phrases.ts";
import { numeralAt } from "../../../../../core/text/statements/figures/numerals.ts";
import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import { afterLabel, afterName, isNumberedName, namesTask } from "./labels.ts";
import { resolutionIn } from "./resolutions.ts";
import { isProcedure, isThirdPerson, isVerb } from "./verbs.ts";
import { isNameOnly, isShare, namesActor, ownerOf } from "./subjects.ts";

/** Verbs of states and occurrences: nobody can be ordered to do them. */
const states = lazily(() => new Set<string>(lexicon.directives.states));

/** How a sentence orders something. */
export interface Directive {
  how: "obligation" | "imperative" | "mission" | "outcome";
  verb: Word;
  /** Where the words begin that order it. */
  from: number;
  /** Words before it that name who must do it. */
  owner?: string;
  /** Something is done to its subject. */
  isPassive?: boolean;
  /** A rule: for whatever it concerns ("consent must be obtained before"), or for all of a kind ("all drivers must"). */
  rule?: "passive" | "general";
  /** Says who of ours does what: it needs neither a measure nor a limit of time. */
  isOrder?: boolean;
  /** What a meeting decided, told afterwards. */
  isResolved?: boolean;
}

const ADVERBS = new Set(
  "also then immediately now first jointly fully rapidly quickly continuously not therefore be been have always to again each both all".split(
    " ",
  ),
);

interface Found {
  verb: Word;
  isPassive: boolean;
}

/** The verb of the directive, after adverbs: after an obligation any verb of action. */
function verbFrom(text: string, spoken: readonly Word[], from: number): Found | undefined {
  let isPassive = false;
  for (let at = from; at < Math.min(from + 4, spoken.length); at += 1) {
    const word = spoken[at]!;
    if (word.text === "be" || word.text === "been") isPassive = true;
    else if (isPassive && isPastVerb(word.text)) return { verb: word, isPassive };
    // "Must have twelve buses ready": to have so many of something can be ordered.
    else if (word.text === "have" && numeralAt(text, spoken, at + 1)) return { verb: word, isPassive };
    // "We will have built": what is then done.
    else if (word.text === "have" && spoken[at + 1] && isPastVerb(spoken[at + 1]!.text)) continue;
    else if ((isPassive && !ADVERBS.has(word.text)) || states().has(word.text)) return undefined;
    else if (!ADVERBS.has(word.text) && !word.text.endsWith("ly")) return { verb: word, isPassive };
  }
  return undefined;
}

/** The order in a sentence; a mission may be a statement about who does what. */
export const directiveIn = (text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined =>
  resolutionIn(text, spoken, hits) ??
  aimIn(text, spoken, hits) ??
  obligationIn(text, spoken, hits) ??
  imperativeIn(text, spoken) ??
  reachedIn(text, spoken) ??
  taskedIn(text, spoken, hits) ??
  presentIn(text, spoken) ??
  missionIn(text, spoken, hits);

const FARTHEST_AIM = 12;

/** "We also want to see ...", "The purpose of the project is to ...": what is aimed at may be a state. */
function aimIn(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  const hit = hits.find(({ label, first }) => label === "aim" && first < FARTHEST_AIM);
  if (!hit) return undefined;
  const next = spoken[hit.last + 1];
  const verb = next?.text === "to" ? spoken[hit.last + 2] : next;
  if (!verb || isProcedure(verb)) return undefined;
  return { how: "obligation", verb, from: hit.start, isOrder: true };
}

/** Present or future intentions: whoever else has them, they are no orders of ours. */
const WEAK = /^(?:will|intends?|plans?|aims?|commits|undertakes|is committed|is going)\b/;
export const isWeak = (text: string, { from }: Directive): boolean =>
  WEAK.test(text.slice(from, from + 20).toLowerCase());

/** Not "must be", "need to": rules for whoever it concerns have the same form; nor intentions, which others have too. */
const UNBOUND =
  /^(?:will|shall|(?:is|are) (?:also |then |now )?(?:to|tasked|ordered|directed|responsible|charged|going|instructed|asked|committed)\b|(?:has|have) been |undertakes|commits)/;
const isUnbound = ({ term }: Hit): boolean => UNBOUND.test(term);
const IS_TO = /^(?:is|are) (?:also |then |now )?to$/;
const RULE = /^(?:must|shall|needs?|has|have|is required|are required)\b/;

/** "Depots that hold less", "anyone with a pass". */
const WHOEVER =
  /^(?:any(?:one|body)?|whoever|those|no[- ]one|nobody)\b|^\s*\p{L}+s (?:that|who|which|with|without|under|over|below|above)\b/iu;
const GENERAL = /^\W{0,3}(?:any|all|every|each)\b/i;
/** "No family will wait": what nobody is to suffer is aimed at. */
const NO_SUCH = /^\W{0,3}(?:no|none|nobody)\b/i;

/** States in which somebody or something is to be. */
const OUTCOMES = new Set("be have receive know live feel get remain reach see find stay enjoy benefit".split(" "));

const isOthers = (hits: readonly Hit[], before: number): boolean =>
  hits.some(({ label, last }) => (label === "outside" || label === "enemy") && last < before);

function obligationIn(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  let outcome: Directive | undefined;
  for (const hit of hits) {
    if (hit.label !== "obligation") continue;
    const { first, last, start: from } = hit;
    const found = verbFrom(text, spoken, last + 1);
    if (!found && NO_SUCH.test(text) && spoken[last + 1]) return { how: "outcome", verb: spoken[last + 1]!, from };
    if (!found) {
      const state = spoken[last + 1];
      if (!outcome && first > 0 && first < 16 && state && OUTCOMES.has(state.text))
        if ((isShare(text.slice(0, from)) || IS_TO.test(hit.term)) && !isOthers(hits, first))
          outcome = { how: "outcome", verb: state, from };
      continue;
    }
    // "The council should": others' advice; "every pupil should be": what is aimed at.
    if (hit.term === "should" && !NO_SUCH.test(text)) {
      if (
        !outcome &&
        first < 16 &&
        OUTCOMES.has(spoken[last + 1]?.text ?? "") &&
        isShare(text.slice(0, from)) &&
        !isOthers(hits, first)
      )
        outcome = { how: "outcome", verb: spoken[last + 1]!, from };
      continue;
    }
    // "You will be paid": told to a reader.
    if (spoken[first - 1]?.text === "you" && hit.term === "will") continue;
    const isRule = RULE.test(hit.term);
    if (isRule && WHOEVER.test(text.slice(0, from))) continue;
    if (NO_SUCH.test(text) && /^(?:will|shall|should)$/.test(hit.term))
      return { how: "outcome", verb: found.verb, from };
    const owner = first > 0 ? ownerOf(text, spoken, first, found.isPassive) : undefined;
    const isYou = hit.term === "are to" && spoken[first - 1]?.text === "you";
    const isActor = !found.isPassive && isVerb(found.verb) && (isYou || namesActor(text, spoken, hits, first));
    const isNamed = IS_TO.test(hit.term) && first > 0 && first < 9 && !isOthers(hits, first);
    const isDone = found.isPassive && IS_TO.test(hit.term) && !text.slice(0, from).includes(";");
    const isOrder = isUnbound(hit) && (isActor || isDone || (isNamed && !found.isPassive));
    return {
      how: "obligation",
      verb: found.verb,
      from,
      ...(owner && { owner }),
      ...(found.isPassive && { isPassive: true }),
      ...(isRule && (found.isPassive || GENERAL.test(text)) && { rule: found.isPassive ? "passive" : "general" }),
      ...(isOrder && { isOrder }),
    };
  }
  return outcome;
}

const BEFORE_VERB = new Set(["to", "also", "please", "then", "and"]);
const READY = new Set(["prepared", "ready"]);
/** "House prices rose": a noun that is written as a verb is. */
const TOLD_PAST = new Set(
  "rose fell came grew went ran began took gave was were had did saw drew flew became has have is are".split(" "),
);
const OBJECT = new Set("the a an our all every each both this that which who more".split(" "));
function isToldOf(spoken: readonly Word[], verb: number): boolean {
  const behind = spoken.slice(verb + 1, verb + 4);
  const object = behind.findIndex(({ text: word }) => OBJECT.has(word));
  return (object < 0 ? behind : behind.slice(0, object)).some(({ text: word }) => TOLD_PAST.has(word));
}

/** "Secure the bridge", "Serial 1 (Sgt Dacre): clear the lane", "NLT 0600, secure the bridge". */
function imperativeIn(text: string, spoken: readonly Word[]): Directive | undefined {
  const named = afterName(text);
  for (const label of new Set([afterLabel(text), named])) {
    const from = spoken.findIndex(({ start }) => start >= label);
    if (from < 0 || isNumberedName(text.slice(spoken[from]!.start))) continue;
    const isAfter = BEFORE_VERB.has(spoken[from]!.text) || spoken[from]!.text.endsWith("ly");
    const begins = isAfter || spoken[from]!.text === "be" ? spoken[from + 1] : spoken[from];
    const isReady = spoken[from]!.text === "be" && READY.has(begins?.text ?? "");
    const isWished = spoken[from]!.text === "to" && begins !== undefined && OUTCOMES.has(begins.text);
    if (!(isVerb(begins) || isWished || isReady) || isToldOf(spoken, spoken.indexOf(begins!))) continue;
    const isOrder =
      label > 0 && namesTask(text.slice(0, label)) && /\p{Ll}/u.test(text.slice(begins!.start, begins!.end));
    return { how: "imperative", verb: begins!, from: begins!.start, ...(isOrder && { isOrder }) };
  }
  // A deadline may come first.
  const comma = text.indexOf(", ");
  const behind = comma > 0 && comma < 60 ? spoken.find(({ start }) => start > comma) : undefined;
  return isVerb(behind) && /^(?:by|before|no later|not later|nlt|within|on|after|upon|from)\b/i.test(text.slice(named))
    ? { how: "imperative", verb: behind!, from: behind!.start }
    : undefined;
}

const FARTHEST_TO = 6;
const FINITE = new Set(
  "is are was were has have had will would can could need needs ought seem seems appear appears there it he she they used due said says".split(
    " ",
  ),
);
const isTold = (spoken: readonly Word[], before: number): boolean =>
  spoken.slice(0, before).some(({ text: word }) => FINITE.has(word) || isPastVerb(word));

/** "HN to circulate the map", "Treasurer to obtain three quotes": the form of minutes. */
function taskedIn(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  const to = spoken.slice(0, FARTHEST_TO + 1).findIndex((word) => word.text === "to");
  const verb = spoken[to + 1];
  const done = spoken[to + 2];
  // "Net debt to be brought below ...".
  if (to > 0 && verb?.text === "be" && done && isPastVerb(done.text) && !isTold(spoken, to) && !isProcedure(done))
    return { how: "obligation", verb: done, from: spoken[to]!.start, isPassive: true, isOrder: true };
  if (to < 1 || !isVerb(verb)) return undefined;
  const isNamed =
    isNameOnly(text, spoken, to) ||
    (spoken[0]!.capital && hits.some(({ label, last }) => label === "body" && last === to - 1));
  if (!isNamed) return undefined;
  const owner = text.slice(spoken[0]!.start, spoken[to - 1]!.end).replaceAll(/\s+/g, " ");
  return { how: "obligation", verb: verb!, from: spoken[to]!.start, owner, isOrder: true };
}

const BY = /^(?:by|before|within)\b(?! the time\b)/i;
const BEING = new Set(["has", "have", "is", "are"]);

/** "By the end of May every depot has a rep": how it is to be by then. */
function reachedIn(text: string, spoken: readonly Word[]): Directive | undefined {
  const verb = BY.test(text) ? spoken.slice(0, 16).find(({ text: word }) => BEING.has(word)) : undefined;
  return verb && isShare(text.slice(0, verb.start)) ? { how: "outcome", verb, from: verb.start } : undefined;
}

/** "We ballot in June": told as if it were so. */
function presentIn(text: string, spoken: readonly Word[]): Directive | undefined {
  const at = spoken.slice(0, 4).findIndex(({ text: word }) => word === "we");
  const verb = at < 0 ? undefined : spoken[at + 1];
  return isVerb(verb) && !isProcedure(verb!) ? { how: "mission", verb: verb!, from: verb!.start } : undefined;
}

/** "1st Battalion seizes the bridge": the form of missions. It counts below a goal's heading, or with a limit of time. */
function missionIn(text: string, spoken: readonly Word[], hits: readonly Hit[]): Directive | undefined {
  const at = spoken.findIndex(({ text: word }, n) => n > 0 && n < 12 && isThirdPerson(word));
  if (at < 1 || !(namesActor(text, spoken, hits, at) || isNameOnly(text, spoken, at))) return undefined;
  const owner = text.slice(spoken[0]!.start, spoken[at - 1]!.end).replaceAll(/\s+/g, " ");
  return { how: "mission", verb: spoken[at]!, from: spoken[at]!.start, owner };
}
