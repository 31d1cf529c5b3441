import type { ActionSchema, ServiceBroker, ServiceSchema } from "moleculer";
import { hearing } from "../core/contract/catalogue.ts";
import type { Ctx } from "../core/access/caller.ts";
import { systemActor } from "../core/access/access.ts";
import { contentsActions } from "../core/records/keeping/contents.ts";
import type { Collection, Key } from "../core/records/documents.ts";
import type { DomainParts, Host } from "../core/contract/endpoint.ts";
import type { Entity } from "../core/records/entity.ts";
import type { EventSubscription, Fact } from "../core/events/event.ts";
import { RecordBroadcast } from "../core/events/showing.ts";
import { newRequestId } from "../core/ids.ts";
import { personalActions } from "../core/records/keeping/personal-data.ts";
import { retain } from "../core/records/keeping/retention.ts";
import type { Removal } from "../core/records/keeping/removals.ts";
import { Store } from "../core/records/store.ts";
import { bringBack } from "../core/work/waits.ts";
import { signalOf } from "./abandonment.ts";
import { commonsOf } from "./commons.ts";
import { runSchedules } from "./schedules.ts";

export { commonsOf, equip, type Commons } from "./commons.ts";

const RETAIN_EVERY_MS = 3_600_000;
const BRING_BACK_EVERY_MS = 60_000;

/**
 * Makes the stores of a service's entities; each collection is opened, with its indexes, before the service takes
 * calls.
 */
async function openStores(
  broker: ServiceBroker,
  { entities = [], shows = [] }: DomainParts,
  broadcast: RecordBroadcast,
): Promise<Map<Entity, Store<Entity>>> {
  const { world, outbox, counters } = commonsOf(broker);
  const number = (counter: string, count?: number): Promise<number> => counters.take(counter, count);
  const open = async (entity: Entity): Promise<[Entity, Store<Entity>]> => {
    const own = [
      { fields: ["_pendingSince"], sparse: true },
      ...(entity.idKind === "number" ? [{ fields: ["_idem"], unique: true, sparse: true }] : []),
    ];
    const collection: Collection = await world.documents.collection(entity.collection, {
      indexes: [{ fields: ["-createdAt"] }, ...entity.indexes, ...own],
    });
    outbox.attend(entity, collection);
    const stored = (of: Entity, id: Key, pending: readonly Fact[]) => outbox.kick(of, id, pending);
    const announceRemoval = (of: Entity, record: Removal, facts: readonly Fact[]) =>
      outbox.announceRemoval(of, record, facts);
    const removed = (of: Entity, id: Key) => outbox.removed(of, id);
    const shown = shows.find((showing) => showing.entity === entity);
    const written =
      shown && ((records: readonly object[]) => broadcast.note(records.flatMap((one) => shown.tell(one))));
    const parts = { collection, clock: world.clock, number, stored, announceRemoval, removed };
    return [entity, new Store(entity, { ...parts, ...(written && { written }) })];
  };
  return new Map(await Promise.all(entities.map(open)));
}

const LOST = (entity: Entity) => new Error(`${entity.name} is not among this service's entities.`);

/** The domain's own schedules, with those for what it keeps and what waits in it. */
const schedulesOf = ({ schedules, keeps = [], waits = [] }: DomainParts): Required<DomainParts>["schedules"] => ({
  ...schedules,
  ...(keeps.length && {
    retain: {
      everyMs: RETAIN_EVERY_MS,
      run(this: Host) {
        return retain(this, keeps);
      },
    },
  }),
  ...(waits.length && {
    "bring-back": {
      everyMs: BRING_BACK_EVERY_MS,
      run(this: Host) {
        return bringBack(this, waits);
      },
    },
  }),
});

/** The action by which the outbox gives facts to one of a domain's subscribers. */
const hearingAction = (subscription: EventSubscription): ActionSchema => ({
  visibility: "public",
  async handler(this: any, ctx: any) {
    if (ctx.meta.actor?.via !== "system") throw new TypeError("Only the outbox tells facts.");
    const { fact, facts = [fact] } = ctx.params as { fact: Fact; facts?: Fact[] };
    if (subscription.together) await subscription.together.call(this, facts, ctx);
    else for (const one of facts) await subscription.handler.call(this, one, ctx);
  },
});

function actionsOf(parts: DomainParts): Record<string, ActionSchema> {
  const asked = { ...personalActions(parts.personal ?? []), ...contentsActions(parts) };
  const actions = { ...(asked as Record<string, ActionSchema>) };
  for (const [at, subscription] of (parts.hears ?? []).entries())
    actions[hearing(subscription.type, at)] = hearingAction(subscription);
  return actions;
}

/** Gives the service what its handlers reach by `this`, its stores apart: those are open once it has started. */
function equipHost(host: any): void {
  const { world, audit, idempotency, jobs, names, rolls, abandonments } = commonsOf(host.broker);
  const meta = { actor: systemActor(host.name) };
  Object.assign(host, {
    world,
    audit,
    idempotency,
    jobs,
    names,
    rolls,
    signal: (ctx: { requestID?: string | null }, until?: Promise<unknown>): AbortSignal =>
      signalOf(abandonments, ctx.requestID, until),
    ask: (action: string, params: object = {}, options: { timeout?: number } = {}): Promise<unknown> =>
      host.broker.call(action, params, { ...options, meta, requestID: newRequestId() }),
  });
}

/** What every domain service has: its stores, jobs, schedules and subscriptions, the audit log and idempotency. */
export function domain(parts: DomainParts): Partial<ServiceSchema> {
  const { jobs = {} } = parts;
  const schedules = schedulesOf(parts);
  return {
    // On a function, as contracts are: Moleculer would clone what it declares at every start, entities and all.
    domain: Object.assign(() => {}, parts),
    actions: actionsOf(parts),
    events: {
      "gateway.request.abandoned": {
        context: true,
        handler(this: Host, ctx: Ctx<{ requestId: string }>) {
          commonsOf(this.broker).abandonments.get(ctx.params.requestId)?.abort(new Error("the client hung up"));
        },
      },
      "platform.job.queued": {
        context: true,
        handler(this: Host, ctx: Ctx<{ kind: string }>) {
          if (ctx.params.kind in jobs) this.jobs.poke(ctx.params.kind);
        },
      },
      "platform.job.cancelled": {
        context: true,
        handler(this: Host, ctx: Ctx<{ kind: string }>) {
          if (ctx.params.kind in jobs) this.jobs.pokeCancelled(ctx.params.kind);
        },
      },
    },
    created(this: any) {
      const foreign = parts.live?.find((type) => type.domain !== this.name);
      if (foreign)
        throw new TypeError(`${this.name} declares the live event ${foreign.name} of the domain ${foreign.domain}.`);
      equipHost(this);
    },
    async started(this: any) {
      const common = commonsOf(this.broker);
      this.$broadcast = new RecordBroadcast(this);
      const stores = await openStores(this.broker, parts, this.$broadcast);
      await common.audit.open();
      this.store = (entity: Entity) => {
        const store = stores.get(entity);
        if (!store) throw LOST(entity);
        return store;
      };
      // A node whose start was refused stops before its last service is ready: that one begins no work any more.
      if (common.isIdle || this.broker.stopping) return;
      for (const [name, kind] of Object.entries(jobs)) common.jobs.work(name, kind, this);
      this.$schedules = runSchedules(this, schedules, common);
      if (Object.keys(jobs).length) setImmediate(() => common.jobs.poke());
    },
    async stopped(this: any) {
      await this.$schedules?.stop();
      await this.$broadcast?.close();
    },
  } as unknown as Partial<ServiceSchema>;
}
