import fc from "fast-check";
import {
  explainQuery,
  LONGEST_QUERY,
  MOST_TERMS,
  parseQuery,
  printQuery,
} from "../../../core/text/searching/query-language.ts";
import { tokens } from "../../../core/text/words/analysis.ts";
import type { QueryNode } from "../../../core/records/reading/search.ts";

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

const not = (node: object) => ({ kind: "not", node });
const and = (...nodes: object[]) => ({ kind: "and", nodes });
const or = (...nodes: object[]) => ({ kind: "or", nodes });
it.each<[string, object, string?]>([
  // The bar binds tighter than the space.
  ["ukraine grain | wheat", and(term("ukraine"), or(term("grain"), term("wheat")))],
  ["a1|b1 c1|d1", and(or(term("a1"), term("b1")), or(term("c1"), term("d1"))), "a1 | b1 c1 | d1"],
  ["(a1 b1) | c1", or(and(term("a1"), term("b1")), term("c1"))],
  ["-(a1 | b1) c1", and(not(or(term("a1"), term("b1"))), term("c1"))],
  ["a1 -(b1 c1)", and(term("a1"), not(and(term("b1"), term("c1"))))],
  ["a1 -(-b1)", and(term("a1"), term("b1")), "a1 b1"],
  ["a1 -(-b1 -c1)", and(term("a1"), or(term("b1"), term("c1"))), "a1 b1 | c1"],
  ["(((a1) (b1)))", and(term("a1"), term("b1")), "a1 b1"],
  [
    'title:(a1 | source:b1 "c1 d1")',
    and(or(term("a1", { field: "title" }), term("b1", { field: "source" })), phrase("c1 d1", { field: "title" })),
    'title:a1 | source:b1 title:"c1 d1"',
  ],
  ["title:-a1 b1", and(not(term("a1", { field: "title" })), term("b1")), "-title:a1 b1"],
  ["TITLE:a1", term("a1", { field: "title" }), "title:a1"],
  ["title: a1", and(term("title:"), term("a1")), "title\\: a1"],
  ["title\\:a1", term("title:a1")],
  ["a1 \\-b1 c\\ d", and(term("a1"), term("-b1"), term("c d"))],
  ["“flash flood” -„big storm“", and(phrase("flash flood"), not(phrase("big storm"))), '"flash flood" -"big storm"'],
  ["Paris - London -- Rome", and(term("Paris"), term("London"), term("Rome")), "Paris London Rome"],
  ["a1 & b1 | ! c1", and(term("a1"), term("b1"), term("c1")), "a1 b1 c1"],
  ["a1\u00a0b1\u3000c1\u0085d1", and(term("a1"), term("b1"), term("c1"), term("d1")), "a1 b1 c1 d1"],
  ["f(x) 10:30", and(term("f"), term("x"), term("10:30")), "f x 10:30"],
])("reads %j as it is meant", (q, expected, normal = q) => {
  expect(parseQuery(q)).toMatchObject({ tree: expected, normalized: normal });
});

it.each<[string, string, RegExp]>([
  ["a1 | -b1", "a1 -b1", /applied to all alternatives/],
  ["a1 )", "a1", /closing parenthesis/],
  ["(a1 b1", "a1 b1", /closed at the end/],
  ["| a1 ||", "a1", /bar/],
  ["ab* c1", "ab c1", /at least 3 letters/],
  ["covid-1*", "covid-1", /one word/],
  [
    `${Array.from({ length: 9 }, (_, at) => `word${at}*`).join(" ")}`,
    "word0* word1* word2* word3* word4* word5* word6* word7* word8",
    /at most 8/,
  ],
  [`${"(".repeat(30)}a1 b1${")".repeat(30)} c1`, "a1 b1 c1", /deeper than 20/],
  ['a1 "b1', 'a1 "b1"', /quotation mark/],
])("mends %j and says so", (q, normal, warning) => {
  const { normalized, warnings } = parseQuery(q);
  expect([normalized, warnings.some((told) => warning.test(told))]).toEqual([normal, true]);
});

it.each(["", "   ", "& | !", '""', "()", "-", "-()", "*", "\\", "🌊"])("finds nothing to search for in %j", (q) =>
  expect(parseQuery(q)).toMatchObject({ tree: null, normalized: "" }),
);

it("explains a query in words", () => {
  expect(explainQuery('title:storm (flood | "high water") -rain* source:wire')).toBe(
    "Articles with the word “storm” in the title and (the word “flood” or the phrase “high water”) and without a word that begins with “rain” and the word “wire” in the source's name.",
  );
});

it("takes a hyphen inside a word for no exclusion, and an unknown field for text", () => {
  expect(JSON.stringify(tree("covid-19"))).not.toContain('"not"');
  expect(JSON.stringify(tree("colour:red"))).not.toContain('"field"');
});

it("closes what is left open, and says so", () => {
  expect(parseQuery('"storm surge')).toMatchObject({ tree: phrase("storm surge"), warnings: [expect.any(String)] });
  expect(parseQuery("(storm | flood").warnings.length).toBeGreaterThan(0);
});

it.each(["-x", '-"a b"', "-a -b", "-title:x"])("refuses %s with a message that helps", (q) => {
  expect(() => parseQuery(q)).toThrow(
    expect.objectContaining({
      code: 400,
      type: "VALIDATION_ERROR",
      data: { details: [expect.objectContaining({ path: "q" })] },
    }),
  );
});

it("refuses what is too long", () => {
  expect(() => parseQuery("x".repeat(LONGEST_QUERY + 1))).toThrow(expect.objectContaining({ code: 400 }));
  expect(() => parseQuery(Array.from({ length: MOST_TERMS + 1 }, (_, n) => `w${n}`).join(" "))).toThrow(
    expect.objectContaining({ code: 400 }),
  );
});

const pieces = fc.constantFrom(
  "storm",
  "flood",
  "a",
  "-",
  '"',
  "|",
  "(",
  ")",
  "title:",
  "source:",
  "domain:",
  "x:",
  "*",
  "\\",
  " ",
  "\u00a0",
  "\u3000",
  "é",
  "日本",
  "U.S.",
  "covid-19",
  "--",
  "''",
  "“",
);
const anything = fc.oneof(
  fc.string({ maxLength: 80, unit: "binary" }),
  fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join("")),
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(" ")),
);

it("any text is a query or a refusal that names q, and nothing else", () => {
  fc.assert(
    fc.property(anything, (q) => {
      try {
        const { tree: read, normalized, warnings } = parseQuery(q);
        expect(Array.isArray(warnings)).toBe(true);
        if (read) expect(parseQuery(normalized).tree).toEqual(read);
        expect(explainQuery(q)).toEqual(expect.any(String));
      } catch (error) {
        expect(error).toMatchObject({ code: 400, data: { details: [{ path: "q", message: expect.any(String) }] } });
      }
    }),
    { numRuns: 3_000 },
  );
});

const texts = fc.oneof(
  fc.constantFrom(
    "storm",
    "a1",
    "covid-19",
    "title:x",
    "x y",
    "-x",
    'say "x"',
    "x|y",
    "(x)",
    "x*",
    "back\\slash",
    "日本",
    "“x”",
    "x\u00a0y",
    "domain:",
    "😀x",
  ),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((text) => tokens(text).length > 0),
);
const field = fc.option(fc.constantFrom("title" as const, "source" as const, "domain" as const), { nil: undefined });
const leaf: fc.Arbitrary<QueryNode> = fc.oneof(
  fc
    .record({ text: texts, field })
    .map(({ text, field: of }): QueryNode => ({ kind: "term", text, ...(of && { field: of }) })),
  fc
    .record({ text: texts, field })
    .map(({ text, field: of }): QueryNode => ({ kind: "phrase", text, ...(of && { field: of }) })),
  field.map((of): QueryNode => ({ kind: "term", text: "hydro", ...(of && { field: of }), prefix: true })),
);
/**
 * Trees in the form the parser gives: no and in an and, no or in an or, no exclusion of an exclusion, something to find
 * in every and.
 */
const { positive } = fc.letrec<{
  positive: QueryNode;
  or: QueryNode;
  and: QueryNode;
  inAnd: QueryNode;
  inOr: QueryNode;
}>((tie) => ({
  positive: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, tie("or"), tie("and")),
  inOr: fc.oneof({ maxDepth: 3 }, leaf, tie("and")),
  inAnd: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("or"),
    tie("positive").map((node): QueryNode => ({ kind: "not", node })),
  ),
  or: fc.array(tie("inOr"), { minLength: 2, maxLength: 3 }).map((nodes): QueryNode => ({ kind: "or", nodes })),
  and: fc
    .tuple(fc.oneof(leaf, tie("or")), fc.array(tie("inAnd"), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([first, rest, last]): QueryNode => ({ kind: "and", nodes: last ? [...rest, first] : [first, ...rest] })),
}));
const count = (node: QueryNode, kind: (one: QueryNode) => boolean): number =>
  (kind(node) ? 1 : 0) +
  (node.kind === "not"
    ? count(node.node, kind)
    : "nodes" in node
      ? node.nodes.reduce((sum, one) => sum + count(one, kind), 0)
      : 0);

it("any tree in normal form, printed and read, is the same tree", () => {
  fc.assert(
    fc.property(positive, (made) => {
      const printed = printQuery(made);
      fc.pre(printed.length <= LONGEST_QUERY && count(made, (one) => one.kind === "term" && one.prefix === true) <= 8);
      expect(parseQuery(printed)).toEqual({ tree: made, normalized: printed, warnings: [] });
    }),
    { numRuns: 2_000 },
  );
});

it("printing and reading again gives the same tree", () => {
  fc.assert(
    fc.property(anything, (q) => {
      let read: QueryNode | null;
      try {
        read = parseQuery(q).tree;
      } catch {
        return;
      }
      if (read) expect(parseQuery(printQuery(read)).tree).toEqual(read);
    }),
    { numRuns: 2_000 },
  );
});

it("takes time in proportion to the text, however it is nested", () => {
  for (const q of [
    "(".repeat(LONGEST_QUERY),
    '"'.repeat(LONGEST_QUERY),
    "- ".repeat(LONGEST_QUERY / 2),
    "a|".repeat(60),
    "\\".repeat(LONGEST_QUERY),
    `${"(a ".repeat(60)}`,
  ]) {
    try {
      parseQuery(q);
    } catch (error) {
      expect(error).toMatchObject({ code: 400 });
    }
  }
});
