import type { TermLists } from "./term-lists.ts";

/** An event that newcomers are compared with. */
export interface HeldEvent {
  storyId: string;
  /** Numbers of its latest reports. */
  voices: number[];
  /** Its place among those that are held, which another may have after it. */
  place: number;
  /** How the lists of terms name it: by its place, and which of the events that had it. */
  name: number;
}

const MOST_EVENTS = 20_000;
/** Places of events, a power of two above the most; and how often each may be given again until a name comes again. */
const PLACES = 2 ** 15,
  LIVES = 2 ** 15;
/**
 * What is held of a place, and where: its event, and the turn in which it shared keys with a newcomer and how many, of
 * which there are fewer than 64.
 */
const STATE = 2,
  EVENT = 0,
  SHARED = 1;
const TURN = 64,
  LAST_TURN = 2 ** 31 - 2 * TURN;
/** In place of an event's name, which is never below zero. */
export const NOBODY = -1;

/** The events that newcomers are compared with, and which of them share keys with one; in flat memory. */
export class HeldEvents {
  /** In the order of their last news. */
  readonly #byStory = new Map<string, HeldEvent>();
  readonly #events: (HeldEvent | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  /** How many events had each place before. */
  readonly #earlier = new Int32Array(PLACES);
  /** When the event of each place was told last, milliseconds since the epoch. */
  readonly #lasts = new Float64Array(PLACES);
  /** Of each place side by side, since most are not in the processor's cache: see `STATE`. */
  readonly #states = new Int32Array(STATE * PLACES).fill(NOBODY);
  /** Places that share a key with the newcomer. */
  readonly #met = new Int32Array(PLACES);
  /** Where the lists of its keys begin. */
  readonly #lists: Int32Array;
  #turn = 0;

  /** `mostKeys`: of one newcomer. */
  constructor(mostKeys: number) {
    this.#lists = new Int32Array(mostKeys);
  }

  get isFull(): boolean {
    return this.#byStory.size > MOST_EVENTS;
  }

  at(place: number): HeldEvent {
    return this.#events[place]!;
  }

  of(storyId: string): HeldEvent | undefined {
    return this.#byStory.get(storyId);
  }

  /** When the event of a place was told last, milliseconds since the epoch. */
  lastOf(place: number): number {
    return this.#lasts[place]!;
  }

  /** Whether the event of a name is still held. */
  readonly isNamed = (name: number): boolean => this.#states[STATE * (name & (PLACES - 1)) + EVENT] === name;

  /** The event of a story that is told at this time: it begins with its first report. */
  told(storyId: string, at: number): HeldEvent {
    const event = this.#byStory.get(storyId) ?? this.#begun(storyId, at);
    this.#byStory.delete(storyId);
    this.#byStory.set(storyId, event);
    this.#lasts[event.place] = Math.max(this.#lasts[event.place]!, at);
    return event;
  }

  #begun(storyId: string, at: number): HeldEvent {
    const place = this.#freePlaces.pop() ?? this.#events.length;
    const name = (this.#earlier[place]! % LIVES) * PLACES + place;
    this.#states[STATE * place + EVENT] = name;
    this.#lasts[place] = at;
    return (this.#events[place] = { storyId, voices: [], place, name });
  }

  /** Places of events that share at least so many of these keys. The next call overwrites the answer. */
  sharing(keys: Uint32Array, byTerm: TermLists, least = 2): Int32Array {
    const turn = this.#nextTurn(),
      states = this.#states,
      met = this.#met,
      lists = this.#lists;
    let count = 0;
    // Looked up before any is read: so they wait for memory together.
    for (let at = 0; at < keys.length; at++) lists[at] = byTerm.of(keys[at]!);
    const { numbers } = byTerm;
    for (let at = 0; at < keys.length; at++) {
      const list = lists[at]!;
      if (list === 0) continue;
      for (let from = list + 1, end = from + byTerm.lengthAt(list); from < end; from++) {
        const name = numbers[from]!,
          place = name & (PLACES - 1),
          state = STATE * place;
        if (states[state + EVENT] !== name) continue;
        if (states[state + SHARED]! > turn) states[state + SHARED]!++;
        else {
          states[state + SHARED] = turn + 1;
          met[count++] = place;
        }
      }
    }
    let several = 0;
    for (let at = 0; at < count; at++)
      if (states[STATE * met[at]! + SHARED]! >= turn + least) met[several++] = met[at]!;
    return met.subarray(0, several);
  }

  #nextTurn(): number {
    if (this.#turn === LAST_TURN) {
      for (let place = 0; place < PLACES; place++) this.#states[STATE * place + SHARED] = 0;
      this.#turn = 0;
    }
    return (this.#turn += TURN);
  }

  /** Lets go of those that were told longest ago, a tenth of the most; answers which. */
  forgetOldest(): HeldEvent[] {
    const gone = [...this.#byStory.values().take(this.#byStory.size - MOST_EVENTS * 0.9)];
    for (const { storyId, place } of gone) {
      this.#byStory.delete(storyId);
      this.#events[place] = undefined;
      this.#states[STATE * place + EVENT] = NOBODY;
      this.#earlier[place]!++;
      this.#freePlaces.push(place);
    }
    return gone;
  }
}
