import { insertOnce, type Collection } from "../../../../core/records/documents.ts";
import { conflict } from "../../../../core/problem.ts";

/** This many are told one by one; of earlier ones it is only known that there were some. */
const MOST_KEPT = 64;
/** When several note at once, one succeeds each time. */
const MOST_ATTEMPTS = 100;

/** The number of the last change, and the sets of the latest, the last one at the end. */
export interface Counted {
  n: number;
  sets: readonly string[];
}

/**
 * In which problem sets something changed about each person's access, by running number: what a node remembers of them
 * is as good as the number it was read under, whatever it heard. Noted after the change and before its answer, so that
 * nobody who was told of a change is answered by what was before.
 */
export class AccessChanges {
  readonly #open: () => Promise<Collection>;

  constructor(open: () => Promise<Collection>) {
    this.#open = open;
  }

  async note(userId: string, problemSetId: string): Promise<void> {
    const changes = await this.#open();
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const noted = await changes.findById(userId);
      const n: number = (noted?.["n"] ?? 0) + 1;
      const sets = [...(noted?.["sets"] ?? []).slice(1 - MOST_KEPT), problemSetId];
      const done = noted
        ? await changes.updateMany({ _id: userId, n: noted["n"] }, { $set: { n, sets } })
        : await insertOnce(changes, { _id: userId, n, sets });
      if (done) return;
    }
    throw conflict("The access of this person changes all the time.");
  }

  async of(userId: string): Promise<Counted> {
    const noted = await (await this.#open()).findById(userId);
    return { n: noted?.["n"] ?? 0, sets: noted?.["sets"] ?? [] };
  }

  async forget(userId: string): Promise<void> {
    await (await this.#open()).removeById(userId);
  }
}

interface Counting {
  counted: AccessChanges;
}
export async function gatherChanges(this: Counting, userId: string): Promise<{ problemSetId: string }[]> {
  return (await this.counted.of(userId)).sets.map((problemSetId) => ({ problemSetId }));
}
export async function eraseChanges(this: Counting, userId: string): Promise<void> {
  await this.counted.forget(userId);
}
