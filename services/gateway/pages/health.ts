import type { ServiceBroker } from "moleculer";
import { isDiskFull } from "../../../core/problem.ts";
import { inTime } from "../../../core/work/in-time.ts";
import type { Outages } from "../../../core/work/outage-log.ts";
import type { World } from "../../../core/world.ts";
import { isConnected, isStarted } from "../../../mesh/private/moleculer.ts";
import { commonsOf } from "../../../mixins/domain.mixin.ts";

interface Check {
  name: string;
  ok: boolean;
  message?: string;
}
export interface Readiness {
  status: "ready" | "starting" | "draining" | "unready";
  checks: Check[];
}

const KEEP_MS = 1_000;
const CHECK_MS = 2_000;
/** All other work goes on without it, and every node is without it: no reason to send nobody here any more. */
const WITHOUT_SEARCH = "It does not answer: nothing can be searched, and what comes meanwhile is indexed afterwards.";
/** A gateway waits so long for the services of its mesh to be known to it; those that nobody runs keep it no longer. */
const ACQUAINTED_MS = 10_000;

/** Whether this node can take requests: what it depends on answers, and it is not going away. */
export class NodeHealth {
  draining = false;
  #started = false;
  #last: { at: number; checks: Promise<Check[]> } | undefined;
  readonly #world: World;
  readonly #broker: ServiceBroker;
  /** Names of services that requests will be passed on to and that nobody has been heard of yet. */
  #unknown: readonly string[];
  #waitsUntil = 0;

  /** `needs`: services elsewhere in the mesh that this node passes requests on to. */
  constructor(world: World, broker: ServiceBroker, needs: readonly string[] = []) {
    this.#world = world;
    this.#broker = broker;
    this.#unknown = broker.transit ? needs : [];
  }

  start(): void {
    this.#started = true;
    this.#waitsUntil = performance.now() + ACQUAINTED_MS;
  }

  /**
   * Whether it has heard of everybody once, or waited long enough. A request that comes sooner would be refused for no
   * reason.
   */
  #isAcquainted(): boolean {
    if (!this.#unknown.length) return true;
    const known = new Set(
      (this.#broker.registry.getServiceList({ onlyAvailable: true }) as { name: string }[]).map(({ name }) => name),
    );
    this.#unknown = performance.now() < this.#waitsUntil ? this.#unknown.filter((name) => !known.has(name)) : [];
    return this.#unknown.length === 0;
  }

  async readiness(): Promise<Readiness> {
    if (this.draining) return { status: "draining", checks: [] };
    if (!this.#started || !isStarted(this.#broker) || !this.#isAcquainted()) return { status: "starting", checks: [] };
    const now = performance.now();
    if (!this.#last || now - this.#last.at > KEEP_MS) this.#last = { at: now, checks: this.#checks() };
    const checks = await this.#last.checks;
    return { status: checks.every(({ name, ok }) => ok || name === "search") ? "ready" : "unready", checks };
  }

  /** Of servers that settings name, each is told of where this node itself stands on it. */
  #checks(): Promise<Check[]> {
    const { documents, env } = this.#world;
    const dependencies: Dependency[] = [
      { name: "documents", ask: () => documents.ping(), without: "It does not answer." },
    ];
    if (this.#broker.transit)
      dependencies.push({ name: "transporter", ask: () => connected(this.#broker), without: "It is not connected." });
    if (env.ELASTICSEARCH_URL && this.#broker.getLocalService("search"))
      dependencies.push({ name: "search", ask: () => this.#world.search.ping(), without: WITHOUT_SEARCH });
    return Promise.all(dependencies.map((one) => check(one, commonsOf(this.#broker).outages)));
  }
}

interface Dependency {
  name: string;
  ask(): Promise<void>;
  /** What is said of it to whoever asks: the way to a server of ours is for the log. */
  without: string;
}

async function connected(broker: ServiceBroker): Promise<void> {
  if (!isConnected(broker)) throw new Error("not connected");
}

async function check({ name, ask, without }: Dependency, outages: Outages): Promise<Check> {
  try {
    await inTime(ask(), CHECK_MS, "no answer in time");
    outages.worked(`Health, ${name}`);
    return { name, ok: true };
  } catch (error) {
    outages.failed(`Health, ${name}`, error as Error);
    // Nobody is served better elsewhere: all nodes write to the same store, and this one can still read.
    if (isDiskFull(error)) return { name, ok: true, message: "It has no room left: it can be read, not written." };
    return { name, ok: false, message: without };
  }
}
