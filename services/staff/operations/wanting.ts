import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { stem } from "../../../core/text/words/stem.ts";

/** An operation on one record beyond its method: `POST /api/gates/:id/approve` approves, and creates nothing. */
export const isAct = ({ method, path }: PublishedEndpoint): boolean => method === "POST" && path.includes("/:");

const verbs = (list: string, methods: readonly string[]): [string, readonly string[]][] =>
  list.split(" ").map((verb) => [stem(verb), methods]);
/** By which methods what a verb asks for is done. */
const METHODS = new Map<string, readonly string[]>([
  ...verbs("see show view read list find look check search count compare download export preview inspect know browse", [
    "GET",
  ]),
  ...verbs(
    "upload create make add register issue propose encrypt decrypt sign start send invite approve reject generate verify open enrol import submit merge run execute join subscribe restore begin launch stop cancel pause resume undo ask report offer pay deliver accept block log",
    ["POST"],
  ),
  ...verbs("delete remove erase drop", ["DELETE"]),
  ...verbs("change edit rename update set replace rewrite", ["PUT", "PATCH", "POST"]),
  ...verbs("switch turn", ["PUT", "PATCH", "POST"]),
]);
const CREATING = new Set("add create make register upload".split(" ").map(stem));
/** What somebody wants to do: "how do I add", "a way to undo", "an endpoint for creating". */
const WANTED = /\b(?:to|for|i|we|you|one|please|and)\s+(\p{L}+)/giu;
const ASKED_TO = { method: 1.1, other: 0.95, creating: 1.15 };

export interface Wanted {
  /** By which what is wanted is done, where a verb says it. */
  methods?: readonly string[];
  isCreating: boolean;
}

export function wantedIn(question: string): Wanted {
  for (const [, verb] of question.matchAll(WANTED)) {
    const own = stem(verb!.toLowerCase());
    const methods = METHODS.get(own);
    if (methods) return { methods, isCreating: CREATING.has(own) };
  }
  return { isCreating: false };
}

const SHORT = 0.1;
/** Of operations with the same words those that do what a verb asks for come first, then those with the shorter path. */
export function favour(endpoint: PublishedEndpoint, { methods, isCreating }: Wanted): number {
  const { method, path } = endpoint;
  const fits = !methods ? 1 : methods.includes(method) ? ASKED_TO.method : ASKED_TO.other;
  const isMade = isCreating && method === "POST" && !isAct(endpoint);
  return (fits * (isMade ? ASKED_TO.creating : 1)) / (1 + SHORT * path.split("/").length);
}
