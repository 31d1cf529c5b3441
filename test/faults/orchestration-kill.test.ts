import { fork, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hashOf } from "../../services/staff/agents/gate/hash.ts";
import { eventually } from "../mesh.ts";
import { ADMIN, askNode, briefingsMade, signIn, startNode, type NodeProcess } from "../process.ts";

// A node killed in the middle of a workflow, at each of its points: the next one goes on, each outside effect happened
// once, persons decided exactly the arguments that ran, and the trace tells why everything happened and what it cost.
// Six steps: two agents, three tools, a condition, a parallel branch, a checkpoint.

/** Between them, in 40 ms after each, lie the steps that wait for nobody. */
const POINTS = [
  "begun",
  "the checkpoint is asked for",
  "the checkpoint is decided",
  "one act is asked for",
  "one act is approved",
  "another act is asked for",
  "both acts are approved",
] as const;
const CYCLES = Number(process.env["KILL_CYCLES"] ?? POINTS.length);
const OVER = ["completed", "stopped", "failed", "cancelled", "expired"];
const LONG_MS = 120_000;
/** What a dead node was at work on is another's after this. */
const LEASE = { JOB_LEASE_MS: "1000" };
let dataDir: string;
let node: NodeProcess;
let token: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-orchestration-"));
});
afterEach(async () => {
  await node?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  node = await startNode({ DATA_DIR: dataDir, ...LEASE });
  token ??= await signIn(node.url);
}

const ask = (method: string, path: string, body?: unknown): Promise<any> => askNode(node, token, method, path, body);

const briefings = (): Promise<number> => briefingsMade(ask, LONG_MS);
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
  await start();
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
    const definition = { name, steps: stepsOf(scout, clerk, `Proposed-${cycle}`) };
    const approved = new Map<string, any>();
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
      await killAt(reached++);
      const isCheckpoint = step.kind === "checkpoint";
      const [list, verb] = isCheckpoint ? ["/orchestration/checkpoints", "approve"] : ["/agents/approvals", "decide"];
      const id = isCheckpoint ? step.id : step.actId;
      const shown = (await ask("GET", `${list}?limit=100`)).data.find((one: any) => one.id === id);
      const { hash } = shown;
      // A person changes what was proposed: what runs behind it is what they approved, and nothing else.
      const decision = isCheckpoint ? { hash, edits: { name } } : { hash, decision: "approve" };
      await ask("POST", `${list}/${id}/${verb}`, decision);
      if (!isCheckpoint) approved.set(step.path, shown);
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
    const by = Object.fromEntries(log.map((step: any) => [step.path, step]));
    expect(by.ask).toMatchObject({ approvedBy: by.ask.by });
    // What a person approved, by what ran and what it came to; `argumentsHash` is over exactly these arguments.
    expect([...approved.keys()].sort()).toEqual(["brief", "open"]);
    const acts = (await Promise.all([scout, clerk].map((id) => ask("GET", `/agents/${id}/actions?limit=100`)))).flatMap(
      ({ data }) => data,
    );
    for (const [path, { arguments: said, definitionHash }] of approved) {
      const step = by[path];
      expect(step).toMatchObject({
        approvedBy: step.by,
        verdict: "approve",
        argumentsHash: hashOf(said),
      });
      const done = acts.find(({ id }: any) => id === step.actId);
      expect(done).toMatchObject({ status: "done", argumentsHash: hashOf(said), definitionHash });
    }
    expect([approved.get("open").arguments.name, approved.get("brief").arguments.hours]).toEqual([name, 24]);
    const missions = (await ask("GET", `/missions?problemSetId=${set}&limit=100`)).data;
    expect(missions.filter((one: any) => one.name === name)).toHaveLength(1);
    expect((await briefings()) - before).toBe(1);
    const { spans } = (await ask("GET", `/orchestration/executions/${executionId}/trace`)).data;
    expect(new Set(spans.map(({ spanId }: any) => spanId)).size).toBe(spans.length);
    expectWhole(spans, by);
  }
  expect(unknown).toBeLessThanOrEqual(CYCLES);
}, 900_000);

/** The ways that led to each step. */
const LED = {
  look: [],
  few: ["look: done"],
  ask: ["few: then"],
  open: ["ask: done"],
  brief: ["ask: done"],
  over: ["open: done", "brief: done"],
};

/** The trace tells of each step why it happened, who approved it, how long it took and what it cost. */
function expectWhole(spans: any[], by: Record<string, any>): void {
  const [root, ...others] = spans;
  expect(root).toMatchObject({
    kind: "run",
    status: "completed",
    attributes: { tokens: 0, cost: 0, by: by["ask"].by },
  });
  expect(root.ms).toBeGreaterThan(0);
  expect(
    others
      .filter(({ status }: any) => status === "completed")
      .map(({ name }: any) => name)
      .sort(),
  ).toEqual(Object.keys(by).sort());
  for (const { name, parentSpanId, attributes, ms } of others) {
    const step = by[name];
    expect([name, parentSpanId, typeof ms]).toEqual([name, root.spanId, "number"]);
    expect([name, attributes.after]).toEqual([name, LED[name as keyof typeof LED]]);
    if (step.kind === "condition")
      expect(attributes).toMatchObject({
        outcome: "then",
        output: { result: true },
        if: expect.stringContaining("size"),
      });
    if (step.kind === "checkpoint")
      expect(attributes).toMatchObject({
        approvedBy: step.by,
        question: "Go on?",
        argumentsHash: expect.stringMatching(/^[\da-f]{64}$/),
      });
    if (step.kind !== "tool") continue;
    const { agentId, tool, effect, verdict, argumentsHash, approvedBy } = step;
    expect(attributes).toMatchObject({ agentId, tool, effect, verdict, argumentsHash, tokens: 0 });
    expect(attributes.why.length).toBeGreaterThan(10);
    expect(attributes.approvedBy).toBe(approvedBy);
  }
}

/** Whether a step waits for a person who has not decided it yet. */
const isAsking =
  (decided: ReadonlySet<string>) =>
  ({ path, status, kind, actId }: any): boolean =>
    ((status === "waiting" && (kind === "checkpoint" || actId)) || status === "unknown") &&
    !decided.has(`${path} ${status}`);

// At any moment: nodes of a few services are killed one after the other, while a workflow begins in each and those
// before it go on. `KILLS=500` kills as often as the measure wants, and `KILL_MINUTES=20` ends it then.
describe("at any moment", () => {
  const KILLS = Number(process.env["KILLS"] ?? 3);
  /** No further one after so many minutes. */
  const MINUTES = Number(process.env["KILL_MINUTES"] ?? 60);
  /** A life ends within this of its workflow's beginning. */
  const SPAN_MS = 700;
  /** A node lives on while more workflows than this are under way. */
  const MOST_OPEN = 5;
  const SLOWEST_MS = 40;
  const orders = new Map<string, number>();
  const pings = new Map<string, Set<string>>();
  let outside: Server;
  let spare: Brief;
  let now: Brief;

  /** A process of test/faults/staff-node.ts. */
  class Brief {
    readonly #child: ChildProcess;
    readonly #loaded: Promise<void>;
    readonly #asked = new Map<number, PromiseWithResolvers<any>>();
    #count = 0;
    #isGone = false;

    constructor(settings: Record<string, string>) {
      this.#child = fork(join(import.meta.dirname, "staff-node.ts"), {
        env: { PATH: process.env["PATH"]!, ...settings },
      });
      const loaded = Promise.withResolvers<void>();
      this.#loaded = loaded.promise;
      this.#child.on("message", ({ n, value, error }: any) => {
        if (n === undefined) return loaded.resolve();
        const asked = this.#asked.get(n)!;
        this.#asked.delete(n);
        if (error === undefined) asked.resolve(value);
        else asked.reject(new Error(error));
      });
      this.#child.once("exit", () => {
        this.#isGone = true;
        for (const { reject } of this.#asked.values()) reject(new Error("The node is gone."));
      });
    }

    async #send(n: number, message: object | "open"): Promise<any> {
      await this.#loaded;
      if (this.#isGone) throw new Error("The node is gone.");
      const asked = Promise.withResolvers<any>();
      this.#asked.set(n, asked);
      this.#child.send(message);
      return asked.promise;
    }
    open(): Promise<void> {
      return this.#send(0, "open");
    }
    ask(action: string, params: object = {}): Promise<any> {
      const n = ++this.#count;
      return this.#send(n, { n, action, params, ...(token && { token }) });
    }
    async kill(): Promise<void> {
      if (this.#isGone) return;
      const gone = new Promise((resolve) => this.#child.once("exit", resolve));
      this.#child.kill("SIGKILL");
      await gone;
    }
  }

  beforeEach(async () => {
    token = "";
    outside = createServer(async (request, response) => {
      let text = "";
      for await (const piece of request) text += piece;
      const { what } = JSON.parse(text) as { what: string };
      if (request.url === "/orders") orders.set(what, (orders.get(what) ?? 0) + 1);
      else pings.set(what, (pings.get(what) ?? new Set()).add(String(request.headers["idempotency-key"])));
      await delay(Math.random() * SLOWEST_MS);
      response.end("{}");
    });
    await new Promise<void>((listening) => outside.listen(0, "127.0.0.1", listening));
  });
  afterEach(async () => {
    await Promise.all([now?.kill(), spare?.kill()]);
    outside.closeAllConnections();
    outside.close();
  });

  it(
    `${KILLS} kills repeat no effect, and lose none`,
    async () => {
      const settings = {
        ...ADMIN,
        ...LEASE,
        DATA_DIR: dataDir,
        PORT: "0",
        ALLOW_PRIVATE_FEEDS: "on",
        RATE_LIMIT_TIER: "development",
      };
      const next = async (): Promise<void> => {
        now = spare;
        spare = new Brief(settings);
        await now.open();
      };
      spare = new Brief(settings);
      await next();
      const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
      token = (await now.ask("auth.logins.begin", { email, password })).token;
      const { id: problemSetId } = await now.ask("problem-sets.create", { name: "Kills" });
      const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
      const outward = {
        kind: "http",
        summary: "Tell the world outside",
        parameters: { properties: { what: { type: "string" } }, required: ["what"] },
        class: "communicate-outside",
      };
      for (const [name, effect, path] of [
        ["place_order", "once", "orders"],
        ["send_ping", "keyed", "pings"],
      ] as const)
        await now.ask("agents.tools.create", {
          ...outward,
          name,
          effect,
          http: { method: "POST", url: `http://${host}/${path}`, hosts: [host] },
        });
      const tools = ["place_order", "send_ping", "open_mission"];
      const { id: agent } = await now.ask("agents.enrol", { problemSetId, name: "Scout", tools, autonomy: 2 });
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      await now.ask("agents.delegations.give", {
        agentId: agent,
        problemSetId,
        tools,
        expiresAt,
        limits: { calls: 10_000 },
      });
      const act = (id: string, tool: string, given: object, after: object[] = []) => ({
        id,
        kind: "tool",
        agent,
        tool,
        arguments: given,
        after,
      });

      const names = new Map<string, string>();
      const open = new Set<string>();
      const tally = { kills: 0, cut: 0, unknown: 0 };
      /** Approves what waits for a person, and says of what is unknown what the server outside has seen. */
      async function tend(): Promise<void> {
        const { data } = await now.ask("agents.approvals.list", { limit: 100 });
        for (const { id, hash } of data)
          await now
            .ask("agents.approvals.decide", { approvalId: id, hash, decision: "approve" })
            .catch(() => undefined);
        for (const executionId of open) {
          const { status, log } = await now.ask("orchestration.executions.get", { executionId });
          if (OVER.includes(status)) open.delete(executionId);
          for (const { status: became, tool, runId, actId: stepId } of log) {
            if (became !== "unknown") continue;
            const name = names.get(executionId)!;
            const happened = tool === "place_order" ? orders.has(name) : pings.has(name);
            const settling = { executionId: runId, stepId, happened };
            await now.ask("agents.executions.settle", settling).then(
              () => (tally.unknown += 1),
              () => undefined,
            );
          }
        }
      }

      const end = performance.now() + MINUTES * 60_000;
      for (let kill = 0; kill < KILLS && performance.now() < end; kill++) {
        const what = `run-${kill}`;
        const definition = {
          name: what,
          steps: [
            act("order", "place_order", { what }),
            act("ping", "send_ping", { what }),
            { id: "both", kind: "condition", if: "size(input) == 0", after: ["order", "ping"] },
            act("open", "open_mission", { name: what }, [{ step: "both", on: "then" }]),
          ],
        };
        const { executionId } = await now.ask("orchestration.execute", { problemSetId, definition });
        names.set(executionId, what);
        open.add(executionId);
        const until = performance.now() + Math.random() * SPAN_MS;
        const living = async (): Promise<void> => {
          while (performance.now() < until || open.size > MOST_OPEN) await tend().then(() => delay(10));
        };
        // Whatever the node is at in that moment, the test's own questions included.
        const lived = living().catch(() => undefined);
        await (open.size > MOST_OPEN ? lived : delay(until - performance.now()));
        await now.kill();
        await lived;
        tally.kills += 1;
        tally.cut += open.size;
        await next();
        if (process.env["SHOW_LOG"] && kill % 10 === 9) console.info(JSON.stringify(tally));
      }
      await eventually(tend, () => open.size === 0, LONG_MS);
      const ended = await Promise.all(
        [...names.keys()].map((executionId) => now.ask("orchestration.executions.get", { executionId })),
      );
      const missions: string[] = [];
      for (let page = 1; missions.length < names.size; page++) {
        const { data } = await now.ask("missions.list", { problemSetId, page, limit: 100 });
        missions.push(...data.map(({ name }: any) => name));
        if (!data.length) break;
      }
      if (process.env["SHOW_LOG"]) console.info(JSON.stringify(tally));
      for (const { status, reason, name } of ended)
        expect({
          run: [name, status, reason],
          orders: orders.get(name),
          pings: pings.get(name)?.size,
          missions: missions.filter((one) => one === name).length,
        }).toEqual({ run: [name, "completed", undefined], orders: 1, pings: 1, missions: 1 });
    },
    LONG_MS + KILLS * 30_000,
  );
});
