import { TOOLS } from "../../../config/tools.ts";
import { commonsOf } from "../../../mixins/domain.mixin.ts";
import { definitionsOf } from "../../../services/staff/agents/gate/definitions.ts";
import { judgeAct, type ActingRun } from "../../../services/staff/agents/gate/gate.ts";
import { world } from "../../../test/mesh.ts";
import { delegate, enrol } from "../../../test/staff/setup.ts";
import { openSet, person } from "../../../test/workspace/people.ts";
import { many, median, round } from "../../measure.ts";

const ACTS = 400;
const ROUNDS = many(9, 3);
/** Before anything is measured: a server that has run for a minute has its code compiled. */
const WARM_UP = many(6, 1);

/** Processor microseconds of a call, over many one after another. */
async function cpuOf(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < ACTS; n++) await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ACTS;
}

/** What the gate costs an act: person, switches, delegation, tool, arguments and matrix, asked of the stores each time. */
export async function agents(): Promise<string> {
  const at = await world();
  try {
    const ann = await person(at, "ann");
    const set = await openSet(at, ann);
    const tools = Object.keys(TOOLS).filter((name) => /mission|gate|document/.test(name));
    const agent = await enrol(at, ann, set, { tools });
    const delegation = await delegate(at, ann, agent.id, set, { tools, classes: [] });
    const host = at.service("agents");
    const definitions = definitionsOf(commonsOf(at.mesh.broker).services);
    const run: ActingRun = {
      id: "run",
      agentId: agent.id,
      agentVersion: 1,
      problemSetId: set,
      compartments: [],
      delegationId: delegation.id,
      by: ann.userId,
      tools: [...definitions.values()].map(({ name, hash }) => ({ name, definition: hash })),
      limits: { calls: 50, tokens: 200_000 },
    };
    const act = (tool: string, given: Record<string, unknown>) => () =>
      judgeAct(host, { run, proposal: { tool, arguments: given }, step: "step", isTainted: true });
    const asked = {
      "a read, allowed": act("list_missions", { limit: 20 }),
      "a write, put before a person": act("open_mission", { name: "Bridge", objective: "Hold it" }),
      "a tool that is not the agent's": act("offer_bounty", {}),
      "of it: the person as they stand now": () => host.ask("auth.actor", { userId: ann.userId }),
    };
    const figures = Object.fromEntries(Object.keys(asked).map((name) => [name, [] as number[]]));
    for (let turn = 0; turn < WARM_UP; turn++) for (const call of Object.values(asked)) await cpuOf(call);
    for (let turn = 0; turn < ROUNDS; turn++)
      for (const [name, call] of Object.entries(asked)) figures[name]!.push(await cpuOf(call));
    return [
      "## The gate of agents",
      "",
      `CPU microseconds a judgement, median of ${ROUNDS} interleaved rounds of ${ACTS} after ${WARM_UP} to warm up, one after another, on the ` +
        `embedded store. Nothing is remembered between two of them.`,
      "",
      "| What | µs |",
      "|---|---|",
      ...Object.entries(figures).map(([name, all]) => `| ${name} | ${round(median(all), 0)} |`),
    ].join("\n");
  } finally {
    await at.stop();
  }
}
