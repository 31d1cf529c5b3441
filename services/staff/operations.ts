import type { z } from "zod";
import { published, type PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { isShape, type Host, type MeshService } from "../../core/contract/endpoint.ts";
import { rankTerms } from "../../core/text/searching/relevance.ts";
import { terms } from "../../core/text/words/terms.ts";

/** What is asked is how something is done here, not what is the case. */
const HOW_TO =
  /\b(?:how (?:do|can|could|would|should|to|does one)|where (?:do|can)|which (?:call|endpoint|operation|path|request))\b/i;
const MOST = 3;
const MOST_FIELDS = 12;

/** What people call an operation of each method, whatever its own words are. */
const CALLED = {
  GET: "list show read see find get",
  POST: "add create make new",
  PUT: "change set replace",
  PATCH: "change edit update set",
  DELETE: "delete remove",
} as const;

/** A service of the staff, which knows the services of the whole mesh. */
export interface StaffHost extends Host {
  meshServices(): readonly MeshService[];
}

interface Described {
  endpoint: PublishedEndpoint;
  terms: readonly string[];
}

const described = new WeakMap<readonly MeshService[], readonly Described[]>();

/** An operation on one record that is no method of its own: `POST /api/gates/:id/approve` approves, and makes nothing. */
const isAct = ({ method, path }: PublishedEndpoint): boolean => method === "POST" && path.includes("/:");

function describe(services: readonly MeshService[]): readonly Described[] {
  const known = described.get(services);
  if (known) return known;
  const made = services
    .flatMap((service) => [...published(service)])
    .map((endpoint) => {
      const called = isAct(endpoint) ? "" : CALLED[endpoint.method];
      const path = endpoint.path.replace(/:\w+/g, "").replace(/[/-]+/g, " ");
      return { endpoint, terms: terms(`${endpoint.contract.summary} ${path} ${called}`) };
    });
  described.set(services, made);
  return made;
}

/** Whether somebody asks how something is done here. */
export const asksHow = (question: string): boolean => HOW_TO.test(question);

/** The operations that a question about how something is done may mean, the likeliest first; none for other questions. */
export const operationsFor = (question: string, services: readonly MeshService[]): PublishedEndpoint[] =>
  asksHow(question) ? likeliest(terms(question), services, 1) : [];

/** The operations whose words hold most of a question's; what it puts in quotes is a name. */
export function operationsNear(question: string, services: readonly MeshService[]): PublishedEndpoint[] {
  const asked = [...new Set(terms(question.replace(/["“”„«»][^"“”„«»]*["“”„«»]/g, " ")))];
  return likeliest(asked, services, Math.floor(asked.length / 2) + 1);
}

/** The operations that hold so many of the terms, by how well they fit. */
function likeliest(asked: readonly string[], services: readonly MeshService[], least: number): PublishedEndpoint[] {
  const all = describe(services);
  const scores = rankTerms(
    asked,
    all.map((one) => one.terms),
  );
  return all
    .map(({ endpoint, terms: words }, at) => ({ endpoint, words, score: scores[at]! }))
    .filter(({ score, words }) => score > 0 && asked.filter((term) => words.includes(term)).length >= least)
    .sort((one, other) => other.score - one.score || one.endpoint.path.length - other.endpoint.path.length)
    .slice(0, MOST)
    .map(({ endpoint }) => endpoint);
}

/** An operation in words: what it does, where, and what it takes. */
export function operationInWords({ method, path, contract }: PublishedEndpoint): string {
  const where = `${method} ${path.replace(/:(\w+)/g, "{$1}")}`;
  const body = isShape(contract.body) ? Object.entries(contract.body) : [];
  const takes = body
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
    .slice(0, MOST_FIELDS)
    .map(([name]) => `\`${name}\``);
  return `${contract.summary}: ${where}.${takes.length ? ` It needs ${takes.join(", ")}.` : ""}`;
}
