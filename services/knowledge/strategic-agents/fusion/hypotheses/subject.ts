import {
  agentOf,
  isByOthers,
  isOfOtherScope,
  likeness,
  subjectOf,
  themeOf,
} from "../../../../../core/text/statements/themes.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { isNamed, isOfAnotherNumber, names, namesAnother } from "./anchors.ts";
import { hasCue } from "./factual.ts";
import { thingOf, type Hypothesis } from "./hypothesis.ts";
import { isAxis, type State } from "./states.ts";

const relative = ({ words, start }: Statement) =>
  words.map((word) => ({ ...word, start: word.start - start, end: word.end - start }));

const PRONOUN =
  /^["“'‘]?(?:it|its|they|their|she|he|her|his|we|our|none|nobody|nothing|not|both|all|i|that|this|these|those|each|one|the)\b/i;

export const namesAny = ({ anchors }: Hypothesis, one: Statement): boolean => isNamed(anchors, one.text, relative(one));

/** Whether a sentence speaks of what is asked about, by its names, its thing, or a pronoun for either. */
export function isOf(asked: Hypothesis, one: Statement, before: readonly Statement[]): boolean {
  const spoken = relative(one);
  if (isOfAnotherNumber(asked.numbered, one.text)) return false;
  if (hasCue(one, "wholes") && !hasCue(asked.stated, "wholes")) return false;
  const own = isNamed(asked.anchors, one.text, spoken);
  const isElsewhere = namesAnother(asked.anchors, one.text, spoken);
  if (hasCue(one, "elsewhere") && !own) return false;
  if (own) {
    const named = asked.anchors.filter((anchor) => names(anchor, one.text, spoken)).length;
    return !isElsewhere || named >= Math.min(2, asked.anchors.length);
  }
  if (isElsewhere) return false;
  const isThing = one.words.some((word) => asked.subject.has(thingOf(word.text)));
  const isHeld = asked.anchors.length === 0 || before.some((other) => namesAny(asked, other));
  return isHeld || isThing || PRONOUN.test(one.text);
}

export const namesAnotherPlace = ({ anchors }: Hypothesis, one: Statement): boolean =>
  namesAnother(anchors, one.text, relative(one));

/** Words that tell one of a kind from another. */
const GROUPS: readonly (readonly RegExp[])[] = [
  [
    /^north(?:ern|bound|ward)?$/,
    /^south(?:ern|bound|ward)?$/,
    /^east(?:ern|bound|ward)?$/,
    /^west(?:ern|bound|ward)?$/,
  ],
  [/^upper$/, /^lower$/],
  [/^first$/, /^second$/, /^third$/, /^fourth$/],
  [/^left$/, /^right$/],
  [/^inner$/, /^outer$/],
  [/^old$/, /^new$/],
  [/^(?:male|men)$/, /^(?:female|women)$/],
  [/^(?:domestic|inland|internal)$/, /^(?:international|foreign|overseas)$/],
  [/^primary$/, /^secondary$/],
  [/^exports?$/, /^imports?$/],
  [
    /^finance$/,
    /^interior$/,
    /^defen[cs]e$/,
    /^foreign$/,
    /^prime$/,
    /^health$/,
    /^justice$/,
    /^education$/,
    /^transport$/,
  ],
  [/^passengers?$/, /^(?:freight|goods|cargo)$/],
  [/^(?:public|state)$/, /^private$/],
];

/** Whether each side has its own one of two that exclude each other: the northern dam, the southern dam. */
export function areContrasted(mine: Statement, theirs: Statement): boolean {
  const has = (stated: Statement, form: RegExp): boolean => stated.words.some(({ text }) => form.test(text));
  return GROUPS.some((group) =>
    group.some(
      (one, at) =>
        has(mine, one) &&
        !has(theirs, one) &&
        group.some((other, place) => place !== at && has(theirs, other) && !has(mine, other)),
    ),
  );
}

const PERSONAL =
  /^(?:detention|pole custody|pole life|news life|hurt|pole present|pole office|news office|pole charge|news verdict|news attend|news armed|news health-place|news injury-grade|news release)$/;

const GENERIC =
  /^(?:man|woman|men|women|people|person|persons|victim|victims|suspect|suspects|it|he|she|they|all|both|who|that|which|one|some|everyone|everybody|nobody|none)$/;
const rawSubject = ({ words }: Statement, at: number): string | undefined => {
  let to = at - 1;
  while (
    to > 0 &&
    /^(?:is|are|was|were|be|been|being|has|have|had|not|never|still|also|later|also|now|will|\w+ly)$/.test(
      words[to]!.text,
    )
  )
    to--;
  return to >= 0 ? words[to]!.text : undefined;
};

/** Whether two persons of different parts are meant: the driver, the passenger. */
function areTwoPersons(asked: Hypothesis, wanted: State, one: Statement, state: State): boolean {
  const [mine, theirs] = [rawSubject(asked.stated, wanted.first), rawSubject(one, state.first)];
  if (mine === undefined || theirs === undefined || GENERIC.test(mine) || GENERIC.test(theirs)) return false;
  return thingOf(mine) !== thingOf(theirs) && !namesAny(asked, one) && !asked.subject.has(thingOf(theirs));
}

/** Whether a state is given to the thing of which the hypothesis says it, as far as both sentences show. */
export function isOneThing(asked: Hypothesis, wanted: State, one: Statement, state: State): boolean {
  const isPart = asked.isOfAll && isAxis(state.axis, "whole") && state.end !== wanted.end;
  if (isPart) return true;
  if (areContrasted(asked.stated, one)) return false;
  const [subject, other] = [subjectOf(asked.stated, wanted.first), subjectOf(one, state.first)];
  if (PERSONAL.test(state.axis) && ((other?.isOwned && !subject?.isOwned) || areTwoPersons(asked, wanted, one, state)))
    return false;
  if (isOfOtherScope(asked.stated, wanted.last, one, state.last)) return false;
  if (
    (isAxis(state.axis, "decided") || /^(?:news|pole) /.test(state.axis)) &&
    isByOthers(agentOf(asked.stated, wanted.first), agentOf(one, state.first))
  )
    return false;
  if (state.isTold) return true;
  const themes = (stated: Statement, { first, last }: State) => [
    themeOf(stated, first, last - first + 1),
    themeOf(stated, last),
  ];
  const [mine, theirs] = [themes(asked.stated, wanted), themes(one, state)];
  if (!mine.some((own, at) => likeness(own, theirs[at]) === "apart")) return true;
  // Said in other words of one thing: what either names of it is there.
  const things = new Set([...mine.flatMap((own) => [...(own?.all ?? [])]), ...(subject?.all ?? [])].map(thingOf));
  return [...theirs.flatMap((own) => [...(own?.all ?? [])]), ...(other?.all ?? [])].some((thing) =>
    things.has(thingOf(thing)),
  );
}

const SOME =
  /\b(?:primary|secondary|northbound|southbound|eastbound|westbound|single|one|some|part|partly|partially|half|most|many|several|only)\b/i;
const ALL = /\b(?:all|both|every|entire|whole|fully|completely|everywhere|anywhere|throughout|without restriction)\b/i;
/** Whether what is said of all is told of some. */
export const isOfSome = (asked: Hypothesis, { text }: Statement): boolean =>
  asked.isOfAll && SOME.test(text) && !ALL.test(text);
