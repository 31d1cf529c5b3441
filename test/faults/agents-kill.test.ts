import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answer, modelStandIn, type Responder, type StandIn } from "../../adapters/llm/stand-in.ts";
import { eventually } from "../mesh.ts";
import { askNode, briefingsMade, signIn, startNode, type NodeProcess } from "../process.ts";

// A node killed in the middle of an agent's run, anywhere: the next one goes on, each act happened once, what nobody
// can know a person is asked about, and a person has approved each of them.

const CYCLES = Number(process.env["KILL_CYCLES"] ?? 3);
const OVER = ["completed", "stopped", "failed"];
/** A job whose node was killed is taken over when its lease has run out. */
const LONG_MS = 120_000;
let dataDir: string;
let model: StandIn;
let node: NodeProcess;
let token: string;

/** Opens a mission, edits it, has a briefing made: an act that is named, one that can be asked for, one that cannot. */
const script: Responder = ({ messages }) => {
  const said = messages.map(({ content }) => content).join("\n");
  const name = /Task: (\S+)/.exec(said)![1]!;
  const mission = [...said.matchAll(/"id":"([\w-]{36})","problemSetId"/g)].at(-1)?.[1];
  const turns = [
    { act: "list_missions", arguments: {} },
    { act: "open_mission", arguments: { name } },
    { act: "edit_mission", arguments: { id: mission, objective: `Objective of ${name}` } },
    { act: "generate_briefing", arguments: { hours: 24 } },
  ];
  const turn = turns[messages.filter(({ role }) => role === "assistant").length];
  return answer(turn ?? { act: "finish", answer: "All done." });
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-agents-"));
  model = await modelStandIn(script);
  await start();
});
afterAll(async () => {
  await node?.kill();
  await model?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  node = await startNode({ DATA_DIR: dataDir, LLM_BASE_URL: model.baseUrl });
  token ??= await signIn(node.url);
}

const ask = (method: string, path: string, body?: unknown): Promise<any> => askNode(node, token, method, path, body);

const briefings = (): Promise<number> => briefingsMade(ask, LONG_MS);

it(`${CYCLES} kills repeat no effect`, async () => {
  const set = (await ask("POST", "/problem-sets", { name: "Kills" })).data.id as string;
  const tools = ["list_missions", "open_mission", "edit_mission", "generate_briefing"];
  const agent = (await ask("POST", "/agents", { problemSetId: set, name: "Scout", tools, autonomy: 2 })).data.id;
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  await ask("POST", `/agents/${agent}/delegations`, { problemSetId: set, tools, expiresAt });

  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const name = `Mission-${cycle}`;
    const before = await briefings();
    const { executionId } = (await ask("POST", `/agents/${agent}/execute`, { task: name, problemSetId: set })).data;
    // Which of the run's three approvals the kill follows, and how soon.
    const [at, pause] = [cycle % 3, (cycle * 7) % 30];
    let decided = 0;
    let unknown = 0;
    for (;;) {
      const run = await eventually(
        async () => (await ask("GET", `/agents/executions/${executionId}`)).data,
        ({ status }) => status === "waiting" || OVER.includes(status),
        60_000,
      );
      if (run.status !== "waiting") break;
      const { what, id } = run.waitingFor;
      if (what === "settlement") {
        unknown += 1;
        await ask("POST", `/agents/executions/${executionId}/settle`, {
          stepId: id,
          happened: (await briefings()) > before,
        });
      } else {
        const { data } = await ask("GET", "/agents/approvals?limit=100");
        const { hash } = data.find((one: any) => one.id === id);
        await ask("POST", `/agents/approvals/${id}/decide`, { hash, decision: "approve" });
        if (decided++ === at) {
          await delay(pause);
          await node.kill();
          await start();
        }
      }
      await eventually(
        async () => (await ask("GET", `/agents/executions/${executionId}`)).data,
        ({ waitingFor }) => waitingFor?.id !== id,
        60_000,
      );
    }
    const { status, log } = (await ask("GET", `/agents/executions/${executionId}`)).data;
    expect([status, log.map(({ tool, status: became }: any) => [tool, became])]).toEqual([
      "completed",
      tools.map((tool) => [tool, "done"]),
    ]);
    for (const step of log.slice(1)) expect(step.approvedBy).toBe(step.by);
    const missions = (await ask("GET", `/missions?problemSetId=${set}&limit=100`)).data;
    const own = missions.filter((one: any) => one.name === name);
    expect(own).toMatchObject([{ objective: `Objective of ${name}` }]);
    expect((await briefings()) - before).toBe(1);
    expect(unknown).toBeLessThanOrEqual(1);
  }
}, 600_000);
