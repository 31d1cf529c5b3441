import fc from "fast-check";
import { TermLists } from "../../services/news/articles/grouping/term-lists.ts";

const namesOf = (lists: TermLists, hash: number): number[] => {
  const list = lists.of(hash);
  return list === 0 ? [] : [...lists.numbers.subarray(list + 1, list + 1 + lists.lengthAt(list))];
};

/** Few hashes and names, so that they meet; hashes that fall on one slot among them. */
const change = fc.record({
  hash: fc.integer({ min: 0, max: 40 }).map((one) => one * 2 ** 26),
  name: fc.integer({ min: 0, max: 30 }),
  kind: fc.constantFrom("add", "add", "add", "keep", "shift", "sweep" as const),
});

describe("Lists of events by the hashes of terms", () => {
  it("hold what a map of arrays would, in the order in which it came", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), fc.integer({ min: 2, max: 5 }), (changes, gone) => {
        const lists = new TermLists(),
          known = new Map<number, number[]>();
        const isLeft = (name: number): boolean => name % gone !== 0;
        for (const { hash, name, kind } of changes) {
          const list = known.get(hash) ?? [];
          if (kind === "add") {
            const isNew = !list.includes(name);
            if (isNew) known.set(hash, [...list, name]);
            expect(lists.add(hash, name)).toBe(isNew ? list.length + 1 : 0);
          } else if (kind === "keep") {
            known.set(hash, list.filter(isLeft));
            expect(lists.keep(hash, isLeft)).toBe(known.get(hash)!.length);
          } else if (kind === "shift") {
            known.set(hash, list.slice(1));
            lists.shift(hash);
          } else {
            for (const [one, names] of known) known.set(one, names.filter(isLeft));
            lists.litter();
            lists.sweep(2 ** 20, isLeft);
          }
        }
        for (const [hash, names] of known) expect(namesOf(lists, hash)).toEqual(names);
      }),
    );
  });

  it("grow with their terms, and use the room of names that are gone again", () => {
    const lists = new TermLists();
    for (let name = 0; name < 60; name++) {
      for (let term = 0; term < 1_000; term++) lists.add(Math.imul(term + name * 500, 0x9e3779b1) >>> 0, name);
      lists.litter();
      lists.sweep(2 ** 20, (one) => one > name - 3);
    }
    for (let term = 0; term < 1_000; term++) {
      const hash = Math.imul(term + 59 * 500, 0x9e3779b1) >>> 0;
      expect(namesOf(lists, hash)).toEqual(term < 500 ? [58, 59] : [59]);
    }
  });
});
