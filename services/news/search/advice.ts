import { setImmediate as nextTurn } from "node:timers/promises";
/** What somebody who found nothing may have meant. */
import type { QueryNode } from "../../../core/records/reading/search.ts";
import { nameTokens } from "../../../core/text/words/analysis.ts";
import { FIELDS } from "../../../core/text/searching/query-language.ts";
import { printQuery } from "../../../core/text/searching/query-print.ts";
import { DOMAINS } from "../sources/events.ts";

type Term = Extract<QueryNode, { kind: "term" }>;
/** The index, as far as advice asks it. `total` of a tree; words near to one. */
export interface AdviceIndex {
  total(tree: QueryNode, filtered: boolean): Promise<number>;
  spellings(word: string): Promise<string[]>;
}
export interface Suggestion {
  q: string;
  total: number;
  reason: string;
}

/** Words looked up, and parts left out one at a time, at most: each is a search. */
const MOST_WORDS = 8;

/** The words, phrases and exclusions of a tree. */
const partsOf = (tree: QueryNode): QueryNode[] =>
  tree.kind === "and" || tree.kind === "or" ? tree.nodes.flatMap(partsOf) : [tree];
const isWord = (node: QueryNode): node is Term =>
  node.kind === "term" && node.prefix !== true && (node.field === undefined || node.field === "title");

function replaced(tree: QueryNode, by: ReadonlyMap<QueryNode, QueryNode>): QueryNode {
  const other = by.get(tree);
  if (other) return other;
  return tree.kind === "and" || tree.kind === "or"
    ? { ...tree, nodes: tree.nodes.map((node) => replaced(node, by)) }
    : tree;
}

/** Says of each `domain:` that names none which there are. */
export function unknownDomains(tree: QueryNode): string[] {
  const known = DOMAINS.map((name) => nameTokens(name));
  const all = (node: QueryNode): QueryNode[] =>
    partsOf(node).flatMap((one) => (one.kind === "not" ? all(one.node) : [one]));
  return all(tree).flatMap((node) => {
    if (node.kind !== "term" && node.kind !== "phrase") return [];
    if (node.field !== "domain") return [];
    const wanted = nameTokens(node.text);
    const isPrefix = node.kind === "term" && node.prefix === true;
    const names = known.some((tokens) =>
      tokens.some((_, at) =>
        wanted.every((token, step) => (isPrefix ? tokens[at + step]?.startsWith(token) : tokens[at + step] === token)),
      ),
    );
    return names ? [] : [`There is no domain “${node.text}”; there are ${DOMAINS.join(", ")}.`];
  });
}

/** "author:smith" is read as words, for a colon stands in many names: who meant a field is told which there are. */
export const unknownFields = (tree: QueryNode): string[] =>
  partsOf(tree).flatMap((node) => {
    const [, name] = (node.kind === "term" && !node.field && /^([a-z]{2,20}):(?!\/)/i.exec(node.text)) || [];
    if (!name) return [];
    return (FIELDS as readonly string[]).includes(name.toLowerCase())
      ? [`“${name}:” was read as a word: a field's word follows its colon at once, such as title:climate.`]
      : [`There is no field “${name}”, so that its colon was ignored; there are ${FIELDS.join(", ")}.`];
  });

const SIGNS: Readonly<Record<string, string>> = {
  AND: "words side by side must all occur anyway",
  OR: "for either of two words write a bar, a | b",
  NOT: "to exclude a word write a dash before it, -a",
};

/** "a AND b", as other engines write it, is read as three words: who meant an operator is told the sign for it. */
export const spelledOperators = (tree: QueryNode): string[] =>
  partsOf(tree).flatMap((node) =>
    node.kind === "term" && !node.field && !node.prefix && Object.hasOwn(SIGNS, node.text)
      ? [`“${node.text}” is looked for as a word; ${SIGNS[node.text]}.`]
      : [],
  );

/** The words that nothing has, replaced by the likeliest that something has. */
async function respelt(tree: QueryNode, ask: AdviceIndex): Promise<Suggestion | undefined> {
  const by = new Map<QueryNode, QueryNode>(),
    told: string[] = [];
  for (const node of partsOf(tree).filter(isWord).slice(0, MOST_WORDS)) {
    if ((await ask.total(node, false)) > 0) continue;
    const [word] = await ask.spellings(node.text);
    if (word === undefined) continue;
    by.set(node, { ...node, text: word });
    told.push(`“${word}” for “${node.text}”`);
  }
  if (by.size === 0) return undefined;
  const meant = replaced(tree, by),
    total = await ask.total(meant, true);
  return total > 0 ? { q: printQuery(meant), total, reason: `Perhaps ${told.join(", ")}.` } : undefined;
}

/** The query without the one of its parts that keeps most from being found. */
async function relaxed(tree: QueryNode, ask: AdviceIndex): Promise<Suggestion | undefined> {
  if (tree.kind !== "and") return undefined;
  const asked = tree.nodes.filter(({ kind }) => kind !== "not");
  if (asked.length < 2) return undefined;
  let best: Suggestion | undefined;
  for (const left of asked.slice(0, MOST_WORDS)) {
    const nodes = tree.nodes.filter((node) => node !== left);
    const rest: QueryNode = nodes.length === 1 ? nodes[0]! : { kind: "and", nodes };
    const total = await ask.total(rest, true);
    const reason = `No article has all of it; without ${printQuery(left)} some are found.`;
    if (total > (best?.total ?? 0)) best = { q: printQuery(rest), total, reason };
  }
  return best;
}

/** Each question in a turn of the event loop of its own: an embedded index answers at once, and there may be twenty. */
const spacedOut = (index: AdviceIndex): AdviceIndex => ({
  total: (tree, isBounded) => nextTurn().then(() => index.total(tree, isBounded)),
  spellings: (word) => nextTurn().then(() => index.spellings(word)),
});

/** What to ask instead of a query that found nothing; nothing where no near one finds anything. */
export async function suggestion(
  tree: QueryNode,
  isNarrowed: boolean,
  index: AdviceIndex,
): Promise<Suggestion | undefined> {
  const ask = spacedOut(index);
  if (isNarrowed) {
    const total = await ask.total(tree, false);
    if (total > 0) return { q: printQuery(tree), total, reason: "Without domain, from and to some are found." };
  }
  return (await respelt(tree, ask)) ?? relaxed(tree, ask);
}
