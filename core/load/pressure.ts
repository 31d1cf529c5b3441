import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exposition } from "./metrics.ts";
import { Strain } from "./load-detector.ts";

/** Timers of a loop that is free fire so often. */
const SAMPLE_MS = 20;
/** A loop whose turns take longer than this for INTERVAL_MS has more to do than it gets done. */
const LATE_MS = 25;
const INTERVAL_MS = 100;
/** The loop is watched for this long after the last work. */
const STILL_MS = 1_000;
/** How much of a turn new work may take: Node accepts one connection a turn, so turns must stay short. */
const SLICE_MS = 5;
/** This many may wait in any flow, so that a modest flow is not refused because others ask for much. */
const LEAST = 4;
/**
 * A single slow request counts for no more than this many times the usual cost, or this many milliseconds where that is
 * more; only a repetition makes it usual.
 */
const OUTLIER = 4;
const OUTLIER_LEAST_MS = 20;
/** The share of the latest request in what its flow is known for. */
const LATEST = 1 / 8;

/**
 * A request is taken only if it begins within this share of its time-out, so that most of it is left to do the work.
 */
const SHARE = 1 / 4;

/** How long a request may wait for its turn, in milliseconds, by the settings of these names; 0: as long as it likes. */
export const longestWait = (env: { OVERLOAD_DELAY_MS?: number; REQUEST_TIMEOUT_MS?: number }): number =>
  env.OVERLOAD_DELAY_MS ?? (env.REQUEST_TIMEOUT_MS ?? 0) * SHARE;

/** How much of the loop requests of one kind take, in milliseconds. */
class Cost {
  meanMs: number | undefined;

  /** What a single request that took this long counts as. */
  counted(milliseconds: number): number {
    return Math.min(milliseconds, Math.max(OUTLIER_LEAST_MS, OUTLIER * (this.meanMs ?? 0)));
  }

  note(milliseconds: number): void {
    const mean = this.meanMs ?? this.counted(milliseconds);
    this.meanMs = mean + (this.counted(milliseconds) - mean) * LATEST;
  }
}

/**
 * Work that shares with other work as one: the requests of one endpoint, say. First come, first served among
 * themselves.
 */
export class Flow {
  /** How much of the loop the flow has beside one of weight 1. */
  readonly weight: number;
  /** What one of them takes of the loop lately, in milliseconds. */
  readonly cost = new Cost();
  /**
   * How much of the loop the flow has had, by its weight; counted from where the others stood when it last began to
   * wait.
   */
  hadMs = 0;
  #waiting: (() => void)[] = [];
  #head = 0;

  constructor(weight = 1) {
    this.weight = weight;
  }

  get length(): number {
    return this.#waiting.length - this.#head;
  }

  put(start: () => void): void {
    this.#waiting.push(start);
  }

  take(): () => void {
    const one = this.#waiting[this.#head++]!;
    if (this.#head > 64 && this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return one;
  }
}

/**
 * Starts what it is given in turns of the event loop, a slice of each, and lets promises run out after every single
 * one. `turned` is told when the loop has gone round.
 */
async function inSlices(startNext: () => boolean, turned: () => void): Promise<void> {
  const settled = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
  for (let isMore = true; isMore;) {
    const until = performance.now() + SLICE_MS;
    do {
      isMore = startNext();
      await settled();
    } while (isMore && performance.now() < until);
    await nextTurn();
    turned();
  }
}

/** What was begun in the current slice, and how much of it that took. */
interface Begun {
  flow: Flow;
  tookMs: number;
}

/**
 * Keeps an event loop from taking more work than it gets done in time, by fair queues (after start-time fair queuing
 * and FQ-CoDel, RFC 8290). A timer that comes late tells that the loop is strained. From then on new work waits by flow,
 * and begun is one of the flow that has had least of the loop: a flood, or what is slow, costs the others nothing but
 * its share. Waiting alone is no reason to refuse: clients that ask anew when they are answered never wait longer than
 * there are clients. Refused, at once, is what could not begin within `delayMs` by what waits and what such requests
 * took lately. While nothing is late the price is one look at `strained`.
 */
export class Pressure {
  /** Whether work has to `enter`; otherwise it may simply begin. */
  get strained(): boolean {
    return this.#strain.stands;
  }
  /** How much was refused so far. */
  refused = 0;
  /** Flows in which work waits. */
  readonly #flows: Flow[] = [];
  readonly #delayMs: number;
  #works = false;
  #slice: Begun[] = [];
  /** What a flow is taken to cost before any of its requests was seen. */
  readonly #usual = new Cost();
  /** Until when the time of the loop is told to who had it. */
  #toldUntil = 0;
  /** The share of the flow that began last: where a new flow starts. */
  #hadMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOn = false;
  #isStirred = false;
  /** Turns of the timer without work. */
  #still = 0;
  #tickAt = 0;
  readonly #strain = new Strain(INTERVAL_MS);

  /** `delayMs` 0: nothing ever waits or is refused. */
  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** How much work waits. */
  get waiting(): number {
    return this.#flows.reduce((sum, { length }) => sum + length, 0);
  }

  /** Whether the loop is looked at. */
  get isWatching(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    if (!this.#delayMs) return;
    this.#isOn = true;
    this.stir();
  }

  /**
   * There is work: the loop is looked at while there is, and a second longer. A process at rest is not woken fifty
   * times a second.
   */
  stir(): void {
    this.#isStirred = true;
    if (this.#timer || !this.#isOn) return;
    this.#still = 0;
    this.#tickAt = performance.now();
    this.#timer = setInterval(() => this.#turned(performance.now()), SAMPLE_MS).unref();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#strain.forget();
  }

  /** What waits is still begun. */
  stop(): void {
    this.#isOn = false;
    this.#rest();
    this.#strain.end();
  }

  /** Begins `start` when it is the flow's turn; false where it is refused. */
  enter(flow: Flow, start: () => void): boolean {
    const { length } = flow;
    if (length >= LEAST && this.#waitOf(flow) > this.#delayMs) {
      this.refused++;
      return false;
    }
    flow.put(start);
    if (!length) {
      flow.hadMs = Math.max(flow.hadMs, this.#hadMs);
      this.#flows.push(flow);
    }
    if (this.#works) return true;
    this.#works = true;
    setImmediate(() => {
      this.#toldUntil = performance.now();
      void inSlices(
        () => this.#startNext(),
        () => this.#sliceEnded(),
      );
    });
    return true;
  }

  /**
   * How long one more request of a flow would wait: the others take their share by weight, or less if they want less.
   */
  #waitOf(flow: Flow): number {
    const own = this.#workOf(flow);
    let sum = own;
    for (const other of this.#flows)
      if (other !== flow) sum += Math.min(this.#workOf(other), (own / flow.weight) * other.weight);
    return sum;
  }

  #workOf({ length, cost }: Flow): number {
    return length * (cost.meanMs ?? this.#usual.meanMs ?? 0);
  }

  tell(exposition: Exposition): void {
    exposition
      .family(
        "signalmesh_requests_waiting",
        "gauge",
        "Requests that wait for their endpoint's turn in a process that is strained.",
        [[{}, this.waiting]],
      )
      .family(
        "signalmesh_requests_refused_total",
        "counter",
        "Requests refused because they could not have been done in time.",
        [[{}, this.refused]],
      );
  }

  /** Milliseconds of the loop since this was last asked. */
  #sinceTold(): number {
    const now = performance.now();
    const milliseconds = now - this.#toldUntil;
    this.#toldUntil = now;
    return milliseconds;
  }

  #startNext(): boolean {
    this.#noteLast();
    let at = 0;
    for (let n = 1; n < this.#flows.length; n++) if (this.#flows[n]!.hadMs < this.#flows[at]!.hadMs) at = n;
    const flow = this.#flows[at];
    if (!flow) return (this.#works = false);
    this.#hadMs = flow.hadMs;
    this.#slice.push({ flow, tookMs: 0 });
    const start = flow.take();
    if (!flow.length) this.#flows.splice(at, 1);
    start();
    return true;
  }

  #noteLast(): void {
    const took = this.#sinceTold();
    const last = this.#slice.at(-1);
    if (!last) return;
    last.tookMs = took;
    last.flow.hadMs += last.flow.cost.counted(took) / last.flow.weight;
  }

  /** Loop time between two slices is charged to the requests begun before: most of it is their later work. */
  #sliceEnded(): void {
    const shared = this.#sinceTold() / this.#slice.length;
    for (const { flow, tookMs } of this.#slice) {
      flow.hadMs += flow.cost.counted(shared) / flow.weight;
      flow.cost.note(tookMs + shared);
      this.#usual.note(tookMs + shared);
    }
    this.#slice = [];
  }

  #turned(now: number): void {
    const lateMs = now - this.#tickAt - SAMPLE_MS;
    this.#tickAt = now;
    this.#still = this.#isStirred || this.strained ? 0 : this.#still + 1;
    this.#isStirred = false;
    if (this.#still * SAMPLE_MS > STILL_MS) return this.#rest();
    this.#strain.note(lateMs >= LATE_MS, now, !this.#flows.length);
  }
}
