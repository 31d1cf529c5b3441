import { Worker } from "node:worker_threads";

/** A turn of the event loop that took too long, and where it was seen: innermost function first. */
export interface LongTurn {
  /** Processor time of the main thread, in milliseconds. */
  ms: number;
  seen: string[][];
}

const BEAT_MS = 5;

/** Runs in a thread of its own: sees that the main one does not beat, and has the debugger say where that is. */
const watcher = `
const { Session } = require("node:inspector");
const { readFileSync } = require("node:fs");
const { parentPort, workerData: { beats, pid, mostMs, everyMs } } = require("node:worker_threads");
const ran = () => Number(readFileSync("/proc/self/task/" + pid + "/schedstat", "utf8").split(" ")[0]) / 1e6;
const session = new Session();
session.connectToMainThread();
let seen = [], last = -1, since = 0, asked = 0, isOn = false;
session.on("Debugger.paused", ({ params }) => {
  seen.push(params.callFrames.map((frame) =>
    (frame.functionName || "(anonymous)") + " " + frame.url.replace(/^.*\\/(?=[^/]+\\/[^/]+\\/[^/]+$)/, "") + ":" + (frame.location.lineNumber + 1)));
  session.post("Debugger.resume");
});
session.post("Debugger.enable", { maxScriptsCacheSize: 0 });
parentPort.on("message", (on) => { isOn = on; last = -1; seen = []; parentPort.postMessage({ isOn }); });
setInterval(() => {
  const beat = Atomics.load(beats, 0), now = ran();
  if (beat !== last) {
    if (last >= 0 && isOn && now - since > mostMs) parentPort.postMessage({ ms: now - since, seen });
    [last, since, asked, seen] = [beat, now, 0, []];
  } else if (isOn && now - since > mostMs * (0.5 + asked / 2)) { asked++; session.post("Debugger.pause"); }
}, everyMs);
`;

/**
 * Watches the event loop of this process for turns that take more than so many milliseconds of processor time, whatever
 * else the machine does (Linux). Costs the main thread a timer.
 */
export class TurnWatch {
  readonly turns: LongTurn[] = [];
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #told: (() => void) | undefined;

  constructor(mostMs: number) {
    const beats = new Int32Array(new SharedArrayBuffer(4));
    this.#timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
    this.#worker = new Worker(watcher, {
      eval: true,
      workerData: { beats, pid: process.pid, mostMs, everyMs: BEAT_MS },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: LongTurn | { isOn: boolean }) => {
      if ("ms" in message) this.turns.push(message);
      else this.#told?.();
    });
  }

  /** Turns it on or off; resolves when the thread knows, and what was seen before was told. */
  set(isOn: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#told = resolve;
      this.#worker.postMessage(isOn, []);
    });
  }

  end(): Promise<number> {
    clearInterval(this.#timer);
    return this.#worker.terminate();
  }
}
