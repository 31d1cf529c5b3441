/**
 * The query language of search (Document 1, "Search"): words are all required, `"..."` is a phrase, `|` gives
 * alternatives, `-` excludes, `title:` `source:` `domain:` limit to a field, parentheses group, `word*` matches a
 * prefix, a backslash escapes the next character. The bar binds tighter than the space, as in web search: `a b | c` is
 * a and (b or c). Any input is read as well as possible, with warnings about corrections; one pass, no regular
 * expression over the whole.
 */
import type { Field, QueryNode, Parsed } from "../../records/reading/search.ts";
import { invalid } from "../../problem.ts";
import { explainTree, printQuery } from "./query-print.ts";
import { words, type Word } from "../words/words.ts";

export const LONGEST_QUERY = 1_000;
export const MOST_TERMS = 64;
/** Depth of nested parentheses; deeper ones are ignored. */
const DEEPEST_GROUP = 20;
/**
 * Letters that `word*` needs before the star, and the most stars in one query: fewer letters would read half the index.
 */
const SHORTEST_PREFIX = 3;
const MOST_PREFIXES = 8;
export const FIELDS: readonly Field[] = ["title", "source", "domain"];
/** Straight and typographic quotation marks: pasted text may have either. */
const QUOTES = '"\u201c\u201d\u201e\u201f\uff02';

const WHITESPACE = /[\p{White_Space}\ufeff]/u;
const isWhitespace = (char: string): boolean => WHITESPACE.test(char);
const refuse = (message: string) => invalid([{ path: "q", message }], message);

const isNot = (node: QueryNode): node is Extract<QueryNode, { kind: "not" }> => node.kind === "not";
const negate = (node: QueryNode): QueryNode => (isNot(node) ? node.node : { kind: "not", node });
const flattened = (kind: "and" | "or", nodes: readonly QueryNode[]): QueryNode[] =>
  nodes.flatMap((node) => (node.kind === kind ? node.nodes : [node]));
const joined = (kind: "and" | "or", nodes: QueryNode[]): QueryNode =>
  nodes.length === 1 ? nodes[0]! : { kind, nodes };

/** The content of a pair of parentheses, or the whole query: nodes that are all required, exclusions among them. */
type Conjunction = QueryNode[];

/** The exclusion of a whole group. A group of exclusions alone requires what it excludes. */
function negateGroup(group: Conjunction): Conjunction {
  if (group.length === 0) return [];
  if (group.length > 1 && group.every(isNot)) return [joined("or", flattened("or", group.map(negate)))];
  return flattened("and", [negate(joined("and", group))]);
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #terms = 0;
  #prefixes = 0;
  /** Opening parentheses beyond DEEPEST_GROUP that are not closed yet. */
  #ignored = 0;
  readonly warnings = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Conjunction {
    return this.#group(undefined, false);
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && isWhitespace(this.#text[this.#at]!)) this.#at++;
  }

  /** Reads up to the closing parenthesis, or to the end. */
  #group(field: Field | undefined, closes: boolean): Conjunction {
    const chains: Conjunction[][] = [];
    let bar = false,
      open = false;
    for (;;) {
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char === undefined) {
        if (closes) this.warnings.add("A parenthesis was closed at the end.");
        break;
      }
      if (char === ")") {
        this.#at++;
        if (this.#ignored > 0) this.#ignored--;
        else if (closes) break;
        else this.warnings.add("A closing parenthesis without an opening one was ignored.");
      } else if (char === "|") {
        this.#at++;
        if (!open) this.warnings.add("A bar without a term on both sides was ignored.");
        bar = open;
      } else {
        const operand = this.#operand(field);
        if (operand.length > 0) {
          if (bar) chains.at(-1)!.push(operand);
          else chains.push([operand]);
        }
        open = operand.length > 0;
        bar = false;
      }
    }
    if (bar) this.warnings.add("A bar without a term on both sides was ignored.");
    return flattened(
      "and",
      chains.flatMap((chain) => this.#alternatives(chain)),
    );
  }

  /** `a | b`. An exclusion is no alternative (it would match nearly everything): it applies beside the others. */
  #alternatives(chain: Conjunction[]): Conjunction {
    if (chain.length === 1) return chain[0]!;
    const positive = chain.filter((group) => !group.every(isNot));
    const excluded = chain.filter((group) => group.every(isNot)).flat();
    if (excluded.length > 0) this.warnings.add("An exclusion beside a bar was applied to all alternatives.");
    if (positive.length === 0) return excluded;
    return [
      joined(
        "or",
        flattened(
          "or",
          positive.map((group) => joined("and", group)),
        ),
      ),
      ...excluded,
    ];
  }

  /** One term, phrase or group with its prefix signs; empty where nothing searchable follows. */
  #operand(field: Field | undefined): Conjunction {
    const hyphens = this.#hyphens();
    const char = this.#text[this.#at];
    if (char === undefined || isWhitespace(char) || char === "|" || char === ")") return [];
    const found = this.#unsigned(char, field);
    return hyphens === 1 ? negateGroup(found) : found;
  }

  /** One hyphen excludes; several are a dash. */
  #hyphens(): number {
    const from = this.#at;
    while (this.#text[this.#at] === "-") this.#at++;
    return this.#at - from;
  }

  #unsigned(char: string, field: Field | undefined): Conjunction {
    if (QUOTES.includes(char)) return this.#phrase(field);
    if (char !== "(") return this.#term(field);
    this.#at++;
    if (this.#depth === DEEPEST_GROUP) {
      this.#ignored++;
      this.warnings.add(`Parentheses nested deeper than ${DEEPEST_GROUP} were ignored.`);
      return this.#operandAfterIgnored(field);
    }
    this.#depth++;
    const group = this.#group(field, true);
    this.#depth--;
    return group;
  }

  #operandAfterIgnored(field: Field | undefined): Conjunction {
    while (this.#text[this.#at] === "(") {
      this.#ignored++;
      this.#at++;
    }
    return this.#operand(field);
  }

  #phrase(field: Field | undefined): Conjunction {
    this.#at++;
    let text = "";
    for (;;) {
      const char = this.#text[this.#at++];
      if (char === undefined) {
        this.warnings.add("A quotation mark was closed at the end.");
        break;
      }
      if (QUOTES.includes(char)) break;
      text += char === "\\" ? (this.#text[this.#at++] ?? "") : char;
    }
    if (words(text).length === 0) return [];
    this.#count();
    return [{ kind: "phrase", text, ...(field && { field }) }];
  }

  /** A word up to a space or a sign; the part before its first colon may be a field. */
  #term(field: Field | undefined): Conjunction {
    let text = "",
      escaped = false,
      stars = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]!;
      if (isWhitespace(char) || char === "|" || char === "(" || char === ")" || QUOTES.includes(char)) break;
      if (char === ":" && !escaped) {
        const inner = FIELDS.find((name) => name === text.toLowerCase());
        if (inner && this.#startsOperand(this.#at + 1)) {
          this.#at++;
          return this.#operand(inner);
        }
      }
      stars = char === "*" ? stars + 1 : 0;
      if (char !== "\\") text += char;
      else if (this.#at + 1 < this.#text.length) {
        text += this.#text[++this.#at]!;
        escaped = true;
      }
    }
    return this.#leaf(stars > 0 ? text.slice(0, -stars) : text, stars > 0, field);
  }

  #startsOperand(at: number): boolean {
    const char = this.#text[at];
    return char !== undefined && !isWhitespace(char) && char !== "|" && char !== ")";
  }

  #leaf(text: string, starred: boolean, field: Field | undefined): Conjunction {
    const found = words(text);
    if (found.length === 0) return [];
    const prefix = starred && this.#mayBePrefix(found);
    this.#count();
    return [{ kind: "term", text, ...(field && { field }), ...(prefix && { prefix }) }];
  }

  #mayBePrefix(found: readonly Word[]): boolean {
    if (found.length !== 1 || [...found[0]!.text].length < SHORTEST_PREFIX) {
      this.warnings.add(`A star was ignored: it needs one word of at least ${SHORTEST_PREFIX} letters in front of it.`);
      return false;
    }
    if (this.#prefixes === MOST_PREFIXES) {
      this.warnings.add(`A star was ignored: a query may hold at most ${MOST_PREFIXES}.`);
      return false;
    }
    this.#prefixes++;
    return true;
  }

  #count(): void {
    if (++this.#terms > MOST_TERMS) throw refuse(`A query may hold at most ${MOST_TERMS} terms.`);
  }
}

/**
 * Parses a query. Throws Problem 400 VALIDATION_ERROR (path `q`) where it only excludes, is longer than LONGEST_QUERY
 * characters or has more than MOST_TERMS terms; corrects everything else with a warning. Linear in the query's length.
 */
export function parseQuery(q: string): Parsed {
  if (q.length > LONGEST_QUERY) throw refuse(`A query may be at most ${LONGEST_QUERY} characters long.`);
  const reader = new Reader(q);
  const nodes = reader.whole();
  if (nodes.length > 0 && nodes.every(isNot)) {
    throw refuse("A query cannot only exclude. Say also what to find, for example: climate -weather.");
  }
  const tree = nodes.length > 0 ? joined("and", nodes) : null;
  return { tree, normalized: printQuery(tree), warnings: [...reader.warnings] };
}

/** A query in words; throws as parseQuery does. */
export const explainQuery = (q: string): string => explainTree(parseQuery(q).tree);
export { printQuery };
