import { answer, standIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { DAILY } from "../../config/agent-budgets.ts";
import { asSystem } from "../../core/access/caller.ts";
import { Delegation } from "../../services/staff/agents/delegations/delegations.ts";
import { Step } from "../../services/staff/agents/executions/executions.ts";
import { Allowance } from "../../services/staff/agents/gate/allowances.ts";
import { world, eventually, type TestWorld } from "../mesh.ts";
import { delegate, enrol, execute, run } from "../staff/setup.ts";
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
  model = await standIn(({ messages }) => {
    const tool = TOOLS[messages.filter(({ role }) => role === "assistant").length];
    return answer(tool ? { act: tool, arguments: {} } : { act: "finish", answer: "Over." });
  });
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
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
    const acts = (await at.service("agents").store(Step).find(US, { problemSetId: set })).filter(
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

it(
  "tokens: neither a delegation nor an agent's day is overrun, and what is booked is what was used",
  async () => {
    set = await openSet(at, people[0]!, { name: "Words" });
    for (const one of people.slice(1)) await admit(at, set, one, "planner");
    const { id: agent } = await enrol(at, people[0]!, set, { tools: TOOLS });
    const limits = { calls: 500, tokens: 25_000 };
    const given = await Promise.all(people.map((who) => delegate(at, who, agent, set, { limits })));
    const day = `agent:${agent}:${today()}`;
    await leave(day, { calls: 0, tokens: DAILY.agent.tokens - 40_000 });

    const runs = await fifty([agent, agent, agent], {});
    const used = await Promise.all(
      given.map(async ({ id }) => (await at.service("agents").store(Delegation).get(US, id)).usedTokens as number),
    );
    const ofDay = (await allowance(day)).usedTokens - (DAILY.agent.tokens - 40_000);
    if (process.env["SHOW_LOG"]) console.info(JSON.stringify({ used, ofDay, asked: model.received.length }));
    for (const one of used) expect(one).toBeLessThanOrEqual(limits.tokens);
    expect(ofDay).toBeLessThanOrEqual(40_000);
    expect(ofDay).toBe(used.reduce((sum, one) => sum + one, 0));
    expect(runs.some(({ status }) => status === "stopped")).toBe(true);
  },
  LONG_MS,
);
