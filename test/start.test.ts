import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { misspelt, readEnv } from "../config/env.ts";
import { VERSION } from "../config/version.ts";
import { openapi } from "../core/contract/documents/openapi.ts";
import { entry, plainly } from "../scripts/bundle.ts";
import { allServices } from "../services/index.ts";
import { eventually } from "./mesh.ts";
import { FeedServer, rss, stories } from "./news/feed-server.ts";
import { signIn, startNode } from "./process.ts";

// What a start loads is what every process pays for, in time and memory. A package of this list belongs behind an
// import of its own, where it is first needed.

const HEAVY = [
  "undici",
  "nodemailer",
  "pdfkit",
  "dejavu-fonts-ttf",
  "linkedom",
  "@mozilla/readability",
  "mingo",
  "viem",
  "openai",
  "openid-client",
  "@simplewebauthn/server",
  "@zxcvbn-ts/language-common",
  "mongodb",
  "ioredis",
  "@elastic/elasticsearch",
  "@modelcontextprotocol/sdk",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/exporter-trace-otlp-proto",
  "moleculer-repl",
  "swagger-ui-dist",
];

const SCRIPT = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ load(url, context, next) {
    const name = [...url.matchAll(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/g)].at(-1)?.[1];
    if (name) loaded.add(name);
    return next(url, context);
  } });
  const { startMesh } = await import("./mesh/mesh.ts");
  const { readEnv } = await import("./config/env.ts");
  const mesh = await startMesh(readEnv({ PORT: "0", DATA_DIR: ":memory:", ADMIN_EMAIL: "admin@example.org", ADMIN_PASSWORD: "correct horse battery staple 42" }), { quiet: true });
  console.log(JSON.stringify([...loaded]));
  await mesh.stop();
  process.exit(0);
`;

it("a start of everything in one process loads no package that only some requests need", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SCRIPT], {
    maxBuffer: 1 << 20,
    timeout: 60_000,
  });
  const loaded = JSON.parse(stdout.trim().split("\n").at(-1)!) as string[];
  expect(loaded).toContain("moleculer"); // the list sees what is loaded
  expect(loaded.filter((name) => HEAVY.includes(name))).toEqual([]);
}, 90_000);

it("what looks like a setting and is none is told, unless that setting is given; what only the machine has is not", () => {
  expect(misspelt({ MONGO_URI: "mongodb://x", DATADIR: "/data", PROT: "3000", LOG_LEVLE: "warn" })).toEqual([
    "MONGO_URI is ignored. There is no such setting; did you mean `MONGO_URL`?",
    "DATADIR is ignored. There is no such setting; did you mean `DATA_DIR`?",
    "PROT is ignored. There is no such setting; did you mean `PORT`?",
    "LOG_LEVLE is ignored. There is no such setting; did you mean `LOG_LEVEL`?",
  ]);
  expect(misspelt({ MONGO_URI: "mongodb://x", MONGO_URL: "mongodb://y" })).toEqual([]);
  const usual =
    "NODE HOME PATH USER SHELL LANG LC_ALL TERM PWD OLDPWD LOGNAME HOSTNAME EDITOR NODE_ENV NODE_OPTIONS NODE_PATH TMPDIR TZ CI " +
    "INIT_CWD HTTP_PROXY HTTPS_PROXY NO_PROXY KUBERNETES_PORT KUBERNETES_SERVICE_HOST REDIS_SERVICE_PORT MONGO_PORT";
  expect(misspelt(Object.fromEntries(usual.split(" ").map((name) => [name, "x"])))).toEqual([]);
});

it("all that is wrong with settings is told at once, by each alone and by several together", async () => {
  const wrong = { PORT: "abc", METRICS_PORT: "abc", BRIEFING_CRON: "0 6 31 2 *", ADMIN_EMAIL: "a@example.org" };
  const { code, stderr } = await refused({ ...wrong, WEBHOOK_URL: "https://example.org/hook", OIDC_ISSUER: "no url" });
  expect([code, stderr.trim().split("\n")]).toEqual([
    1,
    [
      "These settings cannot be used:",
      '  - PORT: must be a number, not "abc"',
      '  - METRICS_PORT: must be a number, not "abc"',
      expect.stringMatching(/^  - OIDC_ISSUER: /),
      "  - ADMIN_EMAIL and ADMIN_PASSWORD go together.",
      '  - BRIEFING_CRON: "0 6 31 2 *" never comes.',
      "  - WEBHOOK_URL needs WEBHOOK_SECRET.",
    ],
  ]);
}, 90_000);

it.each(["0 6 30 2 *", "2020-01-01T00:00:00", "30 0 6 * * *", "0 0 6 * * * 2024", "61 * * * *"])(
  "a schedule of briefings that brings none is refused: %s",
  (cron) => {
    expect(() => readEnv({ BRIEFING_CRON: cron })).toThrow(/^These settings cannot be used:\n {2}- BRIEFING_CRON: "/);
    expect(readEnv({ BRIEFING_CRON: "0 6 29 2 *" }).BRIEFING_CRON).toBe("0 6 29 2 *");
  },
);

it("a setting that is lacking may be there under a slip of its name: both are told", () => {
  const env = { PATH: process.env["PATH"]!, MONGO_URL: "mongodb://x", SECRT: "00".repeat(32) };
  const { stderr } = spawnSync(process.execPath, ["scripts/repl.ts"], { env, encoding: "utf8" });
  expect(stderr.split("\n").slice(1, 3)).toEqual([
    "  - SECRET is required with MONGO_URL: every node must derive the same keys.",
    "  - SECRT is ignored. There is no such setting; did you mean `SECRET`?",
  ]);
}, 60_000);

it.each([["store/backup"], ["store/restore"], ["repl"]])(
  "and by every command in the same words: %s",
  (script) => {
    const env = { PATH: process.env["PATH"]!, PORT: "abc" };
    const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, "file"], { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, 'These settings cannot be used:\n  - PORT: must be a number, not "abc"\n']);
  },
  60_000,
);

/** Starts a node that will not come up; answers its exit code and what it said of it. */
async function refused(settings: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const env = { PATH: process.env["PATH"]!, PORT: "0", LOG_LEVEL: "fatal", ...settings };
  const started = promisify(execFile)(process.execPath, ["scripts/start.ts"], { env, timeout: 60_000 });
  return started.then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number; stderr: string }) => error,
  );
}

it("what keeps a node from starting is said in one line", async () => {
  const { code, stderr } = await refused({ DATA_DIR: import.meta.filename });
  expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
  expect(stderr).toMatch(/^Signalmesh did not start: .*start\.test\.ts/);
}, 90_000);

it("and that its port is another's", async () => {
  const other = createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await refused({ DATA_DIR: ":memory:", PORT: String(port) }).finally(() => other.close());
  expect(code).toBe(1);
  const why = `Port ${port} of 127.0.0.1 is taken by another process; PORT names another.`;
  expect(stderr).toBe(`Signalmesh did not start: ${why}\n`);
}, 90_000);

it.each([
  [
    { PROFILE_REQUIRED: "shoeSize" },
    /^Signalmesh did not start: PROFILE_REQUIRED: a profile has no field shoeSize; .*/,
  ],
  [
    { BRIEFING_CHANNELS: "pigeon" },
    /^Signalmesh did not start: BRIEFING_CHANNELS: there is no channel pigeon; there are .*/,
  ],
  [{ HOST: "192.0.2.99" }, /^Signalmesh did not start: HOST: 192\.0\.2\.99 is no address of this machine/],
])(
  "and what only a service knows of a setting, %o",
  async (settings, words) => {
    const { code, stderr } = await refused({ DATA_DIR: ":memory:", LOG_LEVEL: "error", ...settings });
    expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringMatching(words)]]);
  },
  90_000,
);

// Room for the lock alone, for a store without its index, and for a store that is full amid the first start.
it.each(["64k", "300k", "4m"])(
  "and that its disk is full, of %s, where one can be mounted",
  async (size) => {
    const disk = await mkdtemp(join(tmpdir(), "signalmesh-full-"));
    if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk]).status !== 0) return;
    try {
      const { code, stderr } = await refused({ DATA_DIR: join(disk, "data"), LOG_LEVEL: "error" });
      const words = /^Signalmesh did not start: The disk of the store is full: make room there, and start again\. \(/;
      expect([code, stderr.trim().split("\n")]).toEqual([1, [expect.stringMatching(words)]]);
      expect(stderr).not.toContain("Move search");
    } finally {
      spawnSync("umount", ["--lazy", disk]);
      await rm(disk, { recursive: true });
    }
  },
  90_000,
);
const operationsOf = (paths: object): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { operationId: string }>).map(
      ([method, { operationId }]) => `${method} ${path} ${operationId}`,
    ),
  );

describe("the bundle", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "signalmesh-bundle-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("offers what the sources offer, and reads feeds in a worker of its own", async () => {
    const publisher = await FeedServer.start("127.0.1.77");
    const node = await startNode({ DATA_DIR: join(folder, "data") });
    try {
      const { paths } = (await (await fetch(`${node.url}/api/openapi.json`)).json()) as { paths: object };
      expect(node.log).not.toContain("from the sources");
      const services = (await allServices()).map(({ service }) => service);
      const here = openapi(services, { version: VERSION }) as { paths: object };
      // Their names: what other suites' domains tell stands in the schemas of this process too.
      expect(operationsOf(paths)).toEqual(operationsOf(here.paths));

      const headers = { "content-type": "application/json", authorization: `Bearer ${await signIn(node.url)}` };
      const ask = async (path: string, body?: object) =>
        (await (
          await fetch(node.url + path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) })
        ).json()) as { data: { title: string }[] };
      const feed = publisher.on("/feed", { body: rss(stories("harbour", 3)) });
      await ask("/api/sources", { name: "Harbour Gazette", url: feed, domain: "economics" });
      const { data } = await eventually(
        () => ask("/api/articles"),
        (list) => list.data.length === 3,
        60_000,
      );
      expect(data).toHaveLength(3);
      // It began anew with what the allocator reads when a process begins.
      if (process.platform === "linux") {
        expect(await readFile(`/proc/${node.pid}/environ`, "utf8")).toContain("MALLOC_ARENA_MAX=2");
        // What is left of it is the bundle alone: a process that began from a .ts file keeps what strips types.
        expect(await readFile(`/proc/${node.pid}/cmdline`, "utf8")).toMatch(/\/run\.mjs\0$/);
      }
    } finally {
      await node.stop();
      await publisher.stop();
    }
  }, 120_000);

  it("is made anew in a folder that has none, and kept for as long as a process runs on it", async () => {
    const earlier = ["ours", "ended", "third", "second"].map((name) => join(folder, "bundles", name));
    const { pid: gone } = spawnSync(process.execPath, ["--version"]);
    for (const [age, user] of [process.pid, gone, gone, gone].entries()) {
      await mkdir(join(earlier[age]!, "users"), { recursive: true });
      await writeFile(join(earlier[age]!, "users", String(user)), "");
      await utimes(earlier[age]!, age + 1, age + 1);
    }
    const made = await entry(join(folder, "bundles"));
    expect(earlier.map((place) => existsSync(place))).toEqual([true, false, true, true]);
    expect(made).toMatch(/\/bundles\/[0-9a-f]{16}\/run\.mjs$/);
    expect(await entry(join(folder, "bundles"))).toBe(made);
    // One sign beyond ASCII, and V8 keeps all of it at two bytes a sign.
    expect(await readFile(join(fileURLToPath(made), "../node.mjs"), "utf8")).not.toMatch(/[^\0-\x7f]/);
  }, 60_000);

  it("writes signs beyond ASCII as escapes that mean the same", () => {
    const code = String.raw`[/^[‘”]🙂$/u.test("‘🙂"), '\–\n\\–', ${"`ä`"}]`;
    expect(plainly(code)).not.toMatch(/[^\0-\x7f]/);
    expect(runInNewContext(plainly(code))).toEqual(runInNewContext(code));
    expect(runInNewContext(plainly(code))).toEqual([true, "–\n\\–", "ä"]);
  });

  it("gives way to the sources where it cannot be made, and says why in one line", async () => {
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const said: string[] = [];
    expect(await entry(file, (line) => said.push(line))).toMatch(/\/scripts\/run\.ts$/);
    expect(said).toEqual([expect.stringMatching(/^Started from the sources, [^\n]*no-folder/)]);
  });
});
