import { request } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { SUPPORTED_PROTOCOL_VERSIONS, type Tool } from "@modelcontextprotocol/sdk/types.js";
import { readEnv } from "../../config/env.ts";
import { TOOLS as AGENT_TOOLS, type ToolRow } from "../../config/tools.ts";
import { z } from "zod";
import { data } from "../../core/contract/answer.ts";
import { published } from "../../core/contract/catalogue.ts";
import { endpoint, type AnyContract } from "../../core/contract/endpoint.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import { hostNames } from "../../services/gateway/http/hosts.ts";
import { atOnce } from "../../core/work/turns.ts";
import { toolsOf } from "../../services/gateway/mcp/tools.ts";
import { CAPABILITIES } from "../../services/news/v1/v1.ts";
import type { Flow, Pressure } from "../../core/load/pressure.ts";
import { itInside, world, type TestWorld } from "../mesh.ts";
import { REPORT, tell } from "../news/verification/verification-setup.ts";

/** The names that agents know: a new tool is added here, none is renamed. */
const TOOLS = [
  "add_feed_item",
  "add_source",
  "analyse_bias",
  "analyze_design",
  "annotate_record",
  "article_statistics",
  "briefings",
  "calculate_validity",
  "categorize_documents",
  "claim_review",
  "collect_stories",
  "compare_centrality",
  "confidence_trail",
  "cop_status",
  "cross_reference_article",
  "cross_reference_claim",
  "design_handoff",
  "design_status",
  "domain_summaries",
  "extract_claims",
  "find_duplicate_entities",
  "fuse_reports",
  "generate_briefing",
  "get_actor",
  "judge_article",
  "list_activity",
  "list_actors",
  "list_agent_actions",
  "list_agent_approvals",
  "list_agents",
  "list_alarms",
  "list_annotations",
  "list_articles",
  "list_assignments",
  "list_briefings",
  "list_checkpoints",
  "list_conflicts",
  "list_containers",
  "list_daos",
  "list_devices",
  "list_document_objectives",
  "list_document_reviews",
  "list_documents",
  "list_documents_of_container",
  "list_edge_conflicts",
  "list_fused_products",
  "list_gates",
  "list_graph_statements",
  "list_graph_workspaces",
  "list_high_risks",
  "list_layers",
  "list_low_stock",
  "list_messages",
  "list_missions",
  "list_objectives",
  "list_osint_events",
  "list_problem_sets",
  "list_proposals",
  "list_resources",
  "list_sensors",
  "list_sources",
  "list_staff_feed",
  "list_strategic_agents",
  "list_tensions",
  "list_threat_alerts",
  "list_unorganized_documents",
  "list_validity_alerts",
  "list_workflow_runs",
  "merge_entities",
  "open_mission",
  "prioritize_domains",
  "publish_message",
  "query_graph",
  "read_article",
  "read_briefing",
  "read_claims",
  "read_document",
  "read_fused_product",
  "search",
  "search_actors",
  "search_articles",
  "search_resources",
  "search_syntax",
  "show_agent",
  "show_agent_run",
  "show_command",
  "show_cop",
  "show_coverage",
  "show_dao",
  "show_design",
  "show_document",
  "show_document_review",
  "show_environment",
  "show_gate",
  "show_inherited_context",
  "show_intent",
  "show_layer",
  "show_mission",
  "show_objective",
  "show_operations",
  "show_planning",
  "show_problem_set",
  "show_proposal",
  "show_readings",
  "show_resource",
  "show_scanner",
  "show_spectrum",
  "show_topology",
  "show_validation",
  "show_workflow_run",
  "source_bias",
  "source_reliability",
  "suggest_containers",
  "summarise_container",
  "trace_workflow_run",
  "validity_trend",
  "verification_overview",
  "verification_progress",
  "verification_summary",
  "verify_article",
  "verify_objective",
];

let node: TestWorld;
let report: number;
const clients: Client[] = [];

/** The SDK's own client, with a credential of somebody, at an address that may choose among the tools. */
async function agent(headers: Record<string, string>, choice = ""): Promise<Client> {
  const client = new Client({ name: "test-agent", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${node.url}/mcp${choice}`), { requestInit: { headers } }) as never,
  );
  clients.push(client);
  return client;
}
const by = async (role: string, choice?: string) =>
  agent({ authorization: `Bearer ${await node.tokenOf(role)}` }, choice);
/** Every page of a list, and the bytes of each. */
async function listed(client: Client): Promise<{ tools: Tool[]; pages: number[] }> {
  const tools: Tool[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor ? { cursor } : {});
    tools.push(...page.tools);
    pages.push(bytesOf(page.tools));
    cursor = page.nextCursor;
  } while (cursor);
  return { tools, pages };
}
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const newKey = async (scopes: string[]): Promise<string> =>
  (await node.http("POST", "/api/keys", { as: "analyst", body: { name: "agent", scopes } })).body.data.key;
const keyed = async (scopes: string[]) => agent({ "x-api-key": await newKey(scopes) });
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
const use = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
  return { isError, said: JSON.parse((content as { text: string }[])[0]!.text), structuredContent };
};

beforeAll(async () => {
  node = await world({ RATE_LIMIT_TIER: "default" });
  report = await tell(node, 1, 1, REPORT, { title: "Explosion at the Harrow refinery" });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await node.stop();
});

it("offers each endpoint that says so as a tool, described by its contract", async () => {
  const { tools } = await (await by("system_admin")).listTools();
  expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...CAPABILITIES]));
  const contracts = new Map(
    commonsOf(node.mesh.broker)
      .services.flatMap((service) => [...published(service)])
      .map((one) => [one.contract.tool, one]),
  );
  for (const { name, title, description, inputSchema, annotations } of tools) {
    const { contract, method } = contracts.get(name)!;
    expect([title, description!.startsWith(contract.summary), inputSchema.type, annotations!.readOnlyHint]).toEqual([
      contract.summary,
      true,
      "object",
      method === "GET" || contract.reads === true,
    ]);
    expect(Object.keys(inputSchema.properties ?? {}).sort()).toEqual(
      [
        ...Object.keys({ ...contract.path, ...contract.query, ...(contract.body as object) }),
        ...(contract.on ? [contract.by ?? "id"] : []),
      ].sort(),
    );
  }
});

const schemasIn = (node: unknown): Record<string, unknown>[] =>
  node && typeof node === "object" ? [node as Record<string, unknown>, ...Object.values(node).flatMap(schemasIn)] : [];

it("lists all of them on one page that a model has room for, with what it needs to choose and to call", async () => {
  const { tools, pages } = await listed(await by("system_admin"));
  expect(pages).toEqual([expect.any(Number)]);
  expect(pages[0]).toBeLessThan(120_000);
  expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  for (const { name, title, description, outputSchema, inputSchema } of tools) {
    // A title alone does not tell a model which of two tools is the one it wants.
    expect([name, description!.length > title!.length + 20, outputSchema]).toEqual([name, true, undefined]);
    expect([name, description]).toEqual([name, expect.not.stringMatching(/`GET \/api\/(search|briefings|articles)\b/)]);
    for (const { pattern, format, maximum } of schemasIn(inputSchema))
      expect([name, pattern && /^date/.test(String(format)), maximum === Number.MAX_SAFE_INTEGER]).toEqual([
        name,
        pattern && false,
        false,
      ]);
  }
  const { description, inputSchema } = tools.find(({ name }) => name === "generate_briefing")!;
  expect(description).toContain("`read_briefing`");
  expect(inputSchema).toMatchObject({
    additionalProperties: false,
    properties: { hours: { minimum: 1, maximum: 720, default: 24 }, sourceListId: { minimum: 1 } },
  });
});

it("says truly what a call may do", async () => {
  const { tools } = await listed(await by("system_admin"));
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.get("read_article")).toEqual({ readOnlyHint: true, openWorldHint: false });
  const writes = { readOnlyHint: false, openWorldHint: false };
  expect(hints.get("publish_message")).toEqual({ ...writes, destructiveHint: false, idempotentHint: false });
  // A verdict takes the place of the one before.
  expect(hints.get("judge_article")).toEqual({ ...writes, destructiveHint: true, idempotentHint: true });
  // A feed is fetched from wherever its address leads.
  expect(hints.get("add_source")).toMatchObject({ readOnlyHint: false, openWorldHint: true });
});

it("lists the schemas of answers where the address asks for them, on pages that a cursor leads through", async () => {
  const client = await by("system_admin", "?outputSchemas=true");
  const { tools, pages } = await listed(client);
  expect(pages.length).toBeGreaterThan(2);
  expect(Math.max(...pages)).toBeLessThan(132_000);
  expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  const isObject = tools.filter(({ outputSchema }) => outputSchema?.type === "object").length;
  expect(isObject).toBeGreaterThan(100);
  await expect(client.listTools({ cursor: "bm90aGluZw" })).rejects.toMatchObject({ code: -32_602 });
});

it("offers the tools of some domains alone where the address names them, and says which there are", async () => {
  const planning = await by("system_admin", "?domains=missions,gates");
  const { tools } = await listed(planning);
  expect(tools.map(({ name }) => name)).toEqual([
    "list_gates",
    "list_missions",
    "open_mission",
    "show_gate",
    "show_mission",
  ]);
  await expect(planning.callTool({ name: "search", arguments: { q: "harrow" } })).rejects.toThrow(/no tool/);
  const refused = await node.http("POST", "/mcp?domains=mission&readonly=1", {
    as: "analyst",
    body: PING(1),
    headers: ACCEPT,
  });
  expect([refused.status, refused.body.error.details]).toEqual([
    400,
    [
      { path: "domains", message: expect.stringMatching(/gates.*missions/) },
      { path: "readonly", message: expect.stringContaining("outputSchemas") },
    ],
  ]);
});

it("gives no tool to approve an act, and names what agents do too alike", () => {
  const tools = atOnce(toolsOf(commonsOf(node.mesh.broker).services.flatMap((service) => [...published(service)])));
  for (const [name, { endpoint: served }] of tools) {
    expect([name, served.contract.stepUp, served.action.includes("approvals.decide")]).toEqual([
      name,
      undefined,
      false,
    ]);
    const row = (AGENT_TOOLS as Readonly<Record<string, ToolRow>>)[name];
    if (row) expect([name, served.action]).toEqual([name, row.action]);
  }
});

it("refuses text that is no Unicode at the same door as every request", async () => {
  const raw = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"\\ud800"}}}';
  const { status, body } = await node.http("POST", "/mcp", {
    as: "analyst",
    raw,
    headers: { accept: "application/json, text/event-stream" },
  });
  expect([status, body.error.details]).toEqual([400, [{ path: "params.arguments.q", message: expect.any(String) }]]);
});

it("takes its name from the action where the contract gives none, offers no action twice under one, and none that is inside the mesh only", () => {
  const tool = (name: string, contract: Partial<AnyContract>) => ({
    service: "maps",
    action: `maps.${name}`,
    method: "GET" as const,
    path: "/api/maps",
    contract: {
      summary: "Read a map",
      permit: "public",
      returns: data(z.string()),
      handler: () => "",
      ...contract,
    } as AnyContract,
  });
  expect([...atOnce(toolsOf([tool("readAll", { tool: true }), tool("read", {})])).keys()]).toEqual(["maps_read_all"]);
  expect(() => atOnce(toolsOf([tool("read", { tool: "read" }), tool("look", { tool: "read" })]))).toThrow(
    /maps\.read and maps\.look/,
  );
  expect(() =>
    endpoint({ summary: "Steal a key", permit: "signed-in", tool: true, returns: data(z.string()), handler: () => "" }),
  ).toThrow(/Steal a key/);
});

it("does the work as whoever asks: search, read, verify, and the answers fit their schemas", async () => {
  const analyst = await by("analyst", "?outputSchemas=true&domains=articles,search,sources,v1,verification");
  await listed(analyst); // the client holds structured answers against what was listed
  const { said, structuredContent } = await use(analyst, "search", { q: "harrow refinery" });
  expect(said.results).toEqual([expect.objectContaining({ title: "Explosion at the Harrow refinery" })]);
  expect(structuredContent).toEqual(said);
  expect((await use(analyst, "read_article", { id: report })).said).toMatchObject({ id: report, content: REPORT });
  expect((await use(analyst, "verify_article", { contentId: report })).said).toMatchObject({
    contentId: report,
    method: "heuristic",
  });
  expect((await use(analyst, "confidence_trail", { contentId: report })).said.steps.length).toBeGreaterThan(3);
  const { id: sourceId } = (await use(analyst, "read_article", { id: report })).said.source;
  expect((await use(analyst, "source_reliability", { sourceId })).said.interval).toHaveLength(2);
  expect((await use(analyst, "domain_summaries", { domain: "energy" })).said).toMatchObject({
    domain: "energy",
    articleCount: 1,
  });
  expect((await use(analyst, "judge_article", { id: report, verified: true, notes: "By an agent" })).isError).toBe(
    false,
  );
  const entries = await node.mesh.world.documents.collection("audit");
  const [entry] = await entries.find({ query: { action: "articles.verify" }, limit: 1 });
  expect(entry).toMatchObject({
    outcome: "ok",
    actor: (await node.http("GET", "/api/auth/me", { as: "analyst" })).body.data.userId,
  });
});

it("says what is wrong with a call in words a model can act on", async () => {
  const reader = await by("reader");
  expect(await use(reader, "read_article", { id: 4_711 })).toMatchObject({
    isError: true,
    said: { code: "NOT_FOUND" },
  });
  expect(await use(reader, "search", { q: "x", limt: 3 })).toMatchObject({
    isError: true,
    said: { code: "VALIDATION_ERROR", details: [{ path: "limt" }] },
  });
  expect(await use(reader, "read_article", { id: { $ne: 1 } })).toMatchObject({
    isError: true,
    said: { code: "VALIDATION_ERROR" },
  });
  const { said } = await use(reader, "briefings");
  expect([said.code, said.message]).toEqual(["NOT_FOUND", expect.stringContaining("`generate_briefing`")]);
  await expect(reader.callTool({ name: "auth.identify", arguments: {} })).rejects.toThrow(/no tool/);
});

it("neither shows nor lets a reader use what needs more, and the refusal is audited", async () => {
  const reader = await by("reader");
  expect(await namesOf(reader)).not.toContain("judge_article");
  expect(await use(reader, "judge_article", { id: report, verified: false, notes: "" })).toMatchObject({
    isError: true,
    said: { code: "FORBIDDEN" },
  });
  const entries = await node.mesh.world.documents.collection("audit");
  expect(await entries.count({ query: { action: "articles.verify", outcome: "refused" } })).toBe(1);
  expect((await node.http("GET", `/api/articles/${report}`)).body.data.verified).toBe(true);
});

it("holds a key to its scopes, and its calls to its limit", async () => {
  const reading = await keyed(["read"]);
  expect(await namesOf(reading)).toContain("search");
  expect(await namesOf(reading)).not.toContain("verify_article");
  const confined = await keyed(["read", "briefings"]);
  expect((await namesOf(confined)).sort()).toEqual(["briefings", "list_briefings", "read_briefing"]);
  expect(await use(confined, "search", { q: "harrow" })).toMatchObject({ isError: true, said: { code: "FORBIDDEN" } });
  expect(await use(confined, "verify_article", { contentId: report })).toMatchObject({
    isError: true,
    said: { code: "FORBIDDEN" },
  });
  const key = await newKey(["read"]);
  const busy = await agent({ "x-api-key": key });
  const listed = await node.http("POST", "/mcp", {
    as: null,
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { "x-api-key": key, accept: "application/json, text/event-stream" },
  });
  expect(listed.headers.get("x-ratelimit-limit")).toBe("100");
  await Promise.all(
    Array.from({ length: 100 }, () => node.http("GET", "/api/auth/me", { as: null, headers: { "x-api-key": key } })),
  );
  await expect(busy.listTools()).rejects.toThrow(/Rate limit exceeded/);
});

it("turns strangers away, takes POST alone, and no nonsense", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const accept = { accept: "application/json, text/event-stream" };
  expect((await node.http("POST", "/mcp", { as: null, body: call, headers: accept })).status).toBe(401);
  expect(
    (
      await node.http("POST", "/mcp", {
        as: null,
        body: call,
        headers: { ...accept, "x-api-key": `sm_${"0".repeat(32)}` },
      })
    ).status,
  ).toBe(401);
  expect((await node.http("GET", "/mcp", { headers: accept })).status).toBe(405);
  expect((await node.http("POST", "/mcp", { raw: "{", headers: accept })).status).toBe(400);
  expect((await node.http("POST", "/mcp", { raw: '{"__proto__":{"a":1}}', headers: accept })).status).toBe(400);
  expect((await node.http("POST", "/mcp", { body: { hello: 1 }, headers: accept })).status).toBe(400);
  expect((await node.http("POST", "/mcp", { body: call, type: "text/plain", headers: accept })).status).toBe(415);
  const answer = await node.http("POST", "/mcp", { body: call, headers: accept });
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, expect.any(String)]);
  expect((await node.http("GET", "/api/v1/manifest", { as: null })).body.mcp).toMatch(/\/mcp$/);
});

it("says which parameters of a message are wrong, and never that the server failed", async () => {
  const sent = async (method: string, params: object) =>
    (await node.http("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method, params }, headers: ACCEPT })).body.error;
  for (const given of [null, ["q"], "q"])
    expect(await sent("tools/call", { name: "search", arguments: given })).toEqual({
      code: -32_602,
      message: expect.stringMatching(/params\.arguments: not an object\.$/),
    });
  expect(await sent("tools/call", { arguments: {} })).toMatchObject({
    code: -32_602,
    message: expect.stringContaining("params.name"),
  });
  expect(await sent("tools/list", { cursor: 5 })).toMatchObject({
    code: -32_602,
    message: expect.stringContaining("params.cursor"),
  });
  expect(await sent("resources/list", {})).toMatchObject({ code: -32_601 });
});

const ACCEPT = { accept: "application/json, text/event-stream" };
const PING = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const batch = (length: number) => Array.from({ length }, (_, n) => PING(n));

it("takes no batch in a version of the protocol that has none, and counts each message of one before it", async () => {
  const key = await newKey(["read"]);
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    node.http("POST", "/mcp", { as: null, body, headers: { ...ACCEPT, "x-api-key": key, ...headers } });
  const refused = {
    status: 400,
    body: { jsonrpc: "2.0", id: null, error: { code: -32600, message: expect.any(String) } },
  };
  for (const version of ["2025-06-18", "2025-11-25"])
    expect(await send(batch(2), { "mcp-protocol-version": version })).toMatchObject(refused);
  for (const bad of [batch(21), [], [PING(1), PING(1)]]) expect(await send(bad)).toMatchObject(refused);
  const left = async (body: unknown) => Number((await send(body)).headers.get("x-ratelimit-remaining"));
  const before = await left(PING(1));
  const taken = await send(batch(20), { "mcp-protocol-version": "2025-03-26" });
  expect([taken.status, taken.body.length, Number(taken.headers.get("x-ratelimit-remaining"))]).toEqual([
    200,
    20,
    before - 20,
  ]);
  const statuses = [];
  for (let n = 0; n < 6; n++) statuses.push((await send(batch(20))).status);
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(5);
  expect(statuses.at(-1)).toBe(429);
});

const PREFIX = "io.modelcontextprotocol/";
const META = { [`${PREFIX}protocolVersion`]: "2026-07-28", [`${PREFIX}clientCapabilities`]: {} };

/** A request of the revision without handshake, as its rules want it; what is given replaces parts of it. */
async function stateless(
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, as = "analyst", ...message }: Record<string, unknown> & { headers?: Record<string, string> } = {},
) {
  const { name } = params;
  const told = {
    ...ACCEPT,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": name }),
    ...headers,
  };
  const body = { jsonrpc: "2.0", id: 7, method, params: { _meta: META, ...params }, ...message };
  const sent = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ""));
  return node.http("POST", "/mcp", { as: as as string, body, headers: sent });
}

describe("without a handshake (2026-07-28)", () => {
  it("says which revisions are spoken, and serves tools and calls by single requests", async () => {
    const about = { [`${PREFIX}serverInfo`]: expect.objectContaining({ name: "signalmesh" }) };
    const discovered = await stateless("server/discover");
    expect(discovered).toMatchObject({
      status: 200,
      body: {
        jsonrpc: "2.0",
        id: 7,
        result: {
          resultType: "complete",
          supportedVersions: ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS],
          capabilities: { tools: {} },
          cacheScope: "private",
          _meta: about,
        },
      },
    });
    const { result: listed } = (await stateless("tools/list", {}, { as: "system_admin" })).body;
    expect(listed.tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS);
    expect([listed.resultType, listed.ttlMs > 0, listed.cacheScope]).toEqual(["complete", true, "private"]);
    expect(listed.nextCursor).toBeUndefined();
    const called = await stateless("tools/call", { name: "read_article", arguments: { id: report } });
    expect(called.body.result).toMatchObject({
      resultType: "complete",
      structuredContent: { id: report },
      _meta: about,
    });
    expect(JSON.parse(called.body.result.content[0].text)).toEqual(called.body.result.structuredContent);
    const refused = await stateless("tools/call", { name: "read_article", arguments: { id: 4_711 } });
    expect(refused.body.result).toMatchObject({ resultType: "complete", isError: true });
  });

  it("is refused with the protocol's own words where headers, versions and messages are not by its rules", async () => {
    const call = { name: "read_article", arguments: { id: report } };
    const oldMeta = { ...META, [`${PREFIX}protocolVersion`]: "1900-01-01" };
    const cases: [number, number, Promise<{ status: number; body: any }>][] = [
      [400, -32_020, stateless("tools/list", {}, { headers: { "mcp-protocol-version": "" } })],
      [400, -32_020, stateless("tools/list", {}, { headers: { "mcp-protocol-version": "2025-11-25" } })],
      [400, -32_020, stateless("tools/list", {}, { headers: { "mcp-method": "" } })],
      [400, -32_020, stateless("tools/list", {}, { headers: { "mcp-method": "tools/call" } })],
      [400, -32_020, stateless("tools/call", call, { headers: { "mcp-name": "search" } })],
      [400, -32_020, stateless("tools/call", call, { headers: { "mcp-name": "" } })],
      [
        400,
        -32_022,
        stateless("tools/list", { _meta: oldMeta }, { headers: { "mcp-protocol-version": "1900-01-01" } }),
      ],
      [400, -32_022, stateless("tools/list", { _meta: {} }, { headers: { "mcp-protocol-version": "2031-01-01" } })],
      [400, -32_602, stateless("tools/list", { _meta: {} })],
      [400, -32_602, stateless("tools/list", { _meta: { ...META, [`${PREFIX}clientCapabilities`]: 1 } })],
      [400, -32_602, stateless("tools/call", { ...call, arguments: [] })],
      [400, -32_600, stateless("tools/list", {}, { id: null })],
      [400, -32_600, stateless("tools/list", {}, { jsonrpc: "1.0" })],
      [200, -32_602, stateless("tools/call", { name: "nothing" })],
      [200, -32_602, stateless("tools/list", { cursor: "x" })],
      [404, -32_601, stateless("ping")],
      [404, -32_601, stateless("resources/list")],
    ];
    for (const [at, [status, code, sent]] of cases.entries()) {
      const answer = await sent;
      expect([at, answer.status, answer.body.error.code]).toEqual([at, status, code]);
    }
    const unsupported = (await cases[6]![2]).body;
    expect([unsupported.id, unsupported.error.data]).toEqual([
      7,
      { supported: ["2026-07-28", ...SUPPORTED_PROTOCOL_VERSIONS], requested: "1900-01-01" },
    ]);
    const headers = { ...ACCEPT, "mcp-protocol-version": "2026-07-28" };
    expect((await node.http("POST", "/mcp", { body: batch(2), headers })).body.error.code).toBe(-32_600);
    expect((await stateless("notifications/cancelled", {}, { id: undefined })).status).toBe(202);
    expect((await node.http("DELETE", "/mcp", { headers })).status).toBe(405);
  });

  it("takes a name that is carried as Base64, and keeps permits, scopes, Origin and sign-in as in every revision", async () => {
    const encoded = `=?base64?${Buffer.from("read_article").toString("base64")}?=`;
    const call = { name: "read_article", arguments: { id: report } };
    const read = await stateless("tools/call", call, { headers: { "mcp-name": encoded } });
    expect(read.body.result.structuredContent.id).toBe(report);
    expect((await stateless("tools/list", {}, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await stateless("tools/list", {}, { as: null })).status).toBe(401);
    const { tools } = (await stateless("tools/list", {}, { as: "reader" })).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).not.toContain("judge_article");
    const judged = await stateless(
      "tools/call",
      { name: "judge_article", arguments: { id: report, verified: true, notes: "" } },
      { as: "reader" },
    );
    expect(JSON.parse(judged.body.result.content[0].text).code).toBe("FORBIDDEN");
  });

  it("leaves those that begin with a handshake to it", async () => {
    const begun = await node.http("POST", "/mcp", {
      body: {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2026-07-28", capabilities: {}, clientInfo: { name: "old", version: "1" } },
      },
      headers: ACCEPT,
    });
    expect([begun.status, begun.body.result.protocolVersion]).toEqual([200, "2025-11-25"]);
    const headers = { ...ACCEPT, "mcp-protocol-version": "2025-06-18" };
    expect((await node.http("POST", "/mcp", { body: PING(1), headers })).body).toMatchObject({ id: 1, result: {} });
  });
});

it("shows a problem set, its missions, gates, agents and staff to its members alone", async () => {
  const created = await node.http("POST", "/api/problem-sets", { as: "analyst", body: { name: "Harbour" } });
  const problemSetId = created.body.data.id;
  const analyst = await by("analyst");
  const stranger = await by("reader");
  const opened = await use(analyst, "open_mission", { problemSetId, name: "Hold the quay" });
  expect(opened.isError).toBe(false);
  const { data: sets } = (await use(analyst, "list_problem_sets")).said;
  expect(sets.map(({ id }: { id: string }) => id)).toContain(problemSetId);
  expect((await use(analyst, "list_missions", { problemSetId })).said.data).toEqual([
    expect.objectContaining({ name: "Hold the quay" }),
  ]);
  for (const name of ["list_gates", "list_agents", "list_annotations", "list_agent_approvals", "list_activity"]) {
    const given = name === "list_activity" ? { id: problemSetId } : { problemSetId };
    expect([name, (await use(analyst, name, given)).isError]).toEqual([name, false]);
    const hidden = await use(stranger, name, given);
    expect([name, hidden.isError || hidden.said.data.length === 0]).toEqual([name, true]);
  }
  expect((await use(stranger, "show_mission", { id: opened.said.id })).said.code).toBe("NOT_FOUND");
});

/** A request with a Host of its own, which fetch does not let anybody set. */
const under = async (headers: Record<string, string>): Promise<number> => {
  const token = await node.tokenOf("analyst");
  const { port } = new URL(node.url);
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: "127.0.0.1",
        port,
        path: "/mcp",
        method: "POST",
        headers: { ...ACCEPT, "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      },
    );
    asked.on("error", reject);
    asked.end(JSON.stringify(PING(1)));
  });
};

it("answers under its own names alone, and no page of another origin", async () => {
  const { host, port } = new URL(node.url);
  const owns: Record<string, string>[] = [
    { host },
    { host: `localhost:${port}` },
    { host: `localhost:${port}`, origin: `http://localhost:${port}` },
    { host: "LOCALHOST" },
  ];
  for (const own of owns) expect([own, await under(own)]).toEqual([own, 200]);
  const foreigns: Record<string, string>[] = [
    { host: `evil.example:${port}` },
    { host: "localhost.evil.example" },
    { host: "10.0.0.7" },
    { host, origin: "https://evil.example" },
    { host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    { host, origin: "null" },
    { host, origin: `http://localhost:${Number(port) + 1}` },
  ];
  for (const foreign of foreigns) expect([foreign, await under(foreign)]).toEqual([foreign, 403]);
});

it("is reached by PUBLIC_URL, by the names that are allowed, and on all addresses by any of them", () => {
  const named = hostNames(
    readEnv({ HOST: "0.0.0.0", PUBLIC_URL: "https://mesh.example.org", ALLOWED_HOSTS: "Gateway.internal, gateway" }),
  );
  for (const own of [
    "mesh.example.org",
    "mesh.example.org:8443",
    "gateway.internal",
    "gateway:3000",
    "localhost:3000",
    "10.0.0.7:3000",
    "[::1]:3000",
  ])
    expect([own, named(own)]).toEqual([own, true]);
  for (const foreign of ["evil.example", "mesh.example.org.evil.example", "", undefined, "a b"])
    expect([foreign, named(foreign)]).toEqual([foreign, false]);
});

itInside(
  "in a process that is strained, each tool call waits for its endpoint's turn, or is refused in words",
  async () => {
    const { pressure } = node.service("gateway") as { pressure: Pressure };
    const analyst = await by("analyst");
    const asked = ["search", "search", "list_briefings"];
    Object.defineProperty(pressure, "strained", { configurable: true, value: true });
    const { enter } = pressure;
    const flows: Flow[] = [];
    try {
      pressure.enter = (flow, start) => {
        flows.push(flow);
        return enter.call(pressure, flow, start);
      };
      for (const name of asked)
        expect((await use(analyst, name, name === "search" ? { q: "harrow" } : {})).isError).toBe(false);
      // Each request has its turn at /mcp, and then each call in it that of its endpoint.
      const [door] = flows;
      const turns = flows.filter((flow) => flow !== door);
      expect([flows.length, turns.length, new Set(turns).size]).toEqual([6, 3, 2]);
      pressure.enter = (flow, start) => flow === door && enter.call(pressure, flow, start);
      expect(await use(analyst, "search", { q: "harrow" })).toMatchObject({
        isError: true,
        said: { code: "OVERLOADED" },
      });
    } finally {
      pressure.enter = enter;
      Reflect.deleteProperty(pressure, "strained");
    }
  },
);
