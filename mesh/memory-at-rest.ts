import { getHeapStatistics, setFlagsFromString } from "node:v8";

const LOOK_MS = 2_000;
/** A thread at rest works less than this share of its time. */
const BUSY = 0.1;
const QUIET_LOOKS = 2;
/** V8 looks every eight seconds whether it may collect, and does so twice. */
const COLLECTING_LOOKS = 10;
/** Bytes that the heap must have grown by since it was last at rest. */
const WORTH = 32 * 2 ** 20;

/** What is known of the thread, and what can be asked of V8. */
export interface Heap {
  /** Processor microseconds of this thread so far. */
  worked(): number;
  /** Bytes that V8 holds, garbage included. */
  held(): number;
  /** Whether V8 may collect as soon as it likes, though nothing is wanted. */
  setSparing(isSparing: boolean): void;
}

const v8: Heap = {
  worked: () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  },
  held: () => getHeapStatistics().total_heap_size,
  setSparing: (isSparing) => setFlagsFromString(isSparing ? "--memory-saver-mode" : "--no-memory-saver-mode"),
};

/**
 * Gives back what V8 holds after a burst of work. Its own look at a quiet heap takes a heap on which nothing is made for
 * one that is busy, and collects after 100 seconds; asked to spare memory, it does so within ten.
 */
export class MemoryAtRest {
  readonly #heap: Heap;
  #worked: number;
  #floor: number;
  #quiet = 0;
  #collecting = 0;

  constructor(heap: Heap = v8) {
    this.#heap = heap;
    this.#worked = heap.worked();
    this.#floor = heap.held();
  }

  /** Looks every two seconds, for as long as the process lives. */
  watch(): void {
    setInterval(() => this.look(LOOK_MS), LOOK_MS).unref();
  }

  /** `passedMs`: milliseconds since the look before. */
  look(passedMs: number): void {
    const worked = this.#heap.worked(),
      isBusy = worked - this.#worked > BUSY * passedMs * 1_000;
    this.#worked = worked;
    this.#quiet = isBusy ? 0 : this.#quiet + 1;
    if (this.#collecting > 0) {
      if (++this.#collecting > COLLECTING_LOOKS) this.#floor = this.#heap.held();
      else if (!isBusy) return;
      this.#end();
    } else if (this.#quiet >= QUIET_LOOKS && this.#heap.held() - this.#floor >= WORTH) {
      this.#collecting = 1;
      this.#heap.setSparing(true);
    }
  }

  #end(): void {
    this.#collecting = 0;
    this.#heap.setSparing(false);
  }
}
