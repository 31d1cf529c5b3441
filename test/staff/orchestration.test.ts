import { DuplicateKey } from "../../core/records/documents.ts";
import { systemActor } from "../../core/access/access.ts";
import { asSystem } from "../../core/access/caller.ts";
import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { put } from "../knowledge/documents.requests.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { Allowance } from "../../services/staff/agents/gate/allowances.ts";
import { expire } from "../../services/staff/orchestration/checkpoints/checkpoints.actions.ts";
import { Checkpoint } from "../../services/staff/orchestration/checkpoints/checkpoints.ts";
import { WorkflowStep } from "../../services/staff/orchestration/executions/executions.ts";
import { delegate, done, enrol } from "./setup.ts";

// Workflows of agents: what is checked before, what runs, what waits for persons, and what it comes to.

let at: TestWorld;
let model: StandIn;
let ann: Person, ben: Person, kim: Person;
let set: string, red: string;
let scout: string, clerk: string;
const READING = ["list_missions", "list_gates", "show_mission", "list_documents", "read_document"];
const WRITING = ["open_mission", "edit_mission", "publish_message", "generate_briefing"];
const WIDE = { classes: ["observe", "modify-shared", "communicate-inside"] };

beforeAll(async () => {
  model = await modelStandIn();
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
  [ann, ben, kim] = await persons(at, "ann", "ben", "kim");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, kim, "analyst");
  red = await openCompartment(at, set, ann, "Red", ben);
  const tools = [...READING, ...WRITING];
  scout = (await enrol(at, ann, set, { name: "Scout", tools, autonomy: 2 })).id;
  clerk = (await enrol(at, ann, set, { name: "Clerk", tools: ["publish_message"], autonomy: 2 })).id;
  for (const who of [ann, ben])
    for (const id of [scout, clerk])
      await delegate(at, who, id, set, { ...WIDE, ...(who === ben && { grants: [red] }) });
});
afterAll(async () => {
  await at?.stop();
  await model.close();
});

const OVER = ["completed", "stopped", "failed", "cancelled", "expired"];
const tool = (id: string, name: string, given: object = {}, rest: object = {}) => ({
  id,
  kind: "tool",
  agent: scout,
  tool: name,
  arguments: given,
  ...rest,
});
const order = (who: Person, steps: object[], rest: object = {}, more: object = {}) =>
  as(at, who)("POST", "/api/orchestration/execute", {
    problemSetId: set,
    definition: { name: "Plan", steps, ...rest },
    ...more,
  });
const begin = async (who: Person, ...given: [object[], object?, object?]): Promise<string> => {
  const reply = await order(who, ...given);
  if (reply.status !== 202) throw new Error(reply.text);
  return reply.body.data.executionId;
};
const show = (who: Person, id: string): Promise<any> => done(at, who, "GET", `/api/orchestration/executions/${id}`);
const settled = (who: Person, id: string, states: readonly string[] = [...OVER, "waiting"]): Promise<any> =>
  eventually(
    () => show(who, id),
    ({ status }) => states.includes(status),
    30_000,
  );
const states = (run: any): Record<string, string> =>
  Object.fromEntries(run.log.map(({ path, status }: any) => [path, status]));
const missionsCalled = async (name: string): Promise<any[]> =>
  (await done(at, ann, "GET", `/api/missions?problemSetId=${set}&limit=100`)).filter((one: any) => one.name === name);
const approve = async (who: Person, tool: string): Promise<any> => {
  const asked = await eventually(
    () => done(at, who, "GET", `/api/agents/approvals?problemSetId=${set}&limit=100`),
    (all) => all.some((one: any) => one.tool === tool),
    30_000,
  );
  const { id, hash } = asked.find((one: any) => one.tool === tool);
  return done(at, who, "POST", `/api/agents/approvals/${id}/decide`, { hash, decision: "approve" });
};

describe("a workflow", () => {
  it("is checked whole before anything runs, and told all its faults with their paths", async () => {
    const reply = await order(ann, [
      tool("a", "list_missions", {}, { after: ["c"] }),
      tool("b", "list_missions", { nothing: 1 }, { after: ["nowhere"] }),
      tool("c", "no_such_tool", {}, { after: ["a"] }),
      { id: "d", kind: "condition", if: "steps.b.output.size() > 'x'" },
      { id: "e", kind: "condition", if: "steps.f.output.matches('a')" },
      tool("f", "show_mission", { id: { $ref: "/steps/e/output/id" } }),
      { ...tool("g", "list_gates"), agent: "nobody" },
      { id: "h", kind: "map", over: "text", steps: [tool("i", "list_gates", { limit: { $ref: "/item/n" } })] },
      { id: "j", kind: "checkpoint", question: "Why?", onError: "default" },
      tool("k", "list_gates", {}, { after: [{ step: "d", on: "done" }] }),
    ]);
    expect(reply.status).toBe(400);
    const told = reply.body.error.details.map(({ path, message }: any) => `${path}: ${message}`).join("\n");
    for (const path of [
      "steps.0.after",
      "steps.1.after.0",
      "steps.1.arguments.nothing",
      "steps.2.tool",
      "steps.2.after",
      "steps.3.if",
      "steps.4.if",
      "steps.5.arguments.id",
      "steps.6.agent",
      "steps.7.over",
      "steps.8.default",
      "steps.9.after.0",
    ])
      expect(told).toContain(`definition.${path}: `);
    expect((await done(at, ann, "GET", `/api/orchestration/executions?problemSetId=${set}`)).length).toBe(0);
  });

  it("refers to nothing that the input, which is known by then, has not; unless a step deals with that", async () => {
    const most = { limit: { $ref: "/input/most" } };
    const step = (rest: object = {}) => [tool("look", "list_missions", most, rest)];
    const refused = await order(ann, step());
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [
        {
          path: "definition.steps.0.arguments.limit",
          message: "/input/most leads to nothing: there is no most.",
        },
      ],
    ]);
    for (const id of [
      await begin(ann, step(), {}, { input: { most: 1 } }),
      await begin(ann, step({ onError: "branch" })),
    ])
      expect(await settled(ann, id, OVER)).toMatchObject({ status: "completed" });
  });

  it("refers to nothing that a tool's answer never has; each such reference is named", async () => {
    const at1 = (path: string) => ({ $ref: `/steps/${path}` });
    const look = tool("look", "list_missions");
    const wrong = await order(ann, [
      look,
      tool("one", "show_mission", { id: at1("look/output/data/0/ident") }, { after: ["look"] }),
      tool("two", "show_mission", { id: at1("look/output/data/first") }, { after: ["look"] }),
      { id: "all", kind: "map", over: at1("look/output/rows"), after: ["look"], steps: [tool("i", "list_gates")] },
      { id: "end", kind: "end", after: ["one"], output: { name: { ...at1("one/output/data/name"), default: "" } } },
    ]);
    expect([wrong.status, wrong.body.error.code]).toEqual([422, "UNKNOWN_PATH"]);
    expect(wrong.body.error.details.map(({ path }: any) => path).sort()).toEqual([
      "definition.steps.1.arguments.id",
      "definition.steps.2.arguments.id",
      "definition.steps.3.over",
      "definition.steps.4.output.name",
    ]);
    expect(wrong.body.error.details[0].message).toMatch(/list_missions has no "ident" at \/data\/0\/ident/);
    const items = { id: "each", kind: "map", over: at1("look/output/data"), after: ["look"] };
    const asked = await order(ann, [
      look,
      { id: "if", kind: "condition", if: "steps.look.output.data[0].ident == 'x'", after: ["look"] },
      { id: "any", kind: "condition", if: "steps.look.output.data.exists(m, m.nam == 'x')", after: ["look"] },
      { ...items, steps: [{ id: "odd", kind: "condition", if: "item.titel == 'x' && item.name == 'y'" }] },
      { ...items, id: "more", steps: [tool("i", "show_mission", { id: { $ref: "/item/ident" } })] },
    ]);
    expect([asked.status, asked.body.error.code]).toEqual([422, "UNKNOWN_PATH"]);
    expect(asked.body.error.details.map(({ path, message }: any) => `${path}: ${message}`).sort()).toEqual([
      'definition.steps.1.if: The answer of list_missions has no "ident" at /data/0/ident.',
      'definition.steps.2.if: The answer of list_missions has no "nam" at /data/0/nam.',
      'definition.steps.3.steps.0.if: The answer of list_missions has no "titel" at /data/0/titel.',
      'definition.steps.4.steps.0.arguments.id: The answer of list_missions has no "ident" at /data/0/ident.',
    ]);
    // Maps may name steps alike: each speaks of its own.
    const inside = (id: string, name: string, field: string) => ({
      ...items,
      id,
      steps: [
        tool("show", name, name === "show_mission" ? { id: { $ref: "/item/id" } } : {}),
        { id: "ok", kind: "condition", if: `has(steps.show.output.${field})`, after: ["show"] },
      ],
    });
    expect(
      (await order(ann, [look, inside("x", "show_mission", "name"), inside("y", "list_gates", "data")])).status,
    ).toBe(202);
    const lost = await order(ann, [{ id: "no", kind: "condition", if: "item.x" }]);
    expect(lost.body.error.details).toEqual([
      { path: "definition.steps.0.if", message: "There is no item outside of a map." },
    ]);
    // What it may bring, what names of people stand beside, and what stands in place of a failure, is referred to.
    const right = await order(ann, [
      tool("look", "list_missions", { limit: 1 }),
      {
        id: "say",
        kind: "end",
        after: ["look"],
        output: { a: at1("look/output/data/0/id"), b: at1("look/output/meta") },
      },
      tool("gone", "list_missions", {}, { onError: "default", default: { x: 1 } }),
      { id: "over", kind: "end", after: ["gone"], output: { x: { ...at1("gone/output/x"), default: 0 } } },
    ]);
    expect(right.status).toBe(202);
  });

  it("hands values on by reference, goes one way at a condition, and joins what came of both", async () => {
    for (const name of ["North", "South"]) await done(at, ann, "POST", "/api/missions", { problemSetId: set, name });
    const id = await begin(
      ann,
      [
        tool("look", "list_missions", { limit: { $ref: "/input/most" } }),
        { id: "many", kind: "condition", if: "size(steps.look.output.data) >= 2", after: ["look"] },
        {
          id: "each",
          kind: "map",
          over: { $ref: "/steps/look/output/data" },
          after: [{ step: "many", on: "then" }],
          steps: [tool("show", "show_mission", { id: { $ref: "/item/id" } })],
          output: { $ref: "/steps/show/output/name" },
        },
        tool("none", "list_gates", {}, { after: [{ step: "many", on: "else" }] }),
        {
          id: "over",
          kind: "end",
          after: ["each", "none"],
          output: { names: { $ref: "/steps/each/output" }, gates: { $ref: "/steps/none/output", default: null } },
        },
      ],
      {},
      { input: { most: 2 } },
    );
    const run = await settled(ann, id);
    expect(run).toMatchObject({ status: "completed", output: { gates: null } });
    expect(run.output.names.toSorted()).toEqual(["North", "South"]);
    expect(states(run)).toMatchObject({ "each[0]/show": "completed", "each[1]/show": "completed", over: "completed" });
    const graph = await done(at, ann, "GET", `/api/orchestration/executions/${id}/graph`);
    expect(graph.nodes.map(({ id, state, level }: any) => [id, state, level])).toEqual([
      ["look", "completed", 0],
      ["many", "completed", 1],
      ["each", "completed", 2],
      ["none", "skipped", 2],
      ["over", "completed", 3],
    ]);
    expect(graph.criticalPath).toEqual(["look", "many", "each", "over"]);
    const trace = await done(at, ann, "GET", `/api/orchestration/executions/${id}/trace`);
    expect(trace.spans).toHaveLength(1 + run.log.length);
    expect(new Set(trace.spans.map(({ spanId }: any) => spanId)).size).toBe(trace.spans.length);
    const led = Object.fromEntries(trace.spans.map(({ name, attributes }: any) => [name, attributes.after]));
    expect(led).toMatchObject({ look: [], each: ["many: then"], "each[0]/show": [], over: ["each: done"] });
    const many = trace.spans.find(({ name }: any) => name === "many");
    expect(many.attributes).toMatchObject({ if: "size(steps.look.output.data) >= 2", outcome: "then" });
    const [look, each] = ["look", "each"].map((path) => trace.spans.find(({ name }: any) => name === path));
    expect(look.attributes).toMatchObject({ arguments: { limit: { $ref: "/input/most" } }, output: { meta: {} } });
    expect(each.attributes).toMatchObject({ over: { $ref: "/steps/look/output/data" } });
  });

  it("stores conditions in a row at once, in their order, and begins nothing behind them before", async () => {
    const condition = (id: string, text: string, rest: object = {}) => ({ id, kind: "condition", if: text, ...rest });
    const on = (step: string, outcome: string) => ({ after: [{ step, on: outcome }] });
    const store = at.service("orchestration").store(WorkflowStep);
    const writes: string[][] = [];
    const spy = jest.spyOn(store.collection, "insertMany").mockImplementationOnce(async (docs: any) => {
      // The store takes nothing of it: nothing of it has begun, and the run is looked at anew.
      writes.push(docs.map(({ path }: any) => path));
      throw new DuplicateKey("orchestration.steps", ["_id"]);
    });
    const id = await begin(
      ann,
      [
        condition("a", "input.n > 1"),
        condition("b", "steps.a.output.result", on("a", "then")),
        condition("c", "input.missing", { ...on("b", "then"), onError: "branch" }),
        condition("never", "true", on("c", "then")),
        {
          id: "each",
          kind: "map",
          over: [1, 2, 3],
          steps: [condition("odd", "item != 2"), condition("two", "index < 5", on("odd", "then"))],
          ...on("c", "error"),
        },
        tool("look", "list_missions", {}, on("c", "error")),
      ],
      {},
      { input: { n: 5 } },
    );
    const run = await settled(ann, id);
    spy.mockRestore();
    expect(writes).toEqual([["a", "b", "c", "each", "look"]]);
    expect([run.status, run.reason]).toEqual(["completed", undefined]);
    expect(run.log.slice(0, 3).map(({ path, status, outcome }: any) => [path, status, outcome])).toEqual([
      ["a", "completed", "then"],
      ["b", "completed", "then"],
      ["c", "failed", "error"],
    ]);
    const { never, ...others } = states(run);
    expect([never, Object.keys(others).sort()]).toEqual([
      undefined,
      ["a", "b", "c", "each", "each[0]/odd", "each[0]/two", "each[1]/odd", "each[2]/odd", "each[2]/two", "look"],
    ]);
    const failing = await settled(
      ann,
      await begin(ann, [condition("a", "true"), condition("b", "input.no", on("a", "then"))]),
    );
    expect([failing.status, failing.code, states(failing)]).toEqual([
      "failed",
      "CONDITION",
      { a: "completed", b: "failed" },
    ]);
  });

  it("waits for a person's yes to exactly one act, and goes on", async () => {
    const id = await begin(ann, [
      tool("look", "list_missions"),
      tool("open", "open_mission", { name: "Bridge" }, { after: ["look"] }),
      tool("again", "show_mission", { id: { $ref: "/steps/open/output/id" } }, { after: ["open"] }),
    ]);
    const waiting = await settled(ann, id, ["waiting"]);
    expect(waiting).toMatchObject({ waitingFor: ["approval"] });
    expect(await missionsCalled("Bridge")).toEqual([]);
    await approve(ben, "open_mission");
    const over = await settled(ann, id, OVER);
    expect(over).toMatchObject({ status: "completed", output: { name: "Bridge" } });
    expect(over.log[1]).toMatchObject({ verdict: "approve", approvedBy: ben.userId, attempt: 1 });
    expect(await missionsCalled("Bridge")).toHaveLength(1);
  });
});

describe("a checkpoint", () => {
  const asking = (rest: object = {}, behind: object[] = []) => [
    {
      id: "ask",
      kind: "checkpoint",
      question: "Shall it?",
      arguments: { name: "Ford", n: { $ref: "/input/n" } },
      ...rest,
    },
    ...behind,
  ];
  const pendingOf = async (who: Person, id: string): Promise<any> => {
    await settled(ann, id, ["waiting"]);
    return (await done(at, who, "GET", `/api/orchestration/checkpoints?problemSetId=${set}&limit=100`)).find(
      (one: any) => one.executionId === id,
    );
  };
  const decide = (who: Person, id: string, verb: string, body: object) =>
    as(at, who)("POST", `/api/orchestration/checkpoints/${id}/${verb}`, body);

  it("is decided by a person with the authority, once, by its hash, with edits for the steps behind", async () => {
    const behind = [tool("open", "list_missions", { limit: { $ref: "/steps/ask/output/n" } }, { after: ["ask"] })];
    const id = await begin(ann, asking({}, behind), { output: { $ref: "/steps/ask/output" } }, { input: { n: 1 } });
    expect(await pendingOf(kim, id)).toMatchObject({ mayDecide: false });
    const asked = await pendingOf(ben, id);
    expect(asked).toMatchObject({ mayDecide: true, arguments: { name: "Ford", n: 1 }, status: "pending" });
    const { hash } = asked;
    expect((await decide(kim, asked.id, "approve", { hash })).status).toBe(403);
    expect((await decide(ben, asked.id, "approve", { hash: "0".repeat(64) })).body.error.code).toBe("HASH");
    expect((await decide(ben, asked.id, "approve", { hash, edits: { other: 1 } })).status).toBe(400);
    const { key } = (await as(at, ben)("POST", "/api/keys", { name: "k", scopes: ["write"] })).body.data;
    const path = `/api/orchestration/checkpoints/${asked.id}/approve`;
    expect((await at.http("POST", path, { as: null, headers: { "x-api-key": key }, body: { hash } })).status).toBe(403);
    expect((await decide(ben, asked.id, "approve", { hash, edits: { n: 3 } })).status).toBe(200);
    const second = await decide(ann, asked.id, "approve", { hash });
    expect([second.status, second.body.error.details.by]).toEqual([409, ben.userId]);
    const over = await settled(ann, id, OVER);
    expect(over).toMatchObject({ status: "completed", output: { name: "Ford", n: 3 } });
    expect(over.log[0]).toMatchObject({ approvedBy: ben.userId });
    expect(await pendingOf2(id)).toBeUndefined();
  });
  const pendingOf2 = async (id: string): Promise<any> =>
    (await done(at, ann, "GET", `/api/orchestration/checkpoints?problemSetId=${set}&limit=100`)).find(
      (one: any) => one.executionId === id,
    );

  it("of two who decide at once one is told that the other was first; a reminder in between is in nobody's way", async () => {
    const id = await begin(ann, asking(), {}, { input: { n: 1 } });
    const { id: checkpointId, hash } = await pendingOf(ben, id);
    at.clock.advance(23.5 * 3_600_000);
    const [, ...both] = await Promise.all([
      expire.call(at.service("orchestration")),
      ...[ann, ben].map(async (who) => ({ who, ...(await decide(who, checkpointId, "approve", { hash })) })),
    ]);
    const [first, second] = both.sort((one, other) => one.status - other.status);
    expect([first!.status, second!.status]).toEqual([200, 409]);
    expect(second!.body.error).toMatchObject({
      message: "It was approved already.",
      details: { status: "approved", by: first!.who.userId },
    });
    await settled(ann, id, OVER);
  });

  it("reminds of each that is about to expire, however many there are", async () => {
    const store = at.service("orchestration").store(Checkpoint);
    const system = asSystem("test");
    const asked = (n: number) => ({
      ...{ problemSetId: set, compartments: [], executionId: "none", step: "ask", name: "Many", question: "Now?" },
      ...{ text: "{}", approver: "planner", hash: String(n), for: ann.userId, status: "pending" },
      expiresAt: new Date(at.clock.now() + 3 * 3_600_000 + n).toISOString(),
    });
    const made = await store.createMany(
      system,
      Array.from({ length: 150 }, (_, n) => asked(n)),
    );
    at.clock.advance(2.5 * 3_600_000);
    for (const _turn of [1, 2]) await expire.call(at.service("orchestration"));
    const all = await store.many(
      system,
      made.map(({ id }: any) => id),
    );
    expect(all.filter(({ warnedAt }: any) => warnedAt)).toHaveLength(150);
    for (const one of all) await store.remove(system, one);
  });

  it("that is rejected, or that nobody decides, fails: the run goes the way that is for it, or ends", async () => {
    const branch = { onError: "branch" };
    const behind = [
      { id: "yes", kind: "end", after: ["ask"], output: "yes" },
      { id: "no", kind: "end", after: [{ step: "ask", on: "error" }], output: "no" },
    ];
    const id = await begin(ann, asking(branch, behind), {}, { input: { n: 1 } });
    const asked = await pendingOf(ben, id);
    await decide(ben, asked.id, "reject", { hash: asked.hash, reason: "Not tonight" });
    const over = await settled(ann, id, OVER);
    expect(over).toMatchObject({ status: "completed", output: "no" });
    expect(over.log[0]).toMatchObject({ status: "failed", code: "REJECTED", why: "Not tonight" });

    const late = await begin(ann, asking({ expiresInMs: 60_000 }), {}, { input: { n: 1 } });
    const due = await pendingOf(ben, late);
    at.clock.advance(61_000);
    expect((await decide(ben, due.id, "approve", { hash: due.hash })).status).toBe(409);
    expect(await settled(ann, late, OVER)).toMatchObject({ status: "expired", code: "EXPIRED" });
  });
});

describe("what goes wrong", () => {
  it("a map whose items would take more steps than a run has says how many those are", async () => {
    const steps = [1, 2, 3].map((n) => ({ id: `s${n}`, kind: "condition", if: "item >= 0" }));
    const list = Array.from({ length: 400 }, (_, n) => n);
    const id = await begin(
      ann,
      [{ id: "m", kind: "map", over: { $ref: "/input/list" }, steps }],
      {},
      { input: { list } },
    );
    expect(await settled(ann, id, OVER)).toMatchObject({
      status: "failed",
      code: "MAP",
      reason: "m: Its 400 items would take 1200 steps; 999 of 1000 are left to the run.",
    });
  });

  it("fails the run, leads over the edge for errors, or brings a value in its place; a missing value is loud", async () => {
    const missing = (rest: object = {}) => tool("show", "show_mission", { id: "nowhere" }, rest);
    const failed = await settled(
      ann,
      await begin(ann, [missing(), tool("after", "list_gates", {}, { after: ["show"] })]),
    );
    expect(failed).toMatchObject({ status: "failed", code: "NOT_FOUND", log: [{ status: "failed", attempt: 1 }] });
    const stood = await begin(ann, [
      missing({ onError: "default", default: { name: "None" } }),
      { id: "over", kind: "end", after: ["show"], output: { $ref: "/steps/show/output/name" } },
    ]);
    expect(await settled(ann, stood)).toMatchObject({ status: "completed", output: "None" });
    const loud = await begin(ann, [
      tool("look", "list_missions"),
      { id: "ask", kind: "condition", if: 'steps.look.output.data[99].name == "x"', after: ["look"] },
    ]);
    expect(await settled(ann, loud)).toMatchObject({ status: "failed", code: "CONDITION" });
    const item = await begin(ann, [
      {
        id: "each",
        kind: "map",
        over: ["nowhere", "neither"],
        onError: "branch",
        steps: [tool("show", "show_mission", { id: { $ref: "/item" } })],
      },
      { id: "over", kind: "end", after: [{ step: "each", on: "error" }], output: "dealt with" },
    ]);
    expect(await settled(ann, item)).toMatchObject({ status: "completed", output: "dealt with" });
  });

  it("an agent that is switched off meanwhile stops the run at its next act", async () => {
    const other = (await enrol(at, ann, set, { name: "Brief", tools: READING })).id;
    await delegate(at, ann, other, set, WIDE);
    const behind = { ...tool("look", "list_gates", {}, { after: ["ask"] }), agent: other };
    const id = await begin(ann, [{ id: "ask", kind: "checkpoint", question: "Now?" }, behind]);
    await settled(ann, id, ["waiting"]);
    await done(at, ann, "PUT", `/api/agents/${other}/deactivate`, {});
    const [asked] = (await done(at, ann, "GET", `/api/orchestration/checkpoints?limit=100`)).filter(
      (one: any) => one.executionId === id,
    );
    await done(at, ann, "POST", `/api/orchestration/checkpoints/${asked.id}/approve`, { hash: asked.hash });
    const over = await settled(ann, id, OVER);
    expect(over).toMatchObject({ status: "stopped", code: "AGENT_DEACTIVATED" });
  });

  it("runs out of time at work, while waiting for people does not count", async () => {
    const limits = { runMs: 1_000 };
    const id = await begin(
      ann,
      [{ id: "ask", kind: "checkpoint", question: "Now?" }, tool("a", "list_gates", {}, { after: ["ask"] })],
      { limits },
    );
    await settled(ann, id, ["waiting"]);
    at.clock.advance(3_600_000);
    const graph = await done(at, ann, "GET", `/api/orchestration/executions/${id}/graph`);
    expect(graph).toMatchObject({ criticalPath: ["ask"], nodes: [{ id: "ask", state: "waiting" }, { ms: null }] });
    expect(Math.min(graph.criticalMs, graph.nodes[0].ms)).toBeGreaterThanOrEqual(3_600_000);
    const [asked] = (await done(at, ann, "GET", `/api/orchestration/checkpoints?limit=100`)).filter(
      (one: any) => one.executionId === id,
    );
    await done(at, ann, "POST", `/api/orchestration/checkpoints/${asked.id}/approve`, { hash: asked.hash });
    expect(await settled(ann, id, OVER)).toMatchObject({ status: "completed" });
  });
});

describe("budgets", () => {
  const looks = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...tool(`look${at}`, "list_gates"), onError: "branch" }));

  it("are one for all agents of a run, however many ask at once, and one a day for an agent and a set", async () => {
    const few = await begin(ann, looks(8), { limits: { calls: 5 } });
    const over = await settled(ann, few, OVER);
    expect(over.log.filter(({ status }: any) => status === "completed")).toHaveLength(5);
    expect(over.log.filter(({ code }: any) => code === "BUDGET")).toHaveLength(3);

    const other = (await enrol(at, ann, set, { name: "Thrifty", tools: READING })).id;
    await delegate(at, ann, other, set, WIDE);
    const host = at.service("agents");
    const id = `agent:${other}:${new Date(at.clock.now()).toISOString().slice(0, 10)}`;
    const system = asSystem("test");
    await host.store(Allowance).create(system, { id, usedCalls: 4_999, usedTokens: 0, usedCost: 0 });
    const steps = looks(3).map((step) => ({ ...step, agent: other }));
    const last = await settled(ann, await begin(ann, steps), OVER);
    expect(last.log.filter(({ status }: any) => status === "completed")).toHaveLength(1);
    expect(await host.store(Allowance).get(system, id)).toMatchObject({ usedCalls: 5_000 });
  });
});

describe("cancelling", () => {
  it("ends it at once, with its checkpoints and approvals, and says what was done; twice is harmless", async () => {
    const id = await begin(ann, [
      tool("open", "open_mission", { name: "Ferry" }),
      { id: "ask", kind: "checkpoint", question: "More?", after: ["open"] },
      tool("more", "open_mission", { name: "Ferry two" }, { after: ["open"] }),
    ]);
    // Nothing was read before: at autonomy 2 the planner's matrix asks for a yes all the same.
    await approve(ann, "open_mission");
    await eventually(
      () => show(ann, id),
      ({ waitingFor }) => waitingFor?.length === 2,
      30_000,
    );
    const stranger = await as(at, kim)("POST", `/api/orchestration/executions/${id}/cancel`, {});
    expect(stranger.status).toBe(403);
    for (const _twice of [1, 2]) {
      const ended = await done(at, ann, "POST", `/api/orchestration/executions/${id}/cancel`, { reason: "Enough" });
      expect(ended).toMatchObject({ status: "cancelled", effects: [{ step: "open", status: "done" }] });
    }
    expect(states(await show(ann, id))).toEqual({ open: "completed", ask: "cancelled", more: "cancelled" });
    const approvals = await done(at, ann, "GET", `/api/agents/approvals?problemSetId=${set}&limit=100`);
    expect(approvals.filter((one: any) => one.arguments.name === "Ferry two")).toEqual([]);
    expect(await missionsCalled("Ferry two")).toEqual([]);
    const over = await begin(ann, [tool("look", "list_gates")]);
    await settled(ann, over, OVER);
    expect((await as(at, ann)("POST", `/api/orchestration/executions/${over}/cancel`, {})).status).toBe(409);
  });

  it("while an act waits for a person leaves nothing that waits, in the agent's own log neither", async () => {
    const id = await begin(ann, [tool("ask", "open_mission", { name: "Never asked again" })]);
    await eventually(
      () => show(ann, id),
      (run) => run.waitingFor?.includes("approval"),
      30_000,
    );
    const runs = await done(at, ann, "GET", `/api/agents/executions?problemSetId=${set}`);
    const run = runs.find(({ plan }: any) => plan?.id === id);
    const own = (): Promise<any> => done(at, ann, "GET", `/api/agents/executions/${run.id}`);
    expect((await own()).log).toMatchObject([{ tool: "open_mission", status: "waiting" }]);
    await done(at, ann, "POST", `/api/orchestration/executions/${id}/cancel`, {});
    const ended = await eventually(own, ({ log }) => log[0].status !== "waiting", 30_000);
    expect(ended).toMatchObject({ status: "stopped", reason: "The workflow was cancelled." });
    expect(ended.log).toMatchObject([{ tool: "open_mission", status: "refused", code: "CANCELLED" }]);
    expect(await missionsCalled("Never asked again")).toEqual([]);
  });

  it("lists what an agent did in a task of its own, and what was under way behind a person's yes", async () => {
    const turns = [answer({ act: "open_mission", arguments: { name: "Task ferry" } })];
    model.respond(
      () => turns.shift() ?? { kind: "slow", ms: 20_000, before: answer({ act: "finish", answer: "Over." }) },
    );
    const id = await begin(ann, [{ id: "do", kind: "agent", agent: scout, task: "Open a mission" }]);
    await approve(ann, "open_mission");
    await eventually(
      () => missionsCalled("Task ferry"),
      (all) => all.length > 0,
      30_000,
    );
    const ended = await eventually(
      () => done(at, ann, "POST", `/api/orchestration/executions/${id}/cancel`, {}),
      ({ effects }) => effects[0]?.status === "done",
    );
    expect(ended.effects).toEqual([{ step: "do", tool: "open_mission", effect: "keyed", status: "done" }]);
    const { spans } = await done(at, ann, "GET", `/api/orchestration/executions/${id}/trace`);
    expect(spans[1].attributes).toMatchObject({ task: "Open a mission", input: {} });
  });

  it("a join that takes the first cancels the rest", async () => {
    const id = await begin(ann, [
      tool("quick", "list_missions"),
      { id: "slow", kind: "checkpoint", question: "Slow?" },
      { id: "first", kind: "end", after: ["quick", "slow"], join: "first", output: "quick" },
    ]);
    const over = await settled(ann, id, OVER);
    expect(over).toMatchObject({ status: "completed", output: "quick" });
    expect(states(over)).toEqual({ quick: "completed", slow: "cancelled", first: "completed" });
    const left = await done(at, ann, "GET", "/api/orchestration/checkpoints?limit=100");
    expect(left.filter((one: any) => one.executionId === id)).toEqual([]);
  });

  it("what a join has no use for is asked of nobody any longer, while the run goes on", async () => {
    const id = await begin(ann, [
      tool("quick", "list_missions"),
      { id: "slow", kind: "checkpoint", question: "Slow?" },
      tool("left", "open_mission", { name: "Left" }),
      { id: "first", kind: "wait", ms: 3_600_000, after: ["quick", "slow", "left"], join: "first" },
    ]);
    await eventually(
      () => show(ann, id),
      ({ log }) => log.some(({ path, status }: any) => path === "first" && status === "waiting"),
      30_000,
    );
    const asked = async (): Promise<any[]> => [
      ...(await done(at, ann, "GET", "/api/orchestration/checkpoints?limit=100")).filter(
        (one: any) => one.executionId === id,
      ),
      ...(await done(at, ann, "GET", "/api/agents/approvals?limit=100")).filter(
        (one: any) => one.arguments.name === "Left",
      ),
    ];
    await eventually(asked, (all) => all.length === 0, 30_000);
    await eventually(
      () => show(ann, id),
      (run) => states(run).left === "cancelled" && run.status === "waiting",
      30_000,
    );
    await done(at, ann, "POST", `/api/orchestration/executions/${id}/cancel`, {});
    expect(await missionsCalled("Left")).toEqual([]);
  });
});

describe("at once", () => {
  it("cancelling reaches an agent whose model still thinks: nothing of what it wants then is done", async () => {
    model.respond(() => ({
      kind: "slow",
      ms: 20_000,
      before: answer({ act: "open_mission", arguments: { name: "Late" } }),
    }));
    const asked = model.received.length;
    const id = await begin(ann, [{ id: "think", kind: "agent", agent: scout, task: "Open a mission" }]);
    await eventually(
      () => Promise.resolve(model.received.length),
      (count) => count > asked,
      30_000,
    );
    const run = await eventually(
      () => show(ann, id),
      ({ log }) => log[0]?.runId !== undefined,
      30_000,
    );
    await done(at, ann, "POST", `/api/orchestration/executions/${id}/cancel`, {});
    model.respond(() => answer({ act: "finish", answer: "Over." }));
    const ended = await done(at, ann, "GET", `/api/agents/executions/${run.log[0].runId}`);
    expect(ended).toMatchObject({ status: "stopped", log: [] });
    expect(states(await show(ann, id))).toEqual({ think: "cancelled" });
    expect(await missionsCalled("Late")).toEqual([]);
  });

  it("somebody has twenty runs that have not ended, and no more", async () => {
    const rest = [{ id: "rest", kind: "wait", ms: 3_600_000 }];
    // However many ask at once.
    const all = await Promise.all(Array.from({ length: 32 }, () => order(kim, rest)));
    const begun = all.filter(({ status }) => status === 202).map(({ body }) => body.data.executionId as string);
    const [refused] = all.filter(({ status }) => status !== 202);
    expect([begun.length, refused!.status]).toEqual([20, 429]);
    expect(await order(kim, rest)).toMatchObject({
      status: 429,
      body: { error: { message: expect.stringContaining("20") } },
    });
    for (const id of begun) await done(at, kim, "POST", `/api/orchestration/executions/${id}/cancel`, {});
    expect((await order(kim, rest)).status).toBe(202);
  });
});

describe("agents of a workflow", () => {
  const finish = (text: string) => answer({ act: "finish", answer: text, citations: [] });

  it("carry out tasks with what other steps brought, which is quoted: others wrote it", async () => {
    model.respond(() => finish("Two missions."));
    const id = await begin(ann, [
      tool("look", "list_missions"),
      {
        id: "sum",
        kind: "agent",
        agent: scout,
        task: "Sum it up",
        input: { found: { $ref: "/steps/look/output" } },
        after: ["look"],
      },
    ]);
    const over = await settled(ann, id, OVER);
    expect(over).toMatchObject({ status: "completed", output: { text: "Two missions.", method: "llm" } });
    expect(over.tokens).toBeGreaterThan(0);
    const [, said] = model.received.at(-1)!.messages;
    expect(said!.content).toMatch(/Task: Sum it up[^]+North/);
    expect(said!.content).not.toContain('Input: {"found"');
  });

  it("name figures that they made up, so that a condition can leave those to a person", async () => {
    model.respond(() => finish("There are 930 missions."));
    const id = await begin(ann, [
      { id: "sum", kind: "agent", agent: scout, task: "Count the missions" },
      { id: "sound", kind: "condition", if: "!has(steps.sum.output.unsupported)", after: ["sum"] },
      { id: "go", kind: "end", after: [{ step: "sound", on: "then" }] },
      {
        id: "ask",
        kind: "checkpoint",
        question: "Nobody can look these up: go on?",
        arguments: { figures: { $ref: "/steps/sum/output/unsupported" } },
        after: [{ step: "sound", on: "else" }],
      },
    ]);
    const waiting = await settled(ann, id, ["waiting"]);
    expect(waiting.status).toBe("waiting");
    const asked = await done(at, ann, "GET", `/api/orchestration/checkpoints?problemSetId=${set}`);
    expect(asked.find(({ executionId }: any) => executionId === id).arguments).toEqual({ figures: ["930"] });
    await done(at, ann, "POST", `/api/orchestration/executions/${id}/cancel`, {});
  });

  it("read compartments that close the run, and nobody else sees it any longer", async () => {
    const document = await put(at, ben, "The ford is mined.", "ford.txt", { problemSetId: set, compartments: [red] });
    const figures = (): Promise<any> => done(at, kim, "GET", `/api/orchestration/metrics?problemSetId=${set}`);
    const { from: _before, to: _now, ...before } = await figures();
    const id = await begin(ben, [
      tool("look", "list_missions"),
      tool("read", "read_document", { documentId: document.id }),
      {
        id: "ask",
        kind: "checkpoint",
        question: "Tell?",
        arguments: { text: { $ref: "/steps/read/output" } },
        after: ["look", "read"],
      },
    ]);
    await settled(ben, id, ["waiting"]);
    expect(await show(ben, id)).toMatchObject({
      compartments: [red],
      log: [{ path: "look", compartments: [] }, {}, {}],
    });
    // What of it lies in no compartment is not counted either.
    const { from: _from, to: _to, ...after } = await figures();
    expect(after).toEqual(before);
    for (const path of [`executions/${id}`, `executions/${id}/trace`, `executions/${id}/graph`])
      expect((await as(at, kim)("GET", `/api/orchestration/${path}`)).status).toBe(404);
    for (const path of ["executions", "checkpoints", `metrics?problemSetId=${set}`])
      expect((await as(at, kim)("GET", `/api/orchestration/${path}`)).text).not.toContain("mined");
    await done(at, ben, "POST", `/api/orchestration/executions/${id}/cancel`, {});
  });
});

describe("a supervisor", () => {
  const save = (fields: object) =>
    done(at, ann, "POST", "/api/orchestration/supervisors", {
      problemSetId: set,
      name: "Desk",
      agents: [scout, clerk],
      ...fields,
    });
  const put1 = async (id: string, body: object): Promise<any> => {
    const { executionId } = await done(at, ann, "POST", `/api/orchestration/supervisors/${id}/execute`, body);
    return settled(ann, executionId, OVER);
  };

  it("hands work to each by turns, to who is good at it, or as the model says", async () => {
    model.respond(({ messages }) =>
      messages[0]!.content.includes("hand work") ? answer({ next: clerk }) : answer({ act: "finish", answer: "Done." }),
    );
    const turns = await save({ strategy: "round-robin", rounds: 2 });
    const two = await put1(turns.id, { task: "Look" });
    expect(two.log.map(({ agentId }: any) => agentId)).toEqual([scout, clerk]);
    expect((await put1(turns.id, { task: "Look", rounds: 1 })).log[0].agentId).toBe(clerk);
    const able = await save({ strategy: "capability" });
    const chosen = await put1(able.id, { task: "publish a message" });
    expect(chosen.log[0]).toMatchObject({ agentId: clerk, choice: { method: "capability" } });
    const asked = await put1((await save({ strategy: "model" })).id, { task: "Read the documents" });
    expect(asked.log[0]).toMatchObject({ agentId: clerk, choice: { method: "llm" }, output: { text: "Done." } });
    // What choosing took is charged to the run as everything else, and shown with the step.
    const [{ runId, tokens, choice }] = asked.log;
    expect(choice.tokens).toBeGreaterThan(0);
    expect(tokens).toBe(
      (await at.call("agents.runs.show", { executionId: runId }, systemActor("test"))).usedTokens + choice.tokens,
    );
    expect(asked.tokens).toBe(tokens);
    const [spent] = await at
      .service("agents")
      .store(Allowance)
      .find(asSystem("test"), { _id: `plan:${asked.id}` });
    expect(spent.usedTokens).toBe(tokens);
    const freeze = (frozen: boolean) =>
      at.call("agents.freeze", { scope: set, frozen, reason: "A drill", by: ann.userId }, systemActor("test"));
    const supervisor = await save({ strategy: "model" });
    const before = model.received.length;
    await freeze(true);
    const stopped = await put1(supervisor.id, { task: "Read the documents" });
    await freeze(false);
    expect([stopped.status, model.received.length]).toEqual(["stopped", before]);
    const nobody = await as(at, ann)("POST", "/api/orchestration/supervisors", {
      problemSetId: set,
      name: "Desk",
      agents: [scout, "nobody"],
    });
    expect(nobody.body.error.details).toMatchObject([{ path: "agents.1" }]);
  });

  it("and a workflow name an agent in a compartment only where they lie in it too, and to whoever may see it", async () => {
    const { id: hidden } = await enrol(at, ben, set, { tools: ["list_missions"], compartments: [red] });
    await delegate(at, ben, hidden, set, { ...WIDE, grants: [red] });
    const desk = (who: Person, fields: object) =>
      as(at, who)("POST", "/api/orchestration/supervisors", { problemSetId: set, name: "Desk", ...fields });
    const plan = (who: Person, agent: string, more: object = {}) =>
      order(who, [{ ...tool("a", "list_missions"), agent }], {}, more);
    const narrower = "It lies in a compartment that what names it does not lie in.";
    for (const { status, body } of [await desk(ben, { agents: [hidden] }), await plan(ben, hidden)])
      expect([status, body.error.details[0].message]).toEqual([400, narrower]);
    expect((await desk(ben, { agents: [hidden], compartments: [red] })).status).toBe(201);
    expect((await plan(ben, hidden, { compartments: [red] })).status).toBe(202);
    for (const ask of [(agent: string) => desk(ann, { agents: [agent] }), (agent: string) => plan(ann, agent)]) {
      const [{ body: there }, { body: none }] = [await ask(hidden), await ask("nobody")];
      expect(there.error.details).toEqual(none.error.details);
    }
  });
});

it("figures are of what the caller sees, with people's waiting apart", async () => {
  const own = await done(at, ann, "GET", `/api/orchestration/metrics?problemSetId=${set}&days=90`);
  expect(own.byStatus.completed).toBeGreaterThan(3);
  expect(own.steps.tool.count).toBeGreaterThan(5);
  expect(own.waiting.p99).toBeGreaterThan(own.steps.checkpoint.p99);
  const kims = await done(at, kim, "GET", `/api/orchestration/metrics?problemSetId=${set}&days=90`);
  expect(kims.executions).toBeLessThan(own.executions + 1);
});
