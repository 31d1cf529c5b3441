import fc from "fast-check";
import { systemActor } from "../../core/access/access.ts";
import type { SearchDocument, SearchHit, SearchIndex } from "../../core/records/reading/search.ts";
import { beyondHolds, LeaseLost } from "../../core/work/hold.ts";
import { Leases } from "../../core/work/schedule.ts";
import { parseQuery } from "../../core/text/searching/query-language.ts";
import { Tombstone } from "../../services/news/articles/articles.ts";
import { IndexFeed, type FeedParts } from "../../services/news/search/index-feed.ts";
import type { IndexBatch, Confirmed } from "../../services/news/articles/client.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { articlesOf, item, prose, source, type TestArticles } from "./articles/articles-setup.ts";

let node: TestWorld;
let articles: TestArticles;
let index: SearchIndex;

beforeAll(async () => {
  node = await world();
  articles = articlesOf(node);
  index = node.mesh.world.search;
  // The feeds of these tests stand in for the service's own.
  await node.mesh.broker.destroyService(node.service("search"));
});
afterAll(() => node.stop());

class Killed extends Error {}
const pull = () => articles.call<IndexBatch>("unindexed", { limit: 20 });
const confirm = (confirmed: Confirmed) => articles.call<void>("indexed", confirmed);

interface Step {
  pull(): Promise<IndexBatch>;
  put(documents: readonly SearchDocument[]): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
  confirm(confirmed: Confirmed): Promise<void>;
}
const STEPS: Step = { pull, confirm, put: (documents) => index.put(documents), remove: (ids) => index.remove(ids) };

/** A feed over the real store and the real index; what it could not do is in `errors`. */
function feedOver(steps: Step = STEPS, held: FeedParts["held"] = (work) => work(), pace?: FeedParts["pace"]) {
  const errors: unknown[] = [];
  const feed = new IndexFeed({
    index: { put: steps.put, remove: steps.remove, ping: () => index.ping() },
    pull: steps.pull,
    confirm: steps.confirm,
    held,
    onError: (error) => errors.push(error),
    ...(pace && { pace }),
  });
  return { feed, errors };
}

/**
 * A node that is killed at a random moment: before a step, in the middle of a put, or when the step is done but not
 * noticed.
 */
function mortal(roll: (sides: number) => number, odds: number): Step {
  let dead = false;
  const step =
    <A extends unknown[], R>(run: (...given: A) => Promise<R>, half?: (...given: A) => Promise<unknown>) =>
    async (...given: A): Promise<R> => {
      if (dead || roll(odds) === 0) {
        dead = true;
        throw new Killed();
      }
      if (half && roll(odds) === 0) {
        await half(...given);
        dead = true;
        throw new Killed();
      }
      const answer = await run(...given);
      if (roll(odds) === 0) {
        dead = true;
        throw new Killed();
      }
      return answer;
    };
  return {
    pull: step(pull),
    confirm: step(confirm),
    put: step(STEPS.put, (documents) => index.put(documents.slice(0, Math.ceil(documents.length / 2)))),
    remove: step(STEPS.remove),
  };
}

/** Every article that the index shows: each text of these tests has the word "common". */
async function shown(): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  const { tree } = parseQuery("common");
  for (let total = 1; hits.length < total;) {
    const page = await index.search({
      tree: tree!,
      limit: 100,
      offset: hits.length,
      now: new Date(node.clock.now()).toISOString(),
    });
    total = page.total;
    if (!page.hits.length) break;
    hits.push(...page.hits);
  }
  return hits;
}

const face = ({
  id,
  title,
  summary,
  url,
  sourceId,
  source: name,
  domain,
  confidence,
  verified,
  publishedAt,
  storyId,
}: Omit<SearchHit, "snippet" | "relevance">) =>
  JSON.stringify({ id, title, summary, url, sourceId, name, domain, confidence, verified, publishedAt, storyId });
const faces = (documents: readonly Omit<SearchHit, "snippet" | "relevance">[]) => documents.map(face).sort();

const common = (n: number, edition = 0) =>
  item(n, { title: `Report ${n}, edition ${edition}`, text: `common words ${prose(n * 7 + edition, 30)}` });

it("after any kills the index catches up: it shows every article as it is, and none that was removed", async () => {
  let base = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { minLength: 400, maxLength: 400 }), async (chance) => {
      base += 1_000;
      const from = source(base);
      let at = 0,
        made = 0;
      const roll = (sides: number) => (chance[at++ % chance.length]! + at) % sides;
      const mine = async () => (await articles.whole()).filter(({ sourceId }) => sourceId === base);
      const stale: SearchDocument[][] = [];
      for (let step = 0; step < 30; step++) {
        const living = await mine();
        const any = living[roll(Math.max(1, living.length))];
        switch (roll(8)) {
          case 0:
          case 1:
            await articles.store(
              from,
              Array.from({ length: 1 + roll(5) }, () => common(base + made++)),
            );
            break;
          case 2:
            if (made) await articles.store(from, [common(base + roll(made), step + 1)]);
            break;
          case 3:
            if (any)
              await node.http("PUT", `/api/articles/${any.id}/verification`, { body: { verified: roll(2) === 0 } });
            break;
          case 4:
            if (any) await node.http("DELETE", `/api/articles/${any.id}`);
            break;
          // A paused node puts, at last, what it read long ago.
          case 5:
            stale.push((await pull()).documents);
            break;
          case 6:
            await index.put(stale.splice(roll(Math.max(1, stale.length)), 1)[0] ?? []);
            break;
          default:
            await feedOver(mortal(roll, 6)).feed.drain();
        }
      }
      for (const late of stale) await index.put(late);
      await feedOver().feed.drain();
      // A removal is told a second time after a minute.
      node.clock.advance(61_000);
      await feedOver().feed.drain();
      expect(faces(await shown())).toEqual(faces(await articles.documents()));
      expect(await articles.call("waiting")).toMatchObject({ waiting: 0 });
    }),
    { numRuns: 12, seed: 11, endOnFailure: true },
  );
}, 180_000);

it("a removal that was cut off after its tombstone is finished before it is told", async () => {
  const from = source(90_000);
  await articles.store(from, [common(90_001), common(90_002)]);
  await feedOver().feed.drain();
  const [doomed] = (await articles.whole()).filter(({ sourceId }) => sourceId === 90_000);
  const tombstones = await node.mesh.world.documents.collection("article_tombstones");
  const at = new Date(node.clock.now()).toISOString();
  await tombstones.insert({
    _id: doomed!.key,
    articleId: doomed!.id,
    sourceId: 90_000,
    fingerprint: doomed!.fingerprint,
    title: doomed!.title,
    removedAt: at,
    unindexed: `${at}/cut-off`,
    rev: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: "test",
  });
  expect((await node.http("GET", `/api/articles/${doomed!.id}`)).status).toBe(200);
  await feedOver().feed.drain();
  expect((await node.http("GET", `/api/articles/${doomed!.id}`)).status).toBe(404);
  expect((await shown()).map(({ id }) => id)).not.toContain(doomed!.id);
});

it("an item that a node stored anew, because it did not know of its removal, goes again and is not shown", async () => {
  const from = source(90_100);
  await articles.store(from, [common(90_101)]);
  await feedOver().feed.drain();
  const [doomed] = (await articles.whole()).filter(({ sourceId }) => sourceId === 90_100);
  expect((await node.http("DELETE", `/api/articles/${doomed!.id}`)).status).toBe(204);
  await feedOver().feed.drain();
  node.clock.advance(61_000);
  await feedOver().feed.drain();
  // What that node read of tombstones before there was one.
  const tombstones = node.service("articles").store(Tombstone).collection;
  const looked = jest.spyOn(tombstones, "findByIds").mockResolvedValueOnce([]);
  const byUrl = jest.spyOn(tombstones, "find").mockResolvedValueOnce([]);
  expect(await articles.store(from, [common(90_101)])).toMatchObject({ created: 1 });
  for (const spy of [looked, byUrl]) {
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
  }
  await feedOver().feed.drain();
  expect((await articles.whole()).filter(({ sourceId }) => sourceId === 90_100)).toEqual([]);
  expect((await shown()).filter(({ sourceId }) => sourceId === 90_100)).toEqual([]);
});

it("a write between the reading and the confirming of a mark is not lost", async () => {
  const from = source(91_000);
  await articles.store(from, [common(91_001)]);
  let once = true;
  const { feed } = feedOver({
    ...STEPS,
    put: async (documents) => {
      await index.put(documents);
      if (once) await articles.store(from, [common(91_001, 5)]);
      once = false;
    },
  });
  await feed.drain();
  expect((await shown()).map(({ title }) => title)).toContain("Report 91001, edition 5");
});

it("one document that the index refuses does not hold up the others, and is offered again later", async () => {
  const from = source(92_000);
  await articles.store(from, [common(92_001), common(92_002), common(92_003)]);
  const poison = (await articles.whole()).find(({ title }) => title.startsWith("Report 92002"))!.id;
  const { feed, errors } = feedOver({
    ...STEPS,
    put: async (documents) => {
      if (documents.some(({ id }) => id === poison)) throw new Error("this document cannot be indexed");
      await index.put(documents);
    },
  });
  await feed.drain();
  expect(errors).toHaveLength(1);
  const ids = async () => (await shown()).filter(({ sourceId }) => sourceId === 92_000).map(({ id }) => id);
  expect(await ids()).toHaveLength(2);
  await feedOver().feed.drain();
  expect(await ids()).toHaveLength(2);
  node.clock.advance(61_000);
  await feedOver().feed.drain();
  expect(await ids()).toHaveLength(3);
});

it("an index that is away costs nothing but time", async () => {
  const from = source(93_000);
  await articles.store(from, [common(93_001), common(93_002)]);
  const away = feedOver({
    ...STEPS,
    put: async () => {
      throw new Error("no connection");
    },
  });
  await away.feed.drain();
  expect(away.errors).toEqual([new Error("no connection")]);
  expect(await articles.call("waiting")).toMatchObject({ waiting: 2 });
  await feedOver().feed.drain();
  expect(await articles.call("waiting")).toMatchObject({ waiting: 0, oldest: null });
});

it("without the lease a feed changes nothing", async () => {
  await articles.store(source(94_000), [common(94_001)]);
  let puts = 0;
  const { feed } = feedOver(
    {
      ...STEPS,
      put: async (documents) => {
        puts++;
        await index.put(documents);
      },
    },
    async () => null,
  );
  await feed.drain();
  expect(puts).toBe(0);
  expect(await articles.call("waiting")).toMatchObject({ waiting: 1 });
  await feedOver().feed.drain();
});

it("a node that comes back when its lease is another's brings nothing back that was removed meanwhile", async () => {
  const TERM_MS = 600;
  const [late, next] = ["late", "next"].map((holder) => new Leases(node.mesh.world.documents, node.clock, holder)) as [
    Leases,
    Leases,
  ];
  await articles.store(source(96_000), [common(96_001)]);
  const doomed = (await articles.whole()).find(({ sourceId }) => sourceId === 96_000)!.id;
  let puts = 0,
    pulls = 0;
  const { feed, errors } = feedOver(
    {
      ...STEPS,
      put: async (documents) => {
        puts++;
        await index.put(documents);
      },
      pull: async () => {
        const batch = await pull();
        // The first look is made without the lease.
        if (++pulls !== 2) return batch;
        await node.http("DELETE", `/api/articles/${doomed}`);
        // A holder that renews between the jump of the clock and the other's asking goes on holding; another node works
        // in no name but its own.
        do node.clock.advance(61_000);
        while (!(await beyondHolds(() => next.under("drill.feed", TERM_MS, () => feedOver().feed.drain()))));
        await new Promise((resolve) => {
          setTimeout(resolve, TERM_MS);
        });
        return batch;
      },
    },
    (work) => late.under("drill.feed", TERM_MS, work),
  );
  await feed.drain();
  expect(puts).toBe(0);
  expect(errors).toEqual([expect.any(LeaseLost)]);
  expect((await shown()).map(({ id }) => id)).not.toContain(doomed);
});

it("a wake during a drain is not forgotten", async () => {
  const from = source(95_000);
  let entered!: () => void, go!: () => void;
  const inside = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  let first = true;
  const { feed } = feedOver({
    ...STEPS,
    pull: async () => {
      const batch = await pull();
      if (first) {
        first = false;
        entered();
        await gate;
      }
      return batch;
    },
  });
  const draining = feed.drain();
  await inside;
  await articles.store(from, [common(95_001)]);
  feed.wake();
  go();
  await draining;
  expect((await shown()).map(({ title }) => title)).toContain("Report 95001, edition 0");
});

it("what comes behind a pass waits until it is a pass itself, or somebody asks for all", async () => {
  const from = source(95_100);
  const sizes: number[] = [];
  const put = async (documents: readonly SearchDocument[]) => {
    sizes.push(documents.length);
    await index.put(documents);
  };
  const minute = 60_000;
  const { feed } = feedOver({ ...STEPS, put }, undefined, { full: 3, eachMs: minute, mostMs: minute });
  const come = async (...numbers: number[]) => {
    await articles.store(
      from,
      numbers.map((n) => common(n)),
    );
    feed.wake(numbers.length);
  };
  await articles.store(from, [common(95_101)]);
  // The drain is over, and its pass not only put: what comes now comes behind it.
  await feed.drain();
  await come(95_102);
  await come(95_103, 95_104);
  expect(
    await eventually(
      async () => [...sizes],
      (all) => all.length > 1,
    ),
  ).toEqual([1, 3]);
  await come(95_105);
  await feed.drain();
  expect(sizes).toEqual([1, 3, 1]);
  await come(95_106);
  // A node that stops waits for nobody, and leaves to the next what is not shown.
  await feed.stop();
  await feedOver().feed.drain();
  expect((await shown()).filter(({ sourceId }) => sourceId === 95_100)).toHaveLength(6);
});

describe("articles are announced before they are stored", () => {
  const arrivals = async () => node.mesh.world.documents.collection("article_arrivals");
  const announce = async (first: number, end: number) => {
    const at = new Date(node.clock.now()).toISOString();
    await (await arrivals()).insert({ _id: `test-${first}`, first, end, count: end - first, at, due: at });
  };

  it("they are not written again when the index has them, and their announcement is gone", async () => {
    // What the stories above left for later.
    node.clock.advance(61_000);
    await feedOver().feed.drain();
    await (await arrivals()).clear();
    await articles.store(source(97_000), [common(97_001), common(97_002)]);
    const before = (await articles.whole()).filter(({ sourceId }) => sourceId === 97_000);
    expect(before.map(({ unindexed }) => unindexed)).toEqual([undefined, undefined]);
    expect(await articles.call("waiting")).toMatchObject({ waiting: 2, oldest: expect.any(String) });
    await feedOver().feed.drain();
    expect((await shown()).filter(({ sourceId }) => sourceId === 97_000)).toHaveLength(2);
    expect(await (await arrivals()).count()).toBe(0);
  });

  it("they are not read back to be shown, but for those that were changed since", async () => {
    node.clock.advance(61_000);
    await feedOver().feed.drain();
    await (await arrivals()).clear();
    await articles.store(source(97_100), [common(97_101), common(97_102)]);
    const [first, second] = (await articles.whole()).filter(({ sourceId }) => sourceId === 97_100);
    const stored = await node.mesh.world.documents.collection("articles");
    await stored.updateMany({ _id: first!.id }, { $set: { title: "Changed without a revision" } });
    await stored.updateMany({ _id: second!.id }, { $set: { title: "Changed" }, $inc: { rev: 1 } });
    const titles = async () => (await pull()).documents.map(({ title }) => title);
    expect(await titles()).toEqual([first!.title, "Changed"]);
    // Of a pass that came to nothing all is read.
    expect(await titles()).toEqual(["Changed without a revision", "Changed"]);
    await feedOver().feed.drain();
  });

  it("an announcement whose articles never came is put off, holds nothing up, and is given up after a day", async () => {
    await announce(9_000_000, 9_000_010);
    const { feed, errors } = feedOver();
    await feed.drain();
    // Whoever announced it may still be at work.
    expect(await articles.call("waiting")).toMatchObject({ waiting: 10 });
    node.clock.advance(11_000);
    await articles.store(source(96_100), [common(96_101)]);
    await feed.drain();
    expect((await shown()).filter(({ sourceId }) => sourceId === 96_100)).toHaveLength(1);
    expect(await articles.call("waiting")).toMatchObject({ waiting: 0 });
    for (let hours = 0; hours < 72; hours += 12) {
      node.clock.advance(12 * 3_600_000);
      await feed.drain();
    }
    expect(await (await arrivals()).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it.each([
    ["soon", 0, 1_100, 96_200],
    ["long", 11_000, 61_000, 96_250],
  ])("what is stored %s after its announcement is shown still", async (_when, age, later, id) => {
    const from = source(id);
    await articles.store(from, [common(id + 1), common(id + 2)]);
    await feedOver().feed.drain();
    const [one, other] = (await articles.whole()).filter(({ sourceId }) => sourceId === id);
    // As it is where another node's write of the second comes late.
    const stored = await node.mesh.world.documents.collection("articles");
    const late = (await stored.removeById(other!.id))!;
    await index.remove([one!.id, other!.id]);
    await announce(one!.id, other!.id + 1);
    node.clock.advance(age);
    await feedOver().feed.drain();
    expect((await shown()).filter(({ sourceId }) => sourceId === id).map((hit) => hit.id)).toEqual([one!.id]);
    await stored.insert(late);
    node.clock.advance(later);
    await feedOver().feed.drain();
    expect((await shown()).filter(({ sourceId }) => sourceId === id)).toHaveLength(2);
    expect(await (await arrivals()).count()).toBe(0);
  });

  it("a batch too large for one pass is shown in parts", async () => {
    const from = source(96_300);
    await articles.store(
      from,
      [1, 2, 3, 4].map((n) => common(96_300 + n)),
    );
    await (
      await node.mesh.world.documents.collection("articles")
    ).updateMany({ sourceId: 96_300 }, { $set: { textLength: 2_000_000 } });
    const sizes: number[] = [];
    await feedOver({
      ...STEPS,
      put: async (documents) => {
        sizes.push(documents.length);
        await index.put(documents);
      },
    }).feed.drain();
    expect(sizes).toEqual([2, 2]);
    expect((await shown()).filter(({ sourceId }) => sourceId === 96_300)).toHaveLength(4);
    expect(await (await arrivals()).count()).toBe(0);
  });
});

it("reads of the mesh's own are refused to people", async () => {
  for (const action of ["unindexed", "documents", "indexed", "waiting"])
    await expect(node.call(`articles.${action}`, {})).rejects.toMatchObject({ code: 403 });
  await expect(node.call("articles.unindexed", { limit: 0 }, systemActor("test"))).rejects.toMatchObject({ code: 400 });
});
