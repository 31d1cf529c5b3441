import fc from "fast-check";
import { EmbeddedDocuments } from "../../adapters/documents/embedded.ts";
import { Counters } from "../../core/records/counters.ts";
import type { Collection, Documents } from "../../core/records/documents.ts";

it("gives each number once and leaves none out, over several nodes and whatever is asked for at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ node: fc.nat(2), count: fc.integer({ min: 1, max: 5 }), pause: fc.nat(3) }), {
        minLength: 1,
        maxLength: 60,
      }),
      async (asked) => {
        const documents = new EmbeddedDocuments(":memory:");
        const nodes = [0, 1, 2].map(() => new Counters(documents));
        const drawn = await Promise.all(
          asked.map(async ({ node, count, pause }) => {
            for (let n = 0; n < pause; n++) await new Promise((resolve) => setImmediate(resolve));
            const first = await nodes[node]!.take("things", count);
            return Array.from({ length: count }, (_, n) => first + n);
          }),
        );
        const total = asked.reduce((sum, { count }) => sum + count, 0);
        expect(drawn.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, n) => n + 1));
        await documents.close();
      },
    ),
    { numRuns: 50 },
  );
});

/** A store whose counters count their writes, refuse some, and cannot be opened at first where that is wished. */
function watched(refuse: (write: number) => boolean, closed = 0) {
  const inner = new EmbeddedDocuments(":memory:");
  let writes = 0;
  const collection = async (name: string): Promise<Collection> => {
    if (closed-- > 0) throw new Error("away");
    const own = await inner.collection(name);
    return new Proxy(own, {
      get(target, key) {
        const found = Reflect.get(target, key);
        if (key === "claim")
          return (...given: Parameters<Collection["claim"]>) =>
            refuse(++writes) ? Promise.reject(new Error("away")) : target.claim(...given);
        return typeof found === "function" ? found.bind(target) : found;
      },
    });
  };
  return {
    documents: {
      ...inner,
      kind: inner.kind,
      collection,
      ping: () => inner.ping(),
      close: () => inner.close(),
    } as Documents,
    writes: () => writes,
  };
}

it("a thousand at once cost two writes, each counter for itself", async () => {
  const { documents, writes } = watched(() => false);
  const counters = new Counters(documents);
  const numbers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => counters.take(n % 2 ? "odd" : "even")));
  expect(Math.max(...numbers)).toBe(500);
  expect(writes()).toBeLessThanOrEqual(4);
  await documents.close();
});

it("a store that could not be opened is asked again", async () => {
  const { documents } = watched(() => false, 1);
  const counters = new Counters(documents);
  await expect(counters.take("things")).rejects.toThrow("away");
  expect(await counters.take("things")).toBe(1);
  await documents.close();
});

it("a draw that fails fails for whoever asked, and the next goes on", async () => {
  const { documents } = watched((write) => write === 1);
  const counters = new Counters(documents);
  const asked = await Promise.allSettled([counters.take("things"), counters.take("things")]);
  expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([counters.take("things"), counters.take("things", 2), counters.take("other")])).toEqual([
    1, 2, 1,
  ]);
  await documents.close();
});
