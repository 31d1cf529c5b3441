import fc from "fast-check";
import { terms } from "../../../core/text/words/terms.ts";
import { hashOf } from "../../../core/text/words/token-hashes.ts";
import { bearing, likeness, nearness, nearnessOf, placeOf, placeOfHash } from "../../../core/text/words/vectors.ts";

const WORDS = "killed dead ferry boat court verdict flood river minister bread Qvxzz Ōsaka 12 東京".split(" ");
const term = fc.oneof(fc.constantFrom(...WORDS.flatMap((word) => terms(word))), fc.string());
const said = fc.array(fc.tuple(term, fc.double({ min: 0, max: 10, noNaN: true })), { maxLength: 12 });

const near = (one: string, other: string): number => nearness(terms(one)[0]!, terms(other)[0]!);

describe("Vectors of words", () => {
  it("have words near that keep the same company", () => {
    for (const [one, other] of [
      ["killed", "dead"],
      ["arrested", "detained"],
      ["explosions", "blast"],
      ["ferries", "boat"],
    ] as const)
      expect(near(one, other)).toBeGreaterThan(0.7);
    for (const [one, other] of [
      ["blast", "bread"],
      ["ferry", "verdict"],
    ] as const)
      expect(Math.abs(near(one, other))).toBeLessThan(0.2);
  });

  it("are as near one way as the other, within bounds, and a term to itself most", () => {
    fc.assert(
      fc.property(term, term, (one, other) => {
        expect(nearness(one, other)).toBe(nearness(other, one));
        expect(Math.abs(nearness(one, other))).toBeLessThanOrEqual(1);
        expect(nearness(one, one)).toBe(1);
        if (one !== other) expect(nearness(one, other)).toBe(nearnessOf(placeOf(one), placeOf(other)));
        expect(placeOf(one)).toBe(placeOfHash(hashOf(one)));
      }),
    );
  });

  it("say nothing of words that are not known", () => {
    expect(placeOf("qvxzz")).toBe(-1);
    expect(near("qvxzz", "boat")).toBe(0);
    expect(nearnessOf(-1, -1)).toBe(0);
    expect(likeness(bearing([["qvxzz", 3]]), bearing([["boat", 1]]))).toBe(0);
  });

  it("of a text are one direction, whatever its length and the order of its words", () => {
    fc.assert(
      fc.property(said, said, (one, other) => {
        const [left, right] = [bearing(one), bearing(other)];
        const length = Math.hypot(...left);
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
        expect(likeness(left, right)).toBe(likeness(right, left));
        expect(Math.abs(likeness(left, right))).toBeLessThanOrEqual(1);
        expect(likeness(left, bearing([...one, ...one].toReversed()))).toBeCloseTo(length, 4);
      }),
    );
    const [sinking, capsizing, ruling] = [
      new Map([
        ["ferri", 2],
        ["sink", 1],
      ]),
      new Map([
        ["boat", 2],
        ["capsiz", 1],
      ]),
      new Map([
        ["court", 2],
        ["rule", 1],
      ]),
    ].map(bearing) as [Float32Array, Float32Array, Float32Array];
    expect(likeness(sinking, capsizing)).toBeGreaterThan(0.7);
    expect(likeness(sinking, ruling)).toBeLessThan(0.3);
  });
});
