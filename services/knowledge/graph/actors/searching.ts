import { editsBetween } from "../../../../core/text/words/spelling/edits.ts";
import { latinOf } from "../../../../core/text/words/spelling/latin.ts";
import { soundOf } from "../../../../core/text/words/spelling/sound.ts";
import { words } from "../../../../core/text/words/words.ts";
import { byText, sorted, type Steps } from "../../../../core/work/turns.ts";
import { isActor, type GraphNode, type GraphView } from "../view.ts";

/** How well a word of the question fits one of a name. */
const EXACT = 1,
  BEGINS = 0.85,
  ONE_EDIT = 0.8,
  TWO_EDITS = 0.6,
  SOUNDS = 0.7,
  ELSEWHERE = 0.95;
const MOST_WORDS = 6;
/** Beginnings are looked up to so many words, and a word to so many actors. */
const MOST_BEGUN = 2_000;
const MOST_OF_A_WORD = 20_000;

/** Which letters a word has, as bits: words far apart by that are far apart. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}
function countBits(bits: number): number {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return (((left + (left >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Typing errors that a word may have: none up to two letters, one up to five, two beyond. */
export const editsOf = ({ length }: string): number => (length <= 2 ? 0 : length <= 5 ? 1 : 2);

/** The words of a name, each in Latin letters too where its alphabet has others. */
const wordsOf = (name: string): string[] =>
  words(name).flatMap(({ text }) => {
    const latin = latinOf(text);
    return latin === null ? text : [text, latin];
  });

const isLatin = (word: string): boolean => /^[a-z0-9'.]+$/.test(word);

/** Actors by the words of their names, however these are typed and in whatever script they are written. */
export class ActorIndex {
  readonly #actors: readonly GraphNode[];
  /** Sorted. */
  readonly #words: readonly string[];
  readonly #letters: Int32Array;
  readonly #lengths: Uint8Array;
  readonly #places: ReadonlyMap<string, number>;
  readonly #having: readonly (readonly number[])[];
  readonly #sounding: ReadonlyMap<string, readonly number[]>;

  private constructor(
    actors: readonly GraphNode[],
    byWord: ReadonlyMap<string, number[]>,
    sounding: Map<string, number[]>,
    sorted: string[],
  ) {
    this.#actors = actors;
    this.#words = sorted;
    this.#letters = Int32Array.from(sorted, lettersOf);
    this.#lengths = Uint8Array.from(sorted, ({ length }) => Math.min(length, 255));
    this.#places = new Map(sorted.map((word, at) => [word, at]));
    this.#having = sorted.map((word) => byWord.get(word)!);
    this.#sounding = sounding;
  }

  static *of(actors: readonly GraphNode[]): Steps<ActorIndex> {
    const byWord = new Map<string, number[]>();
    for (const [which, { name, aliases }] of actors.entries()) {
      for (const word of new Set([name, ...aliases].flatMap(wordsOf))) {
        const known = byWord.get(word);
        if (known) known.push(which);
        else byWord.set(word, [which]);
      }
      yield;
    }
    const ordered = yield* sorted(byWord.keys(), byText);
    const sounding = new Map<string, number[]>();
    for (const [at, word] of ordered.entries()) {
      const sound = soundOf(word);
      if (sound) sounding.set(sound, [...(sounding.get(sound) ?? []), at]);
      yield;
    }
    return new ActorIndex(actors, byWord, sounding, ordered);
  }

  /** Where words that are not before this one begin. */
  #from(word: string): number {
    let [low, high] = [0, this.#words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#words[middle]! < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The words that one of the question may stand for, each with how well it fits. */
  #fitting(word: string): Map<number, number> {
    const fits = new Map<number, number>();
    const take = (at: number, fit: number) => fits.set(at, Math.max(fits.get(at) ?? 0, fit));
    const exact = this.#places.get(word);
    if (exact !== undefined) take(exact, EXACT);
    const first = this.#from(word);
    for (const [step, other] of this.#words.slice(first, first + MOST_BEGUN).entries()) {
      if (!other.startsWith(word)) break;
      take(first + step, BEGINS * Math.max(0.6, word.length / other.length));
    }
    const most = editsOf(word);
    if (most > 0) {
      const letters = lettersOf(word);
      for (let at = 0; at < this.#words.length; at += 1) {
        if (Math.abs(this.#lengths[at]! - word.length) > most) continue;
        if (countBits(this.#letters[at]! ^ letters) > 2 * most) continue;
        const edits = editsBetween(word, this.#words[at]!, most);
        if (edits <= most && edits > 0) take(at, edits === 1 ? ONE_EDIT : TWO_EDITS);
      }
    }
    const sound = soundOf(word);
    for (const at of (sound && this.#sounding.get(sound)) || []) {
      const other = this.#words[at]!;
      // In one script a sound is a weak sign, between two the only one.
      take(at, isLatin(word) === isLatin(other) ? SOUNDS * 0.7 : SOUNDS * (other[0] === word[0] ? 1 : 0.95));
    }
    return fits;
  }

  /** As it is written, and as it would be in Latin letters. */
  #asked(word: string): Map<number, number> {
    const fits = this.#fitting(word);
    const latin = latinOf(word);
    if (latin !== null)
      for (const [at, fit] of this.#fitting(latin)) fits.set(at, Math.max(fits.get(at) ?? 0, fit * ELSEWHERE));
    return fits;
  }

  /** The actors that a question names best, the best first. */
  search(
    question: string,
    limit: number,
    takes: (actor: GraphNode) => boolean = () => true,
  ): { actor: GraphNode; score: number }[] {
    const asked = words(question)
      .map(({ text }) => text)
      .slice(0, MOST_WORDS);
    const scores = new Map<number, number>();
    for (const word of asked) {
      const best = new Map<number, number>();
      for (const [at, fit] of this.#asked(word))
        for (const which of this.#having[at]!.slice(0, MOST_OF_A_WORD))
          if (fit > (best.get(which) ?? 0)) best.set(which, fit);
      for (const [which, fit] of best) scores.set(which, (scores.get(which) ?? 0) + fit);
    }
    const found: { actor: GraphNode; score: number }[] = [];
    for (const [which, sum] of scores) {
      const actor = this.#actors[which]!;
      // Each word has to be found, or nearly all of many.
      const score = sum / asked.length;
      if (score < 0.45 || !takes(actor)) continue;
      found.push({ actor, score });
    }
    return found
      .sort(
        (one, other) =>
          other.score - one.score ||
          one.actor.name.length - other.actor.name.length ||
          other.actor.mentions - one.actor.mentions ||
          (one.actor.id < other.actor.id ? -1 : 1),
      )
      .slice(0, limit);
  }
}

/** The actors of a view. */
export const actorsIn = ({ nodes }: GraphView): GraphNode[] => [...nodes.values()].filter(isActor);
