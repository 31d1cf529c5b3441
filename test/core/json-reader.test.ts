import fc from "fast-check";
import { DEEPEST } from "../../core/contract/input/nesting.ts";
import { jsonInSteps } from "../../core/contract/input/json-reader.ts";
import { atOnce } from "../../core/work/turns.ts";

const read = (text: string, piece: number): unknown => atOnce(jsonInSteps(text, undefined, piece));

/** What comes of it: the value as text, in which the order of fields counts, or that it is none. */
function outcome(reading: () => unknown): string {
  try {
    return JSON.stringify(reading());
  } catch {
    return "none";
  }
}

const Edit = fc.record({
  at: fc.nat(),
  put: fc.constantFrom(",", "[", "]", "{", "}", '"', ":", " ", "\\", "1", "\n", ""),
  isCut: fc.boolean(),
});
const edited = (text: string, edits: readonly { at: number; put: string; isCut: boolean }[]): string =>
  edits.reduce((now, { at, put, isCut }) => {
    const place = at % (now.length + 1);
    return now.slice(0, place) + put + now.slice(place + (isCut ? 1 : 0));
  }, text);

/**
 * No backslash: V8 of Node 24 takes a key for one of the same shape that it read before where that has a backslash in it
 * (`{"x\\":1}`, then `{"x\"":1}`), and so JSON.parse could not be the measure.
 */
const Letter = fc.constantFrom(...'abz09_-"\n\t\u0001\u2028,:[]{} /%é😀');

it("reads in pieces of any length what JSON.parse reads, and refuses what it refuses", () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 6, stringUnit: Letter }),
      fc.nat({ max: 40 }),
      fc.nat({ max: 3 }),
      fc.array(Edit, { maxLength: 3 }),
      (json, piece, indent, edits) => {
        const text = edited(JSON.stringify(JSON.parse(json), null, indent), edits);
        expect(outcome(() => read(text, piece))).toBe(outcome(() => JSON.parse(text)));
      },
    ),
    { numRuns: 3_000 },
  );
});

it.each([
  '{"__proto__":{"a":[1,2,3]},"b":1}',
  '{"a":1,"a":[1,2,3],"b":2,"a":5}',
  '{"5":1,"1":[1,2,3],"a":0}',
  '{"a\\\\":[1,2,3],"b\\\\\\"":"\\\\","c":"\\u005c\\\\"}',
  "[[1,2],[3,4] [5,6]]",
  "[[1,2]{}]",
  '"x" [1,2,3]',
  "[1,2,3] x",
  "[1,2,]",
  "[,1]",
  "[1,2}",
  '{"a":[1,2],}',
  '{"a" [1,2]}',
  "{1:[1,2]}",
  '{"a":"b":[1,2]}',
  " [ ] ",
  "1,2",
  "",
])("takes %s as JSON.parse does", (text) => {
  for (const piece of [0, 1, 2, 5, 100]) expect(outcome(() => read(text, piece))).toBe(outcome(() => JSON.parse(text)));
  expect({}).not.toHaveProperty("a");
});

it("shows each part once, with where it lies", () => {
  const shown: [unknown, string][] = [];
  const text = '{"rows":[{"a":1},{"b":2},{"c":[3,4,5]}],"end":"here"}';
  atOnce(jsonInSteps(text, (part, path) => shown.push([part, path.join(".")]), 6));
  expect(shown.filter(([part]) => !Array.isArray(part) || part.length)).toEqual(
    expect.arrayContaining([
      [{ rows: {} }, ""],
      [[{ a: 1 }], "rows"],
      [[{ b: 2 }], "rows"],
      [{ end: "here" }, ""],
    ]),
  );
});

it("says where a text stops to be JSON, and that it is nested too deep", () => {
  const long = Array.from({ length: 50 }, (_, n) => `  ${n}`);
  const lines = `[\n${long.join(",\n")},\n  1 2\n]`;
  for (const piece of [20, 10_000]) {
    expect(() => read(lines, piece)).toThrow(/look at line 52, column 5/);
    expect(() => read(lines.slice(0, 100), piece)).toThrow(/ends too early/);
    expect(() => read(`${"[".repeat(DEEPEST + 1)}${"]".repeat(DEEPEST + 1)}`, piece)).toThrow(/nested deeper/);
  }
});
