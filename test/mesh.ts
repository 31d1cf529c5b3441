import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerOptions, ServiceSchema } from "moleculer";
import { MongoClient } from "mongodb";
import { request } from "undici";
import { LogSync } from "../adapters/documents/sqlite/log-sync.ts";
import { IndexFile } from "../adapters/search/index-file.ts";
import type { EmbeddedDocuments } from "../adapters/documents/embedded.ts";
import { permitsOf, type Role } from "../config/roles.ts";
import { readEnv, type Env } from "../config/env.ts";
import { FRESH_MS, type Actor } from "../core/access/access.ts";
import type { Clock } from "../core/clock.ts";
import type { MeshService } from "../core/contract/endpoint.ts";
import { commonsOf, type Commons } from "../mixins/domain.mixin.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { isApart, startFleet } from "./apart.ts";
import { Conformance } from "./conformance.ts";
import { layPrepared, prepareFrom } from "./prepared-store.ts";
import { namingWork } from "./turns/turn-watch.ts";

/** Where the suite's stores are: embedded, or the servers that the environment names. */
const SERVERS = Object.fromEntries(
  ["MONGO_URL", "ELASTICSEARCH_URL", "TRANSPORTER"]
    .filter((name) => process.env[name])
    .map((name) => [name, process.env[name]!]),
);
/** How many worlds stand on a folder. */
const tenants = new Map<string, number>();
const SECRET = "00".repeat(32);
/** Whether turns of the event loop are watched, which asks for names of work. A bench is not: it measures the product. */
const IS_WATCHED = process.env["JEST_WORKER_ID"] !== undefined;

/**
 * A story that reaches into the process of a service (an object or a store of it, a service of the test's own that it
 * must know from the start): skipped where that is not the test's.
 */
const story = (globalThis as { it?: typeof it }).it!; // benches use worlds as well, without a framework
export const itInside: typeof it = isApart ? story.skip : story;
/** What a story sees is the same whether a commit waits for the disk or not; a bench measures the waiting. */
const waitsForDisk = story === undefined;
if (!waitsForDisk) {
  LogSync.prototype.sync = () => undefined;
  IndexFile.prototype.setSynchronous = function neverWaiting() {
    this.exec("pragma synchronous = off");
  };
}

export interface Reply {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}
export interface Asked {
  as?: Role | string | null;
  /** A `FormData` is sent as the form it is, everything else as JSON. */
  body?: unknown;
  raw?: string;
  type?: string;
  headers?: Record<string, string>;
}

export const PASSWORD = "correct horse battery staple 42";

/** A clock that tests move. */
export class TestClock implements Clock {
  /** Whether it moves only by hand. */
  readonly stands: boolean = false;
  #offset = 0;
  /** By how much it was set. */
  leapt = 0;
  now(): number {
    return Date.now() + this.#offset;
  }
  steady(): number {
    return this.now() - this.leapt;
  }
  /** Lets time go by. */
  advance(milliseconds: number): void {
    this.#offset += milliseconds;
  }
  /** Sets the clock ahead, or back, while no time goes by. */
  leap(milliseconds: number): void {
    this.#offset += milliseconds;
    this.leapt += milliseconds;
  }
}

export const actor = (role: Role, traits: Partial<Actor> = {}): Actor => ({
  userId: `test-${role}`,
  roles: [role],
  via: "jwt",
  permits: permitsOf([role]),
  ...traits,
});

/**
 * A whole node on fresh stores, and ways to speak to it as somebody: through the gateway and through the broker.
 * `extra` services are part of the mesh (routes, facts); `services` are bare Moleculer ones.
 */
export async function world(
  settings: Record<string, string> = {},
  {
    clock = new TestClock(),
    services = [],
    extra = [],
    options = {},
  }: { clock?: TestClock; services?: object[]; extra?: MeshService[]; options?: BrokerOptions } = {},
) {
  const dataDir = settings["DATA_DIR"] ?? (await mkdtemp(join(tmpdir(), "signalmesh-")));
  // A folder's stores stay the same ones, for a world that comes back to it, on the servers as on the disk.
  const mongo = SERVERS["MONGO_URL"] && {
    MONGO_URL: `${SERVERS["MONGO_URL"].replace(/\/[^/]*$/, "")}/t${dataDir === ":memory:" ? Math.random().toString(36).slice(2) : createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`,
  };
  const given = {
    PORT: "0",
    DATA_DIR: dataDir,
    SECRET,
    ALLOW_PRIVATE_FEEDS: "on",
    RATE_LIMIT_TIER: "development",
    REGISTRATIONS_PER_HOUR: "10000",
    ADMIN_EMAIL: "admin@example.org",
    ADMIN_PASSWORD: PASSWORD,
    LOG_LEVEL: "error",
    NAMESPACE: `t${Math.random().toString(36).slice(2)}`,
    INGEST_INTERVAL_MINUTES: "10000",
    COMPARE_INTERVAL_MINUTES: "0",
    // What takes its time on a busy machine is answered all the same; stories of time-outs set their own.
    REQUEST_TIMEOUT_MS: "120000",
    ...SERVERS,
    ...mongo,
    ...settings,
  };
  const env = readEnv(given);
  tenants.set(dataDir, (tenants.get(dataDir) ?? 0) + 1);
  const isOrdinary = !settings["DATA_DIR"] && !env.MONGO_URL && extra.length === 0;
  if (isOrdinary) await layPrepared(dataDir);
  const { nodes, ...fleet } = await startFleet(given, {
    clock,
    extra,
    options: { ...options, middlewares: [...(options.middlewares ?? []), ...(IS_WATCHED ? [namingWork] : [])] },
    quiet: !process.env["SHOW_LOG"],
  });
  const mesh: Mesh = { ...nodes[0]!, stop: fleet.stop };
  const { documents } = mesh.world;
  if (!waitsForDisk && documents.kind === "embedded")
    await (documents as EmbeddedDocuments).read((database) => database.exec("pragma synchronous = off"));
  if (isOrdinary && !env.SERVICES) await prepareFrom(dataDir);
  for (const service of services) mesh.broker.createService(service as ServiceSchema);
  // Whoever hints at something must know by then who hears it.
  const names = services.map((service) => (service as ServiceSchema).name);
  if (names.length)
    await Promise.all([...nodes.map(({ broker }) => broker.waitForServices(names, 30_000, 20)), fleet.know(names)]);
  const tokens = new Map<string, { token: string; at: number }>();
  const conformance = new Conformance(commonsOf(mesh.broker).services);

  const http = async (
    method: string,
    path: string,
    { as = "system_admin", body, raw, type = "application/json", headers = {} }: Asked = {},
  ): Promise<Reply> => {
    const token = as === null ? undefined : await tokenOf(as);
    await fleet.inStep();
    const isForm = body instanceof FormData;
    const sent = raw ?? (body === undefined || isForm ? body : JSON.stringify(body));
    const answer = await asked(mesh.url + path, {
      method,
      body: sent as string | FormData | undefined,
      headers: {
        ...(sent !== undefined && !isForm && { "content-type": type }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    const { text } = answer;
    const media = answer.headers.get("content-type");
    const reply: Reply = {
      status: answer.status,
      headers: answer.headers,
      text,
      body: media?.includes("json") && !media.includes("ndjson") && text ? JSON.parse(text) : text,
    };
    conformance.check(method, path, reply.status, media, reply.body);
    return reply;
  };

  /** A token of an account with that role, made when first asked for; any other text is taken as the token itself. */
  const tokenOf = async (as: string): Promise<string> => {
    if (!["reader", "analyst", "admin", "system_admin"].includes(as)) return as;
    // What asks for a fresh sign-in gets one, however long a suite takes on a busy machine.
    const isUsable = (role: string): boolean => Date.now() - (tokens.get(role)?.at ?? 0) < FRESH_MS / 2;
    if (!isUsable("system_admin")) tokens.set("system_admin", await login("admin@example.org"));
    if (!isUsable(as)) {
      const email = `${as}-account@example.org`;
      const made = await http("POST", "/api/auth/users", { body: { email, role: as, password: PASSWORD } });
      if (made.status !== 201 && made.status !== 409) throw new Error(`cannot make ${as}: ${made.text}`);
      tokens.set(as, await login(email));
    }
    return tokens.get(as)!.token;
  };
  const login = async (email: string): Promise<{ token: string; at: number }> => {
    const { body } = await http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } });
    return { token: body.data.token, at: Date.now() };
  };

  return {
    mesh,
    nodes,
    clock,
    env,
    dataDir,
    http,
    tokenOf,
    url: mesh.url!,
    /** A service, on whatever node it runs. */
    service(name: string): any {
      const found = nodes.map(({ broker }) => broker.getLocalService(name)).find(Boolean);
      if (!found) throw new Error(`No node runs ${name}.`);
      return found;
    },
    /** What the node has in common that runs this service. */
    commons(name: string): Commons {
      return commonsOf(this.service(name).broker);
    },
    poke: fleet.poke,
    letters: fleet.letters,
    /** Calls an action as an actor, past the gateway. */
    async call(action: string, params: object = {}, who: Actor | undefined = actor("system_admin")): Promise<any> {
      await fleet.inStep();
      return mesh.broker.call(action, params, { meta: { actor: who } });
    },
    async stop({ keep = false } = {}) {
      await mesh.stop();
      const others = tenants.get(dataDir)! - 1;
      tenants.set(dataDir, others);
      if (!keep && !others) await Promise.all([rm(dataDir, { recursive: true, force: true }), clearServers(env)]);
    },
  };
}

/** As `fetch` asks, at a third of its cost; it redirects nobody. */
async function asked(
  url: string,
  { body, ...sent }: { method: string; body: string | FormData | undefined; headers: Record<string, string> },
): Promise<{ status: number; headers: Headers; text: string }> {
  if (body instanceof FormData) {
    const answer = await fetch(url, { ...sent, body, redirect: "manual" });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  const answer = await request(url, { ...(sent as { method: "GET" }), body });
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headers))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return { status: answer.statusCode, headers, text: await answer.body.text() };
}

/** What a world left on the servers: a thousand worlds would fill them. */
async function clearServers({ MONGO_URL, ELASTICSEARCH_URL, NAMESPACE }: Env): Promise<void> {
  if (MONGO_URL) {
    const client = await MongoClient.connect(MONGO_URL);
    // One by one: mongo-java-server gives up over a collection whose index could not be made, and leaves the others.
    for (const { name } of await client.db().listCollections().toArray())
      await client
        .db()
        .dropCollection(name)
        .catch(() => {});
    await client.close();
  }
  if (!ELASTICSEARCH_URL) return;
  const found = (await (await fetch(`${ELASTICSEARCH_URL}/${NAMESPACE.toLowerCase()}-*`)).json()) as object;
  for (const name of Object.keys(found)) await fetch(`${ELASTICSEARCH_URL}/${name}`, { method: "DELETE" });
}

export type TestWorld = Awaited<ReturnType<typeof world>>;

/** How many records a collection holds. */
export const stored =
  (collection: string) =>
  async (at: TestWorld): Promise<number> =>
    (await at.mesh.world.documents.collection(collection)).count();

/** How many a list says there are. */
export const total =
  (path: string) =>
  async (at: TestWorld): Promise<number> =>
    (await at.http("GET", path)).body.meta.total;

/** Makes something once in each world, and answers the same to whoever asks again. */
export function oncePerWorld<T>(make: (at: TestWorld) => Promise<T>): (at: TestWorld) => Promise<T> {
  const made = new WeakMap<TestWorld, Promise<T>>();
  return (at) => {
    if (!made.has(at)) made.set(at, make(at));
    return made.get(at)!;
  };
}

/** Asks until the answer fits, for what happens in the background. */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  fits: (value: T) => boolean,
  withinMs = 120_000,
): Promise<T> {
  for (const deadline = Date.now() + withinMs; ;) {
    const value = await ask();
    if (fits(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)?.slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
