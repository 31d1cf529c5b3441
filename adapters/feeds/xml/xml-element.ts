import { decodedXml } from "./entities.ts";
import type { XmlScope } from "./xml-names.ts";

/**
 * An element of a feed. Text-bearing elements of known vocabularies have no children: their markup is cut out of the
 * source whole.
 */
export interface Element {
  /**
   * Lower case; with the vocabulary's usual prefix (`dc:date`), whatever the document calls it; without one for RSS
   * and, in an Atom feed, Atom.
   */
  name: string;
  /** Names in lower case, as written. */
  attributes: Record<string, string>;
  children: Element[];
  /** Character data directly within, entities decoded, CDATA as it stands. */
  text: string;
  /** The source between the tags, where elements stand in it; else empty. */
  markup: string;
  /** xml:base as in scope, not yet resolved against the address of the document; outermost first. */
  bases: readonly string[];
  language?: string;
}

/** An element without children and text yet. */
export function elementOf(name: string, attributes: Record<string, string>, scope: XmlScope): Element {
  return {
    name,
    attributes: attributesOf(attributes),
    children: [],
    text: "",
    markup: "",
    bases: scope.bases,
    language: scope.language,
  };
}

const nothing: Record<string, string> = Object.freeze({});

function attributesOf(written: Record<string, string>): Record<string, string> {
  let attributes: Record<string, string> | undefined;
  for (const name in written) {
    const value = written[name]!;
    attributes ??= Object.create(null) as Record<string, string>;
    attributes[name.toLowerCase()] = decodedXml(value);
  }
  return attributes ?? nothing;
}
