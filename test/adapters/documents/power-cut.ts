import { readFileSync } from "node:fs";

/** What a process did to its files and said on its standard output, in order, from the trace of its system calls. */
export type Step =
  | { kind: "write"; file: string; at: number; bytes: Buffer }
  | { kind: "truncate"; file: string; length: number }
  /** Of what was written before so many steps, when it began. */
  | { kind: "sync"; file: string; covers: number }
  /** Taken as lasting at once; SQLite removes a file only when what replaces it is safe. */
  | { kind: "remove"; file: string }
  | { kind: "said"; text: string };

/**
 * The options of strace that record what `steps` reads, of all threads: a log may be brought to the disk beside the
 * main one.
 */
export const TRACE = [
  "-f",
  "-qq",
  "-xx",
  "-y",
  "-s",
  "1000000",
  "-e",
  "trace=pwrite64,write,fsync,fdatasync,ftruncate,unlink",
];

/** Reads such a trace; files are known by the last part of their path. */
export function steps(trace: string): Step[] {
  const found: Step[] = [];
  const begun = new Map<string, { text: string; at: number }>();
  for (const told of readFileSync(trace, "latin1").split("\n")) {
    const thread = /^\d+/.exec(told)?.[0] ?? "";
    if (told.endsWith(" <unfinished ...>")) {
      begun.set(thread, { text: told.slice(0, -" <unfinished ...>".length), at: found.length });
      continue;
    }
    // A call that another thread's came into: both parts of its line, and when it began.
    const resumed = /^(?:\d+ +)?<\.\.\. \w+ resumed>(.*)$/.exec(told);
    const { text, at } = (resumed && begun.get(thread)) ?? { text: "", at: found.length };
    const line = resumed ? text + resumed[1]! : told;
    const removed = /^(?:\d+ +)?unlink\("(.*)"\) += 0/.exec(line);
    if (removed) found.push({ kind: "remove", file: nameOf(removed[1]!) });
    const call = /^(?:\d+ +)?(\w+)\((\d+)<([^>]*)>(?:, (.*))?\) += (\d+)/.exec(line);
    if (!call) continue;
    const [, name, descriptor, path, rest] = call;
    const file = nameOf(path!);
    if (name === "write" && descriptor === "1")
      found.push({ kind: "said", text: unescaped(/"(.*)"/.exec(rest!)![1]!).toString() });
    else if (!file.startsWith("signalmesh.db") || file.endsWith("-shm")) continue;
    else if (name === "pwrite64") {
      const [, bytes, where] = /^"(.*)", \d+, (\d+)$/.exec(rest!)!;
      found.push({ kind: "write", file, at: Number(where), bytes: unescaped(bytes!) });
    } else if (name === "ftruncate") found.push({ kind: "truncate", file, length: Number(rest) });
    else if (name === "fsync" || name === "fdatasync") found.push({ kind: "sync", file, covers: at });
  }
  return found;
}

const nameOf = (path: string): string => unescaped(path).toString().split("/").at(-1)!;
const unescaped = (text: string): Buffer => Buffer.from(text.replace(/\\x/g, "").replace(/[^0-9a-f]/g, ""), "hex");

type Change = Extract<Step, { kind: "write" | "truncate" }>;

/** What a disk holds that keeps everything up to the last sync, and of what came after it whatever it likes. */
class File {
  #safe: Buffer = Buffer.alloc(0);
  #pending: { step: Change; index: number }[] = [];

  change(step: Change, index: number): void {
    this.#pending.push({ step, index });
  }

  /** Of what was written before so many steps. */
  sync(covers: number): void {
    const covered = this.#pending.filter(({ index }) => index < covers);
    this.#safe = covered.reduce<Buffer>((image, { step }) => applied(image, step), this.#safe);
    this.#pending = this.#pending.filter(({ index }) => index >= covers);
  }

  /** After a cut: of the writes since the last sync a random part is there, some of them torn. */
  afterCut(random: () => number): Buffer {
    return this.#pending.reduce<Buffer>((image, { step }) => {
      const luck = random();
      if (luck < 0.4) return image;
      if (luck < 0.8 || step.kind !== "write") return applied(image, step);
      const sectors = Math.floor((step.bytes.length / 512) * random());
      return applied(image, { ...step, bytes: step.bytes.subarray(0, sectors * 512) });
    }, this.#safe);
  }
}

function applied(image: Buffer, step: Change): Buffer {
  if (step.kind === "truncate")
    return step.length <= image.length ? image.subarray(0, step.length) : longer(image, step.length);
  const whole = longer(image, step.at + step.bytes.length);
  step.bytes.copy(whole, step.at);
  return whole;
}

/** A copy of at least that length. */
const longer = (image: Buffer, length: number): Buffer =>
  Buffer.concat([image, Buffer.alloc(Math.max(0, length - image.length))]);

export interface Cut {
  files: Map<string, Buffer>;
  /** What the process had said by then. */
  said: string;
}

/** The state of the disk at power cuts before the given steps. */
export function* cuts(all: readonly Step[], at: ReadonlySet<number>, random: () => number): Generator<Cut> {
  const files = new Map<string, File>();
  let said = "";
  for (const [index, step] of all.entries()) {
    if (at.has(index)) yield { said, files: new Map([...files].map(([name, file]) => [name, file.afterCut(random)])) };
    if (step.kind === "said") {
      said += step.text;
      continue;
    }
    const file = files.get(step.file) ?? new File();
    files.set(step.file, file);
    if (step.kind === "remove") files.delete(step.file);
    else if (step.kind === "sync") file.sync(step.covers);
    else file.change(step, index);
  }
}

/** Mulberry32: a small seeded generator, so that a failing cut can be had again. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
