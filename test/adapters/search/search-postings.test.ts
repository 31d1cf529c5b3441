import fc from "fast-check";
import { searchGeneration } from "../../../adapters/search/embedded-query.ts";
import { Generation } from "../../../adapters/search/generation.ts";
import { BLOCKS_SCHEMA, BlockStore } from "../../../adapters/search/block-store.ts";
import { IndexFile } from "../../../adapters/search/index-file.ts";
import { Best } from "../../../adapters/search/best.ts";
import { Bytes, compareTexts, numberAt, Reader, widthOf } from "../../../adapters/search/postings/bytes.ts";
import { Gathering } from "../../../adapters/search/postings/gathering.ts";
import { sortedOrder } from "../../../core/records/reading/sorted-order.ts";
import { parseQuery } from "../../../core/text/searching/query-language.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import { article, meant, NOW } from "./engines.ts";

const WORDS = [
  "harbour",
  "harbours",
  "storm",
  "storming",
  "the",
  "gate",
  "gates",
  "élan",
  "über",
  "1,000",
  "風",
  "評",
  "x",
  "𐍈",
  "\ufa0e",
];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(" "));
const QUERIES = [
  "harbour",
  "storm gate",
  '"harbour storm"',
  '"the gate" -storm',
  "title:harbour",
  "gat*",
  "title:sto*",
  "風評 | élan",
  "(storm gate) | 1000",
  'source:"northern post" harbour',
  "domain:energy über",
  '"storm the gate"',
  "𐍈",
  "\ufa0e",
  "\ufa0e -𐍈",
];

const gathered = (documents: readonly SearchDocument[]) => {
  const gathering = new Gathering();
  for (const document of documents) gathering.add(document);
  return { gathering, columns: gathering.columns(), blocks: gathering.blocks(() => false).next().value! };
};

/** A step: some articles put together, or one removed. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.record({ id: fc.integer({ min: 1, max: 30 }), title: text, text }), { minLength: 1, maxLength: 4 })
      .map((put) => ({ put })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }).map((remove) => ({ remove })) },
);

it("finds what the present articles say, however they were put, replaced, removed and merged", () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (steps, merges, whole) => {
        const generation = new Generation(":memory:", "draft");
        const present = new Map<number, SearchDocument>();
        for (const [at, one] of steps.entries()) {
          if ("remove" in one) {
            present.delete(one.remove);
            generation.transaction(() => {
              generation.remove(one.remove, false);
            });
          } else {
            const documents = one.put.map((fields) => article(fields.id, { ...fields, rev: at + 1 }));
            for (const document of documents) present.set(document.id, document);
            generation.transaction(() => {
              generation.write(gathered(documents));
            });
          }
          // Merges go on in small steps between writes, so that articles are replaced while they are being merged.
          for (let some = merges[at % merges.length]!; some > 0; some--) generation.mergeSome(() => true, whole);
        }
        const check = (): void => {
          expect(generation.count()).toBe(present.size);
          for (const q of QUERIES) {
            const { tree } = parseQuery(q);
            const { hits, total } = searchGeneration(generation, { tree: tree!, limit: 100, now: NOW });
            expect([q, hits.map(({ id }) => id).sort((a, b) => a - b)]).toEqual([
              q,
              [...present.values()]
                .filter((document) => meant(tree!, document))
                .map(({ id }) => id)
                .sort((a, b) => a - b),
            ]);
            expect(total).toBe(hits.length);
            for (const hit of hits) expect(hit.title).toBe(present.get(hit.id)!.title);
          }
        };
        check();
        while (generation.mergeSome(() => true, true));
        check();
        expect(generation.segments().length).toBeLessThanOrEqual(1);
        expect(generation.file.row("select count(*) from garbage")).toEqual([0]);
        expect(generation.file.row("select count(distinct key >> 20) from blocks")).toEqual([present.size > 0 ? 1 : 0]);
        generation.close();
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);

it("writes the same of a few words, however many others are known", () => {
  const few = [article(1, { title: "Storm over the harbour", text: "The gates of the harbour held. Élan, 1,000." })];
  const before = gathered(few).blocks;
  const many = Array.from({ length: 3_000 }, (_, at) => `word${at.toString(36)}`).join(" ");
  const firsts = gathered([article(2, { title: "Others", text: many })]).blocks.map(({ first }) => first);
  expect(firsts).toEqual(firsts.toSorted());
  expect(gathered(few).blocks).toEqual(before);
});

it("knows after a failed transaction what is in the file, and nothing else", () => {
  const generation = new Generation(":memory:", "draft");
  generation.transaction(() => {
    generation.write(gathered([article(1, { text: "storm" })]));
  });
  const failing = () =>
    generation.transaction(() => {
      generation.write(gathered([article(1, { text: "gate", rev: 2 }), article(2, { text: "storm" })]));
      generation.remove(1, true);
      throw new Error("the disk is full");
    });
  expect(failing).toThrow("the disk is full");
  generation.transaction(() => {
    generation.write(gathered([article(3, { text: "storm" })]));
  });
  const { hits } = searchGeneration(generation, { tree: parseQuery("storm").tree!, limit: 10, now: NOW });
  expect(hits.map(({ id }) => id)).toEqual([1, 3]);
  generation.close();
});

it("sorts texts as JavaScript compares them", () => {
  const unlike = fc.uniqueArray(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ unit: fc.constantFrom("a", "b", "é", "~", "\u007f", "\u0000", "風", "😀"), maxLength: 12 }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(unlike, (texts) => {
      expect(Array.from(sortedOrder(texts), (at) => texts[at])).toEqual([...texts].sort());
    }),
    { numRuns: 300 },
  );
});

it("keeps the best of what it is offered, whatever the order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(10), (numbers, most) => {
      const best = new Best<number>(most, (one, other) => one > other);
      for (const one of numbers) best.offer(one);
      expect(best.sorted()).toEqual([...numbers].sort((a, b) => b - a).slice(0, most));
    }),
  );
});

it("reads numbers and texts as they were written, and no further than they go", () => {
  const value = fc.oneof(
    fc.maxSafeNat(),
    fc.nat(300),
    fc.string({ unit: "binary", maxLength: 200 }).map((one) => one.toWellFormed()),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const bytes = new Bytes(1);
      for (const one of values) {
        if (typeof one === "number") bytes.number(one);
        else {
          const text = Buffer.from(one);
          bytes.number(text.length);
          bytes.append(text);
        }
      }
      const reader = new Reader(bytes.copy());
      expect(values.map((one) => (typeof one === "number" ? reader.number() : reader.text()))).toEqual(values);
    }),
  );
  expect(() => new Reader(Uint8Array.of(0x80)).number()).toThrow("a number without an end");
});

it("reads whole numbers of 31 bits anywhere in the bytes, and tells how long they are", () => {
  const number = fc.oneof(
    fc.nat(),
    fc.nat(300),
    fc.integer({ min: 0, max: 30 }).chain((bits) => fc.constantFrom(2 ** bits - 1, 2 ** bits)),
  );
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const bytes = new Bytes(1);
      for (const one of numbers) bytes.number(one);
      const held = bytes.copy(),
        read: number[] = [];
      for (let at = 0; at < held.length; at += widthOf(read.at(-1)!)) read.push(numberAt(held, at));
      expect(read).toEqual(numbers);
    }),
  );
});

it("compares texts in UTF-8 as JavaScript compares strings", () => {
  const text = fc
    .oneof(
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({
        unit: fc.constantFrom("a", "b", "é", "風", "\ud7ff", "\ue000", "\uffff", "😀", "\u{10ffff}"),
        maxLength: 6,
      }),
    )
    .map((one) => one.toWellFormed());
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [left, right] = [Buffer.from(one), Buffer.from(other)];
      expect(Math.sign(compareTexts(left, 0, left.length, right, 0, right.length))).toBe(
        one < other ? -1 : one > other ? 1 : 0,
      );
    }),
    { numRuns: 2_000 },
  );
});

it("keeps the blocks asked for last within its bound, and reads any as it was written", () => {
  const size = fc.integer({ min: 1, max: 40 }),
    asked = fc.record({ segment: fc.integer({ min: 1, max: 3 }), block: fc.nat(4) });
  const blockOf = (length: number, fill: number) => {
    const lists = new Uint8Array(length + 4).fill(fill, 0, length);
    return { first: "", lists, positions: Uint8Array.of(fill) };
  };
  fc.assert(
    fc.property(
      fc.array(size, { minLength: 15, maxLength: 15 }),
      fc.array(asked, { maxLength: 40 }),
      fc.nat(150),
      (sizes, asks, most) => {
        const file = new IndexFile(":memory:", { schema: BLOCKS_SCHEMA, layout: 1 }),
          store = new BlockStore(file, most);
        const numberOf = ({ segment, block }: { segment: number; block: number }) => 5 * (segment - 1) + block;
        for (const segment of [1, 2, 3])
          store.write(
            segment,
            0,
            [0, 1, 2, 3, 4].map((block) => blockOf(sizes[numberOf({ segment, block })]!, numberOf({ segment, block }))),
          );
        let kept: number[] = [];
        const bytesOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + sizes[number]! + 4, 0);
        for (const one of asks) {
          const number = numberOf(one),
            right = blockOf(sizes[number]!, number);
          expect(Buffer.from(store.entries(one.segment, one.block).bytes)).toEqual(Buffer.from(right.lists));
          expect(Buffer.from(store.positions(one.segment, one.block))).toEqual(Buffer.from(right.positions));
          kept = [...kept.filter((other) => other !== number), number];
          while (bytesOf(kept) > most) kept.shift();
          expect(store.keptBytes).toBe(bytesOf(kept));
        }
        store.forget();
        expect(store.keptBytes).toBe(0);
        file.close();
      },
    ),
    { numRuns: 60 },
  );
});
