import { SaxesParser, type SaxesTagPlain } from "saxes";
import { badRequest, tooLarge } from "../../../../core/problem.ts";
import { readSymbol } from "../symbols/symbols.ts";
import type { SymbolTables } from "../symbols/tables.ts";

/** Events of one body. */
export const MOST_EVENTS = 1_000;
const DEEPEST = 20;
const MOST_ATTRIBUTES = 64;
/** What Cursor on Target writes for a figure that nobody knows. */
const UNKNOWN = 9_999_999;
/** Servers write their way into it, and take an event that has it for one that came twice. */
const WAY = "_flow-tags_";

type Given = Record<string, unknown>;
type Attributes = Readonly<Record<string, string>>;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);

/** A figure; what is none is left as it came, so that it is refused under its name. */
function figure(text: string | undefined): unknown {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isNaN(value) ? text : value === UNKNOWN ? undefined : value;
}

const present = (fields: Given): Given =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** What stands on the page of an event, put together tag by tag. */
class Event {
  readonly given: Given;
  #detail = "";
  /** How deep the reader is inside of what is left out. */
  #leftOut = 0;

  constructor({ uid, type, how, time, start, stale }: Attributes) {
    this.given = present({ uid, type, how, time, start, stale });
  }

  point({ lat, lon, hae, ce, le }: Attributes): void {
    this.given["location"] = present({
      latitude: figure(lat),
      longitude: figure(lon),
      altitude: figure(hae),
      accuracy: figure(ce),
    });
    Object.assign(this.given, present({ heightAccuracy: figure(le) }));
  }

  open(name: string, attributes: Attributes): void {
    if (this.#leftOut || name === WAY) return void this.#leftOut++;
    if (name === "contact" && attributes["callsign"]) this.given["name"] = attributes["callsign"];
    if (name === "link" && attributes["uid"] && this.given["type"] === "t-x-d-d")
      this.given["removes"] = attributes["uid"];
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
    this.#detail += `<${name}${written.join("")}>`;
  }

  text(text: string): void {
    if (!this.#leftOut) this.#detail += escaped(text);
  }

  close(name: string): void {
    if (this.#leftOut) this.#leftOut--;
    else this.#detail += `</${name}>`;
  }

  end(): Given {
    const detail = this.#detail.trim();
    return detail === "" ? this.given : { ...this.given, detail };
  }
}

/**
 * The events of a body: one, several after one another as they come over a line, or in an element `events`. Throws 400,
 * naming the line, for what is no such XML or declares a document type, 413 for more than one body may have.
 */
export function readEvents(text: string): { events: Given[] } {
  const events: Given[] = [];
  const open: string[] = [];
  let event: Event | null = null;
  let inDetail = false;
  const parser = new SaxesParser({ fragment: true });
  const refuse = (message: string): never => {
    throw badRequest(`The body is no XML of Cursor on Target: line ${parser.line}: ${message}`);
  };
  parser.on("error", (error) => refuse(error.message.replace(/^\d+:\d+: /, "")));
  parser.on("doctype", () => refuse("no document type is declared here."));
  parser.on("opentag", (tag) => {
    const { name } = tag;
    const attributes = tag.attributes as SaxesTagPlain["attributes"];
    if (open.length >= DEEPEST) refuse(`elements are nested deeper than ${DEEPEST} levels.`);
    if (Object.keys(attributes).length > MOST_ATTRIBUTES) refuse(`more than ${MOST_ATTRIBUTES} attributes.`);
    open.push(name);
    if (inDetail) event!.open(name, attributes);
    else if (event && name === "point") event.point(attributes);
    else if (event && name === "detail") inDetail = true;
    else if (!event && name === "event") {
      if (events.length >= MOST_EVENTS) throw tooLarge(`The body has more than ${MOST_EVENTS} events.`);
      event = new Event(attributes);
    } else if (!event && !(name === "events" && open.length === 1)) refuse(`an element \`${name.slice(0, 60)}\`.`);
  });
  parser.on("text", (said) => {
    if (inDetail) event!.text(said);
  });
  parser.on("cdata", (said) => {
    if (inDetail) event!.text(said);
  });
  parser.on("closetag", ({ name }) => {
    open.pop();
    const ends = open.at(-1) === "event" && name === "detail";
    if (ends) inDetail = false;
    else if (inDetail) event!.close(name);
    else if (name === "event" && event) {
      events.push(event.end());
      event = null;
    }
  });
  // Several events one after the other have no one root, and so no declaration that the parser would take.
  parser.write(text.replace(/^\uFEFF?\s*<\?xml[^<>]{0,200}\?>/, "")).close();
  return { events };
}

const AFFILIATIONS = new Set("PUAFNSHJK");

/**
 * The symbol that an atom's type says, as 2525C writes it: `a-f-G-U-C-I` is `SFGPUCI--------`. Of a function that the
 * table does not have, what it has of its beginning; undefined where it has nothing.
 */
export function symbolOfType(type: string, tables: SymbolTables): string | undefined {
  const [kind, affiliation = "", dimension = "", ...functions] = type.split("-");
  if (kind !== "a") return undefined;
  const whose = affiliation.toUpperCase();
  const letters = functions.findIndex((one) => !/^[A-Z]$/.test(one));
  const known = functions.slice(0, letters < 0 ? 6 : letters).slice(0, 6);
  for (let length = known.length; length >= 0; length--) {
    const functionId = known.slice(0, length).join("").padEnd(6, "-");
    const symbol = `S${AFFILIATIONS.has(whose) ? whose : "U"}${dimension}P${functionId}-----`;
    if (readSymbol(symbol, tables).wrong === null) return symbol;
  }
  return undefined;
}
