import type { z } from "zod";
import { published, type PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { isShape, type Host, type MeshService } from "../../core/contract/endpoint.ts";
import { rankTerms } from "../../core/text/searching/relevance.ts";
import { terms } from "../../core/text/words/terms.ts";
import { words } from "../../core/text/words/words.ts";

/** Asks how something is done here, not for facts. */
const HOW_TO =
  /\b(?:how (?:(?:do|can|could|would|should) (?:i|we|you|one)|to|does one)|where (?:do|can) (?:i|we|you|one)|which (?:call|endpoint|operation|path|request))\b/i;
const MOST = 3;
const MOST_FIELDS = 12;

/** Verbs by which people name operations of each method, beside the operation's own words. */
const CALLED = {
  GET: "list show read see find get",
  POST: "add create make new",
  PUT: "change set replace",
  PATCH: "change edit update set",
  DELETE: "delete remove",
} as const;

/** The same among its words: not "read", which is also what is read ("readings"); data is also sent. */
const NAMED = { ...CALLED, GET: "list show see find get", POST: `${CALLED.POST} send submit` } as const;

/** A service of the staff, which knows the services of the whole mesh. */
export interface StaffHost extends Host {
  meshServices(): readonly MeshService[];
}

interface Described {
  endpoint: PublishedEndpoint;
  terms: readonly string[];
  /** By which people request it. */
  verbs: readonly string[];
}

const known = new WeakMap<readonly MeshService[], readonly Described[]>();

/** An operation on one record beyond its method: `POST /api/gates/:id/approve` approves, and creates nothing. */
const isAct = ({ method, path }: PublishedEndpoint): boolean => method === "POST" && path.includes("/:");

function described(services: readonly MeshService[]): readonly Described[] {
  const before = known.get(services);
  if (before) return before;
  const made = services
    .flatMap((service) => [...published(service)])
    .map((endpoint) => {
      const called = isAct(endpoint) ? "" : NAMED[endpoint.method];
      const path = endpoint.path.replace(/:\w+/g, "").replace(/[/-]+/g, " ");
      return { endpoint, terms: terms(`${endpoint.contract.summary} ${path} ${called}`), verbs: verbsOf(endpoint) };
    });
  known.set(services, made);
  return made;
}

/** Whether somebody asks how something is done here. */
export const asksHow = (question: string): boolean => HOW_TO.test(question);

/** How requests for an action begin. */
const PLEASE = /^(?:(?:please|now|(?:can|could|will|would) you|i (?:want|would like) (?:you )?to)\b[\s,]*)+/i;
/** After a verb, the beginning of its object. */
const OBJECT = /^(?:an?|the|this|that|these|those|all|each|every|another|new|my|our|its|their|["'“„«])/i;

const beginning = (text: string): string | undefined => words(text)[0]?.text.toLowerCase();
const verbsOf = ({ contract, method }: PublishedEndpoint): string[] => [
  beginning(contract.summary.split(" ", 1)[0]!) ?? "",
  ...CALLED[method].split(" "),
];

/** The verb and object of a request; undefined for a question about facts. */
function orderOf(said: string, services: readonly MeshService[]): { verb: string; object: string } | undefined {
  const asked = said.trim().replace(PLEASE, "");
  const verb = beginning(asked);
  if (verb === undefined || !asked.toLowerCase().startsWith(verb)) return undefined;
  const object = asked.slice(verb.length).trimStart();
  const all = described(services).filter(({ verbs }) => verbs.includes(verb));
  const isOrder = OBJECT.test(object) && all.length > 0 && all.every(({ endpoint }) => endpoint.method !== "GET");
  return isOrder ? { verb, object } : undefined;
}

/**
 * The operations that a request may mean ("Open a mission called …"), the likeliest first: those named by its verb that
 * concern its object. Undefined where the text asks a question.
 */
export function operationsOrdered(said: string, services: readonly MeshService[]): PublishedEndpoint[] | undefined {
  const order = orderOf(said, services);
  return order && likeliest(terms(order.object), services, 1, ({ verbs }) => verbs.includes(order.verb));
}

/** The operations that a "how" question may mean, the likeliest first; none for other questions. */
export const operationsFor = (question: string, services: readonly MeshService[]): PublishedEndpoint[] =>
  asksHow(question) ? likeliest(terms(question), services, Math.ceil(new Set(terms(question)).size / 2)) : [];

/** The operations whose words contain most of a question's; quoted words are a name. */
export function operationsNear(question: string, services: readonly MeshService[]): PublishedEndpoint[] {
  const asked = [...new Set(terms(question.replace(/["“”„«»][^"“”„«»]*["“”„«»]/g, " ")))];
  return likeliest(asked, services, Math.floor(asked.length / 2) + 1);
}

/** The operations that contain this many of the terms, by how well they match. */
function likeliest(
  asked: readonly string[],
  services: readonly MeshService[],
  least: number,
  among: (one: Described) => boolean = () => true,
): PublishedEndpoint[] {
  const all = described(services).filter(among);
  const scores = rankTerms(
    asked,
    all.map((one) => one.terms),
  );
  return all
    .map(({ endpoint, terms: own }, at) => ({ endpoint, own, score: scores[at]! }))
    .filter(({ score, own }) => score > 0 && asked.filter((term) => own.includes(term)).length >= least)
    .sort((one, other) => other.score - one.score || one.endpoint.path.length - other.endpoint.path.length)
    .slice(0, MOST)
    .map(({ endpoint }) => endpoint);
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
