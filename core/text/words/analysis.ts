/**
 * Analysis of text and queries for search, shared by every index: both engines store and look up the tokens made here,
 * so that they match the same by construction. English words are stemmed (Snowball English, "Porter2"); words of other
 * scripts, names of sources and domains are only folded.
 */
import type { Field, QueryNode, SearchDocument } from "../../records/reading/search.ts";
import { lazily, lexicon } from "../lexicon.ts";
import { stem } from "./stem.ts";
import { FORM, Vocabulary } from "./vocabulary.ts";
import { words } from "./words.ts";

/** Raised whenever the same text would be indexed differently: an index of another version must be rebuilt. */
export const ANALYSIS_VERSION = 2;

/** How many characters of one article are searched; the rest of a longer text is stored but not found. */
export const SEARCHED_CHARACTERS = 500_000;

/** The tokens of a running text, in order. */
export const tokens = (text: string): string[] => words(text).map((word) => stem(word.text));

export interface AnalysedText {
  /** Stems in order, for terms and phrases. */
  tokens: string[];
  /** The distinct folded words that differ from their stem, for prefix searches. */
  forms: string[];
}

let known: Vocabulary | undefined;
/**
 * This process's vocabulary. A full one is replaced by a new one; holders of its ids keep the old one as long as they
 * need it.
 */
export const vocabulary = (): Vocabulary => (known && !known.isFull ? known : (known = new Vocabulary()));

/** Tokens and forms of a text in one pass. */
export function analyseText(text: string): AnalysedText {
  const met = vocabulary();
  const found: string[] = [];
  const forms = new Set<number>();
  for (let word = 0, count = met.analyse(text); word < count; word++) {
    const form = met.found[2 * word + 1]!;
    found.push(met.terms[met.found[2 * word]!]!);
    if (form >= 0) forms.add(form);
  }
  return { tokens: found, forms: Array.from(forms, (form) => met.terms[form]!.slice(0, -FORM.length)) };
}

/** Names (of sources, of domains) are not stemmed: "The Times" is not "The Time". */
export const nameTokens = (name: string): string[] => words(name).map((word) => word.text);

/** The text that is searched and quoted: the whole text, after the summary if that adds something. */
export function searchedBody({ text, summary }: Pick<SearchDocument, "text" | "summary">): string {
  const gist = summary.trim().replace(/(?:\.\.\.|…)$/, "");
  const body = gist === "" || text.includes(gist) ? text : text === "" ? summary : `${summary}\n\n${text}`;
  return body.length > SEARCHED_CHARACTERS ? body.slice(0, SEARCHED_CHARACTERS) : body;
}

/** A leaf of a query with its tokens; several tokens must be adjacent. Without tokens it matches nothing. */
export interface Leaf {
  kind: "leaf";
  field?: Field;
  tokens: string[];
  /** The one token is the beginning of a word or of its stem. */
  prefix: boolean;
  /**
   * Counts in the ranking and decides where the snippet is cut. A prefix never does, since its frequency is unknown.
   */
  ranked: boolean;
}
export type Analysed =
  | Leaf
  | { kind: "not"; node: Analysed }
  | { kind: "and"; nodes: Analysed[] }
  | { kind: "or"; nodes: Analysed[] };

/** Stems of function words, except "US" and "May", which fold to such. */
const grammar = lazily(
  () => new Set(lexicon.functionWords.stop.filter((word) => word !== "us" && word !== "may").map(stem)),
);

const isOneLetter = (token: string): boolean => token.length === 1 && /^[a-z]$/.test(token);
/**
 * Required words that say little about how well an article matches: single letters and function words. They are
 * searched like any other, but do not count in the ranking. Numbers do count, and a CJK character is a word.
 */
const tellsLittle = (token: string): boolean => grammar().has(token) || isOneLetter(token);

/** "the", "of" as words of their own: a snippet that marked each of them would show nothing else. */
export const isFunctionWord = (leaf: Leaf): boolean =>
  leaf.tokens.length === 1 && !leaf.prefix && grammar().has(leaf.tokens[0]!);

function leafOf(node: Extract<QueryNode, { kind: "term" | "phrase" }>): Leaf {
  const isName = node.field === "source" || node.field === "domain";
  const prefix = node.kind === "term" && node.prefix === true;
  const found = isName || prefix ? nameTokens(node.text) : tokens(node.text);
  const ranked = !isName && !prefix && found.length > 0 && (found.length > 1 || !tellsLittle(found[0]!));
  return {
    kind: "leaf",
    ...(node.field && { field: node.field }),
    tokens: found,
    prefix: prefix && found.length === 1,
    ranked,
  };
}

function analyseNode(node: QueryNode): Analysed {
  switch (node.kind) {
    case "not":
      return { kind: "not", node: analyseNode(node.node) };
    case "and":
    case "or":
      return { kind: node.kind, nodes: node.nodes.map(analyseNode) };
    default:
      return leafOf(node);
  }
}

/** The leaves that can make a document match: all except those under an exclusion. */
export function positiveLeaves(tree: Analysed): Leaf[] {
  if (tree.kind === "leaf") return [tree];
  return tree.kind === "not" ? [] : tree.nodes.flatMap(positiveLeaves);
}

/**
 * The syntax tree with each word analysed like those of documents. If a query has only words that say little, they do
 * count in the ranking.
 */
export function analyseQuery(tree: QueryNode): Analysed {
  const analysed = analyseNode(tree);
  const leaves = positiveLeaves(analysed).filter((leaf) => leaf.field === undefined || leaf.field === "title");
  if (!leaves.some((leaf) => leaf.ranked))
    for (const leaf of leaves) leaf.ranked = leaf.tokens.length > 0 && !leaf.prefix;
  return analysed;
}

/**
 * Whether the tree matches, given which leaves do; collects the leaves that made it match (never one of an exclusion).
 */
export function treeMatches(tree: Analysed, has: (leaf: Leaf) => boolean, because: Set<Leaf> = new Set()): boolean {
  switch (tree.kind) {
    case "leaf": {
      const found = has(tree);
      if (found) because.add(tree);
      return found;
    }
    case "not":
      return !treeMatches(tree.node, has);
    case "and":
    case "or": {
      const reasons = tree.nodes.map((node) => ({ own: new Set<Leaf>(), node }));
      const kept = reasons.filter(({ own, node }) => treeMatches(node, has, own));
      const whole = tree.kind === "and" ? kept.length === reasons.length : kept.length > 0;
      if (whole) for (const { own } of kept) for (const leaf of own) because.add(leaf);
      return whole;
    }
  }
}
