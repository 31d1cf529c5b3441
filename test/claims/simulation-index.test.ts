import type { ParsedItem } from "../../adapters/feeds/feed.ts";
import { asSystem } from "../../core/access/caller.ts";
import { iso } from "../../core/clock.ts";
import { Counters } from "../../core/records/counters.ts";
import type { Entity } from "../../core/records/entity.ts";
import { isConflict, isNotFound } from "../../core/problem.ts";
import { Leases } from "../../core/work/schedule.ts";
import { inTurns } from "../../core/work/turns.ts";
import type { SearchDocument } from "../../core/records/reading/search.ts";
import { Store } from "../../core/records/store.ts";
import { Article, newMark, Tombstone } from "../../services/news/articles/articles.ts";
import { preparing } from "../../services/news/articles/grouping/topics/translations.ts";
import { Arrivals } from "../../services/news/articles/indexing/arrivals.ts";
import { Intake } from "../../services/news/articles/intake/intake.ts";
import { Marks, searchDocument } from "../../services/news/articles/indexing/marks.ts";
import { Removal } from "../../services/news/articles/intake/removal.ts";
import { Stories } from "../../services/news/articles/dedup/stories.ts";
import { Texts } from "../../services/news/articles/intake/texts.ts";
import { IndexFeed } from "../../services/news/search/index-feed.ts";
import { item, prose, source } from "../news/articles/articles-setup.ts";
import { Away, NODES, nodesOf, scheduled, schedules, simulated, type Simulation } from "../simulation.ts";

// Claim 5 for what search shows: three nodes take feeds in, change and remove articles, and feed one index, under
// seeded schedules with refusals, lost answers, dying nodes and nodes that stand still.

const AMOUNT = scheduled(0.1);
const MESH = asSystem("simulation");
const COLLECTIONS = [
  Article.collection,
  Tombstone.collection,
  "article_texts",
  "article_traces",
  "article_arrivals",
  "counters",
  "leases",
  "outbox",
];
const FEED = source(1);
const documents = simulated();

// What intake makes once in a process takes turns of real time, which a simulation does not wait for.
beforeAll(() => inTurns(preparing()));

/** What any index of ours does: the newer revision stays; who was taken out comes back if an old state is put again. */
class Index {
  readonly shown = new Map<number, SearchDocument>();
  put(all: readonly SearchDocument[]): void {
    for (const one of all) if ((this.shown.get(one.id)?.rev ?? 0) <= one.rev) this.shown.set(one.id, one);
  }
  remove(ids: readonly number[]): void {
    for (const id of ids) this.shown.delete(id);
  }
}

class Node {
  readonly articles: Store<typeof Article>;
  readonly intake: Intake;
  readonly removal: Removal;
  readonly feed: IndexFeed;

  private constructor(parts: Pick<Node, "articles" | "intake" | "removal" | "feed">) {
    this.articles = parts.articles;
    this.intake = parts.intake;
    this.removal = parts.removal;
    this.feed = parts.feed;
  }

  static async open(simulation: Simulation, name: string, index: Index): Promise<Node> {
    const { clock } = simulation;
    const mine = simulation.store(documents, name);
    const counters = new Counters(mine);
    const storeOf = async <E extends Entity>(entity: E): Promise<Store<E>> =>
      new Store(entity, {
        collection: await mine.collection(entity.collection, {
          indexes: [{ fields: ["-createdAt"] }, ...entity.indexes],
        }),
        clock,
        number: (counter, count) => counters.take(counter, count),
        stored() {},
        announceRemoval: async () => {},
        removed() {},
      });
    const [articles, tombstones, texts, stories, arrivals] = await Promise.all([
      storeOf(Article),
      storeOf(Tombstone),
      Texts.open(mine),
      Stories.open(mine, clock),
      Arrivals.open(mine, clock),
    ]);
    const removal = new Removal(articles, tombstones, texts, clock);
    const marks = new Marks(articles, arrivals, tombstones, texts, removal, clock);
    const leases = new Leases(mine, clock, name);
    const feed = new IndexFeed({
      index: {
        put: (all) => simulation.ask(name, "index.put", () => index.put(all)),
        remove: (ids) => simulation.ask(name, "index.remove", () => index.remove(ids)),
        ping: () => simulation.ask(name, "index.ping", () => {}),
      },
      pull: () => marks.next(5),
      confirm: (confirmed) => marks.confirm(confirmed),
      held: (work) =>
        leases.under("search.feed", 30_000, async () => {
          await work();
          await leases.release("search.feed");
        }),
      onError() {},
    });
    return new Node({
      articles,
      removal,
      feed,
      intake: new Intake({
        articles,
        arrivals,
        tombstones,
        texts,
        stories,
        removal,
        clock,
        letterOf: async () => undefined,
        retentionDays: 0,
      }),
    });
  }
}

const edition = (n: number, at: number): ParsedItem =>
  item(n, {
    title: `Report ${n}, edition ${at}`,
    text: prose(n * 100 + at, 12),
    publishedAt: "2026-01-01T00:00:00.000Z",
  });

/** One of the things that nodes do with articles; what it acknowledged is noted. */
async function act({ articles, intake, removal }: Node, simulation: Simulation, taken: Set<string>): Promise<void> {
  const any = async () => {
    const all = await articles.find(MESH, {}, { sort: ["_id"], limit: 20 });
    return all[simulation.below(all.length)];
  };
  const chance = simulation.below(10);
  if (chance < 6) {
    const items = Array.from({ length: 1 + simulation.below(4) }, () =>
      edition(simulation.below(12), simulation.below(3)),
    );
    await intake.store(MESH, { source: FEED as never, items, fetchedAt: iso(simulation.clock.now()) });
    for (const { guid } of items) taken.add(guid!);
    return;
  }
  const article = await any();
  if (!article) return;
  if (chance < 8)
    await articles.revise(MESH, article, {
      verified: !article.verified,
      unindexed: newMark(iso(simulation.clock.now())),
    });
  else await removal.remove(MESH, [article]);
}

it("the index comes to show every article as it is, whoever dies, stands still or is refused", async () => {
  let shown = 0;
  await schedules(documents, AMOUNT, COLLECTIONS, async (simulation) => {
    const index = new Index();
    const taken = new Set<string>();
    const nodes = nodesOf(simulation, (name) => Node.open(simulation, name, index));
    const some = async (): Promise<Node> => nodes.get(simulation.pick(NODES))!;
    for (let at = 0; at < 10; at++) {
      void some()
        .then((node) => act(node, simulation, taken))
        .catch((error: unknown) => {
          if (!(error instanceof Away) && !isConflict(error) && !isNotFound(error)) throw error;
        });
      if (simulation.chance(60)) void some().then((node) => node.feed.drain());
      await simulation.run(simulation.below(25));
      if (simulation.chance(15)) simulation.wait(simulation.below(40_000));
    }
    await simulation.run();
    simulation.calm();
    // What was put off, or not whole when it was looked at, comes again: within a day at the latest.
    for (const wait of [31_000, 62_000, 62_000, 130_000, 270_000]) {
      simulation.wait(wait);
      void (await nodes.get("a")!).feed.drain();
      await simulation.run();
    }
    const { articles } = await nodes.get("b")!;
    const texts = await documents.collection("article_texts");
    const found = articles.find(MESH, {}, { sort: ["_id"], limit: 100 });
    await simulation.run();
    const wanted = await Promise.all(
      (await found).map(async (article) =>
        searchDocument(article, (await texts.findById(article.textId))!["text"] as string),
      ),
    );
    expect([...index.shown.values()].sort((one, other) => one.id - other.id)).toEqual(wanted);
    // Nothing acknowledged is lost: each is there, or was removed.
    const graves = await (await documents.collection(Tombstone.collection)).count();
    expect(new Set((await found).map(({ key }) => key)).size).toBe(wanted.length);
    expect(wanted.length + graves).toBeGreaterThanOrEqual(taken.size);
    shown += wanted.length;
  });
  // The schedules did reach what they are for.
  expect(shown).toBeGreaterThan(AMOUNT);
}, 3_600_000);
