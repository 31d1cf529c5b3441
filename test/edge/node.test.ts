import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HubAnswer, HubLink } from "../../edge/sync/link.ts";
import { openEdge, type RunningEdge } from "../../edge/open.ts";
import { FaultyLine, HubDouble } from "./hub-double.ts";

// The node as whoever sits at it has it: its face, its files, its enrolment. The hub is a double in memory.

const TOKEN = "the token of a sign-in";
const KEY = `sm_${"0".repeat(32)}`;
const said = (data: unknown): HubAnswer => ({ status: 200, body: { data }, date: undefined, retryAfterMs: undefined });
const refused = (status: number, code: string, message: string): HubAnswer => ({
  status,
  body: { error: { code, message } },
  date: undefined,
  retryAfterMs: undefined,
});

let folder: string;
let hub: HubDouble;
let line: FaultyLine;
let edge: RunningEdge;
/** Credentials that were shown, by path. */
let shown: Record<string, string[]>;
const conflictAt = { binding: false, enrolment: false };

function linkTo(): HubLink {
  return {
    ask: async (method, path, sent = {}) => {
      (shown[path.split("?")[0]!] ??= []).push(Object.values(sent.headers ?? {}).join());
      if (path === "/api/identity/challenges") return said({ challenge: "c".repeat(43), message: "a message" });
      if (path === "/api/identity/register") return conflictAt.binding ? refused(409, "CONFLICT", "Bound.") : said({});
      if (path === "/api/keys") return said({ key: KEY });
      if (!path.startsWith("/api/edge-sync/nodes")) return line.ask(method, path, sent);
      if (method === "GET") return said([...hub.nodes].map(([id, node]) => ({ id, status: "active", ...node })));
      const { did } = JSON.parse(sent.body!) as { did: string };
      if (!hub.nodes.size) hub.enrol("n1", did, 1);
      return conflictAt.enrolment ? refused(409, "CONFLICT", "There is a node under this DID.") : said({ id: "n1" });
    },
    close: async () => {},
  };
}
const open = (more: object = {}): Promise<RunningEdge> =>
  openEdge({ folder, hub: "http://hub.example", token: TOKEN, name: "Boat 1", linkTo, ...more });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "signalmesh-edge-"));
  hub = new HubDouble();
  line = new FaultyLine(async (method, path, sent) => hub.answer(method, path, sent?.body));
  shown = {};
  Object.assign(conflictAt, { binding: false, enrolment: false });
  edge = await open();
});
afterEach(async () => {
  await edge.close();
  await rm(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(edge.url + path, {
    method,
    headers: { authorization: `Bearer ${edge.token}`, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, etag: answer.headers.get("etag"), body: (await answer.json()) as any };
}
const SAND = { problemSetId: 1, name: "Sandbags", level: 400, unit: "piece" };

describe("its face", () => {
  it("makes, lists, changes, counts and deletes records with no hub in reach", async () => {
    line.fate = () => "lost";
    const { status, body } = await ask("POST", "/records/consumable", SAND);
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({ entity: "consumable", deleted: false, unsettled: 1, conflicts: [] }),
    ]);
    const path = `/records/consumable/${body.data.id}`;
    expect((await ask("PATCH", path, { name: "Sandbags, filled", minimum: 50 })).body.data.fields).toEqual({
      ...{ name: "Sandbags, filled", level: 400, minimum: 50, unit: "piece" },
    });
    expect((await ask("POST", `${path}/delta`, { field: "level", value: -150 })).body.data.fields.level).toBe(250);
    const boat = (await ask("POST", "/records/resource", { problemSetId: 1, name: "Boat 1" })).body.data.id;
    const held = `/records/resource/${boat}`;
    await ask("POST", `${held}/add`, { field: "capabilities", value: "mobility.water" });
    await ask("POST", `${held}/add`, { field: "capabilities", value: "rescue" });
    expect((await ask("POST", `${held}/remove`, { field: "capabilities", value: "rescue" })).body.data.fields).toEqual({
      ...{ name: "Boat 1", capabilities: ["mobility.water"] },
    });
    expect((await ask("DELETE", path)).body.data).toMatchObject({ deleted: true, conflicts: [] });
    expect((await ask("GET", "/records/consumable?limit=5")).body).toMatchObject({
      data: [{ deleted: true }],
      meta: { next: body.data.id },
    });
    expect((await ask("GET", "/changes")).body.data.map(({ seq, op }: any) => [seq, op])).toEqual([
      ...[
        [1, "set"],
        [2, "set"],
        [3, "set"],
        [4, "delta"],
        [5, "set"],
      ],
      ...[
        [6, "add"],
        [7, "add"],
        [8, "remove"],
        [9, "delete"],
      ],
    ]);
    expect((await ask("POST", "/sync")).body.data).toMatchObject({
      round: null,
      status: { unsent: 9, hub: { state: "unreachable", message: "lost on its way" } },
    });
    line.fate = () => "well";
    expect((await ask("POST", "/sync")).body.data).toMatchObject({
      round: { sent: 9, rejected: 0, received: 2 },
      status: { unsent: 0, records: 2, hub: { state: "well" } },
    });
  });

  it("says what is wrong with a request, and takes nothing of it", async () => {
    const { id, etag } = (await ask("POST", "/records/consumable", SAND)).body.data;
    const path = `/records/consumable/${id}`;
    const code = async (...request: Parameters<typeof ask>) => {
      const { status, body } = await ask(...request);
      return [status, body.error.code, body.error.details?.[0]?.path];
    };
    expect(await code("PATCH", path, { name: "x", colour: "red" })).toEqual([400, "VALIDATION_ERROR", "colour"]);
    expect(await code("PATCH", path, { unit: "kg" })).toEqual([400, "VALIDATION_ERROR", "unit"]);
    expect(await code("PATCH", path, { level: 1 })).toEqual([400, "VALIDATION_ERROR", "level"]);
    expect(await code("POST", `${path}/delta`, { field: "level", value: "5" })).toEqual([
      ...[400, "VALIDATION_ERROR", "value"],
    ]);
    expect(await code("POST", "/records/consumable", { size: 1 })).toEqual([400, "VALIDATION_ERROR", "size"]);
    expect(await code("PATCH", path, "[1]")).toEqual([400, "BAD_REQUEST", undefined]);
    expect(await code("PATCH", path, "{")).toEqual([400, "BAD_REQUEST", undefined]);
    expect(await code("PATCH", path, {})).toEqual([400, "BAD_REQUEST", undefined]);
    expect(await code("GET", "/records/gate")).toEqual([404, "NOT_FOUND", undefined]);
    expect(await code("GET", "/records/resource/none")).toEqual([404, "NOT_FOUND", undefined]);
    expect(await code("GET", "/records/%ff")).toEqual([400, "BAD_REQUEST", undefined]);
    expect(await code("PUT", path)).toEqual([405, "METHOD_NOT_ALLOWED", undefined]);
    expect(await code("GET", "/records/consumable?limit=none")).toEqual([400, "VALIDATION_ERROR", "limit"]);
    expect(await code("DELETE", "/rejections/7")).toEqual([404, "NOT_FOUND", undefined]);
    expect((await ask("PATCH", path, { name: "twice" }, { "if-match": etag })).status).toBe(200);
    expect(await code("PATCH", path, { name: "late" }, { "if-match": etag })).toEqual([
      ...[412, "PRECONDITION_FAILED", undefined],
    ]);
    expect((await ask("GET", "/changes")).body.data).toHaveLength(2);
    await ask("DELETE", path);
    expect(await code("PATCH", path, { name: "late" })).toEqual([409, "CONFLICT", undefined]);
  });

  it("answers nobody without the token of this start, and no page that was led to this machine", async () => {
    expect((await ask("GET", "/status", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
    const led = await new Promise<number>((resolve, reject) => {
      const headers = { host: "elsewhere.example", authorization: `Bearer ${edge.token}` };
      httpRequest(`${edge.url}/status`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      })
        .once("error", reject)
        .end();
    });
    expect(led).toBe(421);
    expect((await ask("GET", "/status")).body.data).toMatchObject({ enrolled: { node: "n1" }, unsent: 0 });
  });
});

describe("its folder", () => {
  it("holds key and credential for the owner alone; the token that it was enrolled by is kept nowhere", async () => {
    const files = ["node.key", "hub.credential"].map((name) => join(folder, name));
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(readFileSync(files[1]!, "utf8").trim()).toBe(KEY);
    for (const name of ["node.key", "hub.credential", "signalmesh.db", "signalmesh.db-wal"])
      expect(readFileSync(join(folder, name), "latin1")).not.toContain(TOKEN);
    await edge.sync.round();
    expect(shown["/api/edge-sync/sync/delta"]).toEqual([KEY]);
    expect(shown["/api/keys"]).toEqual([`Bearer ${TOKEN}`]);
  });

  it("belongs to one process and one hub, and a key that others can read is refused", async () => {
    const { did } = edge.enrolled;
    await edge.close();
    await expect(open({ hub: "http://other.example" })).rejects.toThrow("is enrolled at http://hub.example");
    chmodSync(join(folder, "node.key"), 0o644);
    await expect(open()).rejects.toThrow("can be read by others");
    chmodSync(join(folder, "node.key"), 0o600);
    const kept = readFileSync(join(folder, "node.key"));
    writeFileSync(join(folder, "node.key"), "nothing");
    await expect(open()).rejects.toThrow("holds no key");
    writeFileSync(join(folder, "node.key"), kept);
    edge = await open({ hub: undefined, token: undefined });
    expect(edge.enrolled.did).toBe(did);
  });

  it("is of no use before somebody enrols the node, and an enrolment whose answer was lost is found again", async () => {
    const other = await mkdtemp(join(tmpdir(), "signalmesh-edge-"));
    await expect(open({ folder: other, token: undefined })).rejects.toThrow("--token-file");
    await expect(open({ folder: other, hub: undefined })).rejects.toThrow("--hub");
    conflictAt.enrolment = true;
    await expect(open({ folder: other })).rejects.toMatchObject({ status: 409 });
    conflictAt.binding = true;
    hub.nodes.clear();
    const second = await open({ folder: other });
    expect(second.enrolled).toMatchObject({ node: "n1", name: "Boat 1" });
    await second.close();
    await rm(other, { recursive: true, force: true });
  });

  it("has no byte left of what its person may no longer see", async () => {
    const secret = "The convoy leaves at four";
    const inFolder = (): boolean =>
      ["signalmesh.db", "signalmesh.db-wal"].some((name) =>
        readFileSync(join(folder, name), "latin1").includes(secret),
      );
    const ids = Array.from({ length: 40 }, (_, n) => `00000000-0000-7000-8000-0000000000${n + 10}`);
    for (const id of ids)
      hub.edit("resource", id, 1, { op: "set", value: { name: "Truck", description: `${secret} ${id}` }, hlc: "0" });
    await edge.sync.round();
    await edge.node.edit({ entity: "resource", id: ids[0]! }, [{ op: "set", field: "name", value: `${secret}!` }]);
    expect(inFolder()).toBe(true);
    hub.nodes.get("n1")!.places.clear();
    await edge.sync.round();
    expect(await edge.node.rejections()).toHaveLength(1);
    expect(inFolder()).toBe(false);
    expect(readFileSync(join(folder, "signalmesh.db-wal")).length).toBeLessThan(60_000);
  });
});
