import { SaxesParser, type SaxesTagPlain } from "saxes";
import { badRequest, tooLarge } from "../../../../core/problem.ts";
import { declaredBy, Detail, refusalOfTag, type Attributes } from "./detail.ts";
import { isOther } from "./reports.ts";
import { readSymbol } from "../symbols/symbols.ts";
import type { SymbolTables } from "../symbols/tables.ts";

/** Events of one body. */
export const MOST_EVENTS = 1_000;
/** What Cursor on Target writes for a figure that nobody knows. */
const UNKNOWN = 9_999_999;

type Given = Record<string, unknown>;

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
  readonly detail = new Detail();

  constructor(all: Attributes) {
    const { uid, type, how, time, start, stale } = all;
    const others = Object.entries(all).filter(([name]) => isOther(name));
    const attributes = others.length ? Object.fromEntries(others) : undefined;
    this.given = present({ uid, type, how, time, start, stale, attributes });
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

  /** An element of the detail, or inside of one. */
  open(name: string, attributes: Attributes): void {
    if (this.detail.depth === 0) {
      if (name === "contact" && attributes["callsign"]) this.given["name"] = attributes["callsign"];
      if (name === "link" && attributes["uid"] && this.given["type"] === "t-x-d-d")
        this.given["removes"] = attributes["uid"];
    }
    this.detail.open(name, attributes);
  }

  end(): Given {
    const detail = this.detail.end();
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
  /** Namespaces that the elements around the detail declare. */
  const declared: Attributes[] = [];
  /** The event that is being read, and how deep its element and that of its detail lie: 0 where there is none. */
  let event: Event | null = null;
  let [eventAt, detailAt] = [0, 0];
  const parser = new SaxesParser({ fragment: true });
  const refuse = (message: string): never => {
    throw badRequest(`The body is no XML of Cursor on Target: line ${parser.line}: ${message}`);
  };
  parser.on("error", (error) => refuse(error.message.replace(/^\d+:\d+: /, "")));
  parser.on("doctype", () => refuse("no document type is declared here."));
  parser.on("opentag", (tag) => {
    const { name } = tag;
    const attributes = tag.attributes as SaxesTagPlain["attributes"];
    const refusal = refusalOfTag(open.length, attributes);
    if (refusal) refuse(refusal);
    open.push(name);
    if (detailAt) return event!.open(name, attributes);
    declared.push(declaredBy(attributes));
    if (event && open.length > eventAt + 1) return;
    if (event && name === "point") event.point(attributes);
    else if (event && name === "detail") {
      detailAt = open.length;
      event.detail.declared = Object.assign({}, ...declared) as Attributes;
    } else if (!event && name === "event") {
      if (events.length >= MOST_EVENTS) throw tooLarge(`The body has more than ${MOST_EVENTS} events.`);
      event = new Event(attributes);
      eventAt = open.length;
    } else if (!event && !(name === "events" && open.length === 1)) refuse(`an element \`${name.slice(0, 60)}\`.`);
  });
  parser.on("text", (said) => {
    if (detailAt) event!.detail.text(said);
  });
  parser.on("cdata", (said) => {
    if (detailAt) event!.detail.text(said);
  });
  parser.on("closetag", ({ name }) => {
    const at = open.length;
    open.pop();
    if (detailAt && at > detailAt) return event!.detail.close(name);
    declared.pop();
    if (at === detailAt) detailAt = 0;
    else if (event && at === eventAt) {
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
