/** A syntax tree of the query language written back: in the language itself (normal form) and in words. */
import type { QueryNode } from "../../records/reading/search.ts";

const escapeTerm = (text: string): string =>
  text
    .replace(/[\\"|()*\u201c\u201d\u201e\u201f\uff02]|[\p{White_Space}\ufeff]|^-/gu, "\\$&")
    .replace(/^(title|source|domain):/i, "$1\\:");
const escapePhrase = (text: string): string => text.replace(/[\\"\u201c\u201d\u201e\u201f\uff02]/g, "\\$&");

function print(node: QueryNode, within: QueryNode["kind"] | null): string {
  switch (node.kind) {
    case "term":
      return `${node.field ? `${node.field}:` : ""}${escapeTerm(node.text)}${node.prefix ? "*" : ""}`;
    case "phrase":
      return `${node.field ? `${node.field}:` : ""}"${escapePhrase(node.text)}"`;
    case "not":
      return `-${print(node.node, "not")}`;
    case "or": {
      const alternatives = node.nodes.map((child) => print(child, "or")).join(" | ");
      return within === "not" ? `(${alternatives})` : alternatives;
    }
    case "and": {
      const all = node.nodes.map((child) => print(child, "and")).join(" ");
      return within === null ? all : `(${all})`;
    }
  }
}

/** The query in normal form; parsing it gives the same tree. The empty string for null. */
export const printQuery = (tree: QueryNode | null): string => (tree ? print(tree, null) : "");

const FIELD_NAMES = { title: "in the title", source: "in the source's name", domain: "in the domain" };

function explain(node: QueryNode, nested: boolean): string {
  switch (node.kind) {
    case "term":
    case "phrase": {
      const what = node.kind === "phrase" ? "the phrase" : node.prefix ? "a word that begins with" : "the word";
      return `${what} “${node.text}”${node.field ? ` ${FIELD_NAMES[node.field]}` : ""}`;
    }
    case "not":
      return `without ${explain(node.node, true)}`;
    case "and":
    case "or": {
      const all = node.nodes.map((child) => explain(child, true)).join(node.kind === "and" ? " and " : " or ");
      return nested ? `(${all})` : all;
    }
  }
}

/** The query in words, for help: what an article must contain to be found. */
export const explainTree = (tree: QueryNode | null): string =>
  tree ? `Articles with ${explain(tree, false)}.` : "Nothing: no word is left to search for.";
