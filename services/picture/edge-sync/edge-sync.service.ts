import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { ConsumableGone, ResourceGone } from "../resources/events.ts";
import { SensorGone } from "../sensors/events.ts";
import { conflictActions } from "./conflicts/conflicts.actions.ts";
import * as events from "./events.ts";
import { nodeActions } from "./nodes/nodes.actions.ts";
import { EdgeNode } from "./nodes/nodes.ts";
import { follow, forget, noteGone } from "./records/following.ts";
import { PlaceEntry, Scope, SyncPlace } from "./records/places.ts";
import { EdgeConflictChanged, SyncRecord } from "./records/records.ts";
import { Batch } from "./syncing/batches.ts";
import { syncActions } from "./syncing/sync.actions.ts";

const LOOK_MS = 2_000;
const MOST_LOOKS = 10;
const DAY_MS = 86_400_000;
const BATCH_DAYS = 90;

export default {
  name: "edge-sync",
  metadata: { description: "Nodes that work offline, and the synchronisation of their edits." },
  settings: { rest: "/edge-sync" },
  mixins: [
    domain({
      entities: [EdgeNode, SyncRecord, Scope, SyncPlace, PlaceEntry, Batch],
      books: [Scope, SyncPlace, PlaceEntry, Batch],
      tells: () => eventsIn(events),
      hears: [
        on(ResourceGone, async function (this: Host, { id }) {
          await noteGone(this, "resource", id);
        }),
        on(ConsumableGone, async function (this: Host, { id }) {
          await noteGone(this, "consumable", id);
        }),
        on(SensorGone, async function (this: Host, { id }) {
          await noteGone(this, "sensor", id);
        }),
      ],
      live: [EdgeConflictChanged],
      schedules: {
        follow: {
          everyMs: LOOK_MS,
          async run(this: Host) {
            for (let look = 0; look < MOST_LOOKS; look++) if (await follow(this)) return;
          },
        },
        forget: { everyMs: DAY_MS, run: forget },
      },
      personal: [{ what: "Your edge nodes", entity: EdgeNode, by: "userId", erasure: "remove" }],
      keeps: [{ entity: Batch, days: () => BATCH_DAYS }],
    }),
  ],
  actions: { ...syncActions, ...nodeActions, ...conflictActions },
} satisfies MeshService;
