import { Errors, type ActionSchema, type ServiceBroker, type ServiceSchema } from "moleculer";
import { Subject } from "rxjs";
import { Audit } from "../core/records/audit.ts";
import { clientNetwork } from "../core/access/client-network.ts";
import {
  hearing,
  hearingTogether,
  introduce,
  namingAction,
  rollActions,
  subscribers,
} from "../core/contract/catalogue.ts";
import type { Ctx } from "../core/access/caller.ts";
import { systemActor } from "../core/access/access.ts";
import { Rolls, type AskRolls } from "../core/access/rolls.ts";
import { contentsActions } from "../core/records/keeping/contents.ts";
import { Caches } from "../core/caches.ts";
import { Counters } from "../core/records/counters.ts";
import type { Collection, Key } from "../core/records/documents.ts";
import type { DomainParts, Host, MeshService } from "../core/contract/endpoint.ts";
import { PersonNames, type AskNames } from "../core/contract/person-names.ts";
import type { Entity } from "../core/records/entity.ts";
import type { Fact } from "../core/events/event.ts";
import { newId, newRequestId } from "../core/ids.ts";
import { Idempotency } from "../core/contract/idempotency.ts";
import { JobChanged, type Job } from "../core/work/job.ts";
import { Jobs } from "../core/work/jobs.ts";
import { live } from "../core/contract/live.ts";
import { Outbox } from "../core/events/outbox.ts";
import { personalActions } from "../core/records/keeping/personal-data.ts";
import { retain } from "../core/records/keeping/retention.ts";
import { Outages } from "../core/work/outage-log.ts";
import { Leases } from "../core/work/schedule.ts";
import type { Removal } from "../core/records/keeping/removals.ts";
import { Store } from "../core/records/store.ts";
import { TellingTogether } from "../core/events/telling.ts";
import { bringBack } from "../core/work/waits.ts";
import type { World } from "../core/world.ts";
import { runSchedules } from "./schedules.ts";

/**
 * What tells the work of one request that its client hung up; kept until the last of those ended who wait for its
 * signal.
 */
class Abandonment extends AbortController {
  users = 0;
}

/** What the services of one broker share: the world, and the machinery that has one instance a process. */
export interface Commons {
  world: World;
  services: readonly MeshService[];
  audit: Audit;
  idempotency: Idempotency;
  jobs: Jobs;
  jobChanges: Subject<Job>;
  outbox: Outbox;
  leases: Leases;
  /** Hear how what goes on by itself fares. */
  outages: Outages;
  counters: Counters;
  names: PersonNames;
  rolls: Rolls;
  caches: Caches;
  /** Nothing is done by itself: no jobs, no schedules, nothing is told. */
  isIdle: boolean;
  /** Requests under way here whose work asked to be told when its client hangs up. */
  abandonments: Map<string, Abandonment>;
  /** Begins looking, every few seconds, for jobs that came due or lost their worker, and for facts left untold. */
  start(): void;
  /** Gives back what runs here and tells what is still to be told. */
  stop(): Promise<void>;
}

const LOOK_MS = 2_000;
const HOUR_MS = 3_600_000;
/**
 * Bounds for clients without a confirmed account, by address and hour: refusals in the audit log, and requests under an
 * Idempotency-Key.
 */
const MOST_REFUSALS = 60,
  MOST_KEYED = 600;
const RETAIN_EVERY_MS = 3_600_000;
const BRING_BACK_EVERY_MS = 60_000;

const commons = new WeakMap<ServiceBroker, Commons>();

/**
 * Equips a broker before its services are created. `services` are those of the whole mesh, whether this process runs
 * them or not. `isIdle`: they only answer, and do nothing by themselves.
 */
export function equip(
  broker: ServiceBroker,
  world: World,
  services: readonly MeshService[],
  { isIdle = false, rolls = new Rolls() } = {},
): Commons {
  const { documents, clock } = world;
  // The holder is this process, not its name: a node restarted under the same name, while the old one is only cut off,
  // is another holder.
  const holder = `${broker.nodeID}@${newId()}`;
  introduce(services);
  const jobChanges = new Subject<Job>();
  const log = broker.getLogger("mesh");
  let looking: NodeJS.Timeout | undefined;
  let sweeping: Promise<unknown> | undefined;
  /** Counts what somebody without a confirmed account causes; answers the seconds to wait where it was too much. */
  async function strangers(what: string, most: number, address: string | undefined): Promise<number> {
    const { allowed, resetAt } = await world.limiter.take(
      `${world.env.NAMESPACE}:${what}:${clientNetwork(address)}`,
      most,
      HOUR_MS,
    );
    return allowed ? 0 : Math.max(1, (resetAt - clock.now()) / 1_000);
  }
  const tellAll = (action: string, facts: readonly Fact[]): Promise<unknown> =>
    broker.call(action, facts.length === 1 ? { fact: facts[0] } : { facts }, {
      meta: { actor: systemActor("outbox") },
      timeout: 30_000,
      requestID: newRequestId(),
    });
  const together = hearingTogether(services);
  const telling = new TellingTogether(tellAll);
  const tell = (action: string, fact: Fact): Promise<unknown> =>
    together.has(action) ? telling.tell(action, fact) : tellAll(action, [fact]);
  const common: Commons = {
    world,
    services,
    audit: new Audit(
      documents,
      clock,
      holder,
      async (address) => (await strangers("refusals", MOST_REFUSALS, address)) === 0,
    ),
    idempotency: new Idempotency(documents, clock, world, (address) => strangers("keyed", MOST_KEYED, address)),
    jobChanges,
    jobs: new Jobs(documents, clock, holder, jobChanges, world.env.JOB_LEASE_MS),
    outbox: new Outbox(documents, clock, subscribers(services), tell),
    leases: new Leases(documents, clock, holder),
    outages: new Outages(log),
    counters: new Counters(documents),
    names: new PersonNames(clock, namesBy(broker, services)),
    rolls,
    caches: new Caches(),
    isIdle,
    abandonments: new Map(),
    start() {
      looking = setInterval(() => {
        void common.jobs.look();
        sweeping ??= common.outbox
          .look()
          .then(() => common.outages.worked("Outbox"))
          .catch((error: Error) => common.outages.failed("Outbox", error))
          .finally(() => {
            sweeping = undefined;
          });
      }, LOOK_MS);
    },
    async stop() {
      clearInterval(looking);
      await sweeping;
      await common.jobs.stop();
      await common.outbox.settle();
    },
  };
  common.caches.add("names", common.names);
  rolls.attend(rollsBy(broker, services), Boolean(broker.transit));
  broker.localBus.on("$node.disconnected", () => common.outbox.alert());
  common.jobs.onError = (error, job) =>
    log.warn(`Job ${job.id} (${job.kind}), attempt ${job.attempts}: ${(error as Error).message}`);
  jobChanges.subscribe(({ id, kind, status, stage, done, total, error, by, problemSetId, compartments }) => {
    void broker.broadcast("platform.job.changed", { id });
    const to = { userId: by, ...(problemSetId !== undefined && { problemSetId, compartments: compartments ?? [] }) };
    if (!by.startsWith("system:"))
      void live({ broker }, { event: JobChanged, to, data: { id, kind, status, stage, done, total, error } });
  });
  common.jobs.announce = (kind) => void broker.broadcast("platform.job.queued", { kind });
  common.outbox.onError = (error, fact, action) =>
    log.warn(`${action} did not take ${fact.type} ${fact.id}: ${(error as Error).message}`);
  commons.set(broker, common);
  return common;
}

const NAMES_MS = 1_000;

/** Asks the service that knows what persons are called; in a mesh without it nobody has a name. */
function namesBy(broker: ServiceBroker, services: readonly MeshService[]): AskNames {
  const action = namingAction(services);
  if (action === undefined) return async () => [];
  const asSystem = { meta: { actor: systemActor("names") }, timeout: NAMES_MS };
  return (asked) => broker.call(action, { asked }, { ...asSystem, requestID: newRequestId() });
}

/** Asks the service that keeps memberships; a mesh of services without it says that nobody serves it. */
function rollsBy(broker: ServiceBroker, services: readonly MeshService[]): AskRolls {
  const actions = rollActions(services);
  const ask = (action: string | undefined, asked: object): Promise<any> => {
    if (action === undefined) return Promise.reject(new Errors.ServiceNotFoundError({ action: "memberships" }));
    return broker.call(action, asked, { meta: { actor: systemActor("rolls") }, requestID: newRequestId() });
  };
  return { since: (asked) => ask(actions?.since, asked), all: (asked) => ask(actions?.all, asked) };
}

export function commonsOf(broker: ServiceBroker): Commons {
  const common = commons.get(broker);
  if (!common)
    throw new Error("This broker was not equipped: call equip(broker, world, services) before creating services.");
  return common;
}

/**
 * Makes the stores of a service's entities; each collection is opened, with its indexes, before the service takes
 * calls.
 */
async function openStores(broker: ServiceBroker, entities: readonly Entity[]): Promise<Map<Entity, Store<Entity>>> {
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
    return [entity, new Store(entity, { collection, clock: world.clock, number, stored, announceRemoval, removed })];
  };
  return new Map(await Promise.all(entities.map(open)));
}

/** How long a request's signal is kept: no action runs longer, streams apart. */
const SIGNAL_MS = 120_000;

function signalOf(
  abandonments: Map<string, Abandonment>,
  requestId: string | null | undefined,
  until?: Promise<unknown>,
): AbortSignal {
  // Work without a request has no client that could hang up.
  if (!requestId) return new AbortController().signal;
  const known = abandonments.get(requestId);
  if (known && !until) return known.signal;
  const one = known ?? new Abandonment();
  abandonments.set(requestId, one);
  one.users++;
  const leave = (): void => {
    if (--one.users === 0) abandonments.delete(requestId);
  };
  if (until) void until.finally(leave);
  else setTimeout(leave, SIGNAL_MS).unref();
  return one.signal;
}

const LOST = (entity: Entity) => new Error(`${entity.name} is not among this service's entities.`);

/** What every domain service has: its stores, jobs, schedules and subscriptions, the audit log and idempotency. */
export function domain(parts: DomainParts): Partial<ServiceSchema> {
  const { entities = [], hears = [], jobs = {}, personal = [], keeps = [], waits = [] } = parts;
  const schedules = {
    ...parts.schedules,
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
  };
  const asked = { ...personalActions(personal), ...contentsActions(parts) };
  const actions: Record<string, ActionSchema> = { ...(asked as Record<string, ActionSchema>) };
  for (const [at, subscription] of hears.entries()) {
    actions[hearing(subscription.type, at)] = {
      visibility: "public",
      async handler(this: any, ctx: any) {
        if (ctx.meta.actor?.via !== "system") throw new TypeError("Only the outbox tells facts.");
        const { fact, facts = [fact] } = ctx.params as { fact: Fact; facts?: Fact[] };
        if (subscription.together) await subscription.together.call(this, facts, ctx);
        else for (const one of facts) await subscription.handler.call(this, one, ctx);
      },
    };
  }
  return {
    // On a function, as contracts are: Moleculer would clone what it declares at every start, entities and all.
    domain: Object.assign(() => {}, parts),
    actions,
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
    },
    created(this: any) {
      const foreign = parts.live?.find((type) => type.domain !== this.name);
      if (foreign)
        throw new TypeError(`${this.name} declares the live event ${foreign.name} of the domain ${foreign.domain}.`);
      const common = commonsOf(this.broker);
      this.signal = (ctx: { requestID?: string | null }, until?: Promise<unknown>): AbortSignal =>
        signalOf(common.abandonments, ctx.requestID, until);
      const meta = { actor: systemActor(this.name) };
      this.ask = (action: string, params: object = {}, options: { timeout?: number } = {}): Promise<unknown> =>
        this.broker.call(action, params, { ...options, meta, requestID: newRequestId() });
      Object.assign(this, {
        world: common.world,
        audit: common.audit,
        idempotency: common.idempotency,
        jobs: common.jobs,
        names: common.names,
        rolls: common.rolls,
      });
    },
    async started(this: any) {
      const common = commonsOf(this.broker);
      const stores = await openStores(this.broker, entities);
      await common.audit.open();
      this.store = (entity: Entity) => {
        const store = stores.get(entity);
        if (!store) throw LOST(entity);
        return store;
      };
      if (common.isIdle) return;
      for (const [name, kind] of Object.entries(jobs)) common.jobs.work(name, kind, this);
      this.$schedules = runSchedules(this, schedules, common);
      if (Object.keys(jobs).length) setImmediate(() => common.jobs.poke());
    },
    async stopped(this: any) {
      await this.$schedules?.stop();
    },
  } as unknown as Partial<ServiceSchema>;
}
