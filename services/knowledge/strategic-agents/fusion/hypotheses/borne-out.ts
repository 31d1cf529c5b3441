import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import { isOfAnotherOccasion } from "../../../../../core/text/statements/occasion.ts";
import { isPastVerb } from "../../../../../core/text/words/stem.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Readings, Stance } from "../../../../news/verification/client.ts";
import { isApart } from "../../../../../core/text/statements/meaning.ts";
import { isDoubted } from "./doubted.ts";
import { isUnreal, refusalOf, turnsOver } from "./factual.ts";
import { OF_HYPOTHESES } from "./states.ts";
import { areOpposites } from "./opposites.ts";
import { thingOf, type Hypothesis } from "./hypothesis.ts";
import { areContrasted, isOf } from "./subject.ts";
import { timeOf, timesIn } from "./times.ts";

/** Verbs that say little by themselves: what they are of says it. */
const LIGHT =
  /^(?:be|been|being|is|are|was|were|have|has|had|having|do|does|did|make|made|makes|put|puts|hold|holds|held|take|takes|took|taken|go|goes|went|gone|get|gets|got|give|gives|gave|given|carry|carries|carried|carrying|come|comes|came|become|became|remain|remains|remained|cause|caused|causes|bring|brought|leave|left|keep|kept|still|again|say|said|will|would|there|begun|began|begin|start|started)$/;

/** What a hypothesis says of its subject: its verb, or what a light one is of. */
function saidOf(asked: Hypothesis): Sense[] {
  const { stated, verb } = asked;
  const act = verbOf(asked);
  if (act) return [act];
  const own = stated.senses.filter(({ at, weight }) => at >= verb && weight >= 1 && !stated.words[at]!.capital);
  const telling = own.filter(({ at }) => !LIGHT.test(stated.words[at]!.text));
  return telling.length > 0 ? telling.slice(0, telling[0]!.at - verb <= 2 ? 1 : 2) : own.slice(0, 1);
}

const isSame = (one: Sense, other: Sense): boolean =>
  one.concept === other.concept
    ? one.pole === other.pole
    : one.pole === undefined && other.pole === undefined && thingOf(one.concept) === thingOf(other.concept);

const isOpposite = (one: Sense, other: Sense): boolean =>
  one.pole !== undefined && other.pole !== undefined
    ? one.concept === other.concept && one.pole !== other.pole && !isApart(one.concept)
    : areOpposites(one.word, other.word);

const AUXILIARY =
  /^(?:is|are|was|were|be|been|being|has|have|had|did|does|do|not|never|already|also|now|just|still|again|all|both|\w+ly)$/;

/** The verb that a hypothesis asserts; undefined where that is a light one. */
function verbOf({ stated, verb }: Hypothesis): Sense | undefined {
  if (verb === 0) return undefined;
  let at = verb;
  while (AUXILIARY.test(stated.words[at]?.text ?? "")) at++;
  const { text = "" } = stated.words[at] ?? {};
  const isVerb = at === verb || isPastVerb(text) || text.endsWith("ing");
  return isVerb && !LIGHT.test(text) ? stated.senses.find((sense) => sense.at === at) : undefined;
}

/** What a sentence says as a fact of the hypothesis' act: it (1), its denial or opposite (-1), or nothing (0). */
export function actIn(
  asked: Hypothesis,
  one: Statement,
  wanted = saidOf(asked),
): { sign: 1 | -1; at: number; of: number } | undefined {
  const turnsAt = (stated: Statement, at: number): number => turnsOver(stated, { first: at, last: at }).length % 2;
  for (const sense of wanted)
    for (const told of one.senses) {
      const [same, opposite] = [isSame(sense, told), isOpposite(sense, told)];
      if (!same && !opposite) continue;
      const place = { first: told.at, last: told.at };
      if (!asked.isUnreal && isUnreal(one, place) !== undefined) continue;
      const refusal = refusalOf(one, place);
      const isOfRefusal =
        refusal !== undefined && turnsOver(one, place).some(({ at }) => at >= refusal.first && at <= refusal.last);
      const turns =
        turnsAt(asked.stated, sense.at) +
        turnsAt(one, told.at) +
        (refusal && !isOfRefusal ? 1 : 0) +
        (opposite ? 1 : 0);
      return { sign: turns % 2 === 0 ? 1 : -1, at: told.at, of: sense.at };
    }
  return undefined;
}

/** The same of its verb alone. */
export function verbIn(asked: Hypothesis, one: Statement): ReturnType<typeof actIn> {
  const verb = verbOf(asked);
  return verb && isOfAnotherOccasion(one) === isOfAnotherOccasion(asked.stated) ? actIn(asked, one, [verb]) : undefined;
}

/** How much of what a hypothesis names beside its act and its names is there. */
export function sharedBeside(
  asked: Hypothesis,
  one: Statement,
  act: { at: number; of: number },
): { share: number; count: number } {
  const names = new Set(asked.anchors.flatMap((anchor) => anchor.words));
  const rest = asked.stated.senses.filter(
    ({ at, weight }) =>
      at !== act.of &&
      weight >= 1 &&
      !names.has(asked.stated.words[at]!.text) &&
      !LIGHT.test(asked.stated.words[at]!.text),
  );
  const count = rest.filter((sense) => one.senses.some((told) => told.at !== act.at && isSame(sense, told))).length;
  return { share: rest.length === 0 ? 1 : count / rest.length, count };
}

/** Its own questions have found no answer: what the words have in common is something else. */
const isAskedByQuestion = ({ states }: Hypothesis): boolean =>
  [...states.values()].some(({ weight }) => weight === OF_HYPOTHESES);

const DIFFERENT = "different figure";

/**
 * What the comparison of news found, where it also holds of a hypothesis: support needs its act told as a fact, of the
 * same thing and time. Reports of one event share most words whatever they say.
 */
export function borneOut<T extends Stance>(asked: Hypothesis, found: T, text: string, readings: Readings): T {
  if (found.stance !== "support" && found.stance !== "contradict") return found;
  const read = readings.of(text);
  const at = read.sentences.findIndex(({ start }) => start === found.evidence.start);
  if (at < 0) return found;
  const [one, before] = [read.statement(at), read.sentences.slice(0, at).map((_, place) => read.statement(place))];
  const settles = (reason: string): T => ({ ...found, stance: "neutral", score: 0, reasons: [reason] });
  if (asked.anchors.length > 0 && !isOf(asked, one, before)) return settles("it speaks of another");
  if (areContrasted(asked.stated, one)) return settles("it speaks of another");
  // What its own reader of figures has not taken for the same measure is of another.
  if (isAskedByQuestion(asked)) return settles("it does not answer what is asked");
  if (asked.figure) return settles("a figure of something else");
  if (found.stance === "contradict") {
    const isPlan =
      found.reasons[0]?.startsWith(DIFFERENT) &&
      /\b(?:approval|permission|planned|designed|licen[cs]ed|forecast|expected|built) (?:for|to)\b/i.test(one.text);
    return isPlan ? settles("it tells of what was planned") : found;
  }
  if (timeOf(asked.times, timesIn(one.text)) === "differ") return settles("it tells of another time");
  return actIn(asked, one)?.sign === 1 &&
    !isDoubted(
      asked,
      one,
      read.sentences.slice(at + 1).map((_, place) => read.statement(at + 1 + place)),
    )
    ? found
    : settles("it does not say that as a fact");
}
