import type { z } from "zod";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { isShape, type MeshService } from "../../../core/contract/endpoint.ts";
import { beginning, operationsIn, type Match, type Operations } from "./finding.ts";

const MOST_FIELDS = 12;

/** "I", whoever asks. */
const ONE = String.raw`(?:i|we|you|one|someone|somebody)\b`;
const LOOKED_UP = String.raw`(?:see|find|look|read|check|enter|note|report|record|change|set|add|put|get|say|tell|let)\b`;
/** Asks how something is done here, not for facts. */
const HOW_TO = [
  new RegExp(String.raw`\bhow (?:do|can|could|would|should|might|am|are) ${ONE}`, "i"),
  /\bhow (?:to\b|does one\b|is one\b|(?:is|are|does) (?:it|this|that|they|these|those)\b.{0,40}\b(?:done|made|set|entered|changed|hooked|get)\b)/i,
  /\bhow(?:'s| is| are) (?:it|that|this|they)? ?(?:done|set up|made|entered|changed)\b/i,
  /[,;:] ?(?:how|where)\?? *$/i,
  new RegExp(String.raw`\bwhere (?:do|can|could|would|should|might) ${ONE} ${LOOKED_UP}`, "i"),
  /\b(?:which|what|what's the|is there an?) (?:api )?(?:call|endpoint|operation|path|request|route|command)\b/i,
  /\b(?:is|isn't) there (?:a|any|some) (?:way|means|possibility|call|endpoint|place where)\b|\b(?:any|some|a) (?:way|chance) (?:to|of)\b/i,
  new RegExp(String.raw`\bwhat (?:do|can|should|must) ${ONE} (?:do|use|call|send|need|have to)\b`, "i"),
];

/** Whether somebody asks how something is done here. */
export const asksHow = (question: string): boolean => HOW_TO.some((form) => form.test(question));

/** How requests for an action begin. */
const PLEASE = /^(?:(?:please|now|(?:can|could|will|would) you|i (?:want|would like) (?:you )?to)\b[\s,]*)+/i;
/** After a verb, the beginning of its object. */
const OBJECT = /^(?:an?|the|this|that|these|those|all|each|every|another|new|my|our|its|their|["'“„«])/i;

/** The verb and object of a request; undefined for a question about facts. */
function orderOf(said: string, operations: Operations): { verb: string; object: string } | undefined {
  const asked = said.trim().replace(PLEASE, "");
  const verb = beginning(asked);
  if (verb === undefined || !asked.toLowerCase().startsWith(verb)) return undefined;
  const object = asked.slice(verb.length).trimStart();
  return OBJECT.test(object) && operations.isOrder(verb) ? { verb, object } : undefined;
}

const endpointsOf = (found: readonly Match[]): PublishedEndpoint[] => found.map(({ endpoint }) => endpoint);

/**
 * The operations that a request may mean ("Open a mission called …"), the likeliest first: those named by its verb that
 * concern its object. Undefined where the text asks a question.
 */
export async function operationsOrdered(
  said: string,
  services: readonly MeshService[],
): Promise<PublishedEndpoint[] | undefined> {
  const operations = await operationsIn(services);
  const order = orderOf(said, operations);
  return order && endpointsOf(operations.find(order.object, { verb: order.verb }).filter(({ shared }) => shared > 0));
}

/** "Which request", "the endpoint for": what is asked for, not what it is about. */
const CALLS =
  /\b(?:(?:which|what|the|an?) )?(?:api )?(?:calls?|endpoints?|operations?|paths?|requests?|routes?)\b(?= (?:to|for|do|does|did|is|are|can|that|which|gives?|tells?|shows?|lets?|posts?|would|i|we)\b)/gi;
/** Questions about facts: what may help with one reads. */
const FACTS =
  /^(?:who|whose|where|when|how (?:many|much|long|far|often|old|big|high)|what (?:is|are|was|were)|is|are|was|were|does|do|did|has|have|had)\b(?! there (?:a|an|any|some) (?:way|means|possibility|call|endpoint|place)\b)/i;

/** Less of a question than this is no match for it. */
const LEAST = { how: 0.34, near: 0.45, shared: 0.33 };
const QUOTED = /["“”„«»][^"“”„«»]*["“”„«»]/g;

/** The operations that a "how" question may mean, the likeliest first; none for other questions. */
export async function operationsFor(question: string, services: readonly MeshService[]): Promise<PublishedEndpoint[]> {
  if (!asksHow(question)) return [];
  const found = (await operationsIn(services)).find(question.replace(CALLS, " "));
  return found[0] && found[0].score >= LEAST.how ? endpointsOf(found) : [];
}

/** The operations whose words contain most of a question's; quoted words are a name. */
export async function operationsNear(question: string, services: readonly MeshService[]): Promise<PublishedEndpoint[]> {
  const found = (await operationsIn(services)).find(question.replace(QUOTED, " ").replace(CALLS, " "), {
    isReading: FACTS.test(question.trim()),
  });
  const [best] = found;
  return best && best.score >= LEAST.near && best.shared >= LEAST.shared ? endpointsOf(found) : [];
}

/** An operation in words: what it does, its address, and its input. */
export function operationInWords({ method, path, contract }: PublishedEndpoint): string {
  const where = `${method} ${path.replace(/:(\w+)/g, "{$1}")}`;
  const body = isShape(contract.body) ? Object.entries(contract.body) : [];
  const takes = body
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
    .slice(0, MOST_FIELDS)
    .map(([name]) => `\`${name}\``);
  return `${contract.summary}: ${where}.${takes.length ? ` It needs ${takes.join(", ")}.` : ""}`;
}
