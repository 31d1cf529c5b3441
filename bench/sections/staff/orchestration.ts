import { setTimeout as delay } from "node:timers/promises";
import { Execution, OVER, WorkflowStep } from "../../../services/staff/orchestration/executions/executions.ts";
import { MESH } from "../../../services/staff/orchestration/executions/records.ts";
import { world } from "../../../test/mesh.ts";
import { delegate, done, enrol } from "../../../test/staff/setup.ts";
import { openSet, person } from "../../../test/workspace/people.ts";
import { many, median, round } from "../../measure.ts";

const ROUNDS = many(7, 2);
/** Before anything is measured: a server that has run for a minute has its code compiled. */
const WARM_UP = many(6, 1);
const condition = (id: string, after: object[] = []) => ({ id, kind: "condition", if: "input.n > 3", after });

/** So many steps, each behind the one before. */
const chain = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => condition(`c${at}`, at ? [{ step: `c${at - 1}`, on: "then" }] : []));
/** A map over so many items of two steps each. */
const map = (items: number): object[] => [
  {
    id: "each",
    kind: "map",
    over: Array.from({ length: items }, (_, at) => at),
    steps: [condition("one"), condition("two", [{ step: "one", on: "then" }])],
  },
];

/** So many acts through the gate, one after another, each reading the missions of an empty set. */
const acts = (agent: string, count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    kind: "tool",
    agent,
    tool: "list_missions",
    after: at ? [`t${at - 1}`] : [],
  }));
/** A chain of nine in each item, one item after the other. */
const longChain = (items: number): object[] => [
  { id: "each", kind: "map", over: Array.from({ length: items }, (_, at) => at), atOnce: 1, steps: chain(9) },
];

/** What the engine costs a durable step: its record stored before the next begins, without what a step does. */
export async function orchestration(): Promise<string> {
  const at = await world();
  try {
    const ann = await person(at, "ann");
    const set = await openSet(at, ann);
    const host = at.service("orchestration");
    const agent = await enrol(at, ann, set, { tools: ["list_missions"] });
    await delegate(at, ann, agent.id, set, { limits: { calls: 10_000 } });
    const costOf = async (steps: object[], count: number): Promise<{ cpu: number; clock: number }> => {
      const body = { problemSetId: set, definition: { name: "Bench", steps }, input: { n: 5 } };
      const [before, began] = [process.cpuUsage(), performance.now()];
      const { executionId } = await done(at, ann, "POST", "/api/orchestration/execute", body);
      for (;;) {
        const [run] = await host.store(Execution).find(MESH, { _id: executionId }, { fields: ["status", "reason"] });
        if (OVER.includes(run!.status)) {
          if (run!.status !== "completed") throw new Error(`${run!.status}: ${run!.reason}`);
          break;
        }
        await delay(25);
      }
      const { user, system } = process.cpuUsage(before);
      return { cpu: (user + system) / count, clock: ((performance.now() - began) * 1_000) / count };
    };
    // The floor: the same record stored 200 times, each durable before the next, and nothing beside.
    const stored = async (): Promise<{ cpu: number; clock: number }> => {
      const [{ id: _id, ...like }] = await host.store(WorkflowStep).find(MESH, { path: "c1" }, { limit: 1 });
      const [before, began] = [process.cpuUsage(), performance.now()];
      for (let n = 0; n < 200; n++) await host.store(WorkflowStep).create(MESH, like);
      const { user, system } = process.cpuUsage(before);
      return { cpu: (user + system) / 200, clock: ((performance.now() - began) * 1_000) / 200 };
    };
    const runs = {
      "a chain of 50": () => costOf(chain(50), 50),
      "a chain of 200": () => costOf(chain(200), 200),
      "a chain of 1,000 in 111 items, one after another": () => costOf(longChain(111), 1_000),
      "a map of 100 items, 201 steps": () => costOf(map(100), 201),
      "a map of 499 items, 999 steps": () => costOf(map(499), 999),
      "a chain of 50 acts through the gate, the act included": () => costOf(acts(agent.id, 50), 50),
      "beside: a durable record, one after another": stored,
    };
    const figures = Object.fromEntries(Object.keys(runs).map((name) => [name, [] as { cpu: number; clock: number }[]]));
    for (let turn = 0; turn < WARM_UP; turn++) for (const run of Object.values(runs)) await run();
    for (let turn = 0; turn < ROUNDS; turn++)
      for (const [name, run] of Object.entries(runs)) figures[name]!.push(await run());
    return [
      "## A durable step of a workflow",
      "",
      `Microseconds a step, median of ${ROUNDS} interleaved rounds after ${WARM_UP} to warm up, on the embedded store: conditions, those in a ` +
        `row stored by one write; the request, and reading the run until it is over, included.`,
      "",
      "| What | CPU µs a step | clock µs a step |",
      "|---|---|---|",
      ...Object.entries(figures).map(
        ([name, all]) =>
          `| ${name} | ${round(median(all.map(({ cpu }) => cpu)), 0)} | ${round(median(all.map(({ clock }) => clock)), 0)} |`,
      ),
    ].join("\n");
  } finally {
    await at.stop();
  }
}
