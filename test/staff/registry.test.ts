import { world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { delegate, done, enrol, execute, inDays, settled } from "./setup.ts";

// Agents without a model: who has them, what is delegated to them, and what they can say by words and rules alone.

let at: TestWorld;
let ann: Person, ben: Person, kim: Person, far: Person;
let set: string, red: string;
beforeAll(async () => {
  at = await world();
  [ann, ben, kim, far] = await persons(at, "ann", "ben", "kim", "far");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, kim, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
});
afterAll(() => at.stop());

const READING = ["list_missions", "list_gates", "list_documents", "list_daos"];
const refusal = async (who: Person, method: string, path: string, body?: unknown): Promise<unknown[]> => {
  const { status, body: said } = await as(at, who)(method, path, body);
  return [status, said.error?.code];
};

describe("the registry", () => {
  it("has agents of a problem set and of all of them, each with a DID of its own", async () => {
    const own = await enrol(at, ben, set, { name: "Own", tools: READING, teams: ["night", "day"] });
    const resolved = await done(at, ben, "POST", "/api/identity/did/resolve", { did: own.did });
    expect(resolved.didDocument.id).toBe(own.did);
    expect(await refusal(ann, "POST", "/api/agents", { name: "For all" })).toEqual([403, "FORBIDDEN"]);
    const everywhere = (
      await at.http("POST", "/api/agents", { as: "admin", body: { name: "For all", tools: ["search_articles"] } })
    ).body.data;
    const names = async (who: Person) =>
      (await done(at, who, "GET", "/api/agents?sort=name")).map((one: any) => one.name);
    expect(await names(kim)).toEqual(["For all", "Own"]);
    expect(await names(far)).toEqual(["For all"]);
    expect((await as(at, far)("GET", `/api/agents/${own.id}`)).status).toBe(404);
    // As problem sets show them.
    const rows = await done(at, kim, "GET", `/api/problem-sets/agents/list?problemSetId=${set}`);
    expect(rows.map((one: any) => one.id)).toEqual([everywhere.id, own.id]);
    const teams = await done(at, kim, "GET", `/api/problem-sets/teams/list?problemSetId=${set}`);
    expect(teams).toMatchObject([
      { name: "day", agentIds: [own.id] },
      { name: "night", agentIds: [own.id] },
    ]);
    expect(await refusal(kim, "PUT", `/api/agents/${own.id}/deactivate`, {})).toEqual([403, "FORBIDDEN"]);
    for (const _twice of [1, 2])
      expect(await done(at, ben, "PUT", `/api/agents/${own.id}/deactivate`, {})).toMatchObject({
        status: "deactivated",
        deactivatedBy: ben.userId,
      });
    expect(
      await refusal(ben, "POST", `/api/agents/${own.id}/execute`, { task: "Anything", problemSetId: set }),
    ).toEqual([422, "AGENT_DEACTIVATED"]);
    expect(await done(at, kim, "GET", `/api/problem-sets/agents/list?problemSetId=${set}`)).toHaveLength(1);
  });

  it("refuses tools that there are not, and a tool that is made harmless; whoever asks is told which there are", async () => {
    const reading = await done(at, kim, "GET", "/api/agents/tools?class=observe&limit=100");
    const row = { name: "list_missions", class: "observe", effect: "read", parameters: { type: "object" } };
    expect(reading).toEqual(expect.arrayContaining([expect.objectContaining({ name: "list_missions" })]));
    expect(reading.find(({ name }: any) => name === row.name)).toMatchObject(row);
    expect(reading.filter((one: any) => one.class !== "observe")).toEqual([]);
    const tools = ["shell", "list_missions"];
    const wrong = await as(at, ann)("POST", "/api/agents", { problemSetId: set, name: "X", tools });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, "tools.0"]);
    const raised = { open_mission: "observe" };
    const lowered = await as(at, ann)("POST", "/api/agents", { problemSetId: set, name: "X", raised });
    expect([lowered.status, lowered.body.error.details[0].path]).toEqual([400, "raised.open_mission"]);
  });
});

it("of all its tools an agent has a hundred at the most, however they come to it, and can be read afterwards", async () => {
  const given = { kind: "action", action: "missions.list", summary: "List missions", class: "observe", effect: "read" };
  const names = Array.from({ length: 101 }, (_, at_) => `list_missions_${at_}`);
  for (const name of names)
    expect((await at.http("POST", "/api/admin/tools", { body: { name, ...given } })).status).toBe(201);
  const [last, ...tools] = names;
  const fields = { name: "Has all", tools };
  const agent = (await at.http("POST", "/api/agents", { body: fields })).body.data;
  const asked: [method: string, path: string, body?: object][] = [
    ["POST", `/api/admin/tools/${last}/assign/${agent.id}`],
    ["PUT", `/api/admin/agents/${agent.id}`, { capabilities: ["messaging"] }],
    ["POST", "/api/agents", { ...fields, capabilities: ["messaging"] }],
    ["POST", "/api/admin/agents", { ...fields, capabilities: ["messaging"] }],
  ];
  for (const [method, path, body] of asked) {
    const reply = await at.http(method, path, { body });
    expect([path, reply.status, reply.body.error.code]).toEqual([path, 422, "TOO_MANY_TOOLS"]);
  }
  expect((await at.http("GET", `/api/agents/${agent.id}`)).body.data).toEqual(agent);
});

describe("a delegation", () => {
  it("is a person's, in one set, within their compartments, for 90 days at the most", async () => {
    const { id } = await enrol(at, ann, set, { tools: READING });
    const path = `/api/agents/${id}/delegations`;
    const body = { problemSetId: set, classes: ["observe"], expiresAt: inDays(at, 7) };
    expect(await refusal(kim, "POST", path, body)).toEqual([403, "FORBIDDEN"]);
    expect(await refusal(ann, "POST", path, { ...body, expiresAt: inDays(at, 91) })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await refusal(ann, "POST", path, { ...body, classes: [] })).toEqual([422, "NOTHING_DELEGATED"]);
    expect(await refusal(ann, "POST", path, { ...body, limits: { cost: 1 } })).toEqual([422, "NO_PRICES"]);
    const blue = await openCompartment(at, set, ann, "Blue");
    expect((await as(at, ben)("POST", path, { ...body, grants: [blue] })).status).toBe(404);
    const given = await delegate(at, ben, id, set, { grants: [red] });
    expect(given).toMatchObject({ by: ben.userId, grants: [red], compartments: [red], depth: 1, usedCalls: 0 });
    expect(await done(at, kim, "GET", path)).toEqual([]);
    expect(await done(at, ann, "GET", path)).toEqual([]);
    expect(await done(at, ben, "GET", path)).toMatchObject([{ id: given.id }]);
    expect(await refusal(kim, "DELETE", `/api/agents/delegations/${given.id}`)).toEqual([404, "NOT_FOUND"]);
    for (const _twice of [1, 2])
      expect((await as(at, ben)("DELETE", `/api/agents/delegations/${given.id}`)).status).toBe(204);
    expect(await refusal(ben, "POST", `/api/agents/${id}/execute`, { task: "Look", problemSetId: set })).toEqual([
      422,
      "NO_DELEGATION",
    ]);
    const asked = await as(at, ben)("POST", `/api/agents/${id}/execute`, { task: "Look", problemSetId: set });
    expect(asked.body.error.message).toContain(`POST ${path}`);
  });

  it("gives an agent nothing that it could not use: tools that it lacks are refused by name, and classes of none", async () => {
    const { id } = await enrol(at, ann, set, { name: "Reader", tools: READING });
    const give = async (fields: object) =>
      (await as(at, ann)("POST", `/api/agents/${id}/delegations`, {
        problemSetId: set,
        expiresAt: inDays(at, 7),
        ...fields,
      })) as any;
    const lacking = await give({ tools: [READING[0], "open_mission"] });
    expect([lacking.status, lacking.body.error.details]).toEqual([
      400,
      [{ path: "tools.1", message: `Reader has no tool open_mission; \`GET /api/agents/${id}\` lists its own.` }],
    ]);
    const idle = await give({ classes: ["spend"] });
    expect([idle.status, idle.body.error.code, idle.body.error.details]).toEqual([
      422,
      "NOTHING_DELEGATED",
      [{ path: "classes", message: "Reader has no tool of these classes; its tools are of observe." }],
    ]);
    expect((await give({ classes: ["spend", "observe"] })).status).toBe(201);
  });

  it("is handed on as the intersection, three deep, in no circle, and dies with what it came from", async () => {
    const agents = await Promise.all(
      Array.from({ length: 4 }, (_, n) => enrol(at, ann, set, { name: `Relay ${n}`, tools: READING })),
    );
    const [one, two, three, four] = agents.map(({ id }) => id as string);
    const first = await delegate(at, ann, one!, set, { tools: READING.slice(0, 2), classes: [], limits: { calls: 9 } });
    const second = await delegate(at, ann, two!, set, { fromId: first.id, limits: { calls: 50 } });
    expect(second).toMatchObject({
      tools: ["list_gates", "list_missions"],
      classes: [],
      limits: { calls: 9 },
      depth: 2,
    });
    const path = (id: string | undefined) => `/api/agents/${id}/delegations`;
    const body = { problemSetId: set, classes: ["observe"], expiresAt: inDays(at, 7) };
    expect(await refusal(ann, "POST", path(one), { ...body, fromId: second.id })).toEqual([422, "CYCLE"]);
    const third = await delegate(at, ann, three!, set, { fromId: second.id });
    expect(await refusal(ann, "POST", path(four), { ...body, fromId: third.id })).toEqual([422, "TOO_DEEP"]);
    expect(await refusal(ben, "POST", path(four), { ...body, fromId: first.id })).toEqual([404, "NOT_FOUND"]);
    const ran = await settled(
      at,
      ann,
      await execute(at, ann, three!, { task: "List each mission", problemSetId: set }),
    );
    expect(ran.log).toMatchObject([{ tool: "list_missions", status: "done" }]);
    expect((await done(at, ann, "GET", path(one)))[0]).toMatchObject({ usedCalls: 1 });
    const inForce = async (id: string | undefined) =>
      (await done(at, ann, "GET", path(id))).map((row: any) => row.inForce);
    expect(await inForce(three)).toEqual([true]);
    await as(at, ann)("DELETE", `/api/agents/delegations/${first.id}`);
    // Its own state says nothing of what it came from.
    expect([await inForce(one), await inForce(three)]).toEqual([[false], [false]]);
    const dead = await settled(
      at,
      ann,
      await execute(at, ann, three!, { task: "List each mission", problemSetId: set }),
    );
    expect(dead).toMatchObject({ status: "stopped", log: [{ code: "DELEGATION_ENDED" }] });
  });
});

describe("without a model", () => {
  it("a tool is picked by its words, and the answer is in the words of what was read", async () => {
    await done(at, ann, "POST", "/api/missions", {
      problemSetId: set,
      name: "Ferry",
      objective: "The ferry carries the hospital across before dawn. Nobody else crosses.",
    });
    const { id } = await enrol(at, ann, set, { tools: READING });
    await delegate(at, ann, id, set);
    const ran = await settled(
      at,
      ann,
      await execute(at, ann, id, { task: "Which mission carries the hospital?", problemSetId: set }),
    );
    expect(ran).toMatchObject({ status: "completed", method: "heuristic", log: [{ tool: "list_missions" }] });
    expect(ran.answer.text).toContain("carries the hospital across");
    expect(ran.answer.citations).toEqual([ran.log[0].id]);
  });

  it("no tool is picked that needs what nobody gave, and what was read is shown where no word of it fits", async () => {
    const { id } = await enrol(at, ann, set, { tools: ["show_mission", ...READING] });
    await delegate(at, ann, id, set);
    const ran = async (task: string) =>
      settled(at, ann, await execute(at, ann, id, { task, problemSetId: set })) as Promise<any>;
    const listed = await ran("Show which missions there are");
    expect(listed.log).toMatchObject([{ tool: "list_missions", status: "done" }]);
    expect(listed.answer.text).toMatch(/in its words\. It begins:\n(.*\n)*Ferry$/m);
    expect(listed.answer.citations).toEqual([listed.log[0].id]);
    const opened = await execute(at, ann, id, { task: "Show a mission", input: { id: "none" }, problemSetId: set });
    expect(await settled(at, ann, opened)).toMatchObject({
      log: [{ tool: "show_mission", status: "failed" }],
      answer: { text: "Nothing was read. show_mission: No mission none." },
    });
    expect((await ran("Qwerty")).answer).toMatchObject({
      text: expect.stringMatching(/^Nothing was read/),
      citations: [],
    });
  });

  it("what its input names is read, whatever the task's words; a dry run says what would be used, and why it may", async () => {
    const { id } = await enrol(at, ann, set, { tools: ["show_mission", "edit_mission", ...READING] });
    await delegate(at, ann, id, set);
    const [mission] = await done(at, ann, "GET", `/api/missions?problemSetId=${set}`);
    const asked = { task: "Is anything said of the missions' pontoons?", input: { id: mission.id }, problemSetId: set };
    const ran: any = await settled(at, ann, await execute(at, ann, id, asked));
    expect(ran.log).toMatchObject([{ tool: "show_mission", status: "done" }]);
    const dry: any = await settled(at, ann, await execute(at, ann, id, { ...asked, dryRun: true }));
    expect(dry.answer.text).toMatch(/^Nothing was done: it was only tried\. It would use show_mission: Read what/);
    expect(dry.answer.citations).toEqual([]);
  });

  it("outside problem sets it observes alone, and its run is its person's", async () => {
    const { id } = (
      await at.http("POST", "/api/agents", {
        as: "admin",
        body: { name: "Reader", tools: ["list_articles", "generate_briefing"] },
      })
    ).body.data;
    const look = await execute(at, far, id, { task: "List the articles" });
    expect(await settled(at, far, look)).toMatchObject({ status: "completed", log: [{ status: "done" }] });
    expect((await as(at, ann)("GET", `/api/agents/executions/${look}`)).status).toBe(404);
    const make = await execute(at, far, id, { task: "Have a briefing made", tools: ["generate_briefing"] });
    expect((await settled(at, far, make)).log).toMatchObject([{ status: "refused", code: "OUTSIDE" }]);
    expect(await done(at, far, "GET", `/api/agents/${id}/actions`)).toHaveLength(2);
    expect(await done(at, ann, "GET", `/api/agents/${id}/actions`)).toEqual([]);
  });

  it("analyses a whole set by rules, with evidence, and names what it was refused", async () => {
    const place = await openSet(at, ann, { name: "Analysis" });
    const make = (path: string, body: object) => done(at, ann, "POST", path, { problemSetId: place, ...body });
    const late = await make("/api/missions", { name: "Late", objective: "Be on time", endsAt: inDays(at, 1) });
    await done(at, ann, "POST", `/api/missions/${late.id}/activate`, {});
    await make("/api/missions", { name: "Vague" });
    const more = { objective: "Hold", endsAt: inDays(at, 9) };
    await Promise.all(Array.from({ length: 110 }, (_, n) => make("/api/missions", { name: `Clear ${n}`, ...more })));
    const gate = await make("/api/gates", { tab: "mdmp", name: "Release", deadline: inDays(at, 2.5) });
    const { id } = await enrol(at, ann, place, { tools: READING });
    await delegate(at, ann, id, place, { tools: READING.slice(0, 2), classes: [] });
    at.clock.advance(2 * 86_400_000);
    const ran = await settled(at, ann, await execute(at, ann, id, { problemSetId: place }, "analyze-all"));
    expect(ran).toMatchObject({ status: "completed", method: "rules" });
    // All pages of what it may read, and nothing said of what it may not.
    expect(ran.log.map(({ tool, arguments: { page } }: any) => [tool, page])).toEqual([
      ["list_missions", 1],
      ["list_missions", 2],
      ["list_gates", 1],
      ["list_documents", 1],
    ]);
    expect(ran.answer).toMatchObject({ unseen: ["list_documents"], seen: { missions: 112, gates: 1 } });
    expect(ran.answer.seen).not.toHaveProperty("documents");
    expect(ran.answer.text).toBe(
      "2 gaps, 1 risk, 1 overdue, 0 contradictions: it looked at 112 missions, 1 gate. " +
        "Not looked at, or not at all of them: documents.",
    );
    const { findings } = ran.answer;
    expect(findings[0]).toMatchObject({ kind: "overdue", severity: "high", evidence: [{ id: late.id }] });
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: "risk", evidence: [{ type: "gate", id: gate.id }] }),
    );
    expect(findings.filter(({ text }: any) => text.includes("Vague"))).toHaveLength(2);

    const records = async () => (await at.mesh.world.documents.collection("agents_executions")).count();
    const before = await records();
    const advice = await done(at, ann, "GET", `/api/agents/governance-copilot/analyze?problemSetId=${place}`);
    expect(advice).toMatchObject({
      method: "rules",
      seen: { problemSets: 1, gates: 1, daos: 0, proposals: 0 },
      advice: [{ kind: "deadline", evidence: [{ id: gate.id }], problemSetId: place }],
    });
    expect(await done(at, far, "GET", "/api/agents/governance-copilot/analyze")).toMatchObject({ advice: [] });
    expect(await records()).toBe(before);
  });
});
