import { SaxesParser, type SaxesTagPlain } from "saxes";

export const DEEPEST = 20;
export const MOST_ATTRIBUTES = 64;
/** Servers write their way into it, and take an event that has it for one that came twice. */
const WAY = "_flow-tags_";

export type Attributes = Readonly<Record<string, string>>;

const REFERENCES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** A parser makes one line end of several, and spaces of them in attributes: they are written by number. */
const escaped = (text: string, among: RegExp): string =>
  text.replace(among, (sign) => REFERENCES[sign] ?? `&#${sign.charCodeAt(0)};`);

/** Namespaces that an element declares. */
export const declaredBy = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith("xmlns:")));

/** Detail as it is kept: its elements, attributes and text as they came, without comments and the way it took. */
export class Detail {
  #written = "";
  #depth = 0;
  /** How deep the reader is inside of what is left out. */
  #leftOut = 0;
  /** Its elements themselves, without what is inside of them. */
  readonly names: string[] = [];
  /** Namespaces declared outside of it. */
  declared: Attributes = {};

  get depth(): number {
    return this.#depth;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#leftOut || name === WAY) return void this.#leftOut++;
    if (this.#depth === 0) this.names.push(name);
    const all = this.#depth++ === 0 ? { ...this.declared, ...attributes } : attributes;
    const given = Object.entries(all).map(([key, value]) => ` ${key}="${escaped(value, /[&<>"\t\n\r]/g)}"`);
    this.#written += `<${name}${given.join("")}>`;
  }

  text(text: string): void {
    if (!this.#leftOut) this.#written += escaped(text, /[&<>\r]/g);
  }

  close(name: string): void {
    if (this.#leftOut) return void this.#leftOut--;
    this.#depth--;
    this.#written += `</${name}>`;
  }

  /** Empty where there was nothing. */
  end(): string {
    return this.#written.trim();
  }
}

/** Why an element is not taken; null where it is. */
export const refusalOfTag = (depth: number, attributes: Attributes): string | null =>
  depth >= DEEPEST
    ? `elements are nested deeper than ${DEEPEST} levels.`
    : Object.keys(attributes).length > MOST_ATTRIBUTES
      ? `more than ${MOST_ATTRIBUTES} attributes.`
      : null;

/** Detail that came as text, as it is kept, with the names of its elements; or what is wrong with it. */
export function readDetail(text: string): { detail: string; names: readonly string[] } | { wrong: string } {
  const detail = new Detail();
  const parser = new SaxesParser({ fragment: true });
  const refuse = (message: string): never => {
    throw new SyntaxError(message);
  };
  parser.on("error", ({ message }) => refuse(message.replace(/^\d+:\d+: /, "")));
  parser.on("doctype", () => refuse("no document type is declared here."));
  let depth = 0;
  parser.on("opentag", ({ name, attributes }) => {
    const refusal = refusalOfTag(depth++, attributes as SaxesTagPlain["attributes"]);
    if (refusal) refuse(refusal);
    detail.open(name, attributes as SaxesTagPlain["attributes"]);
  });
  parser.on("text", (said) => detail.text(said));
  parser.on("cdata", (said) => detail.text(said));
  parser.on("closetag", ({ name }) => {
    depth--;
    detail.close(name);
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof SyntaxError) return { wrong: `This is no XML: ${error.message}` };
    throw error;
  }
  return { detail: detail.end(), names: detail.names };
}
