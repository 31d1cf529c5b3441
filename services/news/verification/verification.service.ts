import type { MeshService } from "../../../core/contract/endpoint.ts";
import { on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { assess } from "../articles/client.ts";
import { ArticleRemoved, ArticleVerified } from "../articles/events.ts";
import { batch } from "./work/batches.ts";
import { compareAgain, compareNew } from "./work/comparing.ts";
import { biases } from "./bias/bias.actions.ts";
import { Claim } from "./claims/claim.ts";
import { claims } from "./claims/claims.actions.ts";
import { deep } from "./work/deep.ts";
import type { Verifier } from "./host.ts";
import { judging } from "./judging.actions.ts";
import { SourceRecords } from "./reliability/source-records.ts";
import { ClaimReference } from "./references/reference.ts";
import { references } from "./references/references.actions.ts";
import { reviews } from "./claims/reviews.actions.ts";
import { standings } from "./reliability/reliability.actions.ts";
import { StandingChange } from "./reliability/history.ts";
import { trails } from "./trail/trail.actions.ts";
import { Verification } from "./verification.ts";
import { BATCH, COMPARE, DEEP } from "./work/work.ts";

/** Ratings are drawn anew once a day; looked at more often, since nodes come and go. */
const RECORDS_AGE_MS = 3_600_000;
/** Where nothing is to be compared unasked: the setting is looked at. */
const NEVER_COMPARED_MS = 3_600_000;
/** Feeds that are followed first have been read by then. */
const FIRST_COMPARED_MS = 120_000;
const untilCompared = ({ world: { env } }: Verifier): number =>
  env.COMPARE_INTERVAL_MINUTES * 60_000 || NEVER_COMPARED_MS;

export default {
  name: "verification",
  metadata: {
    description: "Why to trust an article: its claims, cross-references, bias, and the reliability of its source.",
  },
  settings: { rest: "/verification" },
  mixins: [
    domain({
      entities: [Claim, ClaimReference, StandingChange, Verification],
      hears: [on(ArticleRemoved, forget), on(ArticleVerified, compareAgain)],
      jobs: { [DEEP]: { concurrency: 2, run: deep }, [BATCH]: { run: batch }, [COMPARE]: { run: batch } },
      schedules: {
        "compare-new": { everyMs: untilCompared, firstMs: FIRST_COMPARED_MS, run: compareNew },
        "age-records": {
          everyMs: RECORDS_AGE_MS,
          run(this: Verifier) {
            return this.sources.age(this);
          },
        },
      },
    }),
  ],
  actions: { ...claims, ...references, ...biases, ...judging, ...reviews, ...trails, ...standings },

  async started(this: Verifier) {
    this.sources = await SourceRecords.open(this.world.documents);
    this.tell = (finding) => assess(this, finding);
  },
} satisfies MeshService;

/** Results about a removed article go with it; its sentences stay as evidence for others' claims. */
async function forget(this: Verifier, { id }: { id: number }): Promise<void> {
  await this.store(ClaimReference).bulk([{ remove: { contentId: id } }]);
  await this.store(Claim).bulk([{ remove: { articleId: id } }]);
  await this.store(Verification).bulk([{ remove: { _id: id } }]);
}
