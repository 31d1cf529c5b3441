import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { eventually } from "./mesh.ts";
import type { Wire } from "./cut.ts";
import { ADMIN } from "./process.ts";
import { freePort, itUnless, redisIsInstalled, startRedis, type TestRedis } from "./redis.ts";

/** A process of the mesh. */
export interface MeshNode {
  id: string;
  url: string;
  pid: number;
  readonly log: string;
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  pause(): void;
  resume(): void;
}
export interface Asked {
  body?: unknown;
  token?: string | null;
  headers?: Record<string, string>;
  at?: MeshNode;
}
export interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

/** Several that start side by side on a busy machine take long. */
const START_MS = 150_000;

/** What a mesh of several processes needs that one process does not. */
export interface Stage {
  redis: TestRedis;
  mongo: string;
}

/** Why there can be none here. */
export const lacking = process.env["MONGO_URL"]
  ? redisIsInstalled
    ? undefined
    : "redis-server is not installed"
  : "MONGO_URL names no server";

/** Tells a story of several processes, where there is what they need. */
export const itOnStage = (name: string, tell: () => Promise<void>, timeoutMs: number): void =>
  itUnless(lacking, name, tell, timeoutMs);

export async function startStage(): Promise<Stage> {
  return { redis: (await startRedis())!, mongo: process.env["MONGO_URL"]! };
}

/** Processes on one Redis and one document store, each running the areas it is given. */
export class Nodes {
  readonly all = new Set<MeshNode>();
  readonly #settings: Record<string, string>;
  #token: string | undefined;
  #count = 0;

  constructor({ redis, mongo }: Stage, settings: Record<string, string> = {}) {
    const name = randomBytes(6).toString("hex");
    const base = mongo.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+).*$/, "$1");
    this.#settings = {
      PATH: process.env["PATH"]!,
      TRANSPORTER: redis.url,
      MONGO_URL: `${base}/m${name}`,
      NAMESPACE: `m${name}`,
      SECRET: "11".repeat(32),
      DATA_DIR: ":memory:",
      LOG_LEVEL: "warn",
      ALLOW_PRIVATE_FEEDS: "on",
      RATE_LIMIT_TIER: "development",
      INGEST_INTERVAL_MINUTES: "10000",
      COMPARE_INTERVAL_MINUTES: "0",
      ...ADMIN,
      ...settings,
    };
  }

  /** Where its documents are. */
  get mongoUrl(): string {
    return this.#settings["MONGO_URL"]!;
  }

  /**
   * Starts a process and waits until it takes requests; it reaches the servers of the settings named in `by` over those
   * wires.
   */
  async start(areas: string, given: Record<string, string> = {}, by: Record<string, Wire> = {}): Promise<MeshNode> {
    const settings = {
      ...given,
      ...Object.fromEntries(
        Object.entries(by).map(([name, wire]) => [name, wire.of(given[name] ?? this.#settings[name]!)]),
      ),
    };
    const port = await freePort();
    const id = settings["NODE_ID"] ?? `${areas.replaceAll(",", "-")}-${++this.#count}`;
    const child: ChildProcess = spawn(process.execPath, ["scripts/start.ts"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...this.#settings, SERVICES: areas, PORT: String(port), NODE_ID: id, ...settings },
    });
    const orphan = (): void => void child.kill("SIGKILL");
    process.once("exit", orphan);
    const ended = new Promise<number | null>((resolve) => {
      child.once("exit", (code) => {
        process.off("exit", orphan);
        resolve(code);
      });
    });
    let log = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (chunk) => {
        log += chunk;
      });
    const url = `http://127.0.0.1:${port}`;
    const node: MeshNode = {
      id,
      url,
      pid: child.pid!,
      get log() {
        return log;
      },
      kill: async () => {
        this.all.delete(node);
        child.kill("SIGKILL");
        await ended;
      },
      stop: () => {
        this.all.delete(node);
        child.kill("SIGCONT");
        child.kill("SIGTERM");
        return ended;
      },
      pause: () => void child.kill("SIGSTOP"),
      resume: () => void child.kill("SIGCONT"),
    };
    this.all.add(node);
    const state = await eventually(
      () =>
        child.exitCode === null
          ? fetch(`${url}/health/ready`).then(
              ({ status }) => status,
              () => 0,
            )
          : -1,
      (status) => status === 200 || status === -1,
      START_MS,
    );
    if (state === -1) throw new Error(`${id} ended with ${child.exitCode}:\n${log}`);
    return node;
  }

  /** A gateway, then. */
  get gateway(): MeshNode {
    const found = [...this.all].find(({ id }) => id.startsWith("gateway"));
    if (!found) throw new Error("No gateway runs.");
    return found;
  }

  /** Asks a gateway, as administrator unless `token` says otherwise; status 0 where the connection broke. */
  async http(
    method: string,
    path: string,
    { body, token, headers = {}, at = this.gateway }: Asked = {},
  ): Promise<Reply> {
    const bearer = token === undefined ? await this.token() : token;
    const answer = await fetch(at.url + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.headers.get("content-type")?.includes("json") && text ? JSON.parse(text) : text,
    };
  }

  /** The administrator's, asked for until the mesh stands. */
  async token(): Promise<string> {
    return (this.#token ??= await eventually(
      async () => {
        const { body } = await this.http("POST", "/api/auth/login", {
          token: null,
          body: { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD },
        });
        return body?.data?.token as string | undefined;
      },
      (token) => token !== undefined,
      60_000,
    ))!;
  }

  /** Waits until a gateway knows somebody who answers each of these. */
  async knows(paths: readonly string[], at = this.gateway): Promise<void> {
    for (const path of paths)
      await eventually(
        () => this.http("GET", path, { at }),
        ({ status }) => status === 200,
        60_000,
      );
  }

  /** Stops them all; `SHOW_LOG` shows what they logged. */
  async stop(): Promise<void> {
    const standing = [...this.all];
    await Promise.all(standing.map((node) => node.stop()));
    if (process.env["SHOW_LOG"]) process.stderr.write(standing.map(({ id, log }) => `${id}:\n${log}`).join("\n"));
  }
}

/** The mesh of a suite; it is there once the suite's first story begins. */
export interface Mesh {
  stage: Stage;
  nodes: Nodes;
}

/**
 * Starts a process for each of `areas` before a suite's first story, and waits until a gateway knows the paths; stops
 * them after its last, however far they came.
 */
export function meshOf(
  areas: readonly string[],
  { knows, settings = {} }: { knows: readonly string[]; settings?: Record<string, string> },
): Mesh {
  const mesh: Partial<Mesh> = {};
  beforeAll(async () => {
    mesh.stage = await startStage();
    const nodes = (mesh.nodes = new Nodes(mesh.stage, settings));
    await Promise.all(areas.map((each) => nodes.start(each)));
    await nodes.knows(knows);
  }, 120_000);
  afterAll(async () => {
    await mesh.nodes?.stop();
    await mesh.stage?.redis.stop();
  }, 60_000);
  return mesh as Mesh;
}
