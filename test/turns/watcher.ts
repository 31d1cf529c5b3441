import { openSync, readSync } from "node:fs";
import { Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";

// Runs in a thread of its own: sees that the main one does not beat, and asks it, in the middle of what it does, what
// that is. V8 answers between two steps of the script, without a debugger that would slow it down.

export interface Orders {
  beats: Int32Array;
  pid: number;
  mostMs: number;
  everyMs: number;
  ask: string;
}
/** What the main thread was at, for so many milliseconds of its processor time. */
export interface Seen {
  ms: number;
  work: string | null;
  /** Tells apart calls of the same name. */
  call: number;
  stack: string[];
}
/** A turn, with its beginning and end by the clock of this process. */
export interface SeenTurn {
  ms: number;
  from: number;
  to: number;
  seen: Seen[];
}

const { beats, pid, mostMs, everyMs, ask } = workerData as Orders;
/** How much of a turn goes by until it is looked at, and until it is looked at again; and how often that is done. */
const LOOK_MS = 20,
  MOST_LOOKS = 20;

// Opened once: it is read some hundred times a second.
const schedule = openSync(`/proc/self/task/${pid}/schedstat`, "r");
const read = Buffer.alloc(64);
const ran = (): number =>
  Number(read.toString("latin1", 0, readSync(schedule, read, 0, read.length, 0)).split(" ")[0]) / 1e6;
const clock = (): number => performance.timeOrigin + performance.now();

let isOn = false;
let session: Session | undefined;
let isAsking = false;
let beat = -1;
let turn: SeenTurn & { since: number; seenAt: number };

function begin(at: number, now: number): void {
  beat = at;
  turn = { ms: 0, from: clock(), to: 0, seen: [], since: now, seenAt: now };
}

function end(now: number): void {
  const { since, seenAt: _seenAt, ...told } = turn;
  const ms = now - since;
  if (isOn && beat >= 0 && ms > mostMs) parentPort!.postMessage({ ...told, ms, to: clock() } satisfies SeenTurn, []);
  // Nobody ends well while a session is open.
  session?.disconnect();
  session = undefined;
  isAsking = false;
}

function look(): void {
  if (!session) {
    session = new Session();
    session.connectToMainThread();
  }
  const [of, asked] = [turn, session];
  isAsking = true;
  asked.post("Runtime.evaluate", { expression: ask, returnByValue: true }, (error, answer) => {
    if (asked !== session) return;
    isAsking = false;
    if (error || of !== turn || Atomics.load(beats, 0) !== beat) return;
    const now = ran();
    const { work, call, stack } = answer.result.value as Omit<Seen, "ms" | "stack"> & { stack: string };
    turn.seen.push({ ms: now - turn.seenAt, work, call, stack: framesOf(stack) });
    turn.seenAt = now;
  });
}

/** Innermost first, without the frames of the question. */
const framesOf = (stack: string): string[] =>
  stack
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at ") && !/turn-watch\.ts|at <anonymous>:1:|^at async Promise\.all/.test(line))
    .map((line) => line.replace(/^at (async )?/, "").replace(/\(?file:\/\/(.*?)(?::\d+)?\)?$/, "$1"));

parentPort!.on("message", (on: boolean) => {
  isOn = on;
  end(ran());
  begin(-1, ran());
  parentPort!.postMessage({ isOn }, []);
});

begin(-1, ran());
setInterval(() => {
  const at = Atomics.load(beats, 0);
  if (at !== beat) {
    const now = ran();
    end(now);
    begin(at, now);
  } else if (isOn && !isAsking && turn.seen.length < MOST_LOOKS && ran() - turn.seenAt > LOOK_MS) look();
}, everyMs);
