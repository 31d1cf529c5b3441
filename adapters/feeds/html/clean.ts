import { Parser } from "htmlparser2";
import { decodedAttribute, decodedText } from "../xml/entities.ts";
import { limits } from "../feed.ts";
import { allowed, between, breaks, dropped, isTracker, renamed, voidElements } from "./html-policy.ts";
import { absoluteUrl, withoutTracking } from "./links.ts";
import { escapeHtml, oneLine, PlainText } from "./plain-text.ts";

export interface Cleaned {
  /** Well-formed, every address absolute. */
  html: string;
  text: string;
  /** The first picture. */
  image?: string;
  /** Characters of the text that stand in links. */
  linked: number;
  /** A limit was met and the rest left out. */
  truncated: boolean;
}

/** Text with its entities as written: only what could begin or end a tag is escaped. */
const escapeText = (raw: string) =>
  raw.includes("<") || raw.includes(">") ? raw.replaceAll("<", "&lt;").replaceAll(">", "&gt;") : raw;
const attribute = (name: string, value: string | undefined) => (value ? ` ${name}="${escapeHtml(value)}"` : "");

/** Pictures are often loaded late by a script: the real address then stands in another attribute. */
const sourceAttributes = ["src", "data-src", "data-lazy-src", "data-original", "data-orig-file"];

function firstOfSrcset(srcset: string | undefined): string | undefined {
  return srcset?.trim().split(/[\s,]+/, 1)[0];
}

/** A picture of one pixel or none, by its size or its style. */
function isPixel({ width, height, style }: Record<string, string>): boolean {
  const tiny = (size: string | undefined) => size !== undefined && /^[01](?:px)?$/.test(size.trim());
  const rules =
    style
      ?.slice(0, 500)
      .toLowerCase()
      .split(";")
      .map((rule) => rule.replaceAll(/\s/g, "")) ?? [];
  return (
    tiny(width) ||
    tiny(height) ||
    rules.some((rule) => /^(?:display:none|visibility:hidden|(?:width|height):[01](?:px)?)$/.test(rule))
  );
}

/** Copies what the policy allows from the parser's events to HTML and plain text, in one pass. */
class Cleaner {
  html = "";
  readonly text = new PlainText();
  image: string | undefined;
  truncated = false;
  linked = 0;
  #links = 0;
  readonly #base: string;
  /** What the elements now open have been written as; empty for those passed over. */
  readonly #open: string[] = [];
  #html = "";
  #lower: string | undefined;
  /** Where the last end tag of a name stands. */
  readonly #lastEnds = new Map<string, number>();
  #droppedFrom = 0;
  /** Elements of MathML now open whose children a sign stands between, by their depth. */
  readonly #signs: { depth: number; sign: string; children: number }[] = [];
  #parser!: Parser;

  constructor(base: string) {
    this.#base = base;
  }

  run(html: string): void {
    // Entities are left as written: HTML gets them back unchanged, and only the plain text needs them decoded.
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#openTag(name, attributes),
        onclosetag: () => this.#closeTag(),
        ontext: (data) => this.#data(data),
      },
      { decodeEntities: false, recognizeSelfClosing: true, recognizeCDATA: true },
    );
    this.#html = html;
    this.#parser.write(html);
    if (this.truncated) this.#closeAll();
    else this.#parser.end();
  }

  #openTag(written: string, attributes: Record<string, string>): void {
    // The XHTML of Atom may carry a prefix.
    const local = written.includes(":") ? written.slice(written.indexOf(":") + 1) : written;
    const name = Object.hasOwn(renamed, local) ? renamed[local]! : local;
    if (this.#open.length >= limits.htmlDepth || this.html.length > limits.html * 2) return this.#stop();
    if (this.#droppedFrom === 0 && dropped.has(name) && this.#ends(name)) this.#droppedFrom = this.#open.length + 1;
    this.#sign(name);
    this.#open.push(this.#droppedFrom === 0 ? this.#write(name, attributes) : "");
  }

  /** Whether an element that goes with its content has an end: of one that was left open only the tag goes. */
  #ends(name: string): boolean {
    if (name === "script" || name === "style" || name === "template") return true;
    let last = this.#lastEnds.get(name);
    if (last === undefined) {
      this.#lower ??= this.#html.toLowerCase();
      this.#lastEnds.set(name, (last = this.#lower.lastIndexOf(`</${name}`)));
    }
    return last > this.#parser.startIndex;
  }

  #sign(name: string): void {
    const parent = this.#signs.at(-1);
    if (parent?.depth === this.#open.length && parent.children++ > 0) this.#data(parent.sign);
    const sign = between.get(name);
    if (sign) this.#signs.push({ depth: this.#open.length + 1, sign, children: 0 });
  }

  #write(name: string, attributes: Record<string, string>): string {
    this.text.breakLine(breaks.get(name));
    if (name === "td" || name === "th") this.text.space();
    if (name === "img") return this.#picture(attributes);
    if (name === "a") return this.#link(attributes);
    if (!Object.hasOwn(allowed, name)) return "";
    this.html += `<${name}${this.#kept(name, attributes)}>`;
    if (name === "pre") this.text.preformatted += 1;
    return name;
  }

  #kept(name: string, attributes: Record<string, string>): string {
    let text = "";
    for (const key of allowed[name]!) {
      const value = attributes[key];
      if (value) text += attribute(key, decodedAttribute(value).slice(0, 500));
    }
    return text;
  }

  #url(written: string | undefined): string | undefined {
    return written === undefined ? undefined : absoluteUrl(decodedAttribute(written), this.#base);
  }

  #link(attributes: Record<string, string>): string {
    const url = this.#url(attributes["href"]);
    if (!url) return "";
    const href = withoutTracking(url);
    this.#links += 1;
    this.html += `<a${attribute("href", href)}${this.#kept("a", attributes)} rel="noopener noreferrer">`;
    return "a";
  }

  #picture(attributes: Record<string, string>): string {
    if (isPixel(attributes)) return "";
    const source = this.#source(attributes);
    if (!source || isTracker(source)) return "";
    this.image ??= source;
    const size = ["width", "height"]
      .map((name) => attribute(name, /^\d{1,5}$/.exec(attributes[name] ?? "")?.[0]))
      .join("");
    this.html +=
      `<img${attribute("src", source)}${this.#kept("img", attributes)}${size} loading="lazy" ` +
      `referrerpolicy="no-referrer">`;
    return "img";
  }

  #source(attributes: Record<string, string>): string | undefined {
    for (const name of sourceAttributes) {
      const url = this.#url(attributes[name]);
      if (url) return url;
    }
    return this.#url(firstOfSrcset(attributes["srcset"] ?? attributes["data-srcset"]));
  }

  #closeTag(): void {
    if (this.truncated) return;
    if (this.#signs.at(-1)?.depth === this.#open.length) this.#signs.pop();
    const name = this.#open.pop();
    if (this.#droppedFrom > this.#open.length) this.#droppedFrom = 0;
    if (!name) return;
    if (!voidElements.has(name)) this.html += `</${name}>`;
    if (name === "a") this.#links -= 1;
    if (name === "pre") this.text.preformatted -= 1;
    if (name !== "br") this.text.breakLine(breaks.get(name));
  }

  #data(raw: string): void {
    if (this.#droppedFrom > 0 || this.truncated) return;
    this.html += escapeText(raw);
    const text = decodedText(raw);
    this.text.add(text);
    if (this.#links > 0) this.linked += oneLine(text).length;
  }

  #stop(): void {
    this.truncated = true;
    this.#parser.pause();
  }

  #closeAll(): void {
    for (const name of this.#open.reverse()) if (name && !voidElements.has(name)) this.html += `</${name}>`;
  }
}

/**
 * Sanitises HTML from outside by the allow-list of html-policy.ts and takes its plain text, in one pass over
 * htmlparser2's events. Links and pictures become absolute against `base`; tracking pixels go. Markup that is broken is
 * closed; beyond limits.html characters or limits.htmlDepth levels the rest is left out.
 */
export function cleanHtml(html: string, base: string): Cleaned {
  const cut = html.length > limits.html;
  const cleaner = new Cleaner(base);
  cleaner.run(cut ? html.slice(0, limits.html) : html);
  return {
    html: cleaner.html.trim(),
    text: cleaner.text.toString(),
    image: cleaner.image,
    linked: cleaner.linked,
    truncated: cut || cleaner.truncated,
  };
}
