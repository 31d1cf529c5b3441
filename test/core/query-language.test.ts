import fc from "fast-check";
import { explainQuery, LONGEST_QUERY, MOST_TERMS, parseQuery, printQuery } from "../../core/query-language.ts";
import type { Node } from "../../core/search.ts";

const term = (text: string, more: object = {}) => ({ kind: "term", text, ...more });
const phrase = (text: string, more: object = {}) => ({ kind: "phrase", text, ...more });
const tree = (q: string) => parseQuery(q).tree;

it.each<[string, object]>([
  ["storm", term("storm")],
  ["storm surge", { kind: "and", nodes: [term("storm"), term("surge")] }],
  ['"storm surge"', phrase("storm surge")],
  ["storm | flood", { kind: "or", nodes: [term("storm"), term("flood")] }],
  ["storm -flood", { kind: "and", nodes: [term("storm"), { kind: "not", node: term("flood") }] }],
  ['storm -"flash flood"', { kind: "and", nodes: [term("storm"), { kind: "not", node: phrase("flash flood") }] }],
  ["title:storm", term("storm", { field: "title" })],
  ['source:"harbour gazette"', phrase("harbour gazette", { field: "source" })],
  ["hydro*", term("hydro", { prefix: true })],
])("reads %s", (q, expected) => expect(tree(q)).toEqual(expected));

it("takes a hyphen inside a word for no exclusion, and an unknown field for text", () => {
  expect(JSON.stringify(tree("covid-19"))).not.toContain('"not"');
  expect(JSON.stringify(tree("colour:red"))).not.toContain('"field"');
});

it("closes what is left open, and says so", () => {
  expect(parseQuery('"storm surge')).toMatchObject({ tree: phrase("storm surge"), warnings: [expect.any(String)] });
  expect(parseQuery("(storm | flood").warnings.length).toBeGreaterThan(0);
});

it.each(["-x", '-"a b"', "-a -b", "-title:x"])("refuses %s with a message that helps", (q) => {
  expect(() => parseQuery(q)).toThrow(expect.objectContaining({ code: 400, type: "VALIDATION_ERROR", data: { details: [expect.objectContaining({ path: "q" })] } }));
});

it("refuses what is too long", () => {
  expect(() => parseQuery("x".repeat(LONGEST_QUERY + 1))).toThrow(expect.objectContaining({ code: 400 }));
  expect(() => parseQuery(Array.from({ length: MOST_TERMS + 1 }, (_, n) => `w${n}`).join(" "))).toThrow(expect.objectContaining({ code: 400 }));
});

const pieces = fc.constantFrom("storm", "flood", "a", "-", '"', "|", "(", ")", "title:", "source:", "domain:", "x:", "*", "\\", " ", "\u00a0", "\u3000", "é", "日本", "U.S.", "covid-19", "--", "''", "“");
const anything = fc.oneof(fc.string({ maxLength: 80, unit: "binary" }), fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join("")), fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(" ")));

it("any text is a query or a refusal that names q, and nothing else", () => {
  fc.assert(fc.property(anything, (q) => {
    try {
      const { tree: read, normalized, warnings } = parseQuery(q);
      expect(Array.isArray(warnings)).toBe(true);
      if (read) expect(parseQuery(normalized).tree).toEqual(read);
      expect(explainQuery(q)).toEqual(expect.any(String));
    } catch (error) {
      expect(error).toMatchObject({ code: 400, data: { details: [{ path: "q", message: expect.any(String) }] } });
    }
  }), { numRuns: 3_000 });
});

it("printing and reading again gives the same tree", () => {
  fc.assert(fc.property(anything, (q) => {
    let read: Node | null;
    try { read = parseQuery(q).tree; } catch { return; }
    if (read) expect(parseQuery(printQuery(read)).tree).toEqual(read);
  }), { numRuns: 2_000 });
});

it("takes time in proportion to the text, however it is nested", () => {
  for (const q of ["(".repeat(LONGEST_QUERY), '"'.repeat(LONGEST_QUERY), "- ".repeat(LONGEST_QUERY / 2), "a|".repeat(60), "\\".repeat(LONGEST_QUERY), `${"(a ".repeat(60)}`]) {
    try { parseQuery(q); } catch (error) { expect(error).toMatchObject({ code: 400 }); }
  }
});
