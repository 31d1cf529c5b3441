/**
 * Compiles an analysed query and the filters of a request into FTS5 MATCH expressions. They are built of quoted tokens alone, whatever
 * was typed: a token holds letters, digits, marks and full stops, and the signs put in front of names and filters below.
 */
import { nameTokens, type Analysed, type Leaf } from "../../core/analysis.ts";
import type { SearchDocument, SearchRequest } from "../../core/search.ts";

/** Signs that keep the tokens of names and filters apart from those of the text; all are token characters of the index. */
const SOURCE = "@", DOMAIN = "#", FILTER = "%", FORM = "~";
export const TOKEN_SIGNS = `.:${SOURCE}${DOMAIN}${FILTER}${FORM}`;
/** A token that no document holds. */
const NOWHERE = '":"';

/** Sources asked for by tokens; a longer list is looked up row by row, which costs less than a union of so many. */
export const MOST_SOURCE_TOKENS = 8;
const CONFIDENCE_STEPS = 20;

const hex = (text: string): string => Buffer.from(text).toString("hex");
const sourceToken = (id: number): string => `${FILTER}s${String(id).replace("-", "m")}`;
const domainToken = (domain: string): string => `${FILTER}d${hex(domain)}`;
const confidenceToken = (step: number): string => `${FILTER}c${step}`;
/** The highest step that a confidence reaches. Division and comparison are those of the exact check, so both agree on every bound. */
const stepOf = (confidence: number): number => {
  let step = Math.min(CONFIDENCE_STEPS, Math.max(0, Math.ceil(confidence * CONFIDENCE_STEPS)));
  while (step > 0 && step / CONFIDENCE_STEPS > confidence) step--;
  return step;
};

/**
 * What a document can be filtered by, and its names, as tokens: its domain, its source, every step its confidence reaches. The steps it does not
 * reach are filled up with step 0, so that confidence does not pass for length, which BM25 counts against.
 */
export function metaTokens({ source, domain, sourceId, confidence }: SearchDocument): string {
  const steps = Array.from({ length: CONFIDENCE_STEPS }, (_, step) => confidenceToken(step < stepOf(confidence) ? step + 1 : 0));
  const names = [...nameTokens(source).map((token) => SOURCE + token), ...nameTokens(domain).map((token) => DOMAIN + token)];
  return [...names, domainToken(domain), sourceToken(sourceId), ...steps].join(" ");
}

/** Forms are stored with a sign behind, so that the beginning of one is found and the whole is not taken for a stem. */
export const formTokens = (forms: readonly string[]): string => forms.map((form) => form + FORM).join(" ");

const quoted = (tokens: readonly string[], sign = ""): string => `"${tokens.map((token) => sign + token.replaceAll('"', '""')).join(" ")}"`;

function leafExpression({ field, tokens, prefix }: Leaf): string {
  if (tokens.length === 0) return NOWHERE;
  const star = prefix ? " *" : "";
  switch (field) {
    case "source": return quoted(tokens, SOURCE) + star;
    case "domain": return quoted(tokens, DOMAIN) + star;
    case "title": return prefix ? `{title titleforms} : ${quoted(tokens)} *` : `title : ${quoted(tokens)}`;
    default: return quoted(tokens) + star;
  }
}

const all = (expressions: readonly string[]): string => (expressions.length === 1 ? expressions[0]! : `(${expressions.join(" AND ")})`);
const any = (expressions: readonly string[]): string => (expressions.length === 1 ? expressions[0]! : `(${expressions.join(" OR ")})`);

/** The tree as a MATCH expression; a part that only excludes matches nothing (the parser makes none). */
export function matchExpression(tree: Analysed): string {
  switch (tree.kind) {
    case "leaf": return leafExpression(tree);
    case "not": return NOWHERE;
    case "or": return any(tree.nodes.map(matchExpression));
    case "and": {
      const positive = tree.nodes.filter((node) => node.kind !== "not").map(matchExpression);
      const negative = tree.nodes.flatMap((node) => (node.kind === "not" ? [matchExpression(node.node)] : []));
      if (positive.length === 0) return NOWHERE;
      return negative.length === 0 ? all(positive) : `(${all(positive)} NOT ${any(negative)})`;
    }
  }
}

/** The tree without exclusions and without the leaves that do not rank: what BM25 is computed over. Null where nothing is left. */
export function rankExpression(tree: Analysed): string | null {
  if (tree.kind === "leaf") return tree.ranked ? leafExpression(tree) : null;
  if (tree.kind === "not") return null;
  const parts = tree.nodes.map(rankExpression).filter((part) => part !== null);
  if (parts.length === 0) return null;
  return tree.kind === "and" ? all(parts) : any(parts);
}

/** As the rank expression, each leaf in the title: the articles that are about what is asked, of whatever age. */
export function titleExpression(tree: Analysed): string | null {
  if (tree.kind === "leaf") return tree.ranked ? leafExpression({ ...tree, field: "title" }) : null;
  if (tree.kind === "not") return null;
  const parts = tree.nodes.map(titleExpression).filter((part) => part !== null);
  if (parts.length === 0) return null;
  return tree.kind === "and" ? all(parts) : any(parts);
}

export interface Filters {
  /** To be joined to the match by AND. */
  match: string[];
  /** What tokens cannot tell exactly, to be checked on each row. */
  minConfidence?: number;
  sourceIds?: readonly number[];
}

/** The filters on domain, sources and confidence. An empty list of sources matches nothing. */
export function filters({ domain, sourceIds, minConfidence }: SearchRequest): Filters {
  const found: Filters = { match: [] };
  if (domain !== undefined) found.match.push(quoted([domainToken(domain)]));
  if (sourceIds && sourceIds.length <= MOST_SOURCE_TOKENS) {
    found.match.push(sourceIds.length === 0 ? NOWHERE : any(sourceIds.map((id) => quoted([sourceToken(id)]))));
  } else if (sourceIds) {
    found.sourceIds = sourceIds;
  }
  if (minConfidence !== undefined && minConfidence > 0) {
    const step = stepOf(minConfidence);
    if (step > 0) found.match.push(quoted([confidenceToken(step)]));
    if (step / CONFIDENCE_STEPS !== minConfidence) found.minConfidence = minConfidence;
  }
  return found;
}

export { all as allOf };
