import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { collectionActions } from "./collection/collection.actions.ts";
import { Collected } from "./collection/collected.ts";
import { record } from "./collection/passing-on.ts";
import { cycleActions } from "./cycle/cycle.actions.ts";
import { Checkpoint, Cycle } from "./cycle/cycles.ts";
import { CYCLE, CycleChanged, expireCheckpoints, giveUpCycle, goOn, runCycle, sweepCycles } from "./cycle/running.ts";
import * as events from "./events.ts";
import { CheckpointResolved, ProductReviewed, StoryCollected } from "./events.ts";
import { fusionActions, giveWay, ProductMoved } from "./fusion/fusion.actions.ts";
import { passOn } from "./fusion/passing-on.ts";
import { Product } from "./fusion/products.ts";
import { AlertRaised } from "./monitors/alerting.ts";
import { monitorActions } from "./monitors/monitors.actions.ts";
import { Alert, Cursor, Monitor, RateState } from "./monitors/monitors.ts";
import { ThreatWatch } from "./monitors/watching.ts";

const LOOK_MS = 2_000;
const EXPIRE_MS = 2_000;
const SWEEP_MS = 10_000;
const KEPT_DAYS = 400;
const days = (): number => KEPT_DAYS;
type Agents = Host & { threats?: ThreatWatch };

export default {
  name: "strategic-agents",
  metadata: {
    description:
      "Agents that watch the news for you: monitors, threat alerts, fused products and the intelligence cycle.",
  },
  settings: { rest: "/strategic-agents" },
  mixins: [
    domain({
      entities: [Collected, Monitor, Alert, RateState, Cursor, Product, Cycle, Checkpoint],
      books: [RateState, Cursor],
      tells: () => eventsIn(events),
      hears: [
        on(StoryCollected, record),
        on(ProductReviewed, giveWay),
        on(ProductReviewed, passOn),
        on(CheckpointResolved, goOn),
      ],
      live: [AlertRaised, ProductMoved, CycleChanged],
      jobs: { [CYCLE]: { run: runCycle, failed: giveUpCycle, concurrency: 2 } },
      schedules: {
        "read-news": {
          everyMs: LOOK_MS,
          everywhere: true,
          async run(this: Agents) {
            await this.threats?.look();
          },
        },
        "expire-checkpoints": { everyMs: EXPIRE_MS, run: expireCheckpoints },
        "sweep-cycles": { everyMs: SWEEP_MS, run: sweepCycles },
      },
      personal: [
        commonWork("Stories that you collected", Collected),
        commonWork("Monitors that you set up", Monitor),
        commonWork("Alerts that you acknowledged", Alert, "acknowledgedBy"),
        commonWork("Fused products that you asked for", Product),
        commonWork("Fused products that you judged", Product, "decidedBy"),
        commonWork("Intelligence cycles that you asked for", Cycle),
        commonWork("Checkpoints that you resolved", Checkpoint, "resolvedBy"),
      ],
      keeps: [
        { entity: Alert, days, where: { status: "closed" } },
        { entity: Checkpoint, days, where: { status: { $ne: "pending" } } },
        { entity: Collected, days },
      ],
    }),
  ],
  actions: { ...collectionActions, ...monitorActions, ...fusionActions, ...cycleActions },
  events: {
    /** A hint: what no hint tells of is found by the next look. */
    "news.articles.changed": {
      context: true,
      handler(this: Agents) {
        this.threats?.hint();
      },
    },
  },
  started(this: Agents) {
    this.threats = new ThreatWatch(this, commonsOf(this.broker).leases);
    return Promise.resolve();
  },
  async stopped(this: Agents) {
    await this.threats?.close();
  },
} satisfies MeshService;
