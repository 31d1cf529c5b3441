import type { Dice } from "../../../adapters/wallet/stand-in-random.ts";

/** What a killed process meets wherever it turns. */
export class Killed extends Error {}

/** A process of ours: it dies at its nth call to the outside, before the call acts or after. */
export interface Life {
  dead: boolean;
  callsLeft: number;
  diesAfterActing: boolean;
  asleep: boolean;
}
/** Turns of the loop without a call: more than it takes to open a store, which goes past the scheduler. */
const STILL_TURNS = 20;

interface Waiting {
  life: Life;
  act(): Promise<void>;
}

/**
 * Lets one call to the outside happen at a time, in an order of its own choosing: so a seed replays, whatever the
 * machine does.
 */
export class Scheduler {
  readonly #dice: Dice;
  #waiting: Waiting[] = [];
  constructor(dice: Dice) {
    this.#dice = dice;
  }

  call<T>(life: Life, act: () => Promise<T>): Promise<T> {
    if (life.dead) return Promise.reject(new Killed("killed"));
    return new Promise<T>((resolve, reject) => {
      const run = async () => {
        life.callsLeft -= 1;
        const dies = life.callsLeft <= 0;
        if (dies && !life.diesAfterActing) life.dead = true;
        if (life.dead) return reject(new Killed("killed"));
        const outcome = await act().then(
          (value) => () => resolve(value),
          (error: unknown) => () => reject(error),
        );
        if (dies) life.dead = true;
        if (life.dead) reject(new Killed("killed"));
        else outcome();
      };
      this.#waiting.push({ life, act: run });
    });
  }

  /** Runs calls until none is left but those of processes that sleep. */
  async run(): Promise<void> {
    for (let still = 0; still < STILL_TURNS;) {
      await new Promise(setImmediate);
      const ready = this.#waiting.filter(({ life }) => !life.asleep);
      still = ready.length === 0 ? still + 1 : 0;
      if (still > 0) continue;
      const next = this.#dice.pick(ready);
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      await next.act();
    }
  }
}

/** The object as a process has it: every call of a method goes through the scheduler. */
export function throughScheduler<T extends object>(target: T, scheduler: Scheduler, life: Life): T {
  return new Proxy(target, {
    get(of, name) {
      const value = Reflect.get(of, name) as unknown;
      if (typeof value !== "function") return value;
      return (...given: unknown[]) =>
        scheduler.call(life, async () => (value as (...args: unknown[]) => Promise<unknown>).apply(of, given));
    },
  });
}
