import type { Steps } from "../../work/turns.ts";
import { badRequest } from "../../problem.ts";
import { DEEPEST, nestsTooDeep } from "./nesting.ts";

/** Characters that are read at once: a millisecond or two, whatever they hold. */
const PIECE = 32_768;

/** A syntax error names its line only up to this one. */
const MOST_LINES = 100_000;

/** What was read, and the names and places that lead to what it is a part of. */
export type ValueVisitor = (part: unknown, path: readonly (string | number)[]) => void;

/** A list or an object whose end has not been reached. It gets a value of its own once it is longer than a piece. */
class Open {
  readonly isList: boolean;
  /** Where it begins. */
  readonly start: number;
  /** Its key in the object around it, or its index in the list around it. */
  name: string | number = "";
  value: unknown[] | Record<string, unknown> | undefined;
  /** What lies before was read. */
  from: number;
  /** Behind the last comma of its own. */
  next: number;
  /** Whether the part before `from` was parsed by itself: no other may follow it without a comma. */
  isAfterPart = false;

  constructor(isList: boolean, start: number) {
    this.isList = isList;
    this.start = start;
    this.from = this.next = start + 1;
  }
}

const refuseDepth = (): never => {
  throw badRequest(`The body is nested deeper than ${DEEPEST} levels.`);
};

/** Defines the member as an own property, so that `__proto__` in the text does not set a prototype. */
function put(into: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
  else into[name] = value;
}

/** Reads one JSON text; see `jsonInSteps`. */
class Reader {
  readonly #text: string;
  readonly #piece: number;
  readonly #look: ValueVisitor;
  readonly #open: Open[] = [];

  constructor(text: string, piece: number, look: ValueVisitor) {
    this.#text = text;
    this.#piece = piece;
    this.#look = look;
  }

  *read(): Steps<unknown> {
    const text = this.#text,
      first = this.#skipBlank(0);
    if (text.length <= this.#piece || (text[first] !== "[" && text[first] !== "{")) return this.#atOnce();
    let inString = false;
    let pause = this.#piece;
    for (let at = first; at < text.length; at++) {
      if (at >= pause) {
        pause = at + this.#piece;
        yield;
      }
      const code = text.charCodeAt(at);
      if (inString) {
        if (code === 0x5c) at++;
        else if (code === 0x22) inString = false;
      } else if (code === 0x22) inString = true;
      else if (code === 0x5b || code === 0x7b) this.#begin(code === 0x5b, at);
      else if (code === 0x2c) {
        if (this.#comma(at)) yield;
      } else if (code === 0x5d || code === 0x7d) {
        const ended = this.#end(code === 0x5d, at);
        if (ended.value !== undefined) yield;
        if (!this.#open.length) return this.#whole(ended, at + 1);
      }
    }
    return this.#refuse(text.length);
  }

  #atOnce(): unknown {
    if (nestsTooDeep(this.#text)) refuseDepth();
    const value = this.#parsed(this.#text, 0);
    this.#look(value, []);
    return value;
  }

  #begin(isList: boolean, at: number): void {
    if (this.#open.length >= DEEPEST) refuseDepth();
    this.#open.push(new Open(isList, at));
  }

  /** Whether something was read. */
  #comma(at: number): boolean {
    const one = this.#open.at(-1) ?? this.#refuse(at);
    if (one.isAfterPart) this.#pass(one, at);
    else if (at - one.from >= this.#piece) {
      for (let depth = 0; depth < this.#open.length; depth++) this.#unfold(depth);
      this.#take(one, at);
      one.from = at + 1;
    } else {
      one.next = at + 1;
      return false;
    }
    one.next = at + 1;
    return true;
  }

  #end(isList: boolean, at: number): Open {
    const one = this.#open.pop();
    if (one?.isList !== isList) this.#refuse(at);
    if (one.value === undefined) return one;
    if (one.isAfterPart) this.#pass(one, at);
    else this.#take(one, at);
    const around = this.#open.at(-1);
    if (around) {
      around.from = at + 1;
      around.isAfterPart = true;
    }
    return one;
  }

  /** All of the text, where nothing but blanks stands around what began first and has ended. */
  #whole({ value }: Open, end: number): unknown {
    if (value === undefined) return this.#atOnce();
    const rest = this.#skipBlank(end);
    return rest < this.#text.length ? this.#refuse(rest) : value;
  }

  /** Gives a list or object that is longer than a piece a value of its own, within the one around it. */
  #unfold(depth: number): void {
    const one = this.#open[depth]!,
      around = this.#open[depth - 1];
    if (one.value !== undefined) return;
    one.value = one.isList ? [] : {};
    if (!around) return;
    if (around.next > around.from) this.#take(around, around.next - 1);
    one.name = this.#nameBefore(one, around);
    if (around.isList) (around.value as unknown[]).push(one.value);
    else put(around.value as Record<string, unknown>, one.name as string, one.value);
    around.from = around.next = one.start;
  }

  #nameBefore({ start }: Open, around: Open): string | number {
    const blank = this.#skipBlank(around.next);
    if (around.isList) return blank === start ? (around.value as unknown[]).length : this.#refuse(blank);
    const lead = this.#text.slice(around.next, start).trimEnd();
    if (!lead.endsWith(":")) this.#refuse(start);
    const name = this.#parsed(lead.slice(0, -1), around.next);
    if (typeof name !== "string") this.#refuse(blank);
    // Its key is checked now, its content when that is read.
    this.#look({ [name]: {} }, this.#path(around));
    return name;
  }

  /** The members between the last one read and here; there is at least one. */
  #take(into: Open, end: number): void {
    const { from, value, isList } = into;
    if (this.#skipBlank(from) >= end) this.#refuse(end);
    const part = this.#parsed(
      isList ? `[${this.#text.slice(from, end)}]` : `{${this.#text.slice(from, end)}}`,
      from - 1,
    ) as unknown[] | Record<string, unknown>;
    this.#look(part, this.#path(into));
    if (isList) for (const item of part as unknown[]) (value as unknown[]).push(item);
    else for (const [name, field] of Object.entries(part)) put(value as Record<string, unknown>, name, field);
  }

  /** Nothing may follow a part that was parsed by itself. */
  #pass(one: Open, at: number): void {
    const blank = this.#skipBlank(one.from);
    if (blank < at) this.#refuse(blank);
    one.isAfterPart = false;
    one.from = at + 1;
  }

  #path(to: Open): (string | number)[] {
    return this.#open.slice(1, this.#open.indexOf(to) + 1).map(({ name }) => name);
  }

  #skipBlank(from: number): number {
    let at = from;
    while (at < this.#text.length && " \t\n\r".includes(this.#text[at]!)) at++;
    return at;
  }

  /** A piece of the text, which begins at a place of it. */
  #parsed(piece: string, start: number): unknown {
    try {
      return JSON.parse(piece);
    } catch (error) {
      const { message } = error as Error;
      if (message.includes("end of JSON")) return this.#refuse(this.#text.length);
      const place = /position (\d+)/.exec(message);
      return this.#refuse(place ? start + Number(place[1]) : undefined);
    }
  }

  #refuse(at?: number): never {
    throw badRequest(`The body is not valid JSON${at === undefined ? "" : this.#where(at)}.`);
  }

  #where(at: number): string {
    if (at >= this.#text.length) return ": it ends too early";
    const before = this.#text.slice(0, at).split("\n", MOST_LINES + 1);
    return before.length > MOST_LINES
      ? `: look at character ${at + 1}`
      : `: look at line ${before.length}, column ${before.at(-1)!.length + 1}`;
  }
}

/**
 * As `JSON.parse`, a piece of the text a step, which is looked at before it is put to the others. Throws 400 where it is
 * none, or nests deeper than data may.
 */
export const jsonInSteps = (text: string, look: ValueVisitor = () => {}, piece = PIECE): Steps<unknown> =>
  new Reader(text, piece, look).read();

/** Whether a text is read at once as well. */
export const isShort = (text: string): boolean => text.length <= PIECE;
