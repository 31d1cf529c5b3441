import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../mesh.ts";
import { askNode, signIn, startNode, type NodeProcess } from "../process.ts";

// A node killed in the middle of a workflow, at each of its points: the next one goes on, each outside effect happened
// once, and persons decided what ran. Six steps: two agents, three tools, a condition, a parallel branch, a checkpoint.

const POINTS = ["begun", "checkpoint", "first approval", "second approval"] as const;
const CYCLES = Number(process.env["KILL_CYCLES"] ?? POINTS.length);
const OVER = ["completed", "stopped", "failed", "cancelled", "expired"];
const LONG_MS = 120_000;
let dataDir: string;
let node: NodeProcess;
let token: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-orchestration-"));
  await start();
});
afterAll(async () => {
  await node?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  node = await startNode({ DATA_DIR: dataDir });
  token ??= await signIn(node.url);
}

const ask = (method: string, path: string, body?: unknown): Promise<any> => askNode(node, token, method, path, body);

const briefings = async (): Promise<number> => (await ask("GET", "/briefings?limit=100")).meta.total;
const stepsOf = (scout: string, clerk: string, name: string): object[] => [
  { id: "look", kind: "tool", agent: scout, tool: "list_missions", arguments: {} },
  { id: "few", kind: "condition", if: "size(steps.look.output.data) < 1000", after: ["look"] },
  {
    id: "ask",
    kind: "checkpoint",
    question: "Go on?",
    arguments: { name, hours: 24 },
    after: [{ step: "few", on: "then" }],
  },
  {
    id: "open",
    kind: "tool",
    agent: scout,
    tool: "open_mission",
    arguments: { name: { $ref: "/steps/ask/output/name" } },
    after: ["ask"],
  },
  {
    id: "brief",
    kind: "tool",
    agent: clerk,
    tool: "generate_briefing",
    arguments: { hours: { $ref: "/steps/ask/output/hours" } },
    after: ["ask"],
  },
  { id: "over", kind: "end", after: ["open", "brief"], output: { $ref: "/steps/open/output/name" } },
];

it(`${CYCLES} kills of a workflow repeat no effect, and lose none`, async () => {
  const set = (await ask("POST", "/problem-sets", { name: "Kills" })).data.id as string;
  const enrol = async (name: string, tools: string[]): Promise<string> => {
    const { id } = (await ask("POST", "/agents", { problemSetId: set, name, tools, autonomy: 2 })).data;
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    await ask("POST", `/agents/${id}/delegations`, { problemSetId: set, tools, expiresAt });
    return id;
  };
  const [scout, clerk] = [
    await enrol("Scout", ["list_missions", "open_mission"]),
    await enrol("Clerk", ["generate_briefing"]),
  ];
  let unknown = 0;

  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const name = `Mission-${cycle}`;
    const before = await briefings();
    const definition = { name, steps: stepsOf(scout, clerk, name) };
    const { executionId } = (await ask("POST", "/orchestration/execute", { problemSetId: set, definition })).data;
    const show = async (): Promise<any> => (await ask("GET", `/orchestration/executions/${executionId}`)).data;
    // Which of its points the kill follows, and how soon.
    const [point, pause] = [cycle % POINTS.length, (cycle * 11) % 40];
    let reached = 0;
    const killAt = async (here: number): Promise<void> => {
      if (here !== point) return;
      await delay(pause);
      await node.kill();
      await start();
    };
    await killAt(reached++);
    const decided = new Set<string>();
    for (;;) {
      const run = await eventually(
        show,
        ({ status, log }) => OVER.includes(status) || log.some(isAsking(decided)),
        LONG_MS,
      );
      if (OVER.includes(run.status)) break;
      const step = run.log.find(isAsking(decided));
      decided.add(`${step.path} ${step.status}`);
      if (step.status === "unknown") {
        unknown += 1;
        const happened = (await briefings()) > before;
        await ask("POST", `/agents/executions/${step.runId}/settle`, { stepId: step.actId, happened });
        continue;
      }
      const [list, verb] =
        step.kind === "checkpoint" ? ["/orchestration/checkpoints", "approve"] : ["/agents/approvals", "decide"];
      const id = step.kind === "checkpoint" ? step.id : step.actId;
      const { hash } = (await ask("GET", `${list}?limit=100`)).data.find((one: any) => one.id === id);
      await ask("POST", `${list}/${id}/${verb}`, verb === "approve" ? { hash } : { hash, decision: "approve" });
      await killAt(reached++);
    }
    const { status, log, output } = await show();
    expect([status, Object.fromEntries(log.map((step: any) => [step.path, step.status]))]).toEqual([
      "completed",
      {
        look: "completed",
        few: "completed",
        ask: "completed",
        open: "completed",
        brief: "completed",
        over: "completed",
      },
    ]);
    expect(output).toBe(name);
    for (const step of log.filter(({ path }: any) => ["ask", "open"].includes(path)))
      expect(step.approvedBy).toBe(step.by);
    const missions = (await ask("GET", `/missions?problemSetId=${set}&limit=100`)).data;
    expect(missions.filter((one: any) => one.name === name)).toHaveLength(1);
    expect((await briefings()) - before).toBe(1);
    const { spans } = (await ask("GET", `/orchestration/executions/${executionId}/trace`)).data;
    expect(new Set(spans.map(({ spanId }: any) => spanId)).size).toBe(spans.length);
  }
  expect(unknown).toBeLessThanOrEqual(CYCLES);
}, 900_000);

/** Whether a step waits for a person who has not decided it yet. */
const isAsking =
  (decided: ReadonlySet<string>) =>
  ({ path, status, kind, actId }: any): boolean =>
    ((status === "waiting" && (kind === "checkpoint" || actId)) || status === "unknown") &&
    !decided.has(`${path} ${status}`);
