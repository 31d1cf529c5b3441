import { setImmediate as nextTurn } from "node:timers/promises";
import type { Exposition } from "./metrics.ts";
import { Strain } from "./load-detector.ts";

/** Timers of a loop that is free fire so often. */
const SAMPLE_MS = 20;
/** A loop whose turns take longer than this for INTERVAL_MS has more to do than it gets done. */
const LATE_MS = 25;
const INTERVAL_MS = 100;
/** So long without work the loop is not looked at any more. */
const STILL_MS = 1_000;
/** How much of a turn new work may take: Node accepts one connection a turn, so turns must stay short. */
const SLICE_MS = 5;
/** The pace of work is taken over this long. */
const PACE_MS = 100;
/** So many may wait in any flow: who asks little is not refused for what others ask. */
const LEAST = 4;

/**
 * Work that shares with other work as one: the requests of one endpoint, say. First come, first served among
 * themselves.
 */
export class Flow {
  #waiting: (() => void)[] = [];
  #head = 0;

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
 * one.
 */
async function inSlices(startNext: () => boolean): Promise<void> {
  const settled = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      if (!startNext()) return;
      await settled();
    } while (performance.now() < until);
    await nextTurn();
  }
}

/**
 * Keeps an event loop from taking more work than it gets done, by fair queues with a bound on delay (after FQ-CoDel,
 * RFC 8290). A timer that comes late tells that the loop is strained. From then on new work waits by flow, and one of
 * each flow is begun in turn; what would wait longer than `delayMs` at the pace of the last tenth of a second is
 * refused at once. So what is taken is done in time, the loop is not idle while it refuses, and a flood of one flow
 * costs the others nothing but their turn. While nothing is late the price is one look at `strained`.
 */
export class Pressure {
  /** Whether work has to `enter`; otherwise it may simply begin. */
  get strained(): boolean {
    return this.#strain.stands;
  }
  /** How much was refused so far. */
  refused = 0;
  /** Flows in which work waits, next first. */
  readonly #flows: Flow[] = [];
  readonly #delayMs: number;
  #works = false;
  /** Milliseconds from one beginning to the next, while work waits. */
  #paceMs = 0;
  #pacedAt = 0;
  #begun = 0;
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
    if (length >= LEAST && length * this.#flows.length * this.#paceMs > this.#delayMs) {
      this.refused++;
      return false;
    }
    flow.put(start);
    if (!length) this.#flows.push(flow);
    if (this.#works) return true;
    this.#works = true;
    this.#pacedAt = performance.now();
    this.#begun = 0;
    setImmediate(() => void inSlices(() => this.#startNext()));
    return true;
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

  #startNext(): boolean {
    const flow = this.#flows[0];
    if (!flow) return (this.#works = false);
    const start = flow.take();
    this.#flows.shift();
    if (flow.length) this.#flows.push(flow);
    this.#keepPace();
    start();
    return true;
  }

  #keepPace(): void {
    const now = performance.now();
    this.#begun++;
    if (now - this.#pacedAt < PACE_MS) return;
    this.#paceMs = (now - this.#pacedAt) / this.#begun;
    this.#pacedAt = now;
    this.#begun = 0;
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
