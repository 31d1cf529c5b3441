import fc from "fast-check";
import { hierarchy, type UnitNode } from "../../services/workspace/command/hierarchy.ts";
import { AUTHORITY_OF, FUNCTIONS, matrix } from "../../services/workspace/command/matrix.ts";
import {
  RELATIONSHIP_KINDS,
  type RelationshipKind,
  type Relationship,
} from "../../services/workspace/command/relationships.ts";
import type { Unit } from "../../services/workspace/command/units.ts";
import { validate } from "../../services/workspace/command/validation.ts";

const AT = "2026-06-01T00:00:00.000Z";
const unit = (id: string): Unit => ({
  id,
  name: `Unit ${id}`,
  problemSetId: "alpha",
  compartments: [],
  echelon: "company",
  rev: 1,
  createdAt: AT,
  updatedAt: AT,
  createdBy: "ann",
});
let count = 0;
const under = (
  subordinateId: string,
  superiorId: string,
  kind: RelationshipKind = "organic",
  traits: Partial<Relationship> = {},
): Relationship => ({
  id: `r${String(++count).padStart(5, "0")}`,
  problemSetId: "alpha",
  compartments: [],
  subordinateId,
  superiorId,
  kind,
  rev: 1,
  createdAt: AT,
  updatedAt: AT,
  createdBy: "ann",
  ...traits,
});
const units = (...ids: string[]) => ids.map(unit);
const said = (found: ReturnType<typeof validate>) => found.map(({ code, message }) => `${code}: ${message}`);
const shape = (nodes: readonly UnitNode[]): unknown =>
  Object.fromEntries(nodes.map((node) => [node.unit.id, shape(node.subordinates)]));

it("finds nothing wrong with one chain of command", () => {
  expect(validate(units("bn", "a", "b", "plt"), [under("a", "bn"), under("b", "bn"), under("plt", "a")], AT)).toEqual(
    [],
  );
  expect(validate(units("alone"), [], AT)).toEqual([]);
});

it("says circles in words, also those that close only for a while", () => {
  expect(said(validate(units("a", "b", "c"), [under("a", "b"), under("b", "c"), under("c", "a")], AT))).toEqual([
    expect.stringMatching(/^CYCLE: Unit . is under Unit . is under Unit . is under Unit .: a circle\.$/),
  ]);
  const summer = { from: "2026-07-01T00:00:00.000Z", until: "2026-08-01T00:00:00.000Z" };
  expect(
    validate(units("a", "b"), [under("a", "b"), under("b", "a", "opcon", summer)], AT).map(({ code }) => code),
  ).toEqual(["CYCLE"]);
  const never = validate(
    units("a", "b"),
    [
      under("a", "b", "organic", { until: "2026-02-01T00:00:00.000Z" }),
      under("b", "a", "organic", { from: "2026-02-01T00:00:00.000Z" }),
    ],
    AT,
  );
  expect(never).toEqual([]);
});

it("says two superiors with operational control at one time, and lets one follow the other", () => {
  const found = validate(
    units("hq", "x", "y", "b"),
    [
      under("x", "hq"),
      under("y", "hq"),
      under("b", "x", "opcon", { until: "2026-09-01T00:00:00.000Z" }),
      under("b", "y", "attached", { from: "2026-08-01T00:00:00.000Z" }),
    ],
    AT,
  );
  expect(said(found)).toEqual([
    "TWO_SUPERIORS: Unit b is under the operational control of Unit x (opcon) and of Unit y (attached) at one time, from 2026-08-01T00:00:00.000Z.",
  ]);
  expect(
    validate(
      units("hq", "x", "y", "b"),
      [
        under("x", "hq"),
        under("y", "hq"),
        under("b", "x", "opcon", { until: "2026-08-01T00:00:00.000Z" }),
        under("b", "y", "opcon", { from: "2026-08-01T00:00:00.000Z" }),
      ],
      AT,
    ),
  ).toEqual([]);
});

it("says units without a superior, and relationships that lead nowhere or hold for no time", () => {
  const found = validate(
    units("a", "b", "c", "d", "lone"),
    [under("b", "a"), under("d", "c"), under("gone", "a"), under("d", "c", "adcon", { from: AT, until: AT })],
    AT,
  );
  expect(found.map(({ code, units: [first] }) => `${code} ${first}`).sort()).toEqual([
    "EMPTY_PERIOD d",
    "MISSING_UNIT gone",
    "ORPHAN a",
    "ORPHAN c",
    "ORPHAN lone",
  ]);
});

it("puts a unit below whoever directs it now, and its other relationships beside it", () => {
  const rows = [
    under("a", "bn"),
    under("b", "bn"),
    under("plt", "a", "organic"),
    under("plt", "b", "opcon", { from: "2026-05-01T00:00:00.000Z", until: "2026-07-01T00:00:00.000Z" }),
  ];
  expect(shape(hierarchy(units("bn", "a", "b", "plt"), rows, AT))).toEqual({ bn: { a: {}, b: { plt: {} } } });
  expect(shape(hierarchy(units("bn", "a", "b", "plt"), rows, "2026-08-01T00:00:00.000Z"))).toEqual({
    bn: { a: { plt: {} }, b: {} },
  });
  const [bn] = hierarchy(units("bn", "a", "b", "plt"), rows, AT);
  expect(bn!.subordinates[1]!.subordinates[0]).toMatchObject({
    by: { kind: "opcon" },
    others: [{ kind: "organic", superiorId: "a", superiorName: "Unit a" }],
  });
});

const forest = fc
  .integer({ min: 1, max: 40 })
  .chain((size) =>
    fc.tuple(
      fc.constant(size),
      fc.array(fc.nat(), { minLength: size, maxLength: size }),
      fc.constantFrom<RelationshipKind>("organic", "assigned", "opcon"),
    ),
  );

it("holds any tree for sound, and shows each of its units once", () => {
  fc.assert(
    fc.property(forest, ([size, parents, kind]) => {
      const all = units(...Array.from({ length: size }, (_, n) => `u${n}`));
      const rows = all.slice(1).map(({ id }, n) => under(id, `u${parents[n]! % (n + 1)}`, kind));
      expect(validate(all, rows, AT)).toEqual([]);
      const flat = (nodes: readonly UnitNode[]): string[] =>
        nodes.flatMap((node) => [node.unit.id, ...flat(node.subordinates)]);
      expect(flat(hierarchy(all, rows, AT)).sort()).toEqual(all.map(({ id }) => id).sort());
    }),
    { numRuns: 200 },
  );
});

it("finds a circle exactly when there is one, and shows each unit once all the same", () => {
  const edge = fc.record({ a: fc.nat(7), b: fc.nat(7) }).filter(({ a, b }) => a !== b);
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 14 }), (edges) => {
      const all = units(...Array.from({ length: 8 }, (_, n) => `u${n}`));
      const rows = edges.map(({ a, b }) => under(`u${a}`, `u${b}`));
      // Kahn: what is left when units without superiors are taken away again and again lies in, or below, a circle.
      let left = rows;
      for (let before = -1; before !== left.length;) {
        before = left.length;
        const below = new Set(left.map((row) => row.subordinateId));
        left = left.filter((row) => below.has(row.superiorId));
      }
      expect(validate(all, rows, AT).some(({ code }) => code === "CYCLE")).toBe(left.length > 0);
      const flat = (nodes: readonly UnitNode[]): string[] =>
        nodes.flatMap((node) => [node.unit.id, ...flat(node.subordinates)]);
      expect(flat(hierarchy(all, rows, AT)).sort()).toEqual(all.map(({ id }) => id));
    }),
    { numRuns: 500 },
  );
});

it("says who holds each function: operational control takes tasking from the parent and leaves administration there", () => {
  const rows = matrix(
    units("a", "b", "plt"),
    [under("plt", "a"), under("plt", "b", "opcon"), under("plt", "a", "direct-support")],
    AT,
  );
  const { functions } = rows.find(({ unitId }) => unitId === "plt")!;
  expect(functions.task).toEqual([
    expect.objectContaining({ superiorId: "b", superiorName: "Unit b", kind: "opcon", authority: "full" }),
  ]);
  expect(functions.administer).toEqual([
    expect.objectContaining({ superiorId: "a", kind: "organic", authority: "full" }),
  ]);
  expect(functions.train.map(({ superiorId, authority }) => `${superiorId} ${authority}`)).toEqual([
    "a full",
    "b limited",
  ]);
  expect(RELATIONSHIP_KINDS.every((kind) => FUNCTIONS.every((name) => AUTHORITY_OF[kind][name]))).toBe(true);
  expect(rows.find(({ unitId }) => unitId === "b")!.functions.task).toEqual([]);
});

it("hides neither of two who hold a function by the same kind of relationship, and shows one who holds it twice once", () => {
  const rows = matrix(
    units("a", "b", "c", "plt"),
    [under("plt", "a", "opcon"), under("plt", "b", "opcon"), under("plt", "b", "opcon"), under("plt", "c")],
    AT,
  );
  const { functions } = rows.find(({ unitId }) => unitId === "plt")!;
  expect(functions.task.map(({ superiorId, authority }) => `${superiorId} ${authority}`)).toEqual(["a full", "b full"]);
  expect(functions.train.map(({ superiorId, authority }) => `${superiorId} ${authority}`)).toEqual([
    "c full",
    "a limited",
    "b limited",
  ]);
});
