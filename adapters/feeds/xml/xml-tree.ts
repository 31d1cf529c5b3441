import { Parser } from "htmlparser2";
import { decodedXml } from "./entities.ts";
import { besideTitle, identifying, itemNames, roots, textual, type FeedFormat } from "./feed-elements.ts";
import { FeedError, limits } from "../feed.ts";
import { elementOf, type Element } from "./xml-element.ts";
import { nameIn, scopeOf, type XmlScope } from "./xml-names.ts";

/** Called by the reader while it reads. */
export interface TreeHandler {
  /** A complete item; the element is not kept. */
  item(element: Element): void;
}

export interface Tree {
  format: FeedFormat;
  /** The channel or feed without its items. */
  channel: Element;
  /** Whether the end tag of the root was read. */
  isWhole: boolean;
  warnings: string[];
}

interface Open {
  written: string;
  element: Element;
  scope: XmlScope;
  innerStart: number;
  marked: boolean;
}

const cdata = /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g;
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Signals that the document is a web page. */
class HtmlPage extends Error {}

/** Turns the events of a forgiving XML parser into elements, and hands out each item as soon as it ends. */
class TreeReader {
  readonly warnings: string[] = [];
  channel: Element | undefined;
  format: FeedFormat | undefined;
  readonly #source: string;
  readonly #handler: TreeHandler;
  readonly #stack: Open[] = [];
  #parser!: Parser;
  #inCdata = false;
  /** How many elements are open within a textual one. */
  #skipped = 0;
  #depth = 0;
  /** The root's end tag was read. The root itself stays open: after it, everything but items is skipped. */
  #ended = false;
  #foreign = false;
  #pageDeclared = false;
  /** Of the tag that is being read. */
  #attributes = 0;
  #elements = 0;
  #capped = false;

  constructor(source: string, handler: TreeHandler) {
    this.#source = source;
    this.#handler = handler;
  }

  read(): Tree | undefined {
    this.#parser = new Parser(
      {
        onopentagname: () => {
          this.#attributes = 0;
        },
        onattribute: () => this.#countAttribute(),
        onopentag: (name, attributes) => this.#open(name, attributes),
        onclosetag: (name) => this.#close(name),
        ontext: (data) => this.#text(data),
        oncdatastart: () => {
          this.#inCdata = true;
        },
        oncdataend: () => {
          this.#inCdata = false;
        },
        onprocessinginstruction: (name, data) => this.#declaration(name, data),
      },
      { xmlMode: true, decodeEntities: false },
    );
    this.#parser.write(this.#source);
    this.#brokenOff();
    // The parser itself closes what is open, including the root.
    const isWhole = this.#ended;
    this.#parser.end();
    return this.format && this.channel
      ? { format: this.format, channel: this.channel, isWhole, warnings: this.warnings }
      : undefined;
  }

  /**
   * An item cut off within one of its elements would be stored with half a text, and one without its identifier as
   * another item; the next fetch may have it whole. If only end tags are missing, it is kept.
   */
  #brokenOff(): void {
    const at = this.#stack.findIndex(({ element }) => itemNames.has(element.name));
    if (at < 0) return;
    const betweenElements = at === this.#stack.length - 1;
    if (betweenElements && this.#stack[at]!.element.children.some(({ name }) => identifying.has(name))) return;
    this.warnings.push("The document breaks off within an item, which was left out.");
    this.#stack.length = at;
    this.#skipped = 0;
  }

  #countAttribute(): void {
    if (++this.#attributes > limits.attributes)
      throw new FeedError("malformed", `An element has more than ${limits.attributes} attributes.`);
  }

  #declaration(name: string, data: string): void {
    if (name.toLowerCase() === "!doctype" && data.includes("["))
      this.warnings.push("The document declares entities of its own; they were not expanded.");
    // Some feeds are sent under a page's DOCTYPE: the root decides.
    if (/^!doctype\s+html/i.test(data)) this.#pageDeclared = true;
  }

  #text(data: string): void {
    if (this.#skipped > 0) return;
    const top = this.#stack.at(-1);
    if (top) top.element.text += this.#inCdata ? data : decodedXml(data);
  }

  #open(written: string, attributes: Record<string, string>): void {
    if (++this.#depth > limits.depth)
      throw new FeedError("too-deep", `The document nests its elements more than ${limits.depth} deep.`);
    const top = this.#stack.at(-1);
    if (top && textual.has(top.element.name) && this.#stays(top, written)) return;
    const scope = scopeOf(this.#stack.at(-1)?.scope, attributes);
    const name = nameIn(scope, written, this.format === "atom");
    if (!this.format) return this.#root(written, name, scope, attributes);
    if (itemNames.has(name)) this.#closeOpenItem();
    else if (this.#ended && this.#stack.length === 1) return this.#readOver(written);
    else if (this.#stack.length === 1 && name === "channel") return this.#enterChannel(written, scope);
    const element = elementOf(name, attributes, scope);
    if (!itemNames.has(name)) this.#attach(element);
    else this.#elements = 0;
    return this.#push(written, element, scope);
  }

  /** Whether a tag within a textual element belongs to its text; a title that was not closed is closed instead. */
  #stays(top: Open, written: string): boolean {
    if (top.element.name === "title" && besideTitle.has(nameIn(top.scope, written, this.format === "atom"))) {
      this.#closeDownTo(this.#stack.length - 1);
      return false;
    }
    top.marked = true;
    this.#skipped += 1;
    return true;
  }

  /**
   * Text that a server or a script appends to a feed; items after an appended element that never ends are still read.
   */
  #readOver(written: string): void {
    if (this.#foreign) return;
    this.#foreign = true;
    this.warnings.push(`Behind the feed's end stands more (${written.slice(0, 40)}), which was left out.`);
  }

  /** RSS keeps its channel within the root, RDF beside the items: one element stands for both. */
  #enterChannel(written: string, scope: XmlScope): void {
    this.channel!.bases = scope.bases;
    this.channel!.language = scope.language;
    this.#push(written, this.channel!, scope);
  }

  /** The root may follow stray bytes or a warning that a script printed; `html` before it means a web page. */
  #root(written: string, name: string, scope: XmlScope, attributes: Record<string, string>): void {
    const local = name.slice(name.indexOf(":") + 1);
    if (local === "html" || local === "head" || local === "body") throw new HtmlPage();
    const format = roots.get(local);
    if (!format && this.#pageDeclared) throw new HtmlPage();
    if (!format) return;
    this.format = format;
    this.channel = elementOf("channel", attributes, scope);
    // Names cached before the format was known may carry a prefix that this format drops.
    scope.names.clear();
    this.#push(written, this.channel, scope);
  }

  #push(written: string, element: Element, scope: XmlScope): void {
    this.#stack.push({ written, element, scope, innerStart: this.#parser.endIndex + 1, marked: false });
  }

  /** Elements beyond the limit are skipped. */
  #attach(element: Element): void {
    if (this.#elements++ < limits.elements) this.#stack.at(-1)!.element.children.push(element);
    else if (!this.#capped) {
      this.#capped = true;
      this.warnings.push(
        `More than ${limits.elements} elements stand in one item or around them; the rest was left out.`,
      );
    }
  }

  /** An item within an item: the end tag of the first is missing. */
  #closeOpenItem(): void {
    const at = this.#stack.findIndex(({ element }) => itemNames.has(element.name));
    if (at >= 0) this.#closeDownTo(at);
  }

  #close(written: string): void {
    this.#depth -= 1;
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const at = this.#stack.findLastIndex((open) => open.written === written);
    // No such element is open any more: it was closed by implication.
    if (at > 0) this.#closeDownTo(at);
    else if (at === 0) {
      this.#closeDownTo(1);
      this.#ended = true;
    }
  }

  #closeDownTo(at: number): void {
    this.#skipped = 0;
    while (this.#stack.length > at) this.#finish(this.#stack.pop()!);
  }

  #finish({ element, innerStart, marked }: Open): void {
    if (marked)
      element.markup = this.#source
        .slice(innerStart, this.#parser.startIndex)
        .replace(cdata, (_, text: string) => escaped(text));
    if (itemNames.has(element.name)) {
      this.#elements = 0;
      this.#handler.item(element);
    }
  }
}

/**
 * Reads RSS, RDF and Atom as far as they can be read: unclosed, misnested and unescaped elements are mended, entities
 * of a DOCTYPE are not expanded, prefixes follow their namespaces. Items go to the handler one by one. Answers
 * undefined where the document is no feed, "html" where it is a web page; throws FeedError `too-deep` or `malformed`.
 */
export function readTree(source: string, handler: TreeHandler): Tree | "html" | undefined {
  try {
    return new TreeReader(source, handler).read();
  } catch (error) {
    if (error instanceof HtmlPage) return "html";
    throw error;
  }
}
