import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A node as a process of its own, as `npm run edge` starts it. */
export interface EdgeProcess {
  pid: number;
  readonly log: string;
  /** Asks its face; undefined where the node went away before it had answered. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; data: any } | undefined>;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

/** Starts a node and waits until its face is there. */
export function startEdge(...options: string[]): Promise<EdgeProcess> {
  const child = spawn(process.execPath, ["scripts/edge.ts", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"]! },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the node ended with ${code}:\n${log}`)));
    let url = "";
    createInterface({ input: child.stdout }).on("line", (line) => {
      log += `${line}\n`;
      url ||= /^ {2}Face {5}(http\S+)$/.exec(line)?.[1] ?? "";
      const token = /^ {2}Token {4}(\S+)$/.exec(line)?.[1];
      if (token) resolve(processOf(token));
    });
    const processOf = (token: string): EdgeProcess => ({
      pid: child.pid!,
      get log() {
        return log;
      },
      async ask(method, path, body) {
        try {
          const answer = await fetch(url + path, {
            method,
            headers: { authorization: `Bearer ${token}` },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          return { status: answer.status, data: ((await answer.json()) as { data: unknown }).data };
        } catch {
          return undefined;
        }
      },
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
      stop() {
        child.kill("SIGTERM");
        return ended;
      },
    });
  });
}
