import type { ServiceBroker } from "moleculer";
import { isDiskFull } from "../../../core/problem.ts";
import type { World } from "../../../core/world.ts";
import { isStarted } from "../../../mesh/private/moleculer.ts";

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
    return { status: checks.every(({ ok }) => ok) ? "ready" : "unready", checks };
  }

  #checks(): Promise<Check[]> {
    const dependencies: [string, () => Promise<void>][] = [["documents", () => this.#world.documents.ping()]];
    return Promise.all(
      dependencies.map(([name, ask]) => check(name, ask, (message) => this.#broker.logger.warn(`${name}: ${message}`))),
    );
  }
}

async function check(name: string, ask: () => Promise<void>, report: (message: string) => void): Promise<Check> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), CHECK_MS);
  });
  try {
    await Promise.race([ask(), late]);
    return { name, ok: true };
  } catch (error) {
    report((error as Error).message);
    // Nobody is served better elsewhere: all nodes write to the same store, and this one can still read.
    if (isDiskFull(error)) return { name, ok: true, message: "It has no room left: it can be read, not written." };
    // The way to a server of ours is for the log, not for whoever asks.
    return { name, ok: false, message: "It does not answer." };
  } finally {
    clearTimeout(timer);
  }
}
