import type { ParsedItem } from "../../../adapters/feeds/feed.ts";
import { systemActor } from "../../../core/access/access.ts";
import type { SearchDocument } from "../../../core/records/reading/search.ts";
import type { Article } from "../../../services/news/articles/articles.ts";
import type { IntakeOutcome } from "../../../services/news/articles/intake/drafts.ts";
import type { Domain } from "../../../services/news/sources/events.ts";
import type { TestWorld } from "../../mesh.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export interface TestSource {
  id: number;
  name: string;
  domain: Domain;
  fullText?: boolean;
  successRate?: number;
}
export const source = (id: number, traits: Partial<TestSource> = {}): TestSource => ({
  id,
  name: `Source ${id}`,
  domain: "energy",
  ...traits,
});

/** Words that tell one text from another; the same number gives the same text. */
const WORDS =
  "harbour council turbine ministry glacier vaccine parliament copper satellite refinery orchestra drought tariff embassy reactor wheat signal border laboratory pension canal lithium tribunal monsoon ferry archive budget meadow compass lantern".split(
    " ",
  );
export function prose(seed: number, words = 120): string {
  let state = (seed * 2_654_435_761 + 97) >>> 0;
  const word = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `${WORDS[state % WORDS.length]}${(state >>> 16) % 40}`;
  };
  return Array.from({ length: words }, word).join(" ");
}

/** An item of a feed; number `n` of its kind has a title, an address and a text of its own. */
export function item(n: number, traits: Partial<ParsedItem> = {}): ParsedItem {
  const text = traits.text ?? prose(n);
  return {
    guid: `guid-${n}`,
    url: `https://news.example/articles/${n}`,
    title: `Report number ${n}`,
    text,
    html: `<p>${text}</p>`,
    summary: text.slice(0, 100),
    categories: [],
    publishedAt: new Date(Date.now() - n * 1_000).toISOString(),
    dateInferred: false,
    ...traits,
  };
}

/** Settings for another node on the same stores. */
export const sameStores = (node: TestWorld): Record<string, string> => ({
  DATA_DIR: node.dataDir,
  ...(node.env.MONGO_URL && { MONGO_URL: node.env.MONGO_URL }),
});

/**
 * Keeps a schedule from running in the middle of a test that does its work by hand: somebody else has its lease, also
 * where a node was first.
 */
export async function holdSchedule(node: TestWorld, name: string): Promise<void> {
  await (
    await node.mesh.world.documents.collection("leases")
  ).claim(
    { _id: `articles.${name}` },
    { $set: { holder: "test", until: "9999-12-31T23:59:59.999Z" }, $inc: { fence: 1 } },
    { upsert: true },
  );
}

/** The mesh's own calls on a node's articles. */
/** A node of short time-outs on a busy machine is given its articles all the same. */
const PATIENCE_MS = 60_000;

export function articlesOf(node: TestWorld) {
  const call = <T>(action: string, params: object = {}): Promise<T> =>
    node.mesh.broker.call(`articles.${action}`, params, { meta: { actor: systemActor("test") }, timeout: PATIENCE_MS });
  const now = () => new Date(node.clock.now()).toISOString();
  return {
    call,
    store: (from: TestSource, items: readonly ParsedItem[], fetchedAt = now()) =>
      call<IntakeOutcome>("store", { source: from, items, fetchedAt }),
    /** Everything that is stored, in the order of ids, as the index should have it. */
    async documents(): Promise<SearchDocument[]> {
      const all: SearchDocument[] = [];
      for (let after: number | null = 0; after !== null;) {
        const page: { documents: SearchDocument[]; next: number | null } = await call("documents", {
          after,
          limit: 200,
        });
        all.push(...page.documents);
        after = page.next;
      }
      return all;
    },
    async whole(): Promise<(Article & { text: string })[]> {
      const ids = (await this.documents()).map(({ id }) => id);
      const found: (Article & { text: string })[] = [];
      for (let at = 0; at < ids.length; at += 500)
        found.push(
          ...(await call<(Article & { text: string })[]>("many", { ids: ids.slice(at, at + 500), text: true })),
        );
      return found.sort((a, b) => a.id - b.id);
    },
  };
}
export type TestArticles = ReturnType<typeof articlesOf>;
