import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Readings, Stance } from "../../../../news/verification/client.ts";
import { isUnreal, turnsOver } from "./factual.ts";
import { thingOf, type Hypothesis } from "./hypothesis.ts";
import { isOf } from "./subject.ts";
import { timeOf, timesIn } from "./times.ts";

/** Verbs that say little by themselves: what they are of says it. */
const LIGHT =
  /^(?:be|been|being|is|are|was|were|have|has|had|having|do|does|did|make|made|makes|put|puts|hold|holds|held|take|takes|took|taken|go|goes|went|gone|get|gets|got|give|gives|gave|given|carry|carries|carried|carrying|come|comes|came|become|became|remain|remains|remained|cause|caused|causes|bring|brought|leave|left|keep|kept|still|again|say|said|will|would|there|begun|began|begin|start|started)$/;

/** What a hypothesis says of its subject: its verb, or what a light one is of. */
function saidOf({ stated, verb }: Hypothesis): Sense[] {
  const own = stated.senses.filter(({ at, weight }) => at >= verb && weight >= 1 && !stated.words[at]!.capital);
  const telling = own.filter(({ at }) => !LIGHT.test(stated.words[at]!.text));
  return telling.length > 0 ? telling.slice(0, telling[0]!.at - verb <= 2 ? 1 : 2) : own.slice(0, 1);
}

const isSame = (one: Sense, other: Sense): boolean =>
  one.concept === other.concept
    ? one.pole === other.pole
    : one.pole === undefined && other.pole === undefined && thingOf(one.concept) === thingOf(other.concept);

/** Whether a sentence says as a fact what the hypothesis says; or denies what it denies. */
function isSaid(asked: Hypothesis, one: Statement): boolean {
  const wanted = saidOf(asked);
  if (wanted.length === 0) return true;
  const isTurned = (stated: Statement, at: number): boolean => turnsOver(stated, { first: at, last: at }).length % 2 === 1;
  return wanted.some((sense) =>
    one.senses.some(
      (told) =>
        isSame(sense, told) &&
        (asked.isUnreal || isUnreal(one, { first: told.at, last: told.at }) === undefined) &&
        isTurned(asked.stated, sense.at) === isTurned(one, told.at),
    ),
  );
}

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
  if (found.stance === "contradict") {
    const isPlan = found.reasons[0]?.startsWith(DIFFERENT) && /\b(?:approval|permission|planned|designed|licen[cs]ed|forecast|expected|built) (?:for|to)\b/i.test(one.text);
    return isPlan ? settles("it tells of what was planned") : found;
  }
  if (timeOf(asked.times, timesIn(one.text)) === "differ") return settles("it tells of another time");
  return isSaid(asked, one) ? found : settles("it does not say that as a fact");
}
