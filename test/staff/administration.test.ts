import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { asSystem } from "../../core/access/caller.ts";
import { WorkflowStep } from "../../services/staff/orchestration/executions/executions.ts";
import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { said } from "./assistant.requests.ts";
import { delegate, done, execute, inDays, settled } from "./setup.ts";

// Agents, their tools and teams as administrators make and change them, and what their runs make of it.

let at: TestWorld;
let model: StandIn;
let ann: Person, ben: Person;
let set: string;
beforeAll(async () => {
  model = await modelStandIn();
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
  [ann, ben] = await persons(at, "ann", "ben");
  set = await openSet(at, ann, { name: "Harbour" });
  await admit(at, set, ben, "planner");
});
afterAll(async () => {
  await at?.stop();
  await model.close();
});

/** Asks as the platform's administrator. */
const admin = async (method: string, path: string, body?: unknown): Promise<any> => {
  const { status, body: said, headers } = await at.http(method, `/api/admin${path}`, { body });
  return { status, code: said?.error?.code, details: said?.error?.details, data: said?.data, headers };
};
const ok = async (method: string, path: string, body?: unknown): Promise<any> => {
  const { status, data, ...said } = await admin(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
  return data;
};
const refused = async (method: string, path: string, body?: unknown): Promise<unknown[]> => {
  const { status, code } = await admin(method, path, body);
  return [status, code];
};
const agentOf = (fields: object = {}) => ok("POST", "/agents", { name: "Clerk", ...fields });
const act = (tool: string, args: object) => answer({ act: tool, arguments: args });
const finish = answer({ act: "finish", answer: "Over." });
/** What the model says from now on, in order; then it ends. */
function say(...turns: ReturnType<typeof act>[]): void {
  const left = [...turns];
  model.respond(() => left.shift() ?? finish);
}
const ended = ["completed", "stopped", "failed"];
const runAs = async (agentId: string, order: object, who = ann): Promise<any> =>
  settled(at, who, await execute(at, who, agentId, { task: "Look", problemSetId: set, ...order }), [
    ...ended,
    "waiting",
  ]);

describe("agents", () => {
  it("are the same as everywhere; each change raises the version, and runs keep theirs", async () => {
    const { id, did } = await agentOf({ templateId: "document-reader", tools: ["list_missions"] });
    expect((await as(at, ben)("GET", `/api/agents/${id}`)).body.data).toMatchObject({ id, did, version: 1 });
    expect(await ok("GET", `/agents/${id}/did`)).toMatchObject({ did, entityType: "agent", didDocument: { id: did } });
    await delegate(at, ann, id, set, { classes: ["observe", "modify-shared"] });
    await ok("PUT", `/agents/${id}`, { tools: ["list_missions", "open_mission"] });
    say(act("open_mission", { name: "Pier" }));
    const waiting = await runAs(id, {});
    expect(waiting).toMatchObject({ status: "waiting", agentVersion: 2 });

    const changed = await ok("PUT", `/agents/${id}`, { name: "Other", autonomy: 0 });
    expect(changed).toMatchObject({ id, did, version: 3, name: "Other" });
    const [approval] = (await done(at, ann, "GET", "/api/agents/approvals")).filter(
      (one: any) => one.executionId === waiting.id,
    );
    await done(at, ann, "POST", `/api/agents/approvals/${approval.id}/decide`, {
      hash: approval.hash,
      decision: "approve",
    });
    // What it was when it began counts for it: the act that was approved is done.
    expect(await settled(at, ann, waiting.id, ended)).toMatchObject({
      status: "completed",
      agentVersion: 2,
      log: [{ tool: "open_mission", status: "done" }],
    });
  });

  it("lose a tool at once, in runs under way too", async () => {
    const { id } = await agentOf({ tools: ["list_missions", "open_mission"] });
    await delegate(at, ann, id, set, { classes: ["observe", "modify-shared"] });
    say(act("open_mission", { name: "Mole" }));
    const waiting = await runAs(id, {});
    expect((await admin("DELETE", `/tools/open_mission/assign/${id}`)).status).toBe(204);
    expect(await refused("DELETE", `/tools/open_mission/assign/${id}`)).toEqual([404, "NOT_FOUND"]);
    const [approval] = (await done(at, ann, "GET", "/api/agents/approvals")).filter(
      (one: any) => one.executionId === waiting.id,
    );
    const body = { hash: approval.hash, decision: "approve" };
    await done(at, ann, "POST", `/api/agents/approvals/${approval.id}/decide`, body);
    expect((await settled(at, ann, waiting.id, ended)).log).toMatchObject([
      { status: "refused", code: "TOOL_NOT_ASSIGNED" },
    ]);
  });

  it("say where character and model settings come from, and go back to template and platform", async () => {
    const { id } = await agentOf({ templateId: "governance-clerk" });
    const character = () => ok("GET", `/agents/${id}/character`);
    const config = () => ok("GET", `/agents/${id}/model-config`);
    expect(await character()).toMatchObject({ source: "template", version: 1 });
    await ok("PUT", `/agents/${id}/character`, { character: "You are brief." });
    expect(await character()).toMatchObject({ character: "You are brief.", source: "agent", version: 2 });
    // The same again makes no version.
    await ok("PUT", `/agents/${id}/character`, { character: "You are brief." });
    await ok("PUT", `/agents/${id}/model-config`, { model: "small-2", temperature: 0.3, budget: { calls: 3 } });
    expect(await config()).toMatchObject({
      value: { model: "small-2", temperature: 0.3, maxTokens: 512, budget: { calls: 3 } },
      sources: { model: "agent", maxTokens: "template", budget: "agent" },
      version: 3,
    });
    await delegate(at, ann, id, set, { classes: ["observe"] });
    say();
    expect(await runAs(id, {})).toMatchObject({ status: "completed", limits: { calls: 3 } });
    expect(model.received.at(-1)!.body).toMatchObject({ model: "small-2", temperature: 0.3, max_tokens: 512 });
    expect(await refused("PUT", `/agents/${id}/model-config`, { budget: { cost: 1 } })).toEqual([422, "NO_PRICES"]);
    for (const what of ["character", "model-config"])
      for (const _twice of [1, 2]) expect((await admin("DELETE", `/agents/${id}/${what}`)).status).toBe(204);
    expect(await config()).toMatchObject({ value: { model: "default", maxTokens: 512 }, version: 5 });
    expect((await config()).sources).toMatchObject({ model: "platform", maxTokens: "template" });
    expect(await character()).toMatchObject({ source: "template", version: 5 });
  });

  it("have prices of their own model, by which their runs are charged and their costs limited", async () => {
    const { id } = await agentOf({ tools: ["list_missions"] });
    const priced = { model: "small-2", priceIn: 100_000, priceOut: 300_000, budget: { cost: 50_000 } };
    expect(await ok("PUT", `/agents/${id}/model-config`, priced)).toMatchObject({
      value: priced,
      sources: { priceIn: "agent", priceOut: "agent" },
    });
    // Nobody else says what an agent costs.
    const own = { problemSetId: set, name: "Free", priceIn: 0 };
    expect((await as(at, ann)("POST", "/api/agents", own)).body.error.details).toMatchObject([{ path: "priceIn" }]);
    await delegate(at, ann, id, set, { classes: ["observe"], limits: { cost: 100_000 } });
    say();
    const run = await runAs(id, {});
    expect(run).toMatchObject({ status: "completed", limits: { cost: 50_000 } });
    const { usedTokens, usedCost } = run;
    expect([usedCost > usedTokens / 10, usedCost < 0.3 * usedTokens]).toEqual([true, true]);
    await ok("PUT", `/agents/${id}/model-config`, { ...priced, budget: { cost: 1 } });
    expect(await runAs(id, {})).toMatchObject({ status: "stopped", code: "BUDGET", usedCost: 0 });
    // A budget that is larger than any run's is that of the largest.
    await ok("PUT", `/agents/${id}/model-config`, { ...priced, budget: { cost: 2_000_000 } });
    expect((await runAs(id, {})).limits.cost).toBe(1_000_000);
  });

  it("are removed when nothing uses them; what the asker may not see is counted, not named", async () => {
    const { id } = await agentOf({ tools: ["list_missions"] });
    const team = await ok("POST", "/teams", { name: "Watch", members: [id], leadId: id });
    const given = await delegate(at, ann, id, set);
    const refusal = await admin("DELETE", `/agents/${id}`);
    expect([refusal.status, refusal.code]).toEqual([409, "IN_USE"]);
    expect(refusal.details).toEqual({ usedBy: [{ type: "team", id: team.id, name: "Watch" }], unseen: 1 });
    expect(JSON.stringify(refusal)).not.toContain(given.id);
    await done(at, ann, "DELETE", `/api/agents/delegations/${given.id}`);
    await ok("DELETE", `/teams/${team.id}`);
    expect((await admin("DELETE", `/agents/${id}`)).status).toBe(204);
    expect(await refused("GET", `/agents/${id}`)).toEqual([404, "NOT_FOUND"]);
  });

  it("tell what other domains use them for, as far as the asker sees; and take their identifier with them", async () => {
    const api = async (method: string, path: string, body?: unknown): Promise<any> => {
      const reply = await at.http(method, `/api${path}`, { body });
      if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
      return reply.body?.data;
    };
    const { id, did } = await agentOf({ tools: ["list_missions"] });
    const { id: desk } = await api("POST", "/problem-sets", { name: "Desk" });
    const live = { classes: ["observe"], expiresAt: inDays(at, 7) };
    const lent = await api("POST", `/agents/${id}/delegations`, { problemSetId: desk, ...live });
    const supervisor = { name: "Rounds", agents: [id] };
    const own = await api("POST", "/orchestration/supervisors", { problemSetId: desk, ...supervisor });
    await api("PUT", `/ai-staff/${desk}/routing/plan`, { agentId: id });
    const steps = [
      { id: "ask", kind: "checkpoint", question: "Go on?" },
      { id: "look", kind: "tool", agent: id, tool: "list_missions", arguments: {}, after: ["ask"] },
    ];
    const definition = { name: "Two steps", steps };
    const run = await api("POST", "/orchestration/execute", { problemSetId: desk, definition });
    // In a problem set that the administrator is no member of.
    const given = await delegate(at, ann, id, set);
    const theirs = await done(at, ann, "POST", "/api/orchestration/supervisors", { problemSetId: set, ...supervisor });

    // The workflow has a run of the agent, which it composes.
    await eventually(
      () => api("GET", `/orchestration/executions/${run.executionId}`),
      ({ status }) => status === "waiting",
      30_000,
    );
    const uses = await ok("GET", `/agents/${id}/uses`);
    expect(uses.usedBy.map(({ type, id: one }: any) => [type, one]).sort()).toEqual([
      ["delegation", lent.id],
      ["execution", expect.any(String)],
      ["supervisor", own.id],
      ["tab", "plan"],
      ["workflow", run.executionId],
    ]);
    expect([uses.unseen, JSON.stringify(uses).includes(theirs.id)]).toEqual([2, false]);
    expect((await admin("DELETE", `/agents/${id}`)).details).toEqual(uses);
    const ofTool = await ok("GET", "/tools/list_missions/uses");
    expect(ofTool.usedBy).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: "workflow", name: "Two steps" })]),
    );

    expect((await as(at, ann)("DELETE", `/api/orchestration/supervisors/${own.id}`)).status).toBe(404);
    await api("DELETE", `/orchestration/supervisors/${own.id}`);
    await done(at, ann, "DELETE", `/api/orchestration/supervisors/${theirs.id}`);
    await api("PUT", `/ai-staff/${desk}/routing/plan`, { agentId: null });
    await api("POST", `/orchestration/executions/${run.executionId}/cancel`, { reason: "No longer" });
    await api("DELETE", `/agents/delegations/${lent.id}`);
    await done(at, ann, "DELETE", `/api/agents/delegations/${given.id}`);
    await eventually(
      () => ok("GET", `/agents/${id}/uses`),
      ({ usedBy, unseen }) => usedBy.length + unseen === 0,
    );
    expect((await admin("DELETE", `/agents/${id}`)).status).toBe(204);
    const { active, reason } = await eventually(
      () => api("POST", "/identity/did/check-active", { did }),
      ({ active: isOn }) => !isOn,
    );
    expect([active, reason]).toEqual([false, "deactivated"]);
  });

  it("are switched off and on by administrators, without another version", async () => {
    const { id } = await agentOf();
    expect(await ok("PUT", `/agents/${id}`, { status: "deactivated" })).toMatchObject({
      status: "deactivated",
      version: 1,
    });
    const back = await ok("PUT", `/agents/${id}`, { status: "active" });
    expect([back.status, back.version, back.deactivatedBy]).toEqual(["active", 1, undefined]);
  });
});

describe("teams", () => {
  it("have members once, led by one of them, and none of another place", async () => {
    const [{ id: one }, { id: two }] = [await agentOf(), await agentOf()];
    expect(await refused("POST", "/teams", { name: "T", members: [one], leadId: two })).toEqual([
      422,
      "LEAD_NOT_MEMBER",
    ]);
    const { id } = await ok("POST", "/teams", { name: "T", members: [one, one] });
    expect(await ok("POST", `/teams/${id}/members`, { agentId: one })).toMatchObject({ members: [one] });
    expect(await ok("POST", `/teams/${id}/members`, { agentId: two, lead: true })).toMatchObject({
      members: [one, two],
      leadId: two,
    });
    expect((await ok("GET", `/agents/${two}/teams`)).map((team: any) => team.id)).toEqual([id]);
    expect(await refused("DELETE", `/teams/${id}/members/${two}`)).toEqual([422, "LEADS"]);
    expect((await admin("DELETE", `/teams/${id}/members/${one}`)).status).toBe(204);
    expect(await refused("DELETE", `/teams/${id}/members/${one}`)).toEqual([404, "NOT_FOUND"]);
    const ready = () => at.call("agents.teams.ready", { teamId: id }, { ...system });
    expect(await ready()).toMatchObject({ agentIds: [two], leadId: two });
    expect((await admin("DELETE", `/teams/${id}/members/${two}`)).status).toBe(204);
    await expect(ready()).rejects.toMatchObject({ code: 422, type: "EMPTY_TEAM" });
    const red = await openCompartment(at, set, ann, "Red", ben);
    const hidden = await done(at, ben, "POST", "/api/agents", {
      problemSetId: set,
      name: "Hidden",
      compartments: [red],
    });
    expect(await refused("POST", `/teams/${id}/members`, { agentId: hidden.id })).toEqual([422, "NO_SUCH_AGENT"]);
  });
});

it("what administrators say a token costs counts at once wherever costs are held", async () => {
  const { id } = await agentOf({ tools: ["list_missions"] });
  await delegate(at, ann, id, set);
  const definition = {
    name: "Look",
    limits: { cost: 1 },
    steps: [{ id: "look", kind: "tool", agent: id, tool: "list_missions" }],
  };
  const suite = {
    ...{ name: "Costs", problemSetId: set },
    cases: [{ id: "cheap", task: "Look", assertions: [{ kind: "cost", most: 1 }] }],
  };
  const asked = async (): Promise<unknown[]> => [
    (await as(at, ann)("POST", "/api/orchestration/execute", { problemSetId: set, definition })).status,
    (await as(at, ann)("POST", "/api/validation/suites", suite)).body.error?.code,
    (await ok("POST", "/agent-builder/validate", { name: "Thrifty", budget: { cost: 1 } })).findings
      .map(({ path }: any) => path)
      .includes("budget.cost"),
  ];
  const set1 = async (value: object): Promise<void> => {
    const { headers } = await admin("GET", "/config/llm");
    const put = await at.http("PUT", "/api/admin/config/llm", {
      body: { value },
      headers: { "if-match": headers.get("etag")! },
    });
    expect(put.status).toBe(200);
  };
  expect(await asked()).toEqual([422, "NO_PRICES", true]);
  await set1({ priceIn: 1, priceOut: 2 });
  const [begun, code, isUnpriced] = await asked();
  expect([begun, code === "NO_PRICES", isUnpriced]).toEqual([202, false, false]);
  await set1({});
});

describe("a team at work", () => {
  const teamed = (method: string, path: string, body?: unknown): Promise<any> => done(at, ann, method, path, body);
  const refusal = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const reply = await as(at, ann)(method, path, body);
    return [reply.status, reply.body.error.code, reply.body.error.details?.[0]?.path];
  };

  it("is who administrators have made it by then; what was begun keeps whom it began with", async () => {
    const tools = ["list_missions"];
    const [one, two, three] = [
      await agentOf({ name: "One", tools }),
      await agentOf({ name: "Two", tools }),
      await agentOf(),
    ];
    for (const { id } of [one, two]) await delegate(at, ann, id, set);
    const { id: teamId } = await ok("POST", "/teams", { name: "Watch", members: [one.id] });
    const orders = "/api/orchestration/supervisors";
    const fields = { problemSetId: set, name: "Desk", strategy: "round-robin" };
    expect(await refusal("POST", orders, fields)).toEqual([400, "VALIDATION_ERROR", "agents"]);
    expect(await refusal("POST", orders, { ...fields, teamId: "nobody" })).toEqual([400, "VALIDATION_ERROR", "teamId"]);
    const desk = await teamed("POST", orders, { ...fields, teamId, rounds: 2 });
    model.respond(() => finish);
    const hands = async (): Promise<string[]> => {
      const { executionId } = await teamed("POST", `${orders}/${desk.id}/execute`, { task: "Look" });
      const run = await eventually(
        () => teamed("GET", `/api/orchestration/executions/${executionId}`),
        ({ status }) => ended.includes(status),
        30_000,
      );
      if (run.status !== "completed") throw new Error(JSON.stringify(run));
      return run.log.map(({ agentId }: any) => agentId);
    };
    expect(await hands()).toEqual([one.id, one.id]);
    // Whom the person has delegated nothing to takes no part; the lead stands first.
    for (const [agentId, lead] of [
      [two.id, true],
      [three.id, false],
    ])
      await ok("POST", `/teams/${teamId}/members`, { agentId, lead });
    expect(await hands()).toEqual([one.id, two.id]);
    await ok("PUT", `/teams/${teamId}`, { members: [three.id], leadId: null });
    expect(await refusal("POST", `${orders}/${desk.id}/execute`, { task: "Look" })).toEqual([
      400,
      "VALIDATION_ERROR",
      "teamId",
    ]);
    await ok("PUT", `/teams/${teamId}`, { members: [] });
    expect(await refusal("POST", `${orders}/${desk.id}/execute`, { task: "Look" })).toEqual([
      422,
      "EMPTY_TEAM",
      undefined,
    ]);
    // Administrators are no members of the set: what uses the team there is counted, and not named.
    const inUse = await admin("DELETE", `/teams/${teamId}`);
    expect([inUse.status, inUse.code, inUse.details]).toEqual([409, "IN_USE", { usedBy: [], unseen: 1 }]);
    await teamed("DELETE", `${orders}/${desk.id}`);
    expect((await admin("DELETE", `/teams/${teamId}`)).status).toBe(204);
  });

  it("serves a tab of the staff by its lead, or else by the first of it that can work", async () => {
    const [one, two] = [await agentOf({ name: "One" }), await agentOf({ name: "Two" })];
    const { id: teamId } = await ok("POST", "/teams", { name: "Press", members: [one.id, two.id], leadId: two.id });
    const tab = `/api/ai-staff/${set}/routing/news`;
    const now = async (): Promise<any> =>
      (await teamed("GET", `/api/ai-staff/${set}/routing`)).find((row: any) => row.tab === "news");
    for (const body of [{}, { teamId, agentId: one.id }])
      expect((await refusal("PUT", tab, body)) as unknown[]).toContain("VALIDATION_ERROR");
    expect(await refusal("PUT", tab, { teamId: "nobody" })).toContain("OTHER_SET");
    expect(await teamed("PUT", tab, { teamId })).toMatchObject({
      teamId,
      agentId: two.id,
      why: expect.stringContaining("Press"),
    });
    await ok("PUT", `/agents/${two.id}`, { status: "deactivated" });
    expect(await now()).toMatchObject({ teamId, agentId: one.id });
    await ok("PUT", `/teams/${teamId}`, { members: [], leadId: null });
    expect(await now()).toMatchObject({ teamId, agentId: null, why: expect.stringContaining("nobody can work") });
    expect(await refused("DELETE", `/teams/${teamId}`)).toEqual([409, "IN_USE"]);
    expect(await teamed("PUT", tab, { agentId: one.id })).toMatchObject({ teamId: null, agentId: one.id });
    expect((await admin("DELETE", `/teams/${teamId}`)).status).toBe(204);
  });
});

const system = { userId: "system:test", roles: ["system"], via: "system" as const, permits: ["*"], omniscient: true };

describe("tools", () => {
  let server: Server;
  let asked: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  let reply: (url: string) => { status: number; headers?: Record<string, string>; body?: string };
  let host: string;
  beforeAll(async () => {
    server = createServer((req, res) => {
      let body = "";
      req.on("data", (chunk) => (body += chunk));
      req.on("end", () => {
        asked.push({ method: req.method!, url: req.url!, headers: req.headers, body });
        const { status, headers = {}, body: said = "{}" } = reply(req.url!);
        res.writeHead(status, { "content-type": "application/json", ...headers }).end(said);
      });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    reply = () => ({ status: 200, body: '{"tide":"high"}' });
  });
  afterAll(() => new Promise<void>((closed) => void server.close(() => closed())));

  const SECRET = "a-secret-of-the-harbour-9876";
  const tide = (name: string, fields: object = {}) => ({
    name,
    kind: "http",
    summary: "Tell the tide of a place",
    http: { method: "GET", url: `http://${host}/tides/{place}`, hosts: [host] },
    parameters: {
      properties: { place: { type: "string", maxLength: 40 }, day: { type: "integer" } },
      required: ["place"],
    },
    class: "communicate-outside",
    effect: "read",
    headers: { "X-Token": SECRET },
    ...fields,
  });

  it("are refused where class, effect, schema or address promise what they are not", async () => {
    const tool = (fields: object) => refused("POST", "/tools", tide("odd_tool", fields));
    expect(await tool({ class: "observe" })).toEqual([422, "CLASS_TOO_LOW"]);
    expect(await tool({ effect: "probed" })).toEqual([422, "EFFECT"]);
    expect(await tool({ headers: { "X-Token": "••••9876" } })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await tool({ headers: { "X-Token": "****9876" } })).toEqual([422, "MASK"]);
    for (const wrong of [
      { parameters: { properties: { place: { type: "string", pattern: "(a+)+$" } }, required: ["place"] } },
      { parameters: { properties: { place: { type: "string" } } } },
      { http: { method: "GET", url: `http://{place}/x`, hosts: [host] } },
      { http: { method: "GET", url: `http://u:p@${host}/{place}`, hosts: [host] } },
      { http: { method: "GET", url: `http://${host}/{place}`, hosts: ["elsewhere.example.org"] } },
      { action: "missions.list" },
    ])
      expect(await tool(wrong)).toEqual([400, "VALIDATION_ERROR"]);
    const action = (name: string, fields: object = {}) =>
      refused("POST", "/tools", {
        name: "odd_action",
        kind: "action",
        summary: "Do something",
        class: "observe",
        effect: "read",
        action: name,
        ...fields,
      });
    expect(await action("missions.nothing")).toEqual([422, "NO_SUCH_OPERATION"]);
    expect(await action("auth.sessions.list")).toEqual([422, "NOT_A_TOOL"]);
    expect(await action("missions.create")).toEqual([422, "CLASS_TOO_LOW"]);
    expect(await action("gates.create", { class: "modify-shared", effect: "once" })).toEqual([422, "CLASS_TOO_LOW"]);
    expect(await action("missions.list", { parameters: {} })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refused("POST", "/tools", { ...tide("list_missions") })).toEqual([409, "CONFLICT"]);
  });

  it("of the platform are lent by an action's contract, and the installation's own are raised alone", async () => {
    const made = await ok("POST", "/tools", {
      name: "show_phases",
      kind: "action",
      action: "missions.participants.list",
      summary: "List who takes part in a mission",
      class: "observe",
      effect: "read",
    });
    expect(made).toMatchObject({ id: "show_phases", builtIn: false, parameters: { required: ["id"] } });
    const own = await ok("GET", "/tools/list_gates");
    expect(own).toMatchObject({ builtIn: true, class: "observe", action: "gates.list" });
    expect(await refused("PUT", "/tools/list_gates", { effect: "once" })).toEqual([422, "BUILT_IN"]);
    expect(await refused("PUT", "/tools/open_mission", { class: "observe" })).toEqual([422, "CLASS_TOO_LOW"]);
    expect(await ok("PUT", "/tools/list_missions", { status: "enabled" })).toMatchObject({ status: "enabled" });
    const raised = await ok("PUT", "/tools/list_gates", { class: "analyse" });
    expect(raised.class).toBe("analyse");
    expect(raised.definition).not.toBe(own.definition);
    const stale = { body: { class: "draft" }, headers: { "if-match": '"r0"' } };
    expect((await at.http("PUT", "/api/admin/tools/list_gates", stale)).status).toBe(412);
    expect((await admin("DELETE", "/tools/list_gates")).status).toBe(204);
    expect((await ok("GET", "/tools/list_gates")).definition).toBe(own.definition);
  });

  it("go to agents once, not where their class is forbidden to everybody, and are removed when none has them", async () => {
    const { id } = await agentOf({ autonomy: 2 });
    await ok("POST", "/tools", tide("tide_assigned"));
    for (const _twice of [1, 2]) {
      const given = await admin("POST", `/tools/tide_assigned/assign/${id}`, {});
      expect([given.status, given.data.tools]).toEqual([200, ["tide_assigned"]]);
    }
    expect(await refused("POST", `/tools/withdraw_document/assign/${id}`, {})).toEqual([422, "FORBIDDEN_CLASS"]);
    // The other way to the same: what is added is looked at, at the autonomy that it comes with.
    const added = await admin("PUT", `/agents/${id}`, { tools: ["tide_assigned", "withdraw_document"] });
    expect([added.status, added.code]).toEqual([422, "FORBIDDEN_CLASS"]);
    expect(added.details).toEqual([{ path: "tools.1", message: expect.stringContaining("irreversible") }]);
    await ok("PUT", `/agents/${id}`, { autonomy: 0, tools: ["tide_assigned", "withdraw_document"] });
    await ok("PUT", `/agents/${id}`, { autonomy: 2 });
    expect((await admin("DELETE", `/tools/withdraw_document/assign/${id}`)).status).toBe(204);
    expect((await ok("GET", `/agents/${id}/tools`)).map((one: any) => one.id)).toEqual(["tide_assigned"]);
    expect((await admin("DELETE", "/tools/tide_assigned")).details).toMatchObject({ usedBy: [{ type: "agent", id }] });
    expect((await admin("DELETE", `/tools/tide_assigned/assign/${id}`)).status).toBe(204);
    expect((await admin("DELETE", "/tools/tide_assigned")).status).toBe(204);
  });

  it("of HTTP run through the gate: parts of the path encoded, headers sealed, redirects on the list alone", async () => {
    await ok("POST", "/tools", tide("tide"));
    const shown = await ok("GET", "/tools/tide");
    expect(shown.headers).toMatchObject([{ name: "x-token", set: true, last4: "9876" }]);
    expect(JSON.stringify(await ok("GET", "/tools?limit=100"))).not.toContain(SECRET);
    const { id } = await agentOf({ tools: ["tide"], autonomy: 2 });
    await delegate(at, ann, id, set, { tools: ["tide"], classes: [] });
    say(act("tide", { place: "a/../b?c", day: 3 }), act("tide", { place: "x", more: 1 }));
    const waiting = await runAs(id, {});
    expect(waiting.waitingFor).toMatchObject({ what: "approval" });
    const decide = async (executionId: string) => {
      const [approval] = (await done(at, ann, "GET", "/api/agents/approvals")).filter(
        (one: any) => one.executionId === executionId,
      );
      await done(at, ann, "POST", `/api/agents/approvals/${approval.id}/decide`, {
        hash: approval.hash,
        decision: "approve",
      });
    };
    await decide(waiting.id);
    const over = await settled(at, ann, waiting.id, ended);
    expect(over.log).toMatchObject([
      { status: "done", result: { status: 200, body: { tide: "high" } } },
      { status: "refused", code: "ARGUMENTS" },
    ]);
    expect(asked).toMatchObject([
      { method: "GET", url: "/tides/a%2F..%2Fb%3Fc?day=3", headers: { "x-token": SECRET } },
    ]);

    const elsewhere = createServer((_req, res) => res.end("caught"));
    await new Promise<void>((listening) => elsewhere.listen(0, "127.0.0.1", listening));
    const trap = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    reply = (url) => (url.includes("far") ? { status: 302, headers: { location: trap } } : { status: 404 });
    say(act("tide", { place: "far" }));
    const led = await runAs(id, {});
    await decide(led.id);
    expect((await settled(at, ann, led.id, ended)).log).toMatchObject([{ status: "failed", code: "HTTP_BLOCKED" }]);
    await new Promise<void>((closed) => void elsewhere.close(() => closed()));
  });

  it("of HTTP are left alone for as long as their server asks, and tried again then", async () => {
    await ok("POST", "/tools", {
      ...{
        name: "buoy",
        kind: "http",
        summary: "Tell what the buoy says",
        parameters: {},
        class: "observe",
        effect: "read",
      },
      http: { method: "GET", url: `http://${host}/buoy`, hosts: [host] },
    });
    const { id: agent } = await agentOf({ tools: ["buoy"], autonomy: 2 });
    await delegate(at, ann, agent, set, { tools: ["buoy"], classes: [] });
    reply = () => ({ status: 503, headers: { "retry-after": "90" } });
    const steps = [{ id: "look", kind: "tool", agent, tool: "buoy", arguments: {} }];
    const { executionId } = await done(at, ann, "POST", "/api/orchestration/execute", {
      ...{ problemSetId: set, definition: { name: "Buoy", steps } },
    });
    const show = () => done(at, ann, "GET", `/api/orchestration/executions/${executionId}`);
    const look = async (): Promise<any> => (await show()).log[0];
    await eventually(look, (step) => step?.status === "retrying");
    // Asked once: what is tried again at once would have come three times by now.
    expect(asked).toHaveLength(1);
    const [stored] = await at.service("orchestration").store(WorkflowStep).find(asSystem("test"), { executionId });
    expect(Date.parse(stored.dueAt) - Date.parse(stored.attempts[0].at)).toBeGreaterThanOrEqual(90_000);
    reply = () => ({ status: 200, body: '{"waves":2}' });
    at.clock.advance(91_000);
    const over = await eventually(show, ({ status }) => ended.includes(status));
    expect(over).toMatchObject({ status: "completed", log: [{ output: { body: { waves: 2 } } }] });
    expect(asked).toHaveLength(2);
    // One span an attempt, each with its own beginning and end, the pause in none of them.
    const { spans } = await done(at, ann, "GET", `/api/orchestration/executions/${executionId}/trace`);
    const tries = spans.filter(({ name }: any) => name === "look");
    expect(tries).toMatchObject([
      { status: "failed", attributes: { attempt: 1, code: "UPSTREAM_FAILED" } },
      { status: "completed", attributes: { attempt: 2 } },
    ]);
    expect(tries[0].spanId).not.toBe(tries[1].spanId);
    for (const { startedAt, endedAt, ms } of tries) {
      expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(ms);
      expect(ms).toBeLessThan(60_000);
    }
    expect(Date.parse(tries[1].startedAt) - Date.parse(tries[0].endedAt)).toBeGreaterThanOrEqual(90_000 - 1_000);
  });

  it("that are changed are other tools: approvals end, planned runs are refused them, headers stay with their address", async () => {
    const made = await ok("POST", "/tools", tide("tide_changed"));
    const { id } = await agentOf({ tools: ["tide_changed"], autonomy: 2 });
    await delegate(at, ann, id, set, { tools: ["tide_changed"], classes: [] });
    say(act("tide_changed", { place: "x" }));
    const waiting = await runAs(id, {});
    const changed = await ok("PUT", "/tools/tide_changed", { timeoutMs: 5_000 });
    expect(changed.definition).not.toBe(made.definition);
    expect(changed.headers).toHaveLength(1);
    const over = await settled(at, ann, waiting.id, ended);
    expect(over.log).toMatchObject([{ status: "refused", code: "APPROVAL_EXPIRED" }]);
    const moved = await ok("PUT", "/tools/tide_changed", {
      http: { method: "GET", url: `http://${host}/other/{place}`, hosts: [host, "elsewhere.example.org"] },
    });
    expect(moved.headers).toEqual([]);
    await ok("PUT", "/tools/tide_changed", { status: "disabled", reason: "It lies" });
    expect(await ok("GET", "/tools/tide_changed")).toMatchObject({ status: "disabled", reason: "It lies" });
    expect(asked).toEqual([]);
  });

  it.each(["revoked", "frozen"])("are cut off in the middle of a call when the delegation is %s", async (how) => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = createServer((req, res) => {
      begun.resolve();
      req.on("close", held.resolve);
      res.on("close", held.resolve);
    });
    await new Promise<void>((listening) => slow.listen(0, "127.0.0.1", listening));
    const to = `127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const still = { method: "GET", url: `http://${to}/`, hosts: [to] };
    await ok("POST", "/tools", tide(`slow_${how}`, { http: still, parameters: {}, class: "observe" }));
    const { id } = await agentOf({ tools: [`slow_${how}`], autonomy: 2 });
    const place = await openSet(at, ann, { name: `Slow ${how}` });
    const given = await delegate(at, ann, id, place, { tools: [`slow_${how}`], classes: [] });
    say(act(`slow_${how}`, {}));
    const run = await execute(at, ann, id, { task: "Look", problemSetId: place });
    await begun.promise;
    if (how === "revoked") await done(at, ann, "DELETE", `/api/agents/delegations/${given.id}`);
    else await at.call("agents.freeze", { scope: place, frozen: true, reason: "A drill", by: ann.userId }, system);
    await held.promise;
    const code = how === "revoked" ? "DELEGATION_ENDED" : "FROZEN";
    expect(await settled(at, ann, run, ended)).toMatchObject({ status: "stopped", log: [{ status: "failed", code }] });
    await new Promise<void>((closed) => void slow.close(() => closed()));
  });

  it("that are changed are trusted by nobody any longer", async () => {
    const ACT = act("open_mission", { name: "Trusted" });
    model.respond(({ stream }) => (stream ? answer("I can do that.") : ACT));
    const { action } = await said(at, set, { text: "Open a mission called Trusted" }, ann);
    const yes = { actionId: action.id, argumentsHash: action.argumentsHash, answer: "always" };
    await done(at, ann, "POST", `/api/assistant/${set}/confirm`, yes);
    const trusted = (): Promise<any[]> => done(at, ann, "GET", "/api/assistant/trust-preferences");
    expect(await trusted()).toMatchObject([{ tool: "open_mission" }]);
    await ok("PUT", "/tools/open_mission", { class: "communicate-inside" });
    await eventually(trusted, (all) => all.length === 0);
    await ok("DELETE", "/tools/open_mission");
  });

  it("that write are known to the server by the step, which they repeat", async () => {
    let broken = 1;
    reply = () => (broken-- > 0 ? { status: 503 } : { status: 201, body: '{"id":7}' });
    await ok(
      "POST",
      "/tools",
      tide("tide_order", {
        http: { method: "POST", url: `http://${host}/orders`, hosts: [host] },
        parameters: { properties: { what: { type: "string" } } },
        effect: "keyed",
      }),
    );
    const { id } = await agentOf({ tools: ["tide_order"], autonomy: 2 });
    await delegate(at, ann, id, set, { tools: ["tide_order"], classes: [] });
    say(act("tide_order", { what: "a pilot" }));
    const waiting = await runAs(id, {});
    const [approval] = (await done(at, ann, "GET", "/api/agents/approvals")).filter(
      (one: any) => one.executionId === waiting.id,
    );
    const body = { hash: approval.hash, decision: "approve" };
    await done(at, ann, "POST", `/api/agents/approvals/${approval.id}/decide`, body);
    const { log } = await settled(at, ann, waiting.id, ended);
    expect(log).toMatchObject([{ status: "done", result: { status: 201, body: { id: 7 } } }]);
    expect(asked.map((one) => [one.headers["idempotency-key"], one.body])).toEqual(
      [1, 2].map(() => [log[0].id, '{"what":"a pilot"}']),
    );
  });

  it.each(["2026-07-28", "2025-11-25"])(
    "of a server of tools that speaks %s are pinned as it describes them, and run",
    async (revision) => {
      const { key } = (await as(at, ann)("POST", "/api/keys", { name: "mcp", scopes: ["read"] })).body.data;
      const isOlder = revision !== "2026-07-28";
      const between = await serverOfTools(at.url, isOlder);
      const { url } = between;
      const name = isOlder ? "far_articles" : "near_articles";
      const tool = {
        kind: "mcp",
        summary: "List the articles of the mesh",
        class: "communicate-outside",
        effect: "read",
      };
      const body = { ...tool, name, mcp: { url, tool: "list_articles" }, headers: { "X-API-Key": key } };
      expect(await refused("POST", "/tools", { ...body, mcp: { url, tool: "nothing" } })).toEqual([
        422,
        "NO_SUCH_TOOL",
      ]);
      const made = await ok("POST", "/tools", body);
      expect(made).toMatchObject({ kind: "mcp", pinned: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(made.parameters.properties).toHaveProperty("limit");
      // It stands among the shared parts of the server's schema.
      expect(made.parameters.properties.domain.enum).toContain("energy");
      const { id } = await agentOf({ tools: [name], autonomy: 2 });
      await delegate(at, ann, id, set, { tools: [name], classes: [] });
      const decided = async () => {
        say(act(name, { limit: 1 }));
        const waiting = await runAs(id, {});
        const [approval] = (await done(at, ann, "GET", "/api/agents/approvals")).filter(
          (one: any) => one.executionId === waiting.id,
        );
        const decision = { hash: approval.hash, decision: "approve" };
        await done(at, ann, "POST", `/api/agents/approvals/${approval.id}/decide`, decision);
        return (await settled(at, ann, waiting.id, ended)).log;
      };
      between.asked.splice(0);
      // What the server says as data and again as a text is read once.
      expect((await decided()).map(({ status, result }: any) => [status, result])).toEqual([
        ["done", { data: expect.objectContaining({ data: [] }) }],
      ]);
      expect(between.asked).toEqual(
        isOlder
          ? [
              "2025-11-25 initialize",
              "2025-11-25 notifications/initialized",
              "2025-11-25 tools/list",
              "2025-11-25 tools/call",
            ]
          : ["2026-07-28 tools/list", "2026-07-28 tools/call"],
      );
      // As if the server had said something else when it was pinned.
      const tools = await at.mesh.world.documents.collection("agents_tools");
      await tools.updateById(name, { $set: { pinned: "0".repeat(64) }, $inc: { rev: 1 } });
      expect(await decided()).toMatchObject([{ status: "failed", code: "TOOL_CHANGED" }]);
      expect(await ok("GET", `/tools/${name}`)).toMatchObject({ status: "disabled" });
      await between.close();
    },
  );
});

/** Our own server of tools behind one that notes what comes; an older one knows no revision without a handshake. */
async function serverOfTools(url: string, isOlder: boolean) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { method, id, params } = JSON.parse(body);
    const revision = request.headers["mcp-protocol-version"] ?? params?.protocolVersion;
    if (isOlder && revision === "2026-07-28") {
      const error = { code: -32_000, message: "Bad Request: Unsupported protocol version" };
      return response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", error, id: null }));
    }
    asked.push(`${revision} ${method}`);
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers as Record<string, string>;
    const answer = await fetch(`${url}/mcp`, { method: "POST", headers, body });
    const text = await answer.text();
    if (isOlder || id === undefined)
      return response
        .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" })
        .end(text);
    // Whoever speaks this revision takes a stream of events as well, with notes before the answer.
    const note = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info" } });
    response.writeHead(answer.status, { "content-type": "text/event-stream" });
    response.end(`: still here\n\ndata: ${note}\n\nevent: message\ndata: ${text}\n\n`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    close() {
      server.closeAllConnections();
      return new Promise<void>((closed) => void server.close(() => closed()));
    },
  };
}

describe("the builder", () => {
  it("shows templates, capabilities, phases and levels as data with versions", async () => {
    const [templates, capabilities, phases, levels] = await Promise.all(
      ["templates", "capabilities", "phases", "autonomy-levels"].map((what) => ok("GET", `/agent-builder/${what}`)),
    );
    for (const row of [...templates, ...capabilities, ...phases, ...levels]) expect(row.version).toBeGreaterThan(0);
    expect(phases.map((one: any) => one.id)).toEqual(expect.arrayContaining(["mission-analysis", "orders-production"]));
    expect(levels).toHaveLength(5);
    expect([levels[1].verdicts["modify-shared"], levels[4].verdicts.irreversible]).toEqual(["approve", "forbid"]);
    const known = new Set(capabilities.map((one: any) => one.id));
    expect(templates.flatMap((one: any) => one.capabilities).filter((one: string) => !known.has(one))).toEqual([]);
  });

  it("checks any draft and says what is wrong with it, in words", async () => {
    const check = async (draft: unknown) => {
      const { status, data } = await admin("POST", "/agent-builder/validate", draft);
      expect(status).toBe(200);
      return { ...data, at: data.findings.map((one: any) => `${one.level} ${one.path}`) };
    };
    expect(await check({ name: "Fine", templateId: "document-reader" })).toEqual({ valid: true, findings: [], at: [] });
    for (const nonsense of [[], "x", null, 7]) expect((await check(nonsense)).valid).toBe(false);
    expect((await check({ nam: "x", autonomy: 9 })).at).toEqual(
      expect.arrayContaining(["error nam", "error autonomy", "error name"]),
    );
    const wrong = await check({
      name: "Fine",
      tools: ["list_gates", "list_gates", "nothing_there", "withdraw_document"],
      autonomy: 2,
      model: "no-such-model",
      maxTokens: 4_000,
      budget: { tokens: 1_000, cost: 2 },
      raised: { open_mission: "observe" },
      character: "word ".repeat(1_500),
    });
    expect(wrong.valid).toBe(false);
    expect(wrong.at).toEqual(
      expect.arrayContaining([
        "error tools.2",
        "error tools.3",
        "error model",
        "error maxTokens",
        "error budget.cost",
        "error raised.open_mission",
        "warning raised.open_mission",
        "warning tools.1",
      ]),
    );
    expect(await check({ name: "Fine", tools: ["list_gates"], model: "stand-in-1" })).toMatchObject({ valid: true });
  });

  it("previews to the letter what is sent, for each template", async () => {
    const task = "Say what is known of the harbour";
    for (const { id: templateId } of await ok("GET", "/agent-builder/templates")) {
      const draft = { name: "Preview", templateId };
      const open = await ok("POST", "/agent-builder/preview-prompt", draft);
      expect(open.blanks.map((one: any) => one.name)).toEqual(["nonce", "task", "input"]);
      expect(open.messages[1].content).toBe("Task: {{task}}\n\nInput: {{input}}");
      const { messages, sections, tokens, hash } = await ok("POST", "/agent-builder/preview-prompt", {
        ...draft,
        task,
        input: { pier: 4 },
      });
      expect(sections.map((one: any) => one.text).join("\n\n")).toBe(messages[0].content);
      expect(sections.find((one: any) => one.name === "character").origin).toBe("template");
      expect([tokens > 0, hash]).toEqual([true, expect.stringMatching(/^[0-9a-f]{64}$/)]);

      const { id } = await agentOf(draft);
      await delegate(at, ann, id, set, {
        classes: ["observe", "analyse", "modify-shared", "communicate-inside", "change-governance"],
      });
      model.received.length = 0;
      say();
      await runAs(id, { task, input: { pier: 4 } });
      const [sent] = model.received;
      const nonce = /<<<DATA ([0-9a-f]{24}) /.exec(sent!.messages[0]!.content)![1]!;
      const filled = messages.map((one: any) => ({ ...one, content: one.content.replaceAll("{{nonce}}", nonce) }));
      expect(sent!.messages).toEqual(filled);
    }
  });
});
