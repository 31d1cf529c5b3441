import type { Ctx } from "../../../core/access/caller.ts";
import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import type { Entity } from "../../../core/records/entity.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { ResourceChanged, ResourceMoved } from "../resources/events.ts";
import { syncedActions } from "../synced-nouns.ts";
import { followResources, lookForMoves } from "./carried.ts";
import { syncedSensors } from "./client.ts";
import { coverageActions } from "./coverages.actions.ts";
import * as events from "./events.ts";
import { lookForSilence } from "./reports.ts";
import { fixActions } from "./fixes.actions.ts";
import { sensorActions } from "./sensors.actions.ts";
import { Fix, Sensor, SensorChanged } from "./sensors.ts";

const LOOK_MS = 2_000;
const CARRIED_MS = 30_000;

const leaving = (host: Host, of: Entity, ids: readonly string[]) => commonsOf(host.broker).outbox.leaving(of, ids);

export default {
  name: "sensors",
  metadata: { description: "Sensors, their heartbeats, their coverage and its gaps." },
  settings: { rest: "/sensors" },
  mixins: [
    domain({
      entities: [Sensor, Fix],
      books: [Fix],
      tells: () => eventsIn(events),
      live: [SensorChanged],
      hears: [
        on(ResourceChanged, function (this: Host, { id }) {
          return followResources(this, [id]);
        }),
      ],
      schedules: {
        silence: { everyMs: LOOK_MS, run: lookForSilence },
        carried: { everyMs: CARRIED_MS, run: lookForMoves },
      },
      keeps: [{ entity: Fix, days: ({ env }) => env.TELEMETRY_DAYS }],
    }),
  ],

  events: {
    [ResourceMoved.name]: {
      context: true,
      handler(this: Host, { params: { ids } }: Ctx<{ ids: string[] }>) {
        return followResources(this, ids);
      },
    },
  },
  actions: { ...syncedActions(Sensor, syncedSensors, leaving), ...sensorActions, ...fixActions, ...coverageActions },
} satisfies MeshService;
