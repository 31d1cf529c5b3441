/** What a symbol is drawn as; absent where the standard leaves it open. */
export type Rendering = "Point" | "Line" | "Area";

/** One set of a standard's symbols: which entities and modifiers it knows. */
export interface SymbolSet {
  entities: ReadonlyMap<string, Rendering | undefined>;
  first: ReadonlySet<string>;
  second: ReadonlySet<string>;
}

export interface SymbolTables {
  /** By symbol set, of MIL-STD-2525D and of E. */
  digits: Record<"D" | "E", ReadonlyMap<string, SymbolSet>>;
  /** Symbols of MIL-STD-2525C, by coding scheme, battle dimension and function. */
  letters: ReadonlyMap<string, Rendering | undefined>;
}

const RENDERINGS: Readonly<Record<string, Rendering>> = {
  Point: "Point",
  Point12: "Point",
  Point17: "Point",
  Point18: "Point",
  Line: "Line",
  Axis: "Line",
  Corridor: "Line",
  Area: "Area",
  POINT: "Point",
  LINE: "Line",
  POLYGON: "Area",
};

interface Icon {
  Code: string;
  "Geometric Rendering"?: string;
}
interface Modifier {
  Code: string;
  "First Modifier"?: string;
  "Second Modifier"?: string;
}
type RawSet = { mainIcon: Icon[]; modifier1?: Modifier[]; modifier2?: Modifier[] };

/** Skips rows that only reserve a code, or stand for a range of them. */
const isReserved = (row: Modifier): boolean =>
  (row["First Modifier"] ?? row["Second Modifier"] ?? "").startsWith("{Reserved") || !/^\d{2,3}$/.test(row.Code);
const codes = (rows: readonly Modifier[] = []): Set<string> =>
  new Set(["00", ...rows.filter((row) => !isReserved(row)).map(({ Code }) => Code)]);

const setsOf = (raw: Record<string, RawSet>): Map<string, SymbolSet> => {
  const shared = raw["common"];
  return new Map(
    Object.entries(raw)
      .filter(([name]) => name !== "common")
      .map(([name, set]) => [
        name,
        {
          entities: new Map([
            ["000000", undefined],
            ...set.mainIcon.map((icon) => [icon.Code, RENDERINGS[icon["Geometric Rendering"] ?? ""]] as const),
          ]),
          first: new Set([...codes(set.modifier1), ...codes(shared?.modifier1)]),
          second: new Set([...codes(set.modifier2), ...codes(shared?.modifier2)]),
        },
      ]),
  );
};

interface Letters {
  codingscheme: string;
  battledimension: string;
  functionid: string;
  geometry?: string;
}

/** The tables of 2525C lie at several depths. */
function lettersIn(node: unknown, found: Map<string, Rendering | undefined>): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const { codingscheme, battledimension, functionid, geometry } of node as Letters[])
      found.set(`${codingscheme}${battledimension.trim()}${functionid}`, RENDERINGS[geometry ?? ""]);
    return;
  }
  for (const child of Object.values(node)) lettersIn(child, found);
}

let loaded: Promise<SymbolTables> | undefined;

/** The tables of the standards, read with the first symbol. */
export const symbolTables = (): Promise<SymbolTables> =>
  (loaded ??= (async () => {
    const [{ default: older }, { default: newest }] = await Promise.all([
      import("mil-std-2525"),
      import("milstandard-e"),
    ]);
    const letters = new Map<string, Rendering | undefined>();
    lettersIn(older.ms2525c, letters);
    return { digits: { D: setsOf(older.ms2525d), E: setsOf(newest.ms2525e) }, letters };
  })());
