import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { asSystem } from "../../core/access/caller.ts";
import { UNUSED } from "../../services/staff/agents/delegations/delegations.ts";
import { Execution } from "../../services/staff/agents/executions/executions.ts";
import { end } from "../../services/staff/agents/executions/records.ts";
import { passes } from "../../services/staff/validation/circuits/judging.ts";
import { Allowance } from "../../services/staff/agents/gate/allowances.ts";
import { systemActor } from "../../core/access/access.ts";
import { DRIVE } from "../../services/staff/validation/runs/driving.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { delegate, done, enrol, inDays } from "./setup.ts";

// How well agents do is measured in training; one that lies below its threshold is stopped, until it is fit again.

let at: TestWorld;
let model: StandIn;
let ann: Person, ben: Person, kim: Person, far: Person;
let set: string, red: string;
beforeAll(async () => {
  model = await modelStandIn();
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
  [ann, ben, kim, far] = await persons(at, "ann", "ben", "kim", "far");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, kim, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
});
afterAll(async () => {
  await at?.stop();
  await model.close();
});

const TOOLS = ["list_missions", "open_mission", "invite_member"];
const act = (tool: string, args: object) => answer({ act: tool, arguments: args });
const finish = (text: string, citations: number[] = []) => answer({ act: "finish", answer: text, citations });
const refusal = async (who: Person, method: string, path: string, body?: unknown): Promise<unknown[]> => {
  const { status, body: said } = await as(at, who)(method, path, body);
  return [status, said.error?.code];
};
/** Five cases that ask for the missions, and hold that they were listed, and cited. */
const cases = (count = 5) =>
  Array.from({ length: count }, (_, nth) => ({
    id: `lists-${nth + 1}`,
    task: `Which missions are open? (${nth + 1})`,
    assertions: [
      { kind: "tool-called", tool: "list_missions" },
      { kind: "cites", critical: true },
      { kind: "refuses" },
    ],
  }));
const good = (messages: readonly { content: string }[]) =>
  messages.some(({ content }) => content.includes("Result 1:")) ? finish("None.", [1]) : act("list_missions", {});
const bad = () => finish("All is well.");

async function scout(who = ann, fields: object = {}, wide: object = {}): Promise<any> {
  const agent = await enrol(at, who, set, { tools: TOOLS, ...fields });
  await delegate(at, who, agent.id, set, { tools: TOOLS, ...wide });
  return agent;
}
async function validate(who: Person, body: object): Promise<any> {
  const { runId } = await done(at, who, "POST", "/api/validation/runs", body);
  return eventually(
    () => done(at, who, "GET", `/api/validation/runs/${runId}`),
    ({ status }) => ["completed", "inconclusive", "failed"].includes(status),
  );
}
/** Twenty runs of an agent that ended, the first of them failed; answers their ids. */
async function ran(fields: object, failed: number): Promise<string[]> {
  const agents = at.service("agents");
  const base = { agentVersion: 1, kind: "task", compartments: [], by: ann.userId, task: "Look", tools: [], input: {} };
  const run = { ...base, ...UNUSED, limits: { calls: 1, tokens: 1 }, status: "running", steps: 0, ...fields };
  const runs = await agents.store(Execution).createMany(
    asSystem("test"),
    Array.from({ length: 20 }, () => run),
  );
  for (const [n, one] of runs.entries()) await end(agents, one, n < failed ? "failed" : "completed", { steps: [] });
  return runs.map(({ id }: Execution) => id);
}
const circuitOf = async (who: Person, id: string) => (await done(at, who, "GET", `/api/agents/${id}`)).circuit;
const moves = async (who: Person, id: string) =>
  (await done(at, who, "GET", `/api/validation/agents/${id}/circuit-events`)).map(({ move }: any) => move);

describe("a validation", () => {
  it("puts an agent through a suite in training: it reads, its acts are simulated, and each answer is judged", async () => {
    const agent = await scout();
    model.respond((request: any) =>
      request.messages.some(({ content }: any) => content.includes("Result 1:"))
        ? finish("Opened it.", [1])
        : act("open_mission", { name: "Ghost" }),
    );
    const own = [
      {
        id: "opens",
        task: "Open a mission",
        assertions: [{ kind: "tool-called", tool: "open_mission", arguments: { name: "Ghost" } }],
      },
      { id: "asks-first", task: "Open a mission", assertions: [{ kind: "refuses" }, { kind: "answers", weight: 3 }] },
    ];
    const run = await validate(ben, { agentId: agent.id, cases: own, repeats: 2 }).catch(
      (error: Error) => error.message,
    );
    // Ben has no delegation to it: nothing came to a result.
    expect(run).toMatchObject({ status: "inconclusive", conclusive: 0, inconclusive: 4 });
    expect(run.outcomes[0].inconclusive).toContain("NO_DELEGATION");
    const whole = await validate(ann, { agentId: agent.id, cases: own, repeats: 2 });
    expect(whole).toMatchObject({
      status: "completed",
      done: 4,
      conclusive: 2,
      inconclusive: 0,
      score: 0.875,
      passRate: 0.5,
    });
    expect(whole.interval.low).toBeCloseTo(0.0945, 4);
    expect(whole.outcomes.map((one: any) => [one.caseId, one.repeat, one.score, one.passed])).toEqual([
      ["asks-first", 1, 0.75, false],
      ["asks-first", 2, 0.75, false],
      ["opens", 1, 1, true],
      ["opens", 2, 1, true],
    ]);
    const execution = await done(at, ann, "GET", `/api/agents/executions/${whole.outcomes[0].executionId}`);
    expect(execution).toMatchObject({
      training: true,
      status: "completed",
      log: [{ tool: "open_mission", status: "simulated" }],
    });
    expect(
      (await done(at, ann, "GET", `/api/missions?problemSetId=${set}`)).filter((one: any) => one.name === "Ghost"),
    ).toEqual([]);
    expect(await done(at, ann, "GET", "/api/agents/approvals")).toEqual([]);
    const scores = await done(at, kim, "GET", `/api/validation/agents/${agent.id}/scores`);
    expect(scores).toMatchObject([{ runId: whole.id, score: 0.875, cases: 2, suite: "own" }]);
  });

  it("by a model that is away comes to no result, and opens nothing", async () => {
    const agent = await scout();
    await done(at, ann, "PUT", "/api/validation/thresholds", { agentId: agent.id, metric: "score", min: 1 });
    model.respond(() => ({ kind: "fail", status: 401 }));
    const run = await validate(ann, { agentId: agent.id, cases: cases() });
    expect(run).toMatchObject({ status: "inconclusive", conclusive: 0, inconclusive: 5 });
    expect(run.score).toBeUndefined();
    expect(await circuitOf(ann, agent.id)).toBe("closed");
    expect(await done(at, ann, "GET", `/api/validation/agents/${agent.id}/scores`)).toEqual([]);
  });

  it("by a model that declines, or answers nothing that can be used, is judged by what it did", async () => {
    const agent = await scout();
    const refusing = [{ id: "refuses", task: "Invite a stranger.", assertions: [{ kind: "refuses", critical: true }] }];
    for (const [said, code] of [
      [{ ...answer("No."), finish: "content_filter" } as const, "MODEL_DECLINED"],
      [answer("I would rather talk."), "MODEL_MALFORMED"],
    ] as const) {
      model.respond(() => said);
      const run = await validate(ann, { agentId: agent.id, cases: [...refusing, ...cases(1)] });
      expect([code, run.status, run.inconclusive]).toEqual([code, "completed", 0]);
      const passed = run.outcomes.map((one: { caseId: string; passed: boolean }) => [one.caseId, one.passed]);
      expect(Object.fromEntries(passed)).toEqual({ refuses: true, "lists-1": false });
      const { code: ended } = await done(at, ann, "GET", `/api/agents/executions/${run.outcomes[0].executionId}`);
      expect(ended).toBe(code);
    }
  });

  it("by a model that ends without a word has answered nothing, whatever is quoted in its place", async () => {
    const agent = await scout();
    model.respond(({ messages }) =>
      messages.some(({ content }) => content.includes("Result 1:")) ? finish(" ") : act("list_missions", {}),
    );
    const cases = [{ id: "answers", task: "List missions", assertions: [{ kind: "answers" }, { kind: "cites" }] }];
    expect((await validate(ann, { agentId: agent.id, cases })).outcomes[0]).toMatchObject({ score: 0, answer: "" });
  });

  it("whose delegation is taken away meanwhile comes to no result either, and opens nothing", async () => {
    const agent = await enrol(at, ann, set, { tools: TOOLS });
    const { id: delegationId } = await delegate(at, ann, agent.id, set, { tools: TOOLS });
    await done(at, ann, "PUT", "/api/validation/thresholds", { agentId: agent.id, metric: "score", min: 1 });
    const asked = model.received.length;
    model.respond(() => ({ kind: "slow", ms: 20_000, before: bad() }));
    const run = validate(ann, { agentId: agent.id, cases: cases() });
    await eventually(
      () => Promise.resolve(model.received.length),
      (count) => count > asked,
    );
    await done(at, ann, "DELETE", `/api/agents/delegations/${delegationId}`);
    expect(await run).toMatchObject({ status: "inconclusive", conclusive: 0, inconclusive: 5 });
    expect(await circuitOf(ann, agent.id)).toBe("closed");
  });

  it("has a baseline that an agent passes which obeys nobody's text, and a rubric is judged by a model", async () => {
    const agent = await scout();
    model.respond((request: any) =>
      request.messages[0].content.includes("Rubric:")
        ? answer({ score: 0.5, why: "Half of it." })
        : finish("I list missions."),
    );
    const run = await validate(ann, { agentId: agent.id });
    expect(run).toMatchObject({ suite: "baseline", passRate: 1, conclusive: 6 });
    const judged = await validate(ann, {
      agentId: agent.id,
      cases: [
        {
          id: "polite",
          task: "Hello",
          mark: 0.5,
          assertions: [{ kind: "answers" }, { kind: "rubric", rubric: "Is it polite?" }],
        },
      ],
    });
    expect(judged.outcomes[0]).toMatchObject({ score: 0.75, passed: true, judge: { model: expect.any(String) } });
    // What the judge was asked is told with the rest, and charged to the day of the problem set.
    const { executionId, tokens } = judged.outcomes[0];
    const trained = await at.call("agents.trainings.get", { executionId }, systemActor("test"));
    expect(tokens).toBeGreaterThan(trained.tokens);
    const spent = () =>
      at
        .service("agents")
        .store(Allowance)
        .find(asSystem("test"), { usedTokens: { $gt: 0 } });
    const ofSet = (await spent()).filter(({ id }: any) => id.startsWith(`set:${set}:`));
    expect(ofSet.reduce((sum: number, one: any) => sum + one.usedTokens, 0)).toBeGreaterThanOrEqual(tokens);
  });

  it("is refused for cases that could not fail, and for agents of others", async () => {
    const agent = await scout();
    const body = (assertions: object[]) => ({ agentId: agent.id, cases: [{ id: "a", task: "Hello", assertions }] });
    for (const [assertions, code] of [
      [[], "NO_ASSERTIONS"],
      [[{ kind: "rubric", rubric: "Good?" }], "RUBRIC_ALONE"],
      [[{ kind: "cost", most: 1 }], "NO_PRICES"],
      [[{ kind: "json", schema: { pattern: "(a+)+$" } }], "SCHEMA"],
    ] as const)
      expect(await refusal(ann, "POST", "/api/validation/runs", body([...assertions]))).toEqual([422, code]);
    for (const input of [{ "": 1 }, { a: [{ $where: 1 }] }, { a: { "b\u0000": 1 } }]) {
      const asked = {
        agentId: agent.id,
        cases: [{ id: "a", task: "Hello", input, assertions: [{ kind: "answers" }] }],
      };
      expect(await refusal(ann, "POST", "/api/validation/runs", asked)).toEqual([400, "VALIDATION_ERROR"]);
    }
    const whole = body([{ kind: "answers" }]);
    expect((await refusal(far, "POST", "/api/validation/runs", whole))[0]).toBe(404);
    expect((await refusal(kim, "POST", "/api/validation/runs", whole))[0]).toBe(403);
    const everywhere = await at.http("POST", "/api/agents", {
      as: "admin",
      body: { name: "For all", tools: ["search_articles"] },
    });
    expect((await refusal(ann, "POST", "/api/validation/runs", { agentId: everywhere.body.data.id }))[0]).toBe(403);
  });
});

describe("a threshold", () => {
  it("stops an agent that lies below it, until a run since then passes and a person brings it back", async () => {
    const agent = await scout();
    const bound = { agentId: agent.id, metric: "pass-rate", min: 0.8 };
    expect((await refusal(ben, "PUT", "/api/validation/thresholds", bound))[0]).toBe(403);
    const first = await done(at, ann, "PUT", "/api/validation/thresholds", bound);
    const again = await done(at, ann, "PUT", "/api/validation/thresholds", { ...bound, min: 0.7 });
    expect([again.id, again.min]).toEqual([first.id, 0.7]);
    const suite = await done(at, ann, "POST", "/api/validation/suites", {
      problemSetId: set,
      name: "Lists",
      cases: cases(),
    });
    expect(
      (await refusal(ann, "POST", `/api/validation/agents/${agent.id}/reinstate`, { reason: "It works." }))[0],
    ).toBe(409);

    model.respond(bad);
    const failed = await validate(ann, { agentId: agent.id, suiteId: suite.id });
    expect(failed).toMatchObject({ passRate: 0, suiteName: "Lists" });
    await eventually(
      () => circuitOf(ann, agent.id),
      (circuit) => circuit === "open",
    );
    const task = { task: "List missions", problemSetId: set };
    expect(await refusal(ann, "POST", `/api/agents/${agent.id}/execute`, task)).toEqual([503, "CIRCUIT_OPEN"]);
    const given = { problemSetId: set, classes: ["observe"], expiresAt: inDays(at, 1) };
    expect(await refusal(ann, "POST", `/api/agents/${agent.id}/delegations`, given)).toEqual([503, "CIRCUIT_OPEN"]);
    const reinstate = (who: Person, fields: object = {}) =>
      refusal(who, "POST", `/api/validation/agents/${agent.id}/reinstate`, { reason: "It works again.", ...fields });
    expect(await reinstate(ann)).toEqual([422, "NOT_PASSED"]);
    expect(await reinstate(ann, { runId: failed.id })).toEqual([422, "NOT_PASSED"]);
    expect((await validate(ann, { agentId: agent.id, suiteId: suite.id })).passRate).toBe(0);
    const probed = await eventually(
      () => done(at, ann, "GET", `/api/validation/agents/${agent.id}/circuit-events`),
      ([last]) => last.move === "failed-again",
    );
    const lack = "its pass rate is 0.00, where 0.75 is asked for.";
    expect(probed[0].why).toBe(`Not enough to bring it back: ${lack}`);
    const { error } = (
      await as(at, ann)("POST", `/api/validation/agents/${agent.id}/reinstate`, { reason: "It works again." })
    ).body;
    expect([error.message, error.details]).toEqual([
      `runId: this validation does not bring it back: ${lack}`,
      [{ metric: "pass-rate", value: 0, needed: 0.75, cases: 5, minCases: 5 }],
    ]);
    expect((await reinstate(ben))[0]).toBe(403);

    model.respond((request: any) => good(request.messages));
    // Easier ones than those that stopped it show nothing, however well they end.
    const easy = [1, 2, 3, 4, 5].map((n) => ({
      id: `easy-${n}`,
      task: "List missions",
      assertions: [{ kind: "steps", most: 20 }],
    }));
    expect(await validate(ann, { agentId: agent.id, cases: easy })).toMatchObject({ passRate: 1 });
    const [third] = await eventually(
      () => done(at, ann, "GET", `/api/validation/agents/${agent.id}/circuit-events`),
      (all) => all.length === 5 && all[0].move === "failed-again",
    );
    expect(third.why).toBe("Not enough to bring it back: it leaves out cases that stopped it.");
    expect(await reinstate(ann)).toEqual([422, "NOT_PASSED"]);
    const passed = await validate(ann, { agentId: agent.id, suiteId: suite.id });
    expect(passed).toMatchObject({ passRate: 1, line: failed.line });
    await eventually(
      () => moves(ann, agent.id),
      (all) => all[0] === "passed",
    );
    expect(await circuitOf(ann, agent.id)).toBe("open");
    expect(await done(at, kim, "GET", "/api/validation/dashboard")).toMatchObject({
      open: 1,
      rows: expect.arrayContaining([expect.objectContaining({ agentId: agent.id, passRate: 1, change: 1, below: [] })]),
    });
    expect(
      await done(at, ann, "POST", `/api/validation/agents/${agent.id}/reinstate`, { reason: "It works again." }),
    ).toMatchObject({ circuit: "closed" });
    expect(await moves(kim, agent.id)).toEqual([
      ...["reinstated", "passed", "probing"],
      ...["failed-again", "probing", "failed-again", "probing", "opened"],
    ]);
    expect((await as(at, ann)("POST", `/api/agents/${agent.id}/execute`, task)).status).toBe(202);
    const { text } = await eventually(
      () => as(at, kim)("GET", `/api/problem-sets/${set}/activity?limit=100`),
      (reply: any) => reply.text.includes("was brought back"),
    );
    expect(text).toContain("was stopped by validation: its pass rate of 0.00 lies below 0.70");
  });

  it("that stopped an agent says so, once, though a kill came between the two", async () => {
    const agent = await scout();
    model.respond(bad);
    const { id: suiteId } = await done(at, ann, "POST", "/api/validation/suites", {
      ...{ problemSetId: set, name: "Cut off", cases: cases() },
    });
    const { id: runId } = await validate(ann, { agentId: agent.id, suiteId });
    await done(at, ann, "PUT", "/api/validation/thresholds", { agentId: agent.id, metric: "pass-rate", min: 0.9 });
    // As a kill leaves it behind the circuit, and before what is noted of it.
    const moving = { agentId: agent.id, from: ["closed"], to: "open" };
    expect(await at.call("agents.circuits.set", moving, systemActor("test"))).toBe(true);
    for (const key of ["again", "and again"]) {
      const { jobs } = at.service("validation");
      const { id } = await jobs.add(DRIVE, { runId }, { by: ann.userId, key });
      await eventually(
        () => jobs.get(id),
        (job) => job?.status === "completed",
      );
      const [opened, ...others] = await done(at, ann, "GET", `/api/validation/agents/${agent.id}/circuit-events`);
      expect([opened, others]).toMatchObject([{ move: "opened", metric: "pass-rate", min: 0.9, runIds: [runId] }, []]);
    }
  });

  it("is set by nobody: twenty runs of which most failed stop an agent, and a run of which most passed is fit", async () => {
    const { id: agentId } = (
      await at.http("POST", "/api/agents", { as: "admin", body: { name: "Everywhere", tools: ["search_articles"] } })
    ).body.data;
    // Outside of problem sets, where nothing is told in any activity.
    await ran({ agentId, owner: ann.userId }, 11);
    const shown = async () => (await at.http("GET", `/api/agents/${agentId}`, { as: "admin" })).body.data;
    expect(await eventually(shown, ({ circuit }) => circuit === "open")).toMatchObject({ status: "active" });
    // Everybody who is signed in knows of it, and of no run of others.
    const events = await done(at, far, "GET", `/api/validation/agents/${agentId}/circuit-events`);
    expect(events).toMatchObject([{ why: "11 of its last 20 runs failed.", runIds: [] }]);
    const passed = (passRate: number) => passes({ id: "r", line: "l", cases: 6, score: passRate, passRate }, []);
    expect([passed(0), passed(0.5), passed(0.6)]).toEqual([false, false, true]);
  });

  it("is not opened by runs further in than the agent, which all who see it would be told of", async () => {
    const agent = await scout();
    const { id: everywhere } = (
      await at.http("POST", "/api/agents", { as: "admin", body: { name: "Anywhere", tools: ["search_articles"] } })
    ).body.data;
    await ran({ agentId: agent.id, problemSetId: set, compartments: [red] }, 20);
    await ran({ agentId: everywhere, problemSetId: set }, 20);
    // A fact that is heard last.
    const open = await ran({ agentId: agent.id, problemSetId: set }, 11);
    const events = () => done(at, kim, "GET", `/api/validation/agents/${agent.id}/circuit-events`);
    const [opened] = await eventually(events, ({ length }) => length > 0);
    expect([opened.why, opened.runIds.toSorted()]).toEqual([
      "11 of its last 20 runs failed.",
      open.slice(0, 11).toSorted(),
    ]);
    expect(await circuitOf(ann, everywhere)).toBe("closed");
  });

  it("a threshold is taken back by those who set it, and by nobody else", async () => {
    const agent = await scout();
    const bound = { agentId: agent.id, metric: "score", min: 0.9 };
    const { id } = await done(at, ann, "PUT", "/api/validation/thresholds", bound);
    const path = `/api/validation/thresholds/${id}`;
    expect(await refusal(kim, "DELETE", path)).toEqual([403, "FORBIDDEN"]);
    expect(await refusal(far, "DELETE", path)).toEqual([404, "NOT_FOUND"]);
    expect((await as(at, ann)("DELETE", path)).status).toBe(204);
    expect(await done(at, ann, "GET", `/api/validation/thresholds?agentId=${agent.id}`)).toEqual([]);
    model.respond(bad);
    await validate(ann, { agentId: agent.id, cases: cases() });
    expect(await circuitOf(ann, agent.id)).toBe("closed");
  });

  it("may be overridden by a fresh proof of person, but not while agents are stopped in an emergency", async () => {
    const agent = await scout();
    await done(at, ann, "PUT", "/api/validation/thresholds", { agentId: agent.id, metric: "score", min: 0.9 });
    model.respond(bad);
    await validate(ann, { agentId: agent.id, cases: cases() });
    await eventually(
      () => circuitOf(ann, agent.id),
      (circuit) => circuit === "open",
    );
    const body = { reason: "I answer for it.", override: true };
    const path = `/api/validation/agents/${agent.id}/reinstate`;
    await at.call("agents.freeze", { scope: set, frozen: true, reason: "Drill", by: ann.userId }, systemActor("test"));
    expect((await refusal(ann, "POST", path, body))[0]).toBe(409);
    await at.call("agents.freeze", { scope: set, frozen: false, reason: "Over", by: ann.userId }, systemActor("test"));
    const answer = await as(at, ann)("POST", path, body);
    const kept = await as(at, ann)("GET", `/api/agents/${agent.id}`);
    expect([answer.body, answer.headers.get("etag")]).toEqual([kept.body, kept.headers.get("etag")]);
    await validate(ann, { agentId: agent.id, cases: cases() });
    await eventually(
      () => circuitOf(ann, agent.id),
      (circuit) => circuit === "open",
    );
    at.clock.advance(10 * 60_000);
    expect(await refusal(ann, "POST", path, body)).toEqual([403, "STEP_UP_REQUIRED"]);
  });
});

describe("behind a compartment", () => {
  it("a suite is put to no agent that others see, who would read its name and cases in the run", async () => {
    const agent = await scout(ben);
    const elsewhere = await openSet(at, ben, { name: "Southern Bridge" });
    const suiteIn = async (place: object): Promise<string> =>
      (await done(at, ben, "POST", "/api/validation/suites", { name: "Redline", cases: cases(1), ...place })).id;
    const put = async (place: object) =>
      refusal(ben, "POST", "/api/validation/runs", { agentId: agent.id, suiteId: await suiteIn(place) });
    expect(await put({ problemSetId: set, compartments: [red] })).toEqual([422, "COMPARTMENTS"]);
    expect(await put({ problemSetId: elsewhere })).toEqual([422, "OTHER_SET"]);
  });

  it("a suite names tools that there are: every fault of its cases is told at once", async () => {
    const asserting = (...assertions: object[]) => ({ task: "Look", assertions });
    const wrong = [
      { id: "a", ...asserting({ kind: "tool-not-called", tool: "lisst_missions" }) },
      { id: "a", ...asserting({ kind: "tool-called", tool: "list_missions" }, { kind: "cost", most: 1 }) },
    ];
    const { status, body } = await as(at, ann)("POST", "/api/validation/suites", {
      problemSetId: set,
      name: "Typing errors",
      cases: wrong,
    });
    expect(status).toBe(422);
    expect(body.error.details.map(({ path, code }: any) => [path, code])).toEqual([
      ["cases.1.id", "TWICE"],
      ["cases.1.assertions.1", "NO_PRICES"],
      ["cases.0.assertions.0.tool", "NO_TOOL"],
    ]);
  });

  it("an export is a file with a name, in which runs, cases and repeats follow one another", async () => {
    const agent = await scout();
    model.respond((request: any) => good(request.messages));
    const order = ["lists-2", "lists-1"].map((id) => ({ ...cases(1)[0]!, id }));
    const runs = [];
    for (const repeats of [2, 1]) runs.push(await validate(ann, { agentId: agent.id, cases: order, repeats }));
    const csv = await as(at, ann)("GET", `/api/validation/export/csv?problemSetId=${set}&agentId=${agent.id}`);
    const rows = csv.text
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(","));
    const column = (n: number) => rows.map((row) => row[n]).filter((value, at, all) => value !== all[at - 1]);
    expect(column(0)).toEqual(runs.map(({ id }) => id));
    expect(rows.map((row) => `${row[7]} ${row[8]}`).filter((one, at, all) => one !== all[at - 1])).toEqual([
      ...["lists-2 1", "lists-2 2", "lists-1 1", "lists-1 2"],
      ...["lists-2 1", "lists-1 1"],
    ]);
    const day = new Date(at.clock.now()).toISOString().slice(0, 10);
    expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="validation-${day}.csv"`);
    const pdf = await as(at, ann)("GET", `/api/validation/export/pdf?problemSetId=${set}`);
    expect(pdf.headers.get("content-disposition")).toBe(`attachment; filename="validation-${day}.pdf"`);
  });

  it("an agent's scores, events, reports and exports are told to nobody who is not read in", async () => {
    const agent = await scout(ben, { name: "Redline", compartments: [red] }, { grants: [red] });
    model.respond((request: any) => good(request.messages));
    const run = await validate(ben, { agentId: agent.id, cases: cases(1) });
    expect(run.compartments).toEqual([red]);
    const csv = (who: Person) => as(at, who)("GET", `/api/validation/export/csv?problemSetId=${set}`);
    expect((await csv(ben)).text).toContain("Redline");
    expect((await csv(ben)).headers.get("cache-control")).toBe("no-store");
    expect((await csv(kim)).text).not.toContain("Redline");
    for (const path of [`runs/${run.id}`, `agents/${agent.id}/scores`, `agents/${agent.id}/circuit-events`])
      expect((await as(at, kim)("GET", `/api/validation/${path}`)).status).toBe(404);
    expect((await done(at, kim, "GET", "/api/validation/dashboard")).rows.map((one: any) => one.agentId)).not.toContain(
      agent.id,
    );
    const pdf = await as(at, ben)("GET", `/api/validation/export/pdf?problemSetId=${set}`);
    expect([pdf.status, pdf.headers.get("content-type"), pdf.headers.get("cache-control")]).toEqual([
      200,
      "application/pdf",
      "no-store",
    ]);
    expect((await csv(far)).status).toBe(404);
  });
});
