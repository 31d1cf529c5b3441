import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { DAILY } from "../../config/agent-budgets.ts";
import { asSystem } from "../../core/access/caller.ts";
import { Delegation } from "../../services/staff/agents/delegations/delegations.ts";
import { Execution, AgentStep } from "../../services/staff/agents/executions/executions.ts";
import { Allowance } from "../../services/staff/agents/gate/allowances.ts";
import { world, eventually, type TestWorld } from "../mesh.ts";
import { delegate, done, enrol, execute, run } from "../staff/setup.ts";
import { admit, openSet, persons, type Person } from "../workspace/people.ts";

// Fifty runs at once, of three persons, reach for what is left of the same budgets: of a run, a delegation, an agent's
// day and a set's day. Each has its own bound, and none is overrun.

const US = asSystem("test");
const OVER = ["completed", "stopped", "failed"];
const LONG_MS = 300_000;
const TOOLS = ["list_missions", "list_gates", "list_documents"];
let at: TestWorld;
let model: StandIn;
let people: Person[];
let set: string;

beforeAll(async () => {
  // Looks at three things, and then ends: each question is told by how many answers came before it.
  model = await modelStandIn(({ messages }) => {
    const tool = TOOLS[messages.filter(({ role }) => role === "assistant").length];
    return answer(tool ? { act: tool, arguments: {} } : { act: "finish", answer: "Over." });
  });
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0", OVERLOAD_DELAY_MS: "0" });
  people = await persons(at, "ann", "ben", "kim");
  set = await openSet(at, people[0]!, { name: "Thrift" });
  for (const one of people.slice(1)) await admit(at, set, one, "planner");
}, LONG_MS);
afterAll(async () => {
  await at?.stop();
  await model?.close();
});

const today = (): string => new Date(at.clock.now()).toISOString().slice(0, 10);
/** Leaves so much of a day's budget. */
const leave = (id: string, used: { calls: number; tokens: number }) =>
  at.service("agents").store(Allowance).create(US, { id, usedCalls: used.calls, usedTokens: used.tokens, usedCost: 0 });
const allowance = (id: string) => at.service("agents").store(Allowance).get(US, id);

/** Begins twenty, twenty and ten runs at once, and waits until all have ended. */
async function fifty(agents: readonly string[], limits: object): Promise<any[]> {
  const wanted = people.flatMap((who, n) =>
    Array.from({ length: n < 2 ? 20 : 10 }, () => ({ who, agent: agents[n]! })),
  );
  const ids = await Promise.all(
    wanted.map(({ who, agent }) => execute(at, who, agent, { task: "Look around", problemSetId: set, limits })),
  );
  expect(ids).toHaveLength(50);
  return eventually(
    () => Promise.all(ids.map((id, n) => run(at, wanted[n]!.who, id))),
    (all) => all.every(({ status }) => OVER.includes(status)),
    LONG_MS,
  );
}

it(
  "calls: neither run, delegation, agent nor set is overrun, and what there is is used up",
  async () => {
    const [shared, own] = await Promise.all([
      enrol(at, people[0]!, set, { tools: TOOLS }),
      enrol(at, people[0]!, set, { tools: TOOLS, name: "Own" }),
    ]);
    const of = [shared.id, shared.id, own.id] as string[];
    const given = await Promise.all(
      people.map((who, n) => delegate(at, who, of[n]!, set, { limits: { calls: n < 2 ? 200 : 12 } })),
    );
    const [agentDay, setDay] = [`agent:${shared.id}:${today()}`, `set:${set}:${today()}`];
    await leave(agentDay, { calls: DAILY.agent.calls - 50, tokens: 0 });
    await leave(setDay, { calls: DAILY.set.calls - 55, tokens: 0 });

    const runs = await fifty(of, { calls: 2 });
    const acts = (await at.service("agents").store(AgentStep).find(US, { problemSetId: set })).filter(
      ({ status }: any) => status === "done",
    );
    const by = (name: "executionId" | "delegationId" | "agentId", id: string): number =>
      acts.filter((one: any) => one[name] === id).length;
    expect(Math.max(...runs.map(({ id }) => by("executionId", id)))).toBe(2);
    expect(by("delegationId", given[2].id)).toBeLessThanOrEqual(12);
    expect(by("agentId", shared.id)).toBeLessThanOrEqual(50);
    expect(acts).toHaveLength(55);
    expect([(await allowance(setDay)).usedCalls, (await allowance(agentDay)).usedCalls]).toEqual([
      DAILY.set.calls,
      DAILY.agent.calls - 50 + by("agentId", shared.id),
    ]);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["stopped"]));
    if (process.env["SHOW_LOG"])
      console.info(
        JSON.stringify({
          acts: acts.length,
          agent: by("agentId", shared.id),
          delegation: by("delegationId", given[2].id),
        }),
      );
  },
  LONG_MS,
);

const BOUNDS = ["run", "agent", "delegation", "agent's day", "set's day"] as const;
type What = "calls" | "tokens";
const USED = { calls: "usedCalls", tokens: "usedTokens" } as const;
/** No question holds more tokens than this. */
const LARGEST_QUESTION = 7_500;
/** What each holds: of a run one act of three, or about two questions; of what fifty share, less than all of them want. */
const HOLDS = { calls: { own: 1, shared: 20 }, tokens: { own: 4_000, shared: 20_000 } } as const;

// Each in turn is the one that is reached first: all others have room for everything that fifty runs want.
it.each(BOUNDS.flatMap((bound) => (["calls", "tokens"] as const).map((what) => [bound, what] as const)))(
  "the %s's %s are never overrun, and booked is what was used",
  async (bound, what: What) => {
    set = await openSet(at, people[0]!, { name: `Thrift ${bound} ${what}` });
    for (const one of people.slice(1)) await admit(at, set, one, "planner");
    const { own, shared } = HOLDS[what];
    const agent = (
      await enrol(at, people[0]!, set, { tools: TOOLS, ...(bound === "agent" && { budget: { [what]: own } }) })
    ).id as string;
    const wide = { calls: 500, tokens: 5_000_000 };
    const limits = bound === "delegation" ? { ...wide, [what]: shared } : wide;
    const given = await Promise.all(people.map((who) => delegate(at, who, agent, set, { limits })));
    const days = { "agent's day": `agent:${agent}:${today()}`, "set's day": `set:${set}:${today()}` };
    const most = { "agent's day": DAILY.agent[what], "set's day": DAILY.set[what] };
    const before = { calls: 0, tokens: 0 };
    if (bound === "agent's day" || bound === "set's day")
      await leave(days[bound], { ...before, [what]: most[bound] - shared });

    const runs = await fifty([agent, agent, agent], bound === "run" ? { [what]: own } : {});
    const field = USED[what];
    const store = at.service("agents");
    const executions = await store.store(Execution).find(US, { problemSetId: set });
    const delegations = await store.store(Delegation).many(
      US,
      given.map(({ id }) => id),
    );
    const used = executions.reduce((sum: number, one: any) => sum + one[field], 0);
    expect([executions.length, used > 0]).toEqual([50, true]);
    for (const one of executions) expect(one[field]).toBeLessThanOrEqual(one.limits[what]);
    if (bound === "run" || bound === "agent")
      expect(new Set(executions.map(({ limits: its }: any) => its[what]))).toEqual(new Set([own]));
    for (const one of delegations) expect(one[field]).toBeLessThanOrEqual(limits[what]);
    expect(delegations.reduce((sum: number, one: any) => sum + one[field], 0)).toBe(used);
    for (const day of ["agent's day", "set's day"] as const) {
      const held = (await allowance(days[day]))[field];
      expect(held).toBeLessThanOrEqual(most[day]);
      expect(held - (day === bound ? most[day] - shared : 0)).toBe(used);
    }
    // What was shared is used up to the last call; of tokens so much is left as a question would have held.
    const [left] = {
      run: [0],
      agent: [0],
      delegation: delegations.map((one: any) => shared - one[field]),
      "agent's day": [shared - used],
      "set's day": [shared - used],
    }[bound];
    expect(left).toBeLessThan(what === "calls" ? 1 : LARGEST_QUESTION);
    expect(runs.some(({ status, code }) => status === "stopped" && code === "BUDGET")).toBe(true);
    if (process.env["SHOW_LOG"]) console.info(JSON.stringify({ bound, what, used, left }));
  },
  LONG_MS,
);

it(
  "a workflow's calls are never overrun by fifty acts at once",
  async () => {
    set = await openSet(at, people[0]!, { name: "Fifty acts" });
    const { id: agent } = await enrol(at, people[0]!, set, { tools: TOOLS });
    await delegate(at, people[0]!, agent, set, { limits: { calls: 500 } });
    const steps = Array.from({ length: 50 }, (_, n) => ({
      id: `s${n}`,
      kind: "tool",
      agent,
      tool: "list_missions",
      onError: "branch",
    }));
    const definition = { name: "Fifty", steps, limits: { calls: 20 } };
    const { executionId } = await done(at, people[0]!, "POST", "/api/orchestration/execute", {
      problemSetId: set,
      definition,
    });
    await eventually(
      () => done(at, people[0]!, "GET", `/api/orchestration/executions/${executionId}`),
      ({ status }) => OVER.includes(status),
      LONG_MS,
    );
    const acts = await at.service("agents").store(AgentStep).find(US, { problemSetId: set });
    const tally = Object.groupBy(acts, ({ status }: any) => status);
    expect([acts.length, tally.done?.length, tally.refused?.length]).toEqual([50, 20, 30]);
    expect((await allowance(`plan:${executionId}`)).usedCalls).toBe(20);
  },
  LONG_MS,
);
