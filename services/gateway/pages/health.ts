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
/** All other work continues without search, and every node lacks it: no reason to take this node out. */
const WITHOUT_SEARCH = "It does not answer: nothing can be searched, and what comes meanwhile is indexed afterwards.";
/**
 * How long a gateway waits until it has heard of the mesh's services; after that, services that nobody runs no longer
 * keep it from being ready.
 */
const ACQUAINTED_MS = 10_000;

/** Whether this node can take requests: what it depends on answers, and it is not stopping. */
export class NodeHealth {
  draining = false;
  #started = false;
  #last: { at: number; checks: Promise<Check[]> } | undefined;
  readonly #world: World;
  readonly #broker: ServiceBroker;
  /** Services to which requests will be passed on and which have not been heard of yet. */
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
   * Whether it has heard of every service once, or waited long enough. Sooner, requests would be refused without need.
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

  /** Of the servers named in the settings, each is reported as seen from this node. */
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
  /** What strangers are told about a failure: a server's address is for the log only. */
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
    // No other node would be better: all write to the same store, and this one can still read.
    if (isDiskFull(error)) return { name, ok: true, message: "It has no room left: it can be read, not written." };
    return { name, ok: false, message: without };
  }
}
