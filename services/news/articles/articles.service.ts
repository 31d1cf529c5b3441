import type { MeshService } from "../../../core/contract/endpoint.ts";
import { on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { type Reliability, SourceChanged, SourceRemoved } from "../sources/events.ts";
import { ArticlesArrived } from "./events.ts";
import { Arrivals } from "./indexing/arrivals.ts";
import { Article, newMark, Tombstone } from "./articles.ts";
import type { Articles } from "./host.ts";
import { ArrivalBroadcast } from "./intake/arrival-broadcast.ts";
import { Intake } from "./intake/intake.ts";
import { judging } from "./confidence/judging.actions.ts";
import { keepingActions } from "./keeping.actions.ts";
import { LATER_MS, Marks } from "./indexing/marks.ts";
import { heldVerdicts } from "./personal.ts";
import { Pages } from "./intake/pages.ts";
import { readingActions } from "./reading/reading.actions.ts";
import { Removal } from "./intake/removal.ts";
import { RELABEL, relabel } from "./intake/relabelling.ts";
import { forgetSource, REMOVE, removeOfSource } from "./intake/source-removal.ts";
import { Stories } from "./dedup/stories.ts";
import { Texts } from "./intake/texts.ts";
import { verifying } from "./verifying.actions.ts";

const HOUR_MS = 3_600_000;
const PAGES_MS = 5_000;

/** A source's rating; without an answer an article is judged without it, and verification brings it in later. */
const letterOf = (articles: Articles, id: number): Promise<Reliability | undefined> =>
  articles.ask<{ rating: Reliability }[]>("verification.standings", { ids: [id] }).then(
    ([standing]) => standing?.rating,
    () => undefined,
  );

const own = (articles: Articles, action: string) => articles.ask(action, {}, { timeout: HOUR_MS });

export default {
  name: "articles",
  metadata: { description: "Articles from the followed feeds: read, filter, count." },
  settings: { rest: "/articles" },
  mixins: [
    domain({
      entities: [Article, Tombstone],
      live: [ArticlesArrived],
      personal: [heldVerdicts],
      hears: [on(SourceChanged, startRelabelling), on(SourceRemoved, forgetSource)],
      jobs: { [RELABEL]: { run: relabel }, [REMOVE]: { run: removeOfSource } },
      waits: [
        { of: Article, field: "pageDue", since: "updatedAt" },
        { of: "article_arrivals", field: "due", since: "at" },
        ...[Article, Tombstone].map((of) => ({ of, field: "unindexed", mostMs: LATER_MS, write: newMark })),
      ],
      schedules: {
        retain: {
          everyMs: HOUR_MS,
          firstMs: 60_000,
          run(this: Articles) {
            return own(this, "articles.retain");
          },
        },
        forget: { everyMs: 6 * HOUR_MS, run: forget },
        "visit-pages": {
          everyMs: PAGES_MS,
          run(this: Articles) {
            return own(this, "articles.visitPages");
          },
        },
      },
    }),
  ],
  actions: { ...readingActions, ...judging, ...keepingActions, ...verifying },

  async started(this: Articles) {
    const { world } = this;
    const { documents, clock, env } = world;
    const articles = this.store(Article),
      tombstones = this.store(Tombstone);
    const [texts, stories, arrivals] = await Promise.all([
      Texts.open(documents),
      Stories.open(documents, clock),
      Arrivals.open(documents, clock),
    ]);
    const removal = new Removal(articles, tombstones, texts, clock);
    const outbound = { get: (...given: Parameters<typeof world.outbound.get>) => world.outbound.get(...given) };
    const parser = {
      article: (...given: Parameters<typeof world.feedParser.article>) => world.feedParser.article(...given),
    };
    Object.assign(this, {
      texts,
      stories,
      removal,
      intake: new Intake({
        articles,
        arrivals,
        tombstones,
        texts,
        stories,
        removal,
        clock,
        together: documents.together,
        letterOf: (id) => letterOf(this, id),
        retentionDays: env.RETENTION_DAYS,
      }),
      marks: new Marks(articles, arrivals, tombstones, texts, removal, clock),
      pages: new Pages(articles, texts, outbound, parser, clock),
      arrivals: new ArrivalBroadcast(this),
    });
  },

  async stopped(this: Articles) {
    this.arrivals?.close();
  },
} satisfies MeshService;

/** A job for each change. It reads the source's name when it runs, so the order of jobs does not matter. */
async function startRelabelling(this: Articles, { id }: { id: number }): Promise<void> {
  await this.jobs.add(RELABEL, { sourceId: id }, { by: "system:articles", onlookers: "everybody" });
}

async function forget(this: Articles): Promise<void> {
  await Promise.all([this.removal.forget(), this.stories.forget(this.world.clock.now())]);
}
