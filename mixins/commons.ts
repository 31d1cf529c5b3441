import { Errors, type ServiceBroker } from "moleculer";
import { Subject } from "rxjs";
import { Audit } from "../core/records/audit.ts";
import { clientNetwork } from "../core/access/client-network.ts";
import { hearingTogether, introduce, namingAction, rollActions, subscribers } from "../core/contract/catalogue.ts";
import { systemActor } from "../core/access/access.ts";
import { Rolls, type AskRolls } from "../core/access/memberships/rolls.ts";
import { Caches } from "../core/caches.ts";
import { Counters } from "../core/records/counters.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import { PersonNames, type AskNames } from "../core/contract/person-names.ts";
import type { Fact } from "../core/events/event.ts";
import { newId, newRequestId } from "../core/ids.ts";
import { Idempotency } from "../core/contract/idempotency.ts";
import { JobChanged, type Job } from "../core/work/job.ts";
import { Jobs } from "../core/work/jobs.ts";
import { live } from "../core/contract/live.ts";
import { Outbox } from "../core/events/outbox.ts";
import { Outages } from "../core/work/outage-log.ts";
import { Leases } from "../core/work/schedule.ts";
import { TellingTogether } from "../core/events/telling.ts";
import type { World } from "../core/world.ts";
import type { Abandonment } from "./abandonment.ts";

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
  const common: Commons = {
    world,
    services,
    audit: new Audit(
      documents,
      clock,
      holder,
      async (address) => (await secondsToWait(world, "refusals", MOST_REFUSALS, address)) === 0,
    ),
    idempotency: new Idempotency(documents, clock, world, (address) =>
      secondsToWait(world, "keyed", MOST_KEYED, address),
    ),
    jobChanges,
    jobs: new Jobs(documents, clock, holder, jobChanges, world.env.JOB_LEASE_MS),
    outbox: new Outbox(documents, clock, subscribers(services), tellingBy(broker, services)),
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
  announceJobs(broker, common.jobs, jobChanges);
  common.outbox.onError = (error, fact, action) =>
    log.warn(`${action} did not take ${fact.type} ${fact.id}: ${(error as Error).message}`);
  commons.set(broker, common);
  return common;
}

/**
 * Counts what somebody without a confirmed account causes, by address and hour. Answers how many seconds they have to
 * wait; 0 where it is below `most`.
 */
async function secondsToWait(
  { env, limiter, clock }: World,
  what: string,
  most: number,
  address: string | undefined,
): Promise<number> {
  const key = `${env.NAMESPACE}:${what}:${clientNetwork(address)}`;
  const { allowed, resetAt } = await limiter.take(key, most, HOUR_MS);
  return allowed ? 0 : Math.max(1, (resetAt - clock.now()) / 1_000);
}

/** How the outbox gives a fact to a subscriber: by a call of its own, or in one with others where it takes several. */
function tellingBy(
  broker: ServiceBroker,
  services: readonly MeshService[],
): (action: string, fact: Fact) => Promise<unknown> {
  const tellAll = (action: string, facts: readonly Fact[]): Promise<unknown> =>
    broker.call(action, facts.length === 1 ? { fact: facts[0] } : { facts }, {
      meta: { actor: systemActor("outbox") },
      timeout: 30_000,
      requestID: newRequestId(),
    });
  const together = hearingTogether(services);
  const telling = new TellingTogether(tellAll);
  return (action, fact) => (together.has(action) ? telling.tell(action, fact) : tellAll(action, [fact]));
}

/** Tells the other nodes of queued jobs, and whoever asked for a job how it goes on. */
function announceJobs(broker: ServiceBroker, jobs: Jobs, changes: Subject<Job>): void {
  const log = broker.getLogger("mesh");
  jobs.onError = (error, job) =>
    log.warn(`Job ${job.id} (${job.kind}), attempt ${job.attempts}: ${(error as Error).message}`);
  changes.subscribe(({ id, kind, status, stage, done, total, error, by, problemSetId, compartments }) => {
    void broker.broadcast("platform.job.changed", { id });
    const to = { userId: by, ...(problemSetId !== undefined && { problemSetId, compartments: compartments ?? [] }) };
    if (!by.startsWith("system:"))
      void live({ broker }, { event: JobChanged, to, data: { id, kind, status, stage, done, total, error } });
  });
  jobs.announce = (kind) => void broker.broadcast("platform.job.queued", { kind });
  jobs.announceCancelled = (kind) => void broker.broadcast("platform.job.cancelled", { kind });
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

/** What the services of this broker share. Throws where it was not equipped. */
export function commonsOf(broker: ServiceBroker): Commons {
  const common = commons.get(broker);
  if (!common)
    throw new Error("This broker was not equipped: call equip(broker, world, services) before creating services.");
  return common;
}
