import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { eventually } from "./mesh.ts";

export interface NodeProcess {
  url: string;
  pid: number;
  readonly log: string;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
}

export const ADMIN = { ADMIN_EMAIL: "admin@example.org", ADMIN_PASSWORD: "correct horse battery staple 42" };

/** A story that fails between start and stop leaves none of them behind. */
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/**
 * Starts the platform as a process of its own, as `npm start` does, with `flags` of Node's, and waits until it says
 * that it is ready.
 */
export function startNode(settings: Record<string, string>, flags: readonly string[] = []): Promise<NodeProcess> {
  const child: ChildProcess = spawn(process.execPath, [...flags, "scripts/start.ts"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"]!,
      PORT: "0",
      ALLOW_PRIVATE_FEEDS: "on",
      RATE_LIMIT_TIER: "development",
      INGEST_INTERVAL_MINUTES: "10000",
      COMPARE_INTERVAL_MINUTES: "0",
      ...ADMIN,
      ...settings,
    },
  });
  running.add(child);
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  void ended.then(() => running.delete(child));
  let log = "";
  child.stderr!.on("data", (chunk) => {
    log += chunk;
  });
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`the node ended with ${code}:\n${log}`)));
    createInterface({ input: child.stdout! }).on("line", (line) => {
      log += `${line}\n`;
      const url = /(?:^\s*API\s+|"api":")(http\S+?)\/api(?:$|")/.exec(line)?.[1];
      if (url)
        resolve({
          url,
          pid: child.pid!,
          get log() {
            return log;
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
  });
}

/** Asks a node, whichever it is now, as whoever signed in; answers the body, and throws what the node says otherwise. */
export async function askNode(
  { url }: Pick<NodeProcess, "url">,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<any> {
  const isForm = body instanceof FormData;
  const reply = await fetch(`${url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(!isForm && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

type Ask = (method: string, path: string) => Promise<any>;

/** How many briefings a node has, once none is in the making any more, which a list shows by itself. */
export async function briefingsMade(ask: Ask, within: number): Promise<number> {
  const counted = async (status: string): Promise<number> =>
    (await ask("GET", `/briefings?status=${status}&limit=1`)).meta.total;
  await eventually(
    () => counted("generating"),
    (count) => count === 0,
    within,
  );
  return (await counted("completed")) + (await counted("failed"));
}

/** Signs in at a node of its own process. */
export async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
  });
  return ((await answer.json()) as { data: { token: string } }).data.token;
}
