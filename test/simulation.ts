import { EmbeddedDocuments } from "../adapters/documents/embedded.ts";
import type { Clock } from "../core/clock.ts";
import type { Collection, Documents } from "../core/records/documents.ts";

/** Schedules over all stories of a suite, where no number is asked for. */
export const USUAL = 500;
/** How many schedules each story goes through where a number is asked for; SEED=… runs the one of that seed alone. */
export const SCHEDULES = Number(process.env["SCHEDULES"] ?? USUAL);
/** How many a story goes through: so many that are asked for, and otherwise its part of the usual ones. */
export const scheduled = (part: number): number => (process.env["SCHEDULES"] ? SCHEDULES : Math.ceil(USUAL * part));
export const SEED = process.env["SEED"];
/** The number of the first schedule, so that very many are gone through in parts. */
const FROM = Number(process.env["FROM"] ?? 1);
export const NODES = ["a", "b", "c"] as const;
const BEGIN = Date.UTC(2026, 0, 1);

/** A store that did not do, or did not say that it did, what it was asked. */
export class Away extends Error {}

/** How often, of a hundred steps, each of these happens. */
export interface Faults {
  refused: number;
  unanswered: number;
  death: number;
}
const WILD: Faults = { refused: 3, unanswered: 3, death: 1 };
const CALM: Faults = { refused: 0, unanswered: 0, death: 0 };

interface Step {
  node: string;
  label: string;
  act: () => unknown;
  resolve: (value: any) => void;
  reject: (error: unknown) => void;
}

/** Pseudo-random numbers below one (mulberry32, Tommy Ettinger). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What happens next, by a seed: the same seed gives the same throws. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = generator(seed);
  }

  /** A number from 0 up, below `most`. */
  number(most: number): number {
    return this.#random() * most;
  }
  below(most: number): number {
    return Math.floor(this.number(most));
  }
  chance(percent: number): boolean {
    return this.number(100) < percent;
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

/**
 * Several nodes over one store, in an order that a seed decides: whatever a node asks of the store or of another node
 * waits until it is drawn, may fail before its effect or after it, and the node may die with it. The same seed gives
 * the same run. Time is jest's fake one, and moves between the steps.
 */
export class Simulation extends Dice {
  readonly seed: number;
  readonly #trace: string[] = [];
  readonly #dead = new Set<string>();
  #steps: Step[] = [];
  faults = WILD;
  /** Milliseconds that may pass between two steps. */
  pace = 300;
  /** Told of each node that died. */
  onDeath: (node: string) => void = () => {};
  readonly clock: Clock = { now: () => Date.now() };

  constructor(seed: number) {
    super(seed);
    this.seed = seed;
  }

  /** What happened, in order. */
  get trace(): string {
    return this.#trace.join("\n");
  }

  /** Something a node wants done: resolves when it was drawn, and never where the node died before. */
  ask<T>(node: string, label: string, act: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!this.#dead.has(node)) this.#steps.push({ node, label, act, resolve, reject });
    });
  }

  /** The store as this node sees it; `after` is told of each effect. */
  store(
    documents: Documents,
    node: string,
    after: (collection: string, method: string, args: readonly unknown[], result: unknown) => void = () => {},
  ): Documents {
    const opened = async (name: string, options?: object): Promise<Collection> => {
      const real = await documents.collection(name, options);
      return new Proxy(real, {
        get: (_real, method: string) =>
          typeof real[method as keyof Collection] === "function"
            ? (...args: unknown[]) =>
                this.ask(node, `${name}.${method}`, async () => {
                  const result = await (real[method as keyof Collection] as (...all: unknown[]) => unknown).apply(
                    real,
                    args,
                  );
                  after(name, method, args, result);
                  return result;
                })
            : undefined,
      });
    };
    return { kind: documents.kind, collection: opened, ping: () => documents.ping(), close: async () => {} };
  }

  /** Nothing that this node asked for, or asks for, is done any more. */
  kill(node: string): void {
    this.#dead.add(node);
    this.#steps = this.#steps.filter((step) => step.node !== node);
    this.#trace.push(`${node} dies`);
    this.onDeath(node);
  }

  /** Draws steps until none is left, or so many are done. */
  async run(most = Infinity): Promise<void> {
    for (let done = 0; done < most; done++) {
      await turn();
      if (!this.#steps.length) return;
      await this.#draw(this.#steps.splice(this.below(this.#steps.length), 1)[0]!);
      this.wait(this.below(this.pace));
    }
  }

  /** Nothing fails from now on. */
  calm(): void {
    this.faults = CALM;
  }

  wait(milliseconds: number): void {
    jest.advanceTimersByTime(milliseconds);
  }

  async #draw(step: Step): Promise<void> {
    const { node, label } = step;
    const fate = this.number(100);
    const { refused, unanswered, death } = this.faults;
    if (fate < death) return this.kill(node);
    if (fate < death + refused) {
      this.#trace.push(`${node} ${label} is refused`);
      return step.reject(new Away("the store is away"));
    }
    const outcome = await Promise.resolve()
      .then(step.act)
      .then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
    if (fate < 2 * death + refused) return this.kill(node);
    const silent = fate < 2 * death + refused + unanswered;
    this.#trace.push(`${node} ${label} ${silent ? "is done, unanswered" : "error" in outcome ? "fails" : "is done"}`);
    if (silent) step.reject(new Away("the answer was lost"));
    else if ("error" in outcome) step.reject(outcome.error);
    else step.resolve(outcome.value);
  }
}

/** The store that a suite's simulations share, in memory, with jest's fake time for as long as the suite lasts. */
export function simulated(): Documents {
  const documents = new EmbeddedDocuments(":memory:");
  beforeAll(
    () =>
      void jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "performance", "hrtime"] }),
  );
  afterEach(() => void jest.clearAllTimers());
  afterAll(async () => {
    jest.useRealTimers();
    await documents.close();
  });
  return documents;
}

/** Runs so many schedules of a story, each on an empty store; one that fails names its seed. */
export async function schedules(
  documents: Documents,
  count: number,
  collections: readonly string[],
  story: (simulation: Simulation) => Promise<void>,
): Promise<void> {
  const last = SEED ? Number(SEED) : count;
  for (let seed = SEED ? last : FROM; seed <= last; seed++) {
    const simulation = new Simulation(seed);
    jest.setSystemTime(BEGIN);
    try {
      await story(simulation);
    } catch (error) {
      (error as Error).message = `SEED=${seed}: ${(error as Error).message}\n${simulation.trace}`;
      throw error;
    } finally {
      for (const name of collections) await (await documents.collection(name)).clear();
      jest.clearAllTimers();
    }
  }
}

/** Three nodes; one that dies is followed by another of its place. */
export function nodesOf<T>(simulation: Simulation, open: (node: string) => T): Map<string, T> {
  const standing = new Map<string, T>();
  const lives = new Map<string, number>();
  const start = (place: string): void => {
    const life = (lives.get(place) ?? 0) + 1;
    lives.set(place, life);
    standing.set(place, open(`${place}.${life}`));
  };
  NODES.forEach(start);
  simulation.onDeath = (node) => start(node.split(".")[0]!);
  return standing;
}

/** Lets everything that waits for nothing go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
