import { readFile, readdir } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { LlmError } from "../../adapters/llm/llm.ts";
import { modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { VERSION } from "../../config/version.ts";
import { DROPS } from "../../core/contract/node.ts";
import { watchFunding } from "../../services/platform/admin/funding/funding.actions.ts";
import { forms } from "../canaries.ts";
import { actor, eventually, world, type Reply, type TestWorld } from "../mesh.ts";

const CANARY = "sk-canary-configuration-5d11c09a77";
const FROM_ENVIRONMENT = "sk-canary-environment-81aa02ff31";

const FUNDED = "0x52908400098527886E0F7030069857D2E4169EE7";

let at: TestWorld, model: StandIn, other: StandIn, chain: Server;
/** What the chain's node says that anybody holds. */
let wei = 5n * 10n ** 18n + 1n;
/** As much of a chain's node as a balance needs. */
const serveChain = (): Server =>
  createServer((request, response) => {
    void json(request).then((asked) => {
      const { id, method } = asked as { id: number; method: string };
      const hex = { eth_chainId: 31_337n, eth_blockNumber: 12n, eth_getBalance: wei }[method] ?? 0n;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: `0x${hex.toString(16)}` }));
    });
  }).listen(0, "127.0.0.1");
const heard: string[] = [];
beforeAll(async () => {
  [model, other] = await Promise.all([modelStandIn(), modelStandIn()]);
  chain = serveChain();
  await once(chain, "listening");
  at = await world({
    CHAIN_RPC_URL: `http://127.0.0.1:${(chain.address() as AddressInfo).port}`,
    CHAIN_ID: "31337",
    FUNDING_ACCOUNTS: FUNDED.toLowerCase(),
    LLM_BASE_URL: model.baseUrl,
    LLM_API_KEY: FROM_ENVIRONMENT,
    LLM_MODEL: "stand-in-1",
    LLM_MAX_RETRIES: "0",
    EMAIL_DOMAINS: "example.org",
    BLOCKED_EMAILS: "spam@example.org",
  });
});
afterAll(async () => {
  await at.stop();
  chain.close();
  await Promise.all([model.close(), other.close()]);
});

const ask = async (method: string, path: string, given: Parameters<TestWorld["http"]>[2] = {}): Promise<Reply> => {
  const reply = await at.http(method, `/api/admin${path}`, given);
  heard.push(reply.text);
  return reply;
};
/** Sets a configuration from what it is now. */
async function put(name: string, value: object, { query = "", reason }: { query?: string; reason?: string } = {}) {
  const { headers } = await ask("GET", `/config/${name}`);
  return ask("PUT", `/config/${name}${query}`, {
    body: { value, reason },
    headers: { "if-match": headers.get("etag")! },
  });
}

describe("a configuration", () => {
  it("is the environment's until somebody sets it, and says of each field where it is from", async () => {
    const { body, headers } = await ask("GET", "/config/llm", { as: "admin" });
    expect(headers.get("etag")).toMatch(/^"r0-/);
    expect(body.data).toMatchObject({
      version: 0,
      value: { baseUrl: model.baseUrl, model: "stand-in-1", maxRetries: 0, apiKey: { set: true, last4: "ff31" } },
      sources: { baseUrl: "environment", apiKey: "environment", priceIn: "none" },
    });
  });

  it("wants to be named as it was read: 428 without, 412 when it is another by now", async () => {
    expect((await ask("PUT", "/config/agents", { body: { value: {} } })).body.error.code).toBe("PRECONDITION_REQUIRED");
    const stale = { body: { value: {} }, headers: { "if-match": '"r7-x"' } };
    expect((await ask("PUT", "/config/agents", stale)).body.error.code).toBe("STALE");
  });

  it("of fifty who set it at once one wins, and the others are told that it is another by now", async () => {
    const etag = (await ask("GET", "/config/workflow")).headers.get("etag")!;
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        ask("PUT", "/config/workflow", {
          body: { value: { missionInviteDays: n + 1 } },
          headers: { "if-match": etag, "x-request-id": `race-${n}-of-fifty` },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(49).fill(412)]);
    const won = replies.find(({ status }) => status === 200)!.body.data;
    expect((await ask("GET", "/config/workflow")).body.data).toMatchObject({ version: 1, value: won.value });
    expect((await ask("GET", "/config/workflow/versions")).body.data).toHaveLength(1);
    const { data } = (await ask("GET", "/config/audit?limit=100")).body;
    const race = data.filter(({ requestId }: { requestId: string }) => requestId.startsWith("race-"));
    expect(race.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
      "ok",
      ...Array(49).fill("refused"),
    ]);
  });

  it("is replaced whole: what is left out, or null, is the environment's again; the same again is no version", async () => {
    const first = await put("agents", { runs: 3, calls: 7 });
    expect(first.body.data).toMatchObject({ version: 1, sources: { runs: "stored", calls: "stored" } });
    expect((await put("agents", { calls: 7, runs: 3 })).body.data.version).toBe(1);
    const second = await put("agents", { calls: null, runs: 3 }, { reason: "calls as they were" });
    expect(second.body.data.environment).toMatchObject({ runs: 20, calls: 50 });
    expect(second.body.data).toMatchObject({
      version: 2,
      value: { runs: 3, calls: 50 },
      sources: { calls: "environment" },
    });
    const diff = await ask("GET", "/config/agents/diff?from=1");
    expect(diff.body.data).toEqual({ from: 1, to: 2, changes: [{ path: "calls", from: 7 }] });
  });

  it("holds at once for what it is about", async () => {
    await put("agents", { runs: 3 });
    expect(at.service("agents").world.configurations.agents.runs).toBe(3);
    expect((await ask("GET", "/config/nodes")).body.data).toMatchObject({
      complete: true,
      nodes: [{ versions: { agents: expect.any(Number) } }],
    });
  });

  it("tells of each node how it is doing", async () => {
    const { nodes, complete } = (await ask("GET", "/nodes")).body.data;
    expect(complete).toBe(true);
    expect(nodes[0].state).toMatchObject({ version: VERSION, areas: expect.arrayContaining(["news", "platform"]) });
    expect(nodes[0].state.busy).toBeGreaterThanOrEqual(0);
    expect(nodes[0].state.heapBytes).toBeLessThan(nodes[0].state.heapLimitBytes);
    expect((await ask("GET", "/nodes", { as: "analyst" })).status).toBe(403);
  });

  it("says what a new gate is where nobody says it", async () => {
    const problemSetId = (await at.http("POST", "/api/problem-sets", { body: { name: "Flood" } })).body.data.id;
    const gate = async (more: object = {}) =>
      (await at.http("POST", "/api/gates", { body: { problemSetId, tab: "mdmp", name: "Release", ...more } })).body
        .data;
    expect(await gate()).toMatchObject({ enforcement: "hard", onDeadline: "expire" });
    const before = at.clock.now();
    await put("workflow", { gateEnforcement: "soft", gateDeadlineHours: 2 });
    const made = await gate();
    expect([made.enforcement, Date.parse(made.deadline) >= before + 2 * 3_600_000]).toEqual(["soft", true]);
    expect(await gate({ enforcement: "hard" })).toMatchObject({ enforcement: "hard" });
    expect((await put("workflow", {})).status).toBe(200);
  });

  it("a field that is not known, or that cannot be, is named", async () => {
    const reply = await put("llm", { maxRetries: 11, retries: 1 });
    expect([reply.status, reply.body.error.details.map(({ path }: { path: string }) => path).sort()]).toEqual([
      400,
      ["value.maxRetries", "value.retries"],
    ]);
  });

  it("is changed by administrators alone, with a fresh proof of who they are; who was refused is in the trail", async () => {
    const etag = (await ask("GET", "/config/llm")).headers.get("etag")!;
    const refused = await ask("PUT", "/config/llm", {
      as: "analyst",
      body: { value: {} },
      headers: { "if-match": etag },
    });
    expect(refused.status).toBe(403);
    const stale = actor("admin", { provedAt: at.clock.now() - 600_000 });
    await expect(at.call("admin.llmSettings.save", { value: {} }, stale)).rejects.toMatchObject({
      type: "STEP_UP_REQUIRED",
    });
    const { data } = (await ask("GET", "/config/audit")).body;
    expect(data.slice(0, 2)).toMatchObject([
      { config: "llm", outcome: "refused", code: "STEP_UP_REQUIRED" },
      { config: "llm", outcome: "refused", code: "FORBIDDEN" },
    ]);
  });

  it("a cost without prices would hold nothing, and prices that a limit needs do not go", async () => {
    expect((await put("llm", { dailyCost: 5 })).body.error).toMatchObject({ code: "NO_PRICES" });
    expect((await put("agents", { cost: 5 })).body.error).toMatchObject({ code: "NO_PRICES" });
    expect((await put("llm", { priceIn: 2, dailyCost: 5 })).status).toBe(200);
    expect((await put("agents", { cost: 5 })).status).toBe(200);
    expect((await put("llm", {})).body.error).toMatchObject({ code: "NO_PRICES" });
    expect([(await put("agents", {})).status, (await put("llm", {})).status]).toEqual([200, 200]);
  });
});

describe("the model's endpoint", () => {
  it("is asked before it holds: away, or without that model, is refused unless forced, and a dry run stores nothing", async () => {
    const before = (await ask("GET", "/config/llm")).body.data.version;
    const away = "http://127.0.0.1:9/v1";
    expect((await put("llm", { baseUrl: away })).body.error).toMatchObject({ code: "UNREACHABLE" });
    expect((await put("llm", { model: "unheard-of" })).body.error).toMatchObject({ code: "UNREACHABLE" });
    expect((await put("llm", { baseUrl: "http://169.254.169.254/v1" }, { query: "?force=true" })).body.error.code).toBe(
      "ADDRESS_REFUSED",
    );
    const tried = await put("llm", { baseUrl: away }, { query: "?dryRun=true&force=true" });
    expect(tried.body.data).toMatchObject({ dryRun: true, version: before, warnings: expect.anything() });
    expect((await ask("GET", "/config/llm")).body.data).toMatchObject({
      version: before,
      sources: { baseUrl: "environment" },
    });
    expect((await put("llm", { model: "unheard-of" }, { query: "?force=true" })).body.data.warnings).toMatchObject([
      { code: "UNREACHABLE" },
    ]);
    expect(at.mesh.world.llm.model).toBe("unheard-of");
    await put("llm", {});
  });

  it("of the environment may be sent back as it was read, where it lies in a network that is closed to others", async () => {
    const closed = await world({
      ALLOW_PRIVATE_FEEDS: "off",
      LLM_BASE_URL: model.baseUrl,
      LLM_MODEL: "stand-in-1",
      LLM_MAX_RETRIES: "0",
      SERVICES: "gateway,identity,platform",
    });
    const path = "/api/admin/config/llm";
    const { body, headers } = await closed.http("GET", path);
    const { apiKey: _shown, ...read } = body.data.value;
    const save = (value: object) =>
      closed.http("PUT", path, { body: { value }, headers: { "if-match": headers.get("etag")! } });
    expect((await save({ ...read, baseUrl: other.baseUrl })).body.error.code).toBe("ADDRESS_REFUSED");
    expect((await save({ ...read, timeoutMs: 7_000 })).body.data).toMatchObject({ version: 1 });
    model.next({ kind: "answer", content: "Reached." });
    const said: string[] = [];
    for await (const piece of closed.mesh.world.llm.stream({ messages: [{ role: "user", content: "?" }] }))
      said.push(piece);
    expect(said.join("")).toBe("Reached.");
    await closed.stop();
  });

  it("that does not take the key is told by the key, not by its address", async () => {
    const locked = createServer((_request, response) => void response.writeHead(401).end("{}")).listen(0, "127.0.0.1");
    await once(locked, "listening");
    const baseUrl = `http://127.0.0.1:${(locked.address() as AddressInfo).port}/v1`;
    const refused = await put("llm", { baseUrl, apiKey: "sk-of-somebody-else" });
    locked.close();
    expect(refused.body.error).toMatchObject({ code: "UNREACHABLE", details: [{ path: "value.apiKey" }] });
  });

  it("a key is kept for its address: another one is not sent it, nor the environment's", async () => {
    const set = await put("llm", { baseUrl: other.baseUrl, apiKey: CANARY });
    expect(set.body.data).toMatchObject({
      value: { apiKey: { set: true, last4: "9a77" } },
      sources: { apiKey: "stored" },
    });
    const answers = async (where: StandIn) => {
      where.next({ kind: "answer", content: "{}" });
      for await (const piece of at.mesh.world.llm.stream({ messages: [{ role: "user", content: "?" }] })) void piece;
      return where.received.at(-1)!.authorization;
    };
    expect(await answers(other)).toBe(`Bearer ${CANARY}`);
    const kept = await put("llm", { baseUrl: other.baseUrl, maxRetries: 1 });
    expect(kept.body.data.value.apiKey.set).toBe(true);
    const moved = await put("llm", { baseUrl: other.baseUrl.replace("127.0.0.1", "localhost"), model: "stand-in-1" });
    expect(moved.body.data).toMatchObject({
      value: { apiKey: { set: false } },
      warnings: [{ code: "SECRET_DROPPED" }],
    });
    expect(await answers(other)).toBeUndefined();
    await put("llm", {});
    expect(await answers(model)).toBe(`Bearer ${FROM_ENVIRONMENT}`);
  });

  it("a password in an address is refused, and told to nobody who reads the trail", async () => {
    for (const baseUrl of [`https://ann:${CANARY}@models.example/v1`, `https://${CANARY}@models.example/v1`])
      expect((await put("llm", { baseUrl })).body.error.code).toBe("ADDRESS_REFUSED");
    expect((await ask("GET", "/config/audit?limit=1")).body.data[0]).toMatchObject({
      code: "ADDRESS_REFUSED",
      changes: [
        { path: "baseUrl", to: "https://…@models.example/v1" },
        { path: "apiKey", secret: "dropped" },
      ],
    });
  });

  it("what is shown of a key is not taken for one", async () => {
    const shown = (await ask("GET", "/config/llm")).body.data.value.apiKey;
    for (const apiKey of [shown, "••••••ff31", "********"])
      expect((await put("llm", { apiKey })).body.error).toMatchObject({ code: "MASKED_SECRET" });
  });

  it("a version brought back is what it was, with the key as it is now", async () => {
    const { version, value } = (await put("llm", { baseUrl: other.baseUrl, timeoutMs: 5_000, apiKey: CANARY })).body
      .data;
    await put("llm", { baseUrl: other.baseUrl, timeoutMs: 9_000, apiKey: `${CANARY}-2` });
    const etag = (await ask("GET", "/config/llm")).headers.get("etag")!;
    const path = "/config/llm/rollback";
    expect((await ask("POST", path, { body: { version } })).status).toBe(428);
    const back = await ask("POST", path, { body: { version, reason: "as before" }, headers: { "if-match": etag } });
    expect(back.body.data).toMatchObject({
      version: version + 2,
      value: { ...value, apiKey: { set: true, last4: "77-2" } },
    });
    expect((await ask("GET", `/config/llm/diff?from=${version}`)).body.data.changes).toEqual([]);
    expect((await ask("GET", "/config/llm/versions?limit=1")).body.data).toMatchObject([
      {
        version: version + 2,
        restored: version,
        reason: "as before",
        changes: [{ path: "timeoutMs", from: 9_000, to: 5_000 }],
      },
    ]);
    expect((await ask("POST", path, { body: { version: 999 }, headers: { "if-match": "*" } })).status).toBe(404);
    await put("llm", {});
  });
});

it("no secret is in an answer, a version, the log or the store", async () => {
  await ask("GET", "/config/llm/versions?limit=100");
  await ask("GET", "/config/audit?limit=100");
  heard.push((await at.http("GET", "/api/audit/export")).text);
  const text = heard.join("\n");
  for (const secret of [CANARY, FROM_ENVIRONMENT])
    for (const form of forms(secret)) expect(text.includes(form)).toBe(false);
  const names = await readdir(at.dataDir);
  for (const name of names.filter((one) => one.includes(".db"))) {
    const bytes = await readFile(join(at.dataDir, name));
    for (const form of forms(CANARY)) expect(bytes.includes(form)).toBe(false);
  }
});

it("what a node could not write down of a version, the fact brings", async () => {
  await put("workflow", { missionInviteDays: 99 });
  const { version } = (await ask("GET", "/config/workflow")).body.data;
  const versions = await at.commons("admin").world.documents.collection("configuration_versions");
  const [stored] = await versions.find({ query: { name: "workflow", version } });
  await versions.removeById(stored!._id);
  const {
    _id: _,
    rev: _rev,
    createdAt: _at,
    updatedAt: _to,
    createdBy: _by,
    ...told
  } = stored as never as Record<string, unknown>;
  const fact = {
    id: "again",
    type: "admin.configuration.stored",
    source: "/",
    subject: "workflow",
    time: told["at"],
    data: told,
  };
  const hearing = Object.keys(at.service("admin").schema.actions).find((name) =>
    name.includes("admin.configuration.stored"),
  )!;
  await at.call(`admin.${hearing}`, { fact }, { ...actor("system_admin"), via: "system" });
  await eventually(
    () => ask("GET", "/config/workflow/versions?limit=1"),
    ({ body }) => body.data[0].version === version,
  );
});

describe("the lists of who may have an account", () => {
  const whole = ["example.org", "Bücher.example", "*.ALLIES.example", "bücher.EXAMPLE"];

  it("are set whole, however their lines are written, and are those of user-profile", async () => {
    const set = await ask("PUT", "/config/email-domains", { body: { domains: whole } });
    expect(set.body.data).toEqual({
      added: ["*.allies.example", "xn--bcher-kva.example"],
      removed: [],
      kept: ["example.org"],
    });
    const again = await ask("PUT", "/config/email-domains", { body: { domains: ["example.org", "bücher.example"] } });
    expect(again.body.data).toEqual({
      added: [],
      removed: ["*.allies.example"],
      kept: ["example.org", "xn--bcher-kva.example"],
    });
    const { data, meta } = (await ask("GET", "/config/email-domains?limit=1&page=2")).body;
    expect([data, meta.total]).toEqual([
      [expect.objectContaining({ value: "xn--bcher-kva.example", fromEnvironment: false })],
      2,
    ]);
    const admitted = await at.http("POST", "/api/user-profile/validate-email", { body: { email: "a@bücher.example" } });
    expect(admitted.body.data.allowed).toBe(true);
    expect((await ask("GET", "/config/audit?limit=1")).body.data).toMatchObject([
      { config: "email-domains", outcome: "ok", changes: [{ path: "lines", from: "*.allies.example" }] },
    ]);
  });

  it("two who set one at once leave one of both lists, not a mixture", async () => {
    const lists = [["one.example"], ["two.example"], ["three.example"]].map((lines) => ["spam@example.org", ...lines]);
    await Promise.all(lists.map((emails) => ask("PUT", "/config/blocked-emails", { body: { emails } })));
    const { data } = (await ask("GET", "/config/blocked-emails")).body;
    expect(lists.map((lines) => lines.join())).toContain(data.map(({ value }: { value: string }) => value).join());
  });

  it("lines of the settings say so, and do not go", async () => {
    const { data } = (await ask("GET", "/config/blocked-emails")).body;
    expect(data[0]).toEqual({ value: "spam@example.org", fromEnvironment: true });
    expect((await ask("PUT", "/config/blocked-emails", { body: { emails: [] } })).status).toBe(409);
    expect((await ask("DELETE", "/config/blocked-emails?email=Spam@example.org")).status).toBe(409);
  });

  it("one is taken off by query or by body; both at once have to be the same", async () => {
    await ask("PUT", "/config/blocked-emails", { body: { emails: ["spam@example.org", "a.example", "b.example"] } });
    const path = "/config/blocked-emails";
    expect((await ask("DELETE", `${path}?email=a.example`, { body: { email: "b.example" } })).status).toBe(400);
    expect((await ask("DELETE", path)).status).toBe(400);
    expect((await ask("DELETE", `${path}?email=A.example`, { body: { email: "a.example" } })).status).toBe(204);
    expect((await ask("DELETE", path, { body: { email: "b.example" } })).status).toBe(204);
    expect((await ask("DELETE", path, { body: { email: "b.example" } })).status).toBe(404);
  });

  it("nobody shuts themself out by accident", async () => {
    const emails = ["spam@example.org", "*.org"];
    const refused = await ask("PUT", "/config/blocked-emails", { body: { emails } });
    expect(refused.body.error).toMatchObject({ code: "OWN_ADDRESS", details: { by: ["*.org"] } });
    expect((await ask("PUT", "/config/blocked-emails?force=true", { body: { emails } })).status).toBe(200);
    expect((await ask("PUT", "/config/blocked-emails", { body: { emails: ["spam@example.org"] } })).status).toBe(200);
  });
});

describe("the models on offer", () => {
  const list = async () => (await ask("GET", "/llm-models")).body;

  it("are the provider's, remembered, and stale while it is away", async () => {
    expect(await list()).toMatchObject({
      data: [{ id: "stand-in-1", current: true }],
      meta: { total: 1, configured: true, stale: false },
    });
    const { models } = at.mesh.world.llm;
    at.mesh.world.llm.models = () => Promise.reject(new LlmError("server", "away"));
    expect((await list()).meta.stale).toBe(false);
    at.clock.advance(301_000);
    expect(await list()).toMatchObject({ data: [{ id: "stand-in-1" }], meta: { stale: true } });
    at.mesh.world.llm.models = models;
    expect((await list()).meta.stale).toBe(false);
  });
});

describe("funding", () => {
  it("is what the accounts hold, as text, with the block", async () => {
    expect((await ask("GET", "/funding/status")).body.data).toMatchObject({
      configured: true,
      chain: "eip155:31337",
      accounts: [{ accountId: `eip155:31337:${FUNDED}`, amount: "5000000000000000001", decimals: 18, block: "12" }],
    });
    const check = async (id: string) => (await ask("GET", `/funding/check/${id}`)).body;
    expect((await check(FUNDED)).data).toMatchObject({ funded: true });
    expect((await check("0x12")).error.code).toBe("VALIDATION_ERROR");
    expect((await check(FUNDED.replace("E", "e"))).error.code).toBe("VALIDATION_ERROR");
    expect((await check(`eip155:1:${FUNDED}`)).error.code).toBe("OTHER_CHAIN");
  });

  it("has a history of what was seen to change", async () => {
    const watch = () => watchFunding.call(at.service("admin"));
    await watch();
    await watch();
    wei -= 3n;
    await watch();
    const { data } = (await ask("GET", "/funding/history")).body;
    expect(data.map(({ change }: { change: string }) => change)).toEqual(["-3", "5000000000000000001"]);
  });
});

describe("what is remembered", () => {
  const invalidate = (body: object) => ask("POST", "/cache/invalidate", { body });

  it("is thrown away by key, pattern or kind, one of them, and counted", async () => {
    await ask("GET", "/llm-models");
    expect((await invalidate({})).status).toBe(400);
    expect((await invalidate({ scope: "names", pattern: "names:*" })).status).toBe(400);
    expect((await invalidate({ pattern: "*a*b*" })).status).toBe(400);
    expect((await invalidate({ keys: ["models:elsewhere"] })).body.data).toMatchObject({ count: 0, complete: true });
    expect((await invalidate({ pattern: "models:*/v1" })).body.data).toMatchObject({ count: 1, complete: true });
    expect((await invalidate({ scope: "actors" })).body.data.count).toBeGreaterThan(0);
  });

  it("is thrown away whole by a node that was silent, once it sees what it missed", async () => {
    await ask("GET", "/llm-models");
    const admin = at.service("admin") as { offer?: object };
    expect(admin.offer).toBeDefined();
    const drops = await at.commons("admin").world.documents.collection(DROPS.collection);
    await drops.bulk([{ update: { _id: DROPS.id }, with: { $set: { nodes: ["another"] }, $inc: { rev: 1 } } }]);
    await eventually(
      () => admin.offer,
      (offer) => offer === undefined,
    );
  });
});
