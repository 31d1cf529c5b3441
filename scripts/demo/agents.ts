import { bold, dim, green, red, say, step, table, yellow } from "./terminal.ts";
import { invite, openThrowaway, type Person } from "./throwaway.ts";

/**
 * `npm run demo -- agents`: two agents in one workflow, and the people without whom nothing happens; every step through
 * the gateway. No language model is needed.
 */
const { clock, person, end } = await openThrowaway();
const WEEK_MS = 7 * 86_400_000;

/** An agent with its tools, and what its person delegates to it. */
async function enrol(who: Person, problemSetId: string, name: string, tools: string[]): Promise<string> {
  const { id } = await who.http.done("POST", "/api/agents", { problemSetId, name, tools, autonomy: 2 });
  const expiresAt = new Date(clock.now() + WEEK_MS).toISOString();
  await who.http.done("POST", `/api/agents/${id}/delegations`, { problemSetId, tools, expiresAt });
  return id;
}

try {
  step("1  Two agents");
  const [ilona, petr, jana] = [await person("Ilona"), await person("Petr"), await person("Jana")];
  const set = (await ilona.http.done("POST", "/api/problem-sets", { name: "Operation Open Road" })).id as string;
  await invite(ilona, set, [
    [petr, "planner"],
    [jana, "analyst"],
  ]);
  const scout = await enrol(petr, set, "Scout", ["list_missions", "show_mission", "open_mission"]);
  const reader = await enrol(petr, set, "Reader", ["list_gates", "list_documents"]);
  for (const name of ["Bridge", "Ford"]) await petr.http.done("POST", "/api/missions", { problemSetId: set, name });
  say(`${bold("Petr")} plans, ${bold("Ilona")} commands, ${bold("Jana")} is an analyst.`);
  say("Scout may look at missions and open some, Reader looks at gates and documents: for Petr, and for a week.");

  step("2  A workflow is checked whole");
  const tool = (id: string, agent: string, name: string, given: object, after: unknown[] = []) => ({
    id,
    kind: "tool",
    agent,
    tool: name,
    arguments: given,
    after,
  });
  const wrong = [
    tool("look", scout, "list_missions", { colour: "red" }, ["open"]),
    tool("open", reader, "open_mission", { name: { $ref: "/steps/ask/output/name" } }, ["look"]),
    { id: "many", kind: "condition", if: "size(steps.look.output.data) + 1", after: ["look"] },
  ];
  const execute = (who: Person, steps: object[], rest: object = {}) =>
    who.http.ask("POST", "/api/orchestration/execute", {
      problemSetId: set,
      definition: { name: "Open the road", steps, ...rest },
      input: { most: 10 },
    });
  const refused = await execute(petr, wrong);
  say("Petr's first try does not begin; all its faults are told at once:\n");
  for (const { path, message } of refused.body.error.details) say(`${red(path)}  ${message}`);

  step("3  It runs, as far as it may");
  const steps = [
    tool("look", scout, "list_missions", { limit: { $ref: "/input/most" } }),
    { id: "many", kind: "condition", if: "size(steps.look.output.data) >= 2", after: ["look"] },
    {
      id: "each",
      kind: "map",
      over: { $ref: "/steps/look/output/data" },
      steps: [tool("show", scout, "show_mission", { id: { $ref: "/item/id" } })],
      output: { $ref: "/steps/show/output/name" },
      after: [{ step: "many", on: "then" }],
    },
    tool("gates", reader, "list_gates", {}, [{ step: "many", on: "then" }]),
    tool("papers", reader, "list_documents", {}, [{ step: "many", on: "else" }]),
    {
      id: "ask",
      kind: "checkpoint",
      question: "Shall a third mission be opened?",
      arguments: { name: "Pontoons", beside: { $ref: "/steps/each/output" } },
      after: ["each", "gates"],
    },
    tool("open", scout, "open_mission", { name: { $ref: "/steps/ask/output/name" } }, ["ask"]),
    { id: "over", kind: "end", after: ["open"], output: { opened: { $ref: "/steps/open/output/name" } } },
  ];
  const id = (await execute(petr, steps)).body.data.executionId as string;
  const path = `/api/orchestration/executions/${id}`;
  const waiting = (what: string) => petr.http.until(path, ({ data }) => data.waitingFor?.includes(what));
  await waiting("checkpoint");
  const drawn = await petr.http.done("GET", `${path}/graph`);
  table(
    ["step", "kind", "state"],
    drawn.nodes.map((node: any) => [
      `${"  ".repeat(node.level)}${node.id}`,
      node.kind,
      node.state === "completed" ? green(node.state) : node.state === "waiting" ? yellow(node.state) : dim(node.state),
    ]),
  );

  step("4  People decide, each once, and what they saw");
  const [asked] = await petr.http.done("GET", "/api/orchestration/checkpoints");
  const decide = `/api/orchestration/checkpoints/${asked.id}/approve`;
  say(`At the checkpoint: ${yellow(asked.question)} ${dim(JSON.stringify(asked.arguments))}`);
  say(`Jana says yes: ${red(await jana.http.refused(403, "POST", decide, { hash: asked.hash }))}`);
  await ilona.http.done("POST", decide, { hash: asked.hash, edits: { name: "Pontoons at Lhota" } });
  say(`Ilona says yes, and changes the name. ${green("It goes on.")}`);
  say(`Petr comes later: ${red(await petr.http.refused(409, "POST", decide, { hash: asked.hash }))}`);
  await waiting("approval");
  const [approval] = await ilona.http.done("GET", "/api/agents/approvals");
  say(
    `\nThe gate of agents asks once more, for exactly one act: ${yellow(approval.tool)} ` +
      `${dim(JSON.stringify(approval.arguments))}`,
  );
  say(dim(approval.why));
  await ilona.http.done("POST", `/api/agents/approvals/${approval.id}/decide`, {
    hash: approval.hash,
    decision: "approve",
  });
  const { data: over } = await petr.http.until(path, ({ data }) => data.status === "completed");
  say(`${green(`The workflow ${over.status}`)}, and opened ${yellow(`“${over.output.opened}”`)}.`);

  step("5  What happened, and why");
  const trace = await petr.http.done("GET", `${path}/trace`);
  table(
    ["step", "state", "verdict", "approved", "ms"],
    trace.spans
      .slice(1)
      .map(({ name, status, attributes, ms }: any) => [
        name,
        status,
        attributes.verdict ?? "",
        attributes.approvedBy === ilona.id ? "by Ilona" : "",
        String(ms ?? ""),
      ]),
  );
  const { criticalPath } = await petr.http.done("GET", `${path}/graph`);
  say(`\nIt took longest along ${criticalPath.join(" → ")}. No step was taken twice, whichever node might have died.`);

  step("6  A supervisor");
  const { id: desk } = await petr.http.done("POST", "/api/orchestration/supervisors", {
    problemSetId: set,
    name: "Desk",
    agents: [scout, reader],
  });
  const work = await petr.http.done("POST", `/api/orchestration/supervisors/${desk}/execute`, {
    task: "List the gates",
  });
  const { data: done } = await petr.http.until(
    `/api/orchestration/executions/${work.executionId}`,
    ({ data }) => data.status === "completed",
  );
  const [round] = done.log;
  const nameOf = (agent: string): string => (agent === scout ? "Scout" : "Reader");
  const scores = Object.entries(round.choice.scores).map(([agent, score]) => `${nameOf(agent)} ${String(score)}`);
  say(
    `“List the gates” goes to ${green(nameOf(round.agentId))}, by the words of agents and tools ` +
      `(${scores.join(", ")}).`,
  );

  step("7  Stopped");
  const long = (
    await execute(petr, [
      { id: "rest", kind: "wait", ms: 86_400_000 },
      tool("later", scout, "list_missions", {}, ["rest"]),
    ])
  ).body.data;
  const stopping = `/api/orchestration/executions/${long.executionId}/cancel`;
  const { status } = await ilona.http.done("POST", stopping, { reason: "Not tonight" });
  say(
    `Petr lets another one wait for a day; Ilona stops it: ${green(status)}, at once, and nothing of it ` +
      "begins any more.",
  );
} finally {
  await end();
}
