import type { Geometry } from "../../../../core/geo/positions.ts";
import type { Rendering, SymbolTables } from "./tables.ts";

/** MIL-STD-2525 says which field lies where; each is looked up in its table. */
const EDITIONS: Readonly<Record<string, "D" | "E">> = { "10": "D", "11": "D", "13": "E", "14": "E", "15": "E" };
const MOST_CONTEXT = { D: 2, E: 8 } as const;
const ECHELONS = new Set([
  ..."00 11 12 13 14 15 16 17 18 21 22 23 24 25 26".split(" "),
  ..."31 32 33 34 35 36 37 41 42 51 52 61 62 71 72 73".split(" "),
]);
/** Identity: pending, unknown, assumed friend, friend, neutral, suspect, hostile. */
const MOST_IDENTITY = 6;
/** Present, planned, fully capable, damaged, destroyed, full to capacity. */
const MOST_STATUS = 5;
/** Headquarters, task force and dummy, and each combination. */
const MOST_HEADQUARTERS = 7;

const AFFILIATIONS = "PUAFNSHGWMDLJKO-";
const STATUSES = "APCDXF-";
const HEADQUARTERS = "-*ABCDEFGHMN";
const SIZES = "-*ABCDEFGHIJKLMNOPQRSTUVWXY";
const ORDERS_OF_BATTLE = "-*ACGNSX";

export interface SymbolRead {
  /** What is wrong with it; null where nothing is. */
  wrong: string | null;
  rendering?: Rendering | undefined;
}

/** A symbol code, field by field against the tables of its edition: 20 or 30 digits, or 15 letters. */
export function readSymbol(code: string, tables: SymbolTables): SymbolRead {
  if (/^(?:\d{20}|\d{30})$/.test(code)) return readDigits(code, tables);
  if (/^[A-Z*-]{15}$/.test(code)) return readLetters(code, tables);
  return { wrong: "A symbol has 20 or 30 digits (MIL-STD-2525D, E), or 15 letters and hyphens (C)." };
}

function readDigits(code: string, { digits }: SymbolTables): SymbolRead {
  const edition = EDITIONS[code.slice(0, 2)];
  if (!edition) return { wrong: `There is no version ${code.slice(0, 2)}.` };
  const [context, identity, status, headquarters] = [2, 3, 6, 7].map((at) => Number(code[at]));
  if (context! > MOST_CONTEXT[edition]) return { wrong: `There is no context ${context}.` };
  if (identity! > MOST_IDENTITY) return { wrong: `There is no identity ${identity}.` };
  const set = digits[edition].get(code.slice(4, 6));
  if (!set) return { wrong: `There is no symbol set ${code.slice(4, 6)}.` };
  if (status! > MOST_STATUS) return { wrong: `There is no status ${status}.` };
  if (headquarters! > MOST_HEADQUARTERS)
    return { wrong: `There is no headquarters, task force or dummy ${headquarters}.` };
  if (!ECHELONS.has(code.slice(8, 10))) return { wrong: `There is no echelon or mobility ${code.slice(8, 10)}.` };
  const entity = code.slice(10, 16);
  if (!set.entities.has(entity)) return { wrong: `The symbol set ${code.slice(4, 6)} has no entity ${entity}.` };
  const [first, second] = [modifier(code, 16, 20), modifier(code, 18, 21)];
  if (!set.first.has(first)) return { wrong: `The symbol set ${code.slice(4, 6)} has no first modifier ${first}.` };
  if (!set.second.has(second)) return { wrong: `The symbol set ${code.slice(4, 6)} has no second modifier ${second}.` };
  return { wrong: null, rendering: set.entities.get(entity) };
}

/** Two digits; three where 30 digits name a modifier that sets have in common. */
function modifier(code: string, at: number, common: number): string {
  const prefix = code.length === 30 && code[common] !== "0" ? code[common]! : "";
  return prefix + code.slice(at, at + 2);
}

function readLetters(code: string, { letters }: SymbolTables): SymbolRead {
  const [scheme, affiliation, dimension, status] = [...code] as [string, string, string, string];
  if (!AFFILIATIONS.includes(affiliation)) return { wrong: `There is no affiliation ${affiliation}.` };
  if (!STATUSES.includes(status)) return { wrong: `There is no status ${status}.` };
  const functionId = code.slice(4, 10).replaceAll("*", "-");
  const key = `${scheme}${dimension}${functionId}`;
  if (
    !letters.has(key) &&
    !(functionId === "------" && [...letters.keys()].some((one) => one.startsWith(key.slice(0, 2))))
  )
    return { wrong: `There is no function ${functionId} of ${scheme}${dimension}.` };
  if (!HEADQUARTERS.includes(code[10]!)) return { wrong: `There is no headquarters or mobility ${code[10]}.` };
  if (!SIZES.includes(code[11]!)) return { wrong: `There is no size ${code[11]}.` };
  if (!ORDERS_OF_BATTLE.includes(code[14]!)) return { wrong: `There is no order of battle ${code[14]}.` };
  return { wrong: null, rendering: letters.get(key) };
}

const DRAWN: Readonly<Record<Geometry["type"], Rendering | undefined>> = {
  Point: "Point",
  MultiPoint: "Point",
  LineString: "Line",
  MultiLineString: "Line",
  Polygon: "Area",
  MultiPolygon: "Area",
  GeometryCollection: undefined,
};

/** What is wrong with a symbol where it stands; null where nothing is. */
export function symbolRefusal(code: unknown, geometry: Geometry | null, tables: SymbolTables): string | null {
  if (typeof code !== "string") return "A symbol is a text of digits or letters.";
  const { wrong, rendering } = readSymbol(code, tables);
  if (wrong || !rendering || !geometry) return wrong;
  const drawn = DRAWN[geometry.type];
  return drawn && drawn !== rendering
    ? `This is the symbol of ${ARTICLE[rendering]}, and the geometry is ${ARTICLE[drawn]}.`
    : null;
}
const ARTICLE: Readonly<Record<Rendering, string>> = { Point: "a point", Line: "a line", Area: "an area" };
