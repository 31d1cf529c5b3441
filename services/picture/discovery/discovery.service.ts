import { z } from "zod";
import { bare } from "../../../core/contract/answer.ts";
import { asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { eventsIn, on } from "../../../core/events/event.ts";
import { ProblemSetArchived } from "../../workspace/problem-sets/events.ts";
import { commonsOf, domain } from "../../../mixins/domain.mixin.ts";
import { cutOffOf, AccessListEntry, isCutOff } from "./access-list/entries.ts";
import { entryActions } from "./access-list/entries.actions.ts";
import { Consent } from "./consents/consents.ts";
import { consentActions } from "./consents/consents.actions.ts";
import { DeviceChanged, DeviceNoticed, tellSums } from "./devices/announcing.ts";
import { decideAnew, deviceNow, forgetDevices, lookForLost } from "./devices/access-decisions.ts";
import { Device, KEPT_DAYS, KnownBy } from "./devices/devices.ts";
import { deviceActions } from "./devices/devices.actions.ts";
import { finish } from "./devices/disconnecting.ts";
import { Emission, Emitter, NodeInterfaces } from "./em/emissions.ts";
import { emActions } from "./em/em.actions.ts";
import { noteInterfaces } from "./em/emission-store.ts";
import * as events from "./events.ts";
import { AccessListChanged, DeviceCutOff } from "./events.ts";
import { NetworkChanged, NetworkNoticed, SHOWS } from "./live.ts";
import { reportActions } from "./reports/reports.actions.ts";
import { TransportConfig } from "./scanner/configs.ts";
import { Scanner } from "./scanner/scanner.ts";
import { scannerActions } from "./scanner/scanner.actions.ts";
import { Scanning } from "./scanner/scanning.ts";
import { Target, unscanned } from "./targets/targets.ts";
import { targetActions } from "./targets/targets.actions.ts";
import { Link } from "./topology/links.ts";
import { topologyActions } from "./topology/topology.actions.ts";

const MESH = asSystem("discovery");
const LOOK_MS = 2_000;
const SUMS_MS = 1_000;
const NODE_MS = 60_000;
const DAY_MS = 86_400_000;
const EMISSION_DAYS = 1;

type Discovering = Host & { scanning?: Scanning };

/** What expires counts no more; devices are decided on without it. */
async function expire(this: Host): Promise<void> {
  const store = this.store(AccessListEntry);
  const now = iso(this.world.clock.now());
  for (const entry of await store.find(MESH, { expiresAt: { $lte: now } }, { sort: ["expiresAt"], limit: 500 })) {
    const { id, mode } = entry;
    await store.remove(MESH, entry, { facts: [AccessListChanged.fact(id, { id, mode })] });
  }
}

/** Nobody could take off the list what lies in an archived problem set: nothing is sent there any more. */
async function leaveTargets(this: Host, { problemSetId }: { problemSetId: string }): Promise<void> {
  const store = this.store(Target);
  for (const { id } of await store.find(MESH, { problemSetId, enabled: true }))
    await store.amend(MESH, id, () => ({ enabled: false, ...unscanned(iso(this.world.clock.now())) }));
}

async function forget(this: Host): Promise<void> {
  await forgetDevices.call(this);
  const before = iso(this.world.clock.now() - KEPT_DAYS * DAY_MS);
  await this.store(Link).removeAll(MESH, { lastSeenAt: { $lt: before } }, { by: "lastSeenAt" });
  await this.store(NodeInterfaces).removeAll(MESH, { at: { $lt: before } }, { by: "at" });
}

export default {
  name: "discovery",
  metadata: { description: "Finding the devices on a network, and deciding which of them are allowed." },
  settings: { rest: "/discovery" },
  mixins: [
    domain({
      entities: [
        Scanner,
        TransportConfig,
        Target,
        AccessListEntry,
        Consent,
        Device,
        KnownBy,
        Emission,
        Emitter,
        NodeInterfaces,
        Link,
      ],
      books: [KnownBy, NodeInterfaces],
      tells: () => eventsIn(events),
      hears: [
        on(ProblemSetArchived, leaveTargets),
        on(AccessListChanged, async function (this: Host, { mode }) {
          await decideAnew(this, mode);
        }),
        on(DeviceCutOff, async function (this: Host, { id }) {
          const device = await deviceNow(this, id);
          if (device?.disconnected?.pending) await finish(this, device);
        }),
      ],
      live: [DeviceChanged, DeviceNoticed, NetworkChanged, NetworkNoticed],
      shows: SHOWS,
      schedules: {
        scan: {
          everyMs: LOOK_MS,
          everywhere: true,
          async run(this: Discovering) {
            await this.scanning?.look();
          },
        },
        sums: { everyMs: SUMS_MS, everywhere: true, run: tellSums },
        interfaces: { everyMs: NODE_MS, firstMs: 0, everywhere: true, run: noteInterfaces },
        lost: { everyMs: LOOK_MS, run: lookForLost },
        expire: { everyMs: NODE_MS, run: expire },
        forget: { everyMs: DAY_MS, run: forget },
      },
      personal: [{ what: "Texts you accepted for discovery", entity: Consent, by: "userId", erasure: "remove" }],
      keeps: [{ entity: Emission, days: () => EMISSION_DAYS }],
    }),
  ],
  started(this: Discovering) {
    this.scanning = new Scanning(this, commonsOf(this.broker).leases);
    return Promise.resolve();
  },
  async stopped(this: Discovering) {
    await this.scanning?.close();
  },

  actions: {
    ...scannerActions,
    ...consentActions,
    ...targetActions,
    ...entryActions,
    ...deviceActions,
    ...reportActions,
    ...emActions,
    ...topologyActions,

    cutOffOf: endpoint({
      summary: "Where a DID was cut off by an emergency disconnect",
      permit: "internal",
      body: { did: z.string() },
      returns: bare(z.object({ everywhere: z.boolean(), problemSetIds: z.array(z.string()) })),
      handler(ctx) {
        return cutOffOf(this, ctx.params.did);
      },
    }),

    isCutOff: endpoint({
      summary: "Whether a DID was cut off by an emergency disconnect, everywhere or in this problem set",
      permit: "internal",
      body: { did: z.string(), problemSetId: z.string().optional() },
      returns: bare(z.boolean()),
      handler(ctx) {
        return isCutOff(this, ctx.params.did, ctx.params.problemSetId);
      },
    }),
  },
} satisfies MeshService;
