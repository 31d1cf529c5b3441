import fc from "fast-check";
import { Query } from "mingo";
import { asFarAs, behind, sees, unionOfCompartments } from "../../core/access/barrier.ts";
import { authorize, holds, type Actor } from "../../core/access/access.ts";
import { mayReceive } from "../../core/contract/live.ts";
import { tries } from "../tries.ts";

const someone = (traits: Partial<Actor>): Actor => ({
  userId: "u",
  roles: ["reader"],
  via: "jwt",
  permits: [],
  ...traits,
});

it("a permit is held by itself, by its noun, by its responsibility for any noun, and by everything", () => {
  for (const grant of ["sources:curate", "sources:*", "*:curate", "*"])
    expect(holds([grant], "sources:curate")).toBe(true);
  for (const grant of ["sources:read", "lists:curate", "*:read", "sources"])
    expect(holds([grant], "sources:curate")).toBe(false);
});

it("a narrowed credential may do what both its owner and its scope allow", () => {
  const key = someone({ permits: ["*"], limits: ["*:read"] });
  expect(() => authorize(key, "sources:read")).not.toThrow();
  expect(() => authorize(key, "sources:curate")).toThrow(expect.objectContaining({ code: 403 }));
  expect(() => authorize(undefined, "sources:read")).toThrow(expect.objectContaining({ code: 401 }));
  expect(() => authorize(someone({ permits: ["*"] }), "internal")).toThrow(expect.objectContaining({ code: 403 }));
});

it("whoever has no role, since nobody confirmed the address, may reach what concerns their own account and what is open to all, and no more", () => {
  const nobody = someone({ roles: [], permits: ["*"] });
  for (const permit of ["public", "self"] as const) expect(() => authorize(nobody, permit)).not.toThrow();
  for (const permit of ["signed-in", "sources:read"] as const)
    expect(() => authorize(nobody, permit)).toThrow(expect.objectContaining({ type: "EMAIL_NOT_VERIFIED" }));
  for (const permit of ["signed-in", "messages:read"] as const)
    expect(mayReceive(nobody, { permit, domain: "messages", to: { userId: "u" } })).toBe(false);
  expect(
    mayReceive(someone({ permits: ["*:read"] }), { domain: "messages", permit: "messages:read", to: { userId: "u" } }),
  ).toBe(true);
});

it("the barrier's query finds exactly what the barrier's predicate lets through", () => {
  const id = fc.constantFrom("p1", "p2", "p3");
  const compartments = fc.subarray(["c1", "c2", "c3", "c4"]);
  const memberships = fc.dictionary(
    id,
    fc.record({ role: fc.constant("planner"), permits: fc.constant<string[]>([]), compartments }),
    { maxKeys: 3 },
  );
  const record = fc.record({ problemSetId: id, compartments: fc.option(compartments, { nil: undefined }) });
  const barrier = { set: "problemSetId", compartments: "compartments" };
  fc.assert(
    fc.property(memberships, fc.array(record), (held, records) => {
      // Compartment ids are unique across sets; a record may lie in compartments of another set, as what is inherited
      // does.
      const reader = someone({ memberships: held });
      const query = new Query(behind(barrier, reader) as never);
      for (const row of records) {
        expect(query.test(JSON.parse(JSON.stringify(row)))).toBe(sees(barrier, reader, row));
        const narrowed = new Query(behind(barrier, reader, { problemSetId: row.problemSetId }) as never);
        expect(narrowed.test(JSON.parse(JSON.stringify(row)))).toBe(sees(barrier, reader, row));
      }
    }),
    { numRuns: tries(1_000) },
  );
});

it("an actor narrowed to a record sees it where the whole one does, and never more of others", () => {
  const id = fc.constantFrom("p1", "p2", "p3");
  const compartments = fc.subarray(["c1", "c2", "c3"]);
  const membership = fc.record({ role: fc.constant("planner"), permits: fc.constant<string[]>([]), compartments });
  const record = fc.record({ problemSetId: id, compartments: fc.option(compartments, { nil: undefined }) });
  const barrier = { set: "problemSetId", compartments: "compartments" };
  fc.assert(
    fc.property(fc.dictionary(id, membership), record, record, (memberships, row, other) => {
      const reader = someone({ memberships });
      const narrow = asFarAs(barrier, reader, row);
      expect(sees(barrier, narrow, row)).toBe(sees(barrier, reader, row));
      expect(sees(barrier, narrow, other) && !sees(barrier, reader, other)).toBe(false);
      // What is kept of one record is not taken for another, nor for somebody of the same memberships in fewer sets.
      const { p1: _p1, ...fewer } = memberships;
      for (const who of [reader, someone({ memberships: fewer })])
        for (const one of [other, row, other])
          expect(sees(barrier, asFarAs(barrier, who, one), one)).toBe(sees(barrier, who, one));
    }),
    { numRuns: tries(1_000) },
  );
});

it("what somebody in a thousand problem sets is asked with is worked out once, and is as long as the question", () => {
  const compartments = ["c1"];
  const memberships = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [`p${n}`, { role: "planner", permits: [], compartments }]),
  );
  const reader = someone({ memberships });
  const barrier = { set: "problemSetId", compartments: "compartments" };
  const held = (query: any): unknown => query.compartments.$not.$elemMatch.$nin;
  const [one, other] = ["p1", "p2"].map((problemSetId) => behind(barrier, reader, { problemSetId })) as [any, any];
  expect(one.problemSetId).toEqual({ $in: ["p1"] });
  expect(held(one)).toBe(held(other));
  expect(held(behind(barrier, asFarAs(barrier, reader, { problemSetId: "p1", compartments: [] })))).toEqual([]);
  expect(() => Object.assign(reader.memberships!, { p1001: memberships["p1"] })).toThrow(TypeError);
});

it("what is made of several records lies in the union of their compartments", () => {
  expect(unionOfCompartments([{ compartments: ["b", "a"] }, {}, { compartments: ["c", "a"] }])).toEqual([
    "a",
    "b",
    "c",
  ]);
});
