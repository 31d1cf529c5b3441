import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import type { Host, MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import type { Entity } from "../../../core/records/entity.ts";
import { commonWork } from "../../../core/records/keeping/personal-data.ts";
import { UnitRemoved } from "../../workspace/command/events.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { consumableActions } from "./consumables/consumables.actions.ts";
import { Consumable } from "./consumables/consumables.ts";
import * as events from "./events.ts";
import { ResourceAdded, ResourceChanged, ResourceGone, ResourceMoved, ThresholdsSet } from "./events.ts";
import { groupActions } from "./groups/groups.actions.ts";
import { Group, Membership } from "./groups/groups.ts";
import { PersonnelChanged, RegisterChanged, SHOWS } from "./live.ts";
import { personnelActions } from "./personnel/personnel.actions.ts";
import { Personnel } from "./personnel/personnel.ts";
import { importAction } from "./registry/import.actions.ts";
import { findingActions } from "./registry/finding.actions.ts";
import { registeringActions } from "./registry/registering.actions.ts";
import { resourceActions } from "./registry/resources.actions.ts";
import { servingActions } from "./registry/serving.actions.ts";
import { Resource } from "./registry/resources.ts";
import { bringUnit, leaveUnit } from "./registry/tracking.ts";
import { alarmActions } from "./telemetry/alarms.actions.ts";
import { Alarm, StandingAlarm } from "./telemetry/alarms.ts";
import { Intake, intakeOf } from "./telemetry/intake.ts";
import { readingActions } from "./telemetry/reading.actions.ts";
import { telemetryActions } from "./telemetry/telemetry.actions.ts";
import { AlarmChanged, ResourceTouched, TelemetryUpdate } from "./telemetry/telemetry.ts";
import { syncedActions } from "../synced-nouns.ts";
import { syncedConsumables, syncedResources } from "./client.ts";
import { Uses } from "./uses/uses.ts";

const MESH = asSystem("resources");
const SILENCE_MS = 2_000;
const PLACES_MS = 2_000;
const HOUR_MS = 3_600_000;
const DAY_US = 86_400_000_000;

/** What a resource measured goes with it, what was raised by it, its place in groups, and that it holds supplies. */
async function goneWithIt(this: Host, { id }: { id: string }): Promise<void> {
  await this.world.readings.remove(id);
  await this.store(Uses).removeAll(MESH, { _id: id });
  await this.store(Membership).collection.updateMany({ memberIds: id }, { $pull: { memberIds: id }, $inc: { rev: 1 } });
  const supplies = this.store(Consumable);
  for (const held of await supplies.find(MESH, { resourceId: id }))
    await supplies.amend(MESH, held.id, ({ resourceId }) => (resourceId === id ? { resourceId: null } : null));
  for (const entity of [Alarm, StandingAlarm]) await this.store(entity).removeAll(MESH, { resourceId: id });
}

async function seeToThresholds(this: Host, { id }: { id: string }): Promise<void> {
  const resource = await this.store(Resource).one(MESH, { _id: id });
  if (resource) await intakeOf(this).setThresholds(resource);
}

async function removeOldReadings(this: Host): Promise<void> {
  const { clock, env, readings } = this.world;
  await readings.removeBefore(clock.now() * 1_000 - env.TELEMETRY_DAYS * DAY_US);
}

const leaving = (host: Host, of: Entity, ids: readonly string[]) => commonsOf(host.broker).outbox.leaving(of, ids);

export default {
  name: "resources",
  metadata: {
    description: "Equipment, people and supplies: where they are, how ready, and what their telemetry says.",
  },
  settings: { rest: "/resources" },
  mixins: [
    domain({
      entities: [Resource, Uses, Group, Membership, Personnel, Consumable, Alarm, StandingAlarm],
      books: [StandingAlarm],
      tells: () => eventsIn(events).filter(({ name }) => name !== ResourceMoved.name),
      live: [AlarmChanged, TelemetryUpdate, RegisterChanged, PersonnelChanged],
      shows: SHOWS,
      hears: [
        on(ResourceGone, goneWithIt),
        on(ResourceAdded, bringUnit),
        on(ResourceChanged, bringUnit),
        on(ThresholdsSet, seeToThresholds),
        on(UnitRemoved, leaveUnit),
      ],
      schedules: {
        silence: {
          everyMs: SILENCE_MS,
          run(this: Host) {
            return intakeOf(this).lookForSilence();
          },
        },
        places: {
          everyMs: PLACES_MS,
          run(this: Host) {
            return intakeOf(this).lookForPlaces();
          },
        },
        readings: { everyMs: HOUR_MS, run: removeOldReadings },
      },
      keeps: [{ entity: Alarm, days: ({ env }) => env.TELEMETRY_DAYS }],
      personal: [
        { what: "Your record among the personnel", entity: Personnel, by: "userId", erasure: "remove", shared: true },
        commonWork("Alarms that you acknowledged", Alarm, "acknowledgedBy"),
      ],
    }),
  ],
  events: {
    [ResourceTouched.name]: {
      context: true,
      handler(this: Host, { params }: Ctx<{ id: string }>) {
        intakeOf(this)?.forget(params.id);
      },
    },
  },
  async started(this: Host & { intake: Intake }) {
    this.intake = new Intake(this);
  },
  async stopped(this: Host) {
    await intakeOf(this)?.close();
  },
  actions: {
    ...syncedActions(Resource, syncedResources, leaving),
    ...syncedActions(Consumable, syncedConsumables, leaving),
    ...telemetryActions,
    ...readingActions,
    ...alarmActions,
    ...findingActions,
    ...registeringActions,
    ...resourceActions,
    ...servingActions,
    ...importAction,
    ...groupActions,
    ...personnelActions,
    ...consumableActions,
  },
} satisfies MeshService;
