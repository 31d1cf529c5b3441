const EACH_MS = 30;
export const MOST_CHARACTERS = 256;

/** A part of a reply as it is sent: `offset` counts UTF-16 units from the reply's beginning. */
export interface Delta {
  seq: number;
  offset: number;
  text: string;
}

const endsInHalf = (text: string): boolean => /[\uD800-\uDBFF]$/.test(text);

/**
 * Cuts a growing text into parts of at most 256 characters: the first at once, further ones every 30 ms. No part ends
 * within a surrogate pair. Callers come back after `waitMs`.
 */
export class Deltas {
  #pending = "";
  #seq = 0;
  #offset = 0;
  #told = -Infinity;

  /** Adds text; answers the parts that are due. */
  push(text: string, now: number): Delta[] {
    this.#pending += text;
    return this.due(now);
  }

  /** The parts that are due now (milliseconds). */
  due(now: number): Delta[] {
    const parts: Delta[] = [];
    while (this.#pending.length >= MOST_CHARACTERS) parts.push(this.#take(now));
    if (this.#pending && now - this.#told >= EACH_MS) parts.push(this.#take(now));
    return parts.filter(({ text }) => text);
  }

  /** The rest, at the end. */
  rest(now: number): Delta[] {
    const parts: Delta[] = [];
    while (this.#pending) parts.push(this.#take(now, true));
    return parts;
  }

  /** Milliseconds until something is due; undefined where nothing is pending. */
  waitMs(now: number): number | undefined {
    return this.#pending ? Math.max(0, EACH_MS - (now - this.#told)) : undefined;
  }

  #take(now: number, isLast = false): Delta {
    let text = this.#pending.slice(0, MOST_CHARACTERS);
    if (endsInHalf(text) && !(isLast && text.length === this.#pending.length)) text = text.slice(0, -1);
    this.#pending = this.#pending.slice(text.length);
    this.#told = now;
    const delta = { seq: this.#seq, offset: this.#offset, text };
    if (text) this.#seq += 1;
    this.#offset += text.length;
    return delta;
  }
}
