import { Errors, type Context, type ServiceBroker } from "moleculer";
import { Strain } from "../../core/load/load-detector.ts";
import { unansweredCalls, sendPing, type PendingRequest } from "../../mesh/private/moleculer.ts";
import { noteLoads, type Load } from "./least-latency.ts";

type Handler = (ctx: Context) => Promise<unknown>;

/** How often nodes with work of ours are checked. */
const LOOK_MS = 100;
/** With fewer calls under way, a node is not asked for its delay. */
const BUSY = 8;
/** A slower ping shows a queue; two in a row show that it persists. */
const LATE_MS = 50;
/** This many calls of each action are sent, however long the queue. */
const LEAST = 4;

/** Refused here, before anything was sent: that node is overloaded. */
export class Crowded extends Errors.QueueIsFullError {
  readonly contextId: string;
  constructor(contextId: string, action: string, nodeID: string) {
    super({ action, nodeID });
    this.name = "QueueIsFullError";
    this.contextId = contextId;
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** Another node, as its calls from here show it. */
class Peer {
  /** Calls from here that it has not answered, by action. */
  readonly actions = new Map<string, Load>();
  underWay = 0;
  answers = 0;
  readonly strain = new Strain(LOOK_MS);
  /** Milliseconds between its answers. */
  paceMs = 0;
  #pingedAt = 0;

  loadOf(action: string): Load {
    let load = this.actions.get(action);
    if (!load) this.actions.set(action, (load = { underWay: 0, costMs: 0, notedAt: 0 }));
    return load;
  }

  /**
   * Whether one more call of an action would wait longer than `delayMs` for those already sent, each action having an
   * equal share.
   */
  isFull({ underWay }: Load, delayMs: number): boolean {
    if (underWay < LEAST) return false;
    let sharers = 0;
    for (const load of this.actions.values()) if (load.underWay) sharers++;
    return underWay * sharers * this.paceMs > delayMs;
  }

  look(now: number, ping: () => void): void {
    if (this.answers) this.paceMs = LOOK_MS / this.answers;
    this.answers = 0;
    if (this.#pingedAt) this.strain.note(now - this.#pingedAt >= LATE_MS, now);
    else if (this.underWay >= BUSY) {
      this.#pingedAt = now;
      ping();
    } else this.strain.note(false, now);
  }

  heard(now: number): void {
    if (this.#pingedAt) this.strain.note(now - this.#pingedAt >= LATE_MS, now);
    this.#pingedAt = 0;
  }
}

/**
 * Prevents this node from sending others more than they can do: calls that wait there, or in Redis, can no longer be
 * refused. A node with work of ours is pinged; its pong queues behind all that waits, and so measures the queue's
 * delay, however long the actions themselves take. While the queue persists, refusable calls (option `door`: nothing
 * has been done for them yet) are refused if they would wait longer than `delayMs`. Also records the duration of calls,
 * where `measures`.
 */
export class Peers {
  readonly #peers = new Map<string, Peer>();
  readonly #delayMs: number;
  readonly #measures: boolean;
  #broker: ServiceBroker | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(delayMs: number, measures: boolean) {
    this.#delayMs = delayMs;
    this.#measures = measures;
  }

  /** For Moleculer; the innermost middleware. */
  readonly middleware = {
    name: "Peers",
    started: (broker: ServiceBroker): void => {
      this.#broker = broker;
      broker.localBus.on("$node.pong", ({ nodeID }: { nodeID: string }) =>
        this.#peers.get(nodeID)?.heard(performance.now()),
      );
      broker.localBus.on("$node.disconnected", ({ node }: { node: { id: string } }) => this.#peers.delete(node.id));
      this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    },
    stopped: (): void => clearInterval(this.#timer),
    remoteAction: (next: Handler, { name }: { name: string }): Handler => {
      let peer: Peer, load: Load | undefined;
      return (ctx) => {
        if (!load || this.#peers.get(ctx.nodeID!) !== peer) {
          peer = this.#of(ctx.nodeID!);
          load = peer.loadOf(name);
          noteLoads.set(ctx.endpoint as object, load);
        }
        if (peer.strain.stands && (ctx.options as { door?: boolean }).door && peer.isFull(load, this.#delayMs))
          return Promise.reject(new Crowded(ctx.id, name, ctx.nodeID!));
        return this.#counted(next(ctx), peer, load);
      };
    },
  };

  #counted(answer: Promise<unknown>, peer: Peer, load: Load): Promise<unknown> {
    const began = this.#measures ? performance.now() : 0;
    peer.underWay++;
    load.underWay++;
    const end = (): void => {
      peer.underWay--;
      load.underWay--;
      peer.answers++;
      if (this.#measures) note(load, began);
    };
    answer.then(end, end);
    return answer;
  }

  #of(nodeID: string): Peer {
    let peer = this.#peers.get(nodeID);
    if (!peer) this.#peers.set(nodeID, (peer = new Peer()));
    return peer;
  }

  #look(): void {
    const now = performance.now();
    let sum = 0;
    for (const [nodeID, peer] of this.#peers) {
      sum += peer.underWay;
      if (this.#delayMs) peer.look(now, () => sendPing(this.#broker!, nodeID));
    }
    // Calls that ran out of time never settle: so the transit layer's own list counts.
    const pending = unansweredCalls(this.#broker!);
    if (pending && sum > pending.size) this.#recount(pending);
  }

  #recount(pending: ReadonlyMap<string, PendingRequest>): void {
    for (const peer of this.#peers.values()) {
      peer.underWay = 0;
      for (const load of peer.actions.values()) load.underWay = 0;
    }
    for (const { nodeID, action } of pending.values()) {
      const peer = this.#of(nodeID);
      peer.underWay++;
      peer.loadOf(action.name).underWay++;
    }
  }
}

/** Time constant of the average. */
const MEMORY_MS = 10_000;

/** A slower answer counts at once, a faster one gradually (peak-sensitive moving average, as in Finagle). */
function note(load: Load, began: number): void {
  const now = performance.now();
  const took = now - began;
  if (took >= load.costMs) load.costMs = took;
  else {
    const kept = Math.exp((load.notedAt - now) / MEMORY_MS);
    load.costMs = load.costMs * kept + took * (1 - kept);
  }
  load.notedAt = now;
}
