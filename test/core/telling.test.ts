import fc from "fast-check";
import canonicalize from "canonicalize";
import { canonicalJson, isCertainlyLonger } from "../../core/canonical-json.ts";
import type { Fact } from "../../core/events/event.ts";
import { TellingTogether } from "../../core/events/telling.ts";

const fact = (id: string): Fact => ({ id, type: "a.b.c", source: "/", subject: id, time: "", data: {} });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("facts that are told together", () => {
  it("tells what one turn leaves in one call for each subscriber, a hundred at most, in order", async () => {
    const calls: string[] = [];
    const telling = new TellingTogether(async (action, facts) => {
      calls.push(`${action} ${facts.map(({ id }) => id).join()}`);
    });
    await Promise.all([telling.tell("x", fact("1")), telling.tell("y", fact("1")), telling.tell("x", fact("2"))]);
    await telling.tell("x", fact("3"));
    expect(calls).toEqual(["x 1,2", "y 1", "x 3"]);
    const sizes: number[] = [];
    const many = new TellingTogether(async (_action, { length }) => sizes.push(length));
    await Promise.all(Array.from({ length: 250 }, (_, n) => many.tell("x", fact(String(n)))));
    expect(sizes).toEqual([100, 100, 50]);
  });

  it("tells each alone where one of them is not taken, which holds up no other", async () => {
    const taken: string[] = [];
    const telling = new TellingTogether(async (_action, facts) => {
      await turn();
      if (facts.some(({ id }) => id === "bad")) throw new Error("not that one");
      taken.push(...facts.map(({ id }) => id));
    });
    const told = await Promise.allSettled(["1", "bad", "2"].map((id) => telling.tell("x", fact(id))));
    expect(told.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(taken).toEqual(["1", "2"]);
  });
});

describe("the length of JSON", () => {
  it("is never taken for more than it is, and for more than a bound where one text or list of it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(200), (value, bytes) => {
        const length = Buffer.byteLength(JSON.stringify(value));
        if (isCertainlyLonger(value, bytes)) expect(length).toBeGreaterThan(bytes);
      }),
    );
    for (const value of ["x".repeat(101), { a: "x".repeat(101) }, Array(101).fill(0), { ["n".repeat(101)]: null }])
      expect(isCertainlyLonger(value, 100)).toBe(true);
    expect(isCertainlyLonger({ left: undefined, out: undefined }, 5)).toBe(false);
  });
});

describe("canonical JSON", () => {
  const outcome = (write: (value: unknown) => string | undefined, value: unknown): unknown => {
    try {
      return write(value);
    } catch {
      return "thrown";
    }
  };

  it("is written as the library writes it, and refused where that refuses it", () => {
    const key = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("10", "9", "__proto__", "toJSON", "é"),
    );
    const leaf = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.constantFrom(undefined, null, true, -0, NaN, "\ud800", "</script>"),
      fc.date({ noInvalidDate: true }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(key, tie("value"), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        expect(outcome(canonicalJson, any)).toEqual(outcome(canonicalize, any));
      }),
      { numRuns: 200 },
    );
  });
});
