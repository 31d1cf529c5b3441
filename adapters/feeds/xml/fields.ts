import { isUtf8 } from "node:buffer";
import { parseDate } from "../dates.ts";
import type { Markup } from "../draft.ts";
import type { Element } from "./xml-element.ts";

/**
 * The children of an element by name; those of a media:group count as its own (Media RSS groups renditions of one
 * thing).
 */
export class Fields {
  readonly #byName = new Map<string, Element[]>();

  constructor(element: Element) {
    this.#add(element.children);
  }

  #add(children: readonly Element[]): void {
    for (const child of children) {
      const same = this.#byName.get(child.name);
      if (same) same.push(child);
      else this.#byName.set(child.name, [child]);
      if (child.name === "media:group") this.#add(child.children);
    }
  }

  all(...names: string[]): Element[] {
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  /** The text of the first element that has any. */
  text(...names: string[]): string | undefined {
    for (const name of names) {
      for (const element of this.#byName.get(name) ?? []) {
        const text = element.text.trim();
        if (text) return text;
      }
    }
    return undefined;
  }

  markup(...names: string[]): Markup | undefined {
    for (const name of names) {
      for (const element of this.#byName.get(name) ?? []) {
        const markup = markupOf(element);
        if (markup) return markup;
      }
    }
    return undefined;
  }

  /** The type of a body that is there and cannot be read as text: a picture, a document of another program. */
  unread(): string | undefined {
    const body = this.all("content", "atom:content").find((element) => element.text.trim() && !markupOf(element));
    return body?.attributes["type"]?.slice(0, 40);
  }

  /** The first date that can be read. */
  date(...names: string[]): number | undefined {
    for (const name of names) {
      for (const element of this.#byName.get(name) ?? []) {
        const at = parseDate(element.text);
        if (at !== undefined) return at;
      }
    }
    return undefined;
  }
}

const looksLikeHtml =
  /<\/?(?:p|br|a|b|i|em|strong|div|span|img|ul|ol|li|h[1-6]|table|blockquote|figure)(?:[\s/][^<>]*)?>/i;

/**
 * Atom says what its text is (RFC 4287, 3.1 and 4.1.3; Atom 0.3 by MIME type and mode); RSS never does, and means HTML.
 */
function markupOf(element: Element): Markup | undefined {
  const { bases, attributes } = element;
  if (element.markup) return element.markup.trim() ? { value: element.markup, kind: "html", bases } : undefined;
  const type = attributes["type"]?.trim().toLowerCase();
  const value = isBase64(attributes["mode"], type) ? fromBase64(element.text) : element.text;
  if (!value?.trim()) return undefined;
  const plain =
    type === "text" || type === "plain" || type === "text/plain" || (type === undefined && atomic.has(element.name));
  // Publishers forget the type: text full of tags is HTML all the same.
  return { value, kind: plain && !looksLikeHtml.test(value) ? "text" : "html", bases };
}
/** Atom 0.3 says it by mode; in 1.0 whatever is neither text nor XML by its MIME type is Base64 (RFC 4287, 4.1.3.3). */
const isBase64 = (mode: string | undefined, type: string | undefined): boolean =>
  mode === "base64" || (type !== undefined && type.includes("/") && !/^text\/|[/+]xml(?:;|$)/.test(type));

/** Text that was given in Base64; undefined where it decodes to no text, as a picture does. */
function fromBase64(written: string): string | undefined {
  const digits = written.replaceAll(/\s+/g, "");
  if (!/^[\w+/-]+={0,2}$/.test(digits)) return undefined;
  const bytes = Buffer.from(digits, "base64");
  const text = isUtf8(bytes) ? bytes.toString("utf8") : "";
  // oxlint-disable-next-line no-control-regex
  return /^[^\0-\x08\x0e-\x1f]+$/.test(text) ? text : undefined;
}

/** Names that only Atom has, where no type means plain text. */
const atomic = new Set([
  "summary",
  "content",
  "subtitle",
  "atom:title",
  "atom:summary",
  "atom:content",
  "media:title",
  "media:description",
  "itunes:summary",
  "itunes:subtitle",
  "itunes:title",
]);
