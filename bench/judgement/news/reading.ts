import { systemActor } from "../../../core/access/access.ts";
import type { Doc } from "../../../core/records/documents.ts";
import { eventually, TestClock, world, type TestWorld } from "../../../test/mesh.ts";
import { NOW, OUTLETS, type LabelledArticle, type LabelledEvent } from "./corpus.ts";

const HOURS = 48;
const STAGES: [stage: string, path: string][] = [
  ["claims", "/claims/extract-recent"],
  ["cross-references", "/cross-reference/batch"],
  ["bias", "/bias/batch"],
  ["patterns", "/batch"],
];

export interface Span {
  text: string;
  start: number;
  end: number;
}
export interface Claim extends Span {
  id: number;
  articleId: number;
  status: string;
  score: number;
  independentSources: number;
}
export interface Reference {
  claimId: number;
  contentId: number;
  articleId: number;
  stance: string;
  independent: boolean;
  reasons: string[];
  evidence: Span;
}
export interface TopStory {
  title: string;
  url: string;
  publishedAt: string;
}

/** What the product made of the labelled articles. */
export interface Result {
  events: LabelledEvent[];
  byId: Map<number, LabelledArticle>;
  idOf: Map<string, number>;
  /** As stored after all checks. */
  stored: Map<number, Doc>;
  /** Confidence at intake, before anything was checked. */
  initially: Map<number, number>;
  claims: Claim[];
  references: Reference[];
  bias: Map<number, number>;
  content: string;
  title: string;
  stories: { headline: string; domain: string; articleIds: number[]; confidence: number }[];
  summaries: Map<string, TopStory[]>;
  /** CPU milliseconds an article. */
  cost: Map<string, number>;
}

export const addressOf = (article: LabelledArticle): string => `https://${article.outlet}.example/${article.key}`;

const all = async (at: TestWorld, collection: string): Promise<Doc[]> =>
  (await at.mesh.world.documents.collection(collection)).find({});

const system = { meta: { actor: systemActor("bench") } };

/** Takes the articles in, one by one as they were published. */
async function store(at: TestWorld, articles: readonly LabelledArticle[]): Promise<void> {
  const names = Object.keys(OUTLETS);
  for (const article of articles) {
    const { name, domain } = OUTLETS[article.outlet]!;
    const publishedAt = new Date(NOW - article.ago).toISOString();
    const paragraphs = article.text.split("\n\n");
    const item = {
      guid: article.key,
      url: addressOf(article),
      title: article.title,
      text: article.text,
      html: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(""),
      summary: paragraphs[0]!.slice(0, 300),
      categories: [],
      publishedAt,
      dateInferred: false,
    };
    await at.mesh.broker.call(
      "articles.store",
      { source: { id: names.indexOf(article.outlet) + 1, name, domain }, items: [item], fetchedAt: publishedAt },
      system,
    );
  }
  await eventually(
    () => at.mesh.broker.call<{ waiting: number }, object>("articles.waiting", {}, system),
    ({ waiting }) => waiting === 0,
    60_000,
  );
}

/**
 * Feeds the events through a world of embedded stores, as an installation without a model has them; a briefing reads so
 * many articles at the most.
 */
export async function read(events: LabelledEvent[], maxArticles = 500): Promise<Result> {
  const clock = new TestClock();
  clock.advance(NOW - Date.now());
  const at = await world({ REQUEST_TIMEOUT_MS: "600000" }, { clock });
  try {
    const cost = new Map<string, number>();
    const articles = events.flatMap((event) => event.articles).sort((a, b) => b.ago - a.ago);
    const measured = async <T>(stage: string, work: () => Promise<T>): Promise<T> => {
      const before = process.cpuUsage();
      const value = await work();
      const { user, system: kernel } = process.cpuUsage(before);
      cost.set(stage, (user + kernel) / 1_000 / articles.length);
      return value;
    };
    await measured("intake", () => store(at, articles));
    const byAddress = new Map(articles.map((article) => [addressOf(article), article]));
    const first = await all(at, "articles");
    const byId = new Map(first.map(({ _id, url }) => [Number(_id), byAddress.get(url)!]));
    for (const [stage, path] of STAGES)
      await measured(stage, async () => {
        for (let more = true; more;) {
          const { body } = await at.http("POST", `/api/verification${path}?limit=200`);
          more = body.data.more;
        }
      });
    const briefing = await measured("briefing", async () => {
      const { body } = await at.http("POST", "/api/briefings/generate", { body: { hours: HOURS, maxArticles } });
      const ready = await eventually(
        () => at.http("GET", `/api/briefings/${body.data.id}`),
        (answer) => answer.body.data.status !== "generating",
        120_000,
      );
      return ready.body.data;
    });
    if (briefing.status !== "completed") throw new Error(`The briefing failed: ${briefing.error}`);
    const [record] = await all(at, "briefings");
    const summaries = new Map<string, TopStory[]>();
    for (const domain of new Set(Object.values(OUTLETS).map((outlet) => outlet.domain)))
      summaries.set(domain, (await at.http("GET", `/api/v1/domains/${domain}/summary`)).body.topStories);
    return {
      events,
      byId,
      idOf: new Map([...byId].map(([id, { key }]) => [key, id])),
      stored: new Map((await all(at, "articles")).map((doc) => [Number(doc._id), doc])),
      initially: new Map(first.map(({ _id, confidence }) => [Number(_id), confidence])),
      claims: (await all(at, "claims")).map((doc) => ({ ...doc, id: Number(doc._id) }) as unknown as Claim),
      references: (await all(at, "claim_references")) as unknown as Reference[],
      bias: new Map(
        (await all(at, "verifications")).map((doc) => [Number(doc._id), doc["bias"]?.overallBiasScore ?? 0]),
      ),
      content: briefing.content,
      title: briefing.title,
      stories: record!["snapshot"].stories,
      summaries,
      cost,
    };
  } finally {
    await at.stop();
  }
}
