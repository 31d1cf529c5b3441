import { compareDates } from "../../../../../core/text/statements/dates.ts";
import { isWhole, kindsIn, type Kind } from "../../../../../core/text/statements/kinds.ts";
import { isSupposed } from "../../../../../core/text/statements/occasion.ts";
import type { Negation } from "../../../../../core/text/statements/polarity.ts";
import { isOfMatter, type Statement } from "../../../../../core/text/statements/statement.ts";
import {
  agentOf,
  isByOthers,
  isOfOtherScope,
  likeness,
  phraseBehind,
  subjectOf,
  themeOf,
  type Theme,
} from "../../../../../core/text/statements/themes.ts";
import { sameName } from "../../../../../core/text/statements/names.ts";
import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import { isReportingWord } from "../../../../../core/text/words/stop-words.ts";
import { areOfTwoNames, isOfNoPerson } from "../opposing/axes.ts";
import { once } from "../../../../../core/once.ts";

/** An act that a sentence denies, or states as a fact or a plan. */
interface Act extends Kind {
  isDenied: boolean;
  isPlanned: boolean;
  /** Nobody did it or suffered it: that includes whoever the other sentence names. */
  isOfNobody: boolean;
}

const AUXILIARY = new RegExp(
  String.raw`^(?:is|are|was|were|be|been|being|has|have|had|having|will|would|shall|should|can|could|may|might|` +
    String.raw`must|do|does|did|ever|any|anything|in|the|an?|its|his|her|their|to|that|actually|formally|also|` +
    String.raw`himself|herself)$`,
);
/** Mere occupation with something: denying it does not deny the act. */
const LIGHT = new RegExp(
  String.raw`^(?:working|work|works|on|plan|plans|planned|planning|consider\w*|prepar\w+|seek\w*|intend\w*|` +
    String.raw`intention|interest\w*|made|make|making|want\w*|going|about|considered|of|for|pursu\w+|aim\w*|due|` +
    String.raw`set)$`,
);
const PLANNED =
  /^(?:will|shall|plans?|planned|planning|prepar\w+|intends?|intended|going|due|about|aims?|wants?|would)$/;
const DONE_TO = /^(?:had|has|have|forced|managed|began|started|continued|helped|able|refused|used|came|got)$/;
const NOBODY = /^(?:nobody|no one|none|neither|nothing)$/;
const SUBJECTS = /^(?:no|nobody|no one|none|neither|nothing|not a single|not one)$/;
const FALSE = /^(?:false|untrue|baseless|unfounded|fabricated|hoax|debunk)/;
const EVIDENCE = /^(?:evidence|proof|signs?|indications?|traces?|hints?|question|talk|reports?)$/;
/** It may have happened by now, or is partly so: nothing is denied outright. */
const OPEN = new RegExp(
  String.raw`\b(?:yet|so far|still|for now|immediately|any ?more|no longer|not only|not just|until|unless|both|` +
    String.raw`others?|further|enough|initially|again|more than|fewer than|entirely|completely|fully|wholly|if|` +
    String.raw`whether|all|every|each|alone|because|due to)\b`,
  "i",
);
const DOUBTED = new RegExp(
  String.raw`^(?:suspected|alleged|attempted|possible|potential|accus\w+|charge|charges|suspicion|fears?|` +
    String.raw`rumou?rs?|talk|claims?|reports?|risk|threat\w*|calls?|demand\w*|investigat\w+|inquiry|probe|plot|` +
    String.raw`trying|tried|try|attempt\w*|against|avoid\w*|prevent\w*|without|instead|nearly|almost|former|` +
    String.raw`after|anti|if|unless|whether|before|until|denied|denies|deny|stop\w*|reject\w*|refus\w*|ruled|` +
    String.raw`should|would|could|might|may)$`,
);
const CLAUSE =
  /^(?:and|but|while|so|because|if|when|whether|which|who|whom|whose|where|although|though|than|as|or|nor)$/;
const BREAK = /[,;:()–—“”"]/;
const BEFORE = 6;
const DENIED_REACH = 8;

const isBreak = ({ text, start, words }: Statement, at: number): boolean =>
  at > 0 && BREAK.test(text.slice(words[at - 1]!.end - start, words[at]!.start - start));

/** Words of the clause before this one, the nearest last. */
function before(stated: Statement, at: number, most: number): string[] {
  let from = at;
  while (from > 0 && from > at - most && !isBreak(stated, from) && !CLAUSE.test(stated.words[from - 1]!.text))
    from -= 1;
  return stated.words.slice(from, at).map(({ text }) => text);
}

/** Whether a negation covers an act; undefined where that cannot be determined. */
function isTurned(stated: Statement, { cue, at, from, to }: Negation, { first }: Kind): boolean | undefined {
  const { words } = stated;
  if (from === 0) {
    if (FALSE.test(cue)) return true;
    const isBehind = first > at && first - at <= DENIED_REACH;
    const isOfClause =
      isBehind && !words.slice(at + 1, first + 1).some((_, offset) => isBreak(stated, at + 1 + offset));
    return isOfClause ? true : first > at ? false : undefined;
  }
  if (first < from || first > to) return at > first && at - first < DENIED_REACH ? undefined : false;
  const between = words.slice(from, first).map(({ text }) => text);
  const isHarmless = (text: string) => AUXILIARY.test(text) || LIGHT.test(text) || text.endsWith("ly");
  if (!SUBJECTS.test(cue)) return between.every(isHarmless) ? true : undefined;
  if (between.some((text) => EVIDENCE.test(text))) return true;
  const isOwnVerb = between.some((text) => !isHarmless(text) && (isPastVerb(text) || isReportingWord(text)));
  return isOwnVerb || between.some((text) => CLAUSE.test(text)) ? undefined : true;
}

function actOf(stated: Statement, kind: Kind): Act | undefined {
  const { negations, words, lacking } = stated;
  let denied = 0;
  let isOfNobody = false;
  for (const one of negations) {
    if (negations.some((other) => other !== one && other.from > 0 && one.at >= other.from && one.at <= other.to))
      return undefined;
    const turned = isTurned(stated, one, kind);
    if (turned === undefined) return undefined;
    if (!turned) continue;
    denied += 1;
    if (NOBODY.test(one.cue)) isOfNobody = true;
  }
  if (denied > 1) return undefined;
  const isDenied = denied === 1;
  const behind = words[kind.last + 1]?.text ?? "";
  const near = before(stated, kind.first, BEFORE);
  const isInfinitive = near.slice(-3).includes("to") && !near.some((text) => DONE_TO.test(text));
  const isGoingOn =
    words[kind.first]!.text.endsWith("ing") &&
    /^(?:is|are)$/.test(near.find((text) => /^(?:is|are)$/.test(text)) ?? "");
  const isPlanned =
    near.some((text) => PLANNED.test(text)) ||
    isInfinitive ||
    (isDenied && isGoingOn) ||
    (/^(?:is|are)$/.test(behind) && words[kind.last + 2]?.text === "planned");
  if (isDenied) return OPEN.test(stated.text) ? undefined : { ...kind, isDenied, isPlanned, isOfNobody };
  const isLacking = lacking.some((at) => at < kind.first && kind.first - at <= 4);
  if (isLacking || near.some((text) => DOUBTED.test(text)) || isSupposed(stated, kind.first)) return undefined;
  return { ...kind, isDenied, isPlanned, isOfNobody };
}

const FINITE = /^(?:is|are|was|were|be|been|being|has|have|had|to|will|would|did|does|do|not|never)$/;

/** Verbs of no named kind, each a kind of its own. */
function verbsIn({ words, senses }: Statement, named: readonly Kind[]): Kind[] {
  return senses.flatMap(({ at, weight, concept, pole, word }): Kind[] => {
    if (weight !== 1 || word.includes(" ") || named.some(({ first, last }) => at >= first && at <= last)) return [];
    const previous = words[at - 1]?.text ?? "";
    const isVerb = isPastVerb(words[at]!.text) ? !/^(?:an?|the|of|its|their)$/.test(previous) : FINITE.test(previous);
    return isVerb && !words[at]!.capital ? [{ kind: `${VERB}${concept} ${pole ?? ""}`, first: at, last: at }] : [];
  });
}
const VERB = "verb ";

const actsIn = once((stated: Statement): { acts: Act[] } | undefined => {
  const named = kindsIn(stated.words).deeds.filter(({ first }) => isOfMatter(stated, stated.words[first]!));
  const acts = [...named, ...verbsIn(stated, named)].flatMap((kind) => actOf(stated, kind) ?? []);
  return acts.length > 0 ? { acts } : undefined;
});

interface Parties {
  agent: Theme | undefined;
  /** The phrase before it. */
  subject: Theme | undefined;
  patient: Theme | undefined;
  names: readonly string[];
  concepts: ReadonlySet<string>;
  isCounted: boolean;
}

const TIMES =
  /^(?:year|month|week|day|night|morning|evening|afternoon|hour|people|person|thing|anything|official|news)$/;

/** Agent and object in the clause of an act. */
function partiesOf(stated: Statement, { first, last }: Act): Parties {
  const { words, senses, entities, quantities } = stated;
  let [from, to] = [first, last];
  while (from > 0 && !isBreak(stated, from)) from -= 1;
  while (to + 1 < words.length && !isBreak(stated, to + 1)) to += 1;
  const length = last - first + 1;
  const isNoun = /^(?:of|for)$/.test(words[last + 1]?.text ?? "");
  const [start, end] = [words[from]!.start, words[to]!.end];
  const subject = subjectOf(stated, first);
  const patient = (isNoun ? phraseBehind(stated, last + 2) : undefined) ?? themeOf(stated, first, length) ?? subject;
  return {
    agent: agentOf(stated, first),
    subject,
    patient,
    names: entities.filter((name) => name.start >= start && name.end <= end).map(({ key }) => key),
    concepts: new Set(
      senses
        .filter(
          ({ at, weight, concept }) =>
            weight === 1 && at >= from && at <= to && (at < first || at > last) && !TIMES.test(concept),
        )
        .map(({ concept }) => concept),
    ),
    isCounted: quantities.some((one) => one.start >= start && one.end <= end && one.start < words[first]!.start),
  };
}

const FEWEST_COMMON = 2;

/** Whether the act that one denies is the act that the other states, by its agent, object and surroundings. */
function isOneAct(denying: Statement, denied: Act, stating: Statement, told: Act): boolean {
  if (isOfOtherScope(denying, denied.last, stating, told.last)) return false;
  const [one, other] = [partiesOf(denying, denied), partiesOf(stating, told)];
  if (one.isCounted || isByOthers(one.agent, other.agent)) return false;
  const isTheirOwn = !one.patient?.isObject && !other.patient?.isObject;
  if (isTheirOwn && areOfTwoNames(one.subject, other.subject)) return false;
  const like = likeness(one.patient, other.patient);
  if (denying.negations.some(({ cue }) => isOfNoPerson(cue, stating, told.first))) return false;
  // "Nobody was arrested" is about anybody; "nobody saw the minister" about him.
  if (denied.isOfNobody) return like === "same" || (one.patient === undefined && !denied.kind.startsWith(VERB));
  const isOfOneName = one.names.some((name) => other.names.some((it) => sameName(name, it)));
  const common = [...one.concepts].filter((concept) => other.concepts.has(concept)).length;
  const isOfOneSubject = shares(one.subject, other.subject);
  if (denied.kind.startsWith(VERB))
    return (isOfOneSubject && like !== "apart") || (like === "same" && (isOfOneName || common > 1));
  if (like === "same" || (isWhole(denied.kind) && like !== "apart")) return true;
  // "No radioactivity" also denies radioactive steam.
  if (like === "apart")
    return shares(one.patient, other.patient) || (isOfOneName ? common > 0 : common >= FEWEST_COMMON);
  return isOfOneSubject || isOfOneName || common >= FEWEST_COMMON;
}

const ANYBODY = /^(?:people|person|anyth|man|woman|company|firm|govern|country|group|official)$/;
const shares = (one: Theme | undefined, other: Theme | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  !(one.marks.size > 0 && other.marks.size > 0 && [...one.marks].every((mark) => !other.marks.has(mark))) &&
  [...one.all].some((concept) => !ANYBODY.test(concept) && other.all.has(concept));

/** An act that one states and the other denies, in whatever words, of one thing. */
export function deniedAct(claim: Statement, candidate: Statement): string | undefined {
  const [mine, theirs] = [actsIn(claim)?.acts, actsIn(candidate)?.acts];
  if (!mine || !theirs || compareDates(claim.dates, candidate.dates) === "differ") return undefined;
  for (const one of mine)
    for (const other of theirs) {
      if (one.kind !== other.kind || one.isDenied === other.isDenied) continue;
      if (mine.concat(theirs).filter(({ kind, isDenied }) => kind === one.kind && isDenied).length > 1) continue;
      const [[denying, denied], [stating, told]] = one.isDenied
        ? ([
            [claim, one],
            [candidate, other],
          ] as const)
        : ([
            [candidate, other],
            [claim, one],
          ] as const);
      // What has not been done may be planned; what is not planned is not done.
      if (told.isPlanned && !denied.isPlanned) continue;
      if (isOneAct(denying, denied, stating, told))
        return `one denies what the other states: ${wordsOf(denying, denied)} and ${wordsOf(stating, told)}`;
    }
  return undefined;
}

const wordsOf = ({ words }: Statement, { first, last }: Kind): string =>
  words
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join(" ");
