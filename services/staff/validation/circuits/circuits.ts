import { isDeepStrictEqual } from "node:util";
import { asSystem, type Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { agentRecord, EVERYWHERE, moveCircuit, runsLately, type Agent } from "../../agents/client.ts";
import { CircuitOpened } from "../events.ts";
import { suitePlace } from "../place.ts";
import { ValidationRun } from "../runs/runs.ts";
import { breaches, failsTooOften, lackInWords, lacks, metricName, type Breach, type MeasuredRun } from "./judging.ts";
import { CircuitEvent, Threshold } from "./thresholds.ts";

export const MESH = asSystem("validation");
/** How many runs of one agent thresholds may consider. */
const LOOKED_BACK = 50;

type Named = Pick<Agent, "id" | "name" | "problemSetId" | "compartments">;

/** The place of facts about an agent; outside all problem sets there is no activity feed. */
export const factsOf = (
  type: { fact(subject: string, data: never): Fact },
  { id: agentId, name, problemSetId, compartments }: Named,
  data: { id: string; by: string } & Record<string, unknown>,
): Fact[] =>
  problemSetId === undefined
    ? []
    : [type.fact(data.id, { agentId, name, problemSetId, compartments, ...data } as never)];

/** Records a change of a circuit; once for each cause. */
export async function noteMove(
  host: Host,
  agent: Named,
  move: Pick<CircuitEvent, "move" | "why" | "runIds"> & Partial<Pick<CircuitEvent, "metric" | "value" | "min" | "by">>,
  facts?: (made: CircuitEvent) => Fact[],
): Promise<CircuitEvent> {
  return host
    .store(CircuitEvent)
    .create(MESH, { ...suitePlace(agent), agentId: agent.id, ...move }, facts ? { facts } : {});
}

/** An agent's thresholds: its own, and for the other metrics those of all agents. */
export async function boundsFor(host: Host, agentId: string): Promise<Threshold[]> {
  const store = host.store(Threshold);
  const [own, all] = await Promise.all([
    store.find(MESH, { agentId }),
    store.find(MESH, { scope: EVERYWHERE, agentId: { $exists: false } }),
  ]);
  return [...own, ...all.filter(({ metric }) => !own.some((one) => one.metric === metric))];
}

export const measured = ({ id, line, conclusive, score, passRate }: ValidationRun): MeasuredRun => ({
  id,
  line,
  cases: conclusive,
  score: score ?? 0,
  passRate: passRate ?? 0,
});

/** When an agent was last brought back: earlier runs no longer count. Empty if it never was. */
async function broughtBack(host: Host, agentId: string): Promise<string> {
  const query = { agentId, move: "reinstated" };
  const [last] = await host.store(CircuitEvent).find(MESH, query, { sort: ["-createdAt"], limit: 1 });
  return last?.createdAt ?? "";
}

/** An agent's completed, conclusive runs since it was brought back, the newest first. */
async function measuredRuns(host: Host, { id: agentId, problemSetId }: Agent): Promise<MeasuredRun[]> {
  const since = await broughtBack(host, agentId);
  const place = problemSetId === undefined ? { scope: EVERYWHERE } : { problemSetId };
  const query = { ...place, agentId, status: "completed", createdAt: { $gt: since } };
  return (await host.store(ValidationRun).find(MESH, query, { sort: ["-createdAt"], limit: LOOKED_BACK })).map(
    measured,
  );
}

/** What opened an agent's circuit last. */
export async function lastOpened(host: Host, agentId: string): Promise<CircuitEvent | undefined> {
  const query = { agentId, move: "opened" };
  const [opened] = await host.store(CircuitEvent).find(MESH, query, { sort: ["-createdAt"], limit: 1 });
  return opened;
}

/** Cases by which a circuit was opened, and which a run leaves out: what stopped the agent was not asked again. */
export async function leftOut(
  host: Host,
  caller: Caller,
  opened: CircuitEvent | undefined,
  { cases }: Pick<ValidationRun, "cases">,
): Promise<string[]> {
  const causes = await host.store(ValidationRun).many(caller, opened?.runIds ?? []);
  const lacking = causes
    .flatMap((run) => run.cases)
    .filter((one) => !cases.some((other) => isDeepStrictEqual(one, other)));
  return [...new Set(lacking.map(({ id }) => id))];
}

const saying = ({ metric, value, min }: Breach): string =>
  `its ${metricName(metric)} of ${value.toFixed(2)} lies below ${min.toFixed(2)}.`;

/** The last recorded change of an agent's circuit. */
async function lastMove(host: Host, agentId: string): Promise<CircuitEvent | undefined> {
  const [last] = await host.store(CircuitEvent).find(MESH, { agentId }, { sort: ["-createdAt"], limit: 1 });
  return last;
}

/** Opens a circuit, and records why: a kill may come between the two, and then the next look records it. */
async function open(host: Host, agent: Agent, why: string, of: Partial<Breach> & { runs: string[] }): Promise<void> {
  const last = await lastMove(host, agent.id);
  const isMoved = await moveCircuit(host, agent.id, ["closed"], "open");
  const isUntold = agent.circuit === "open" && (!last || last.move === "reinstated");
  if (!isMoved && !isUntold) return;
  const { runs: runIds, metric, value, min } = of;
  const id = derivedId(`validation.circuit-events/${agent.id}/opened after ${last?.id ?? "nothing"}`);
  const told = {
    ...suitePlace(agent),
    id,
    agentId: agent.id,
    move: "opened" as const,
    why,
    runIds,
    metric,
    value,
    min,
  };
  await host.store(CircuitEvent).createOnce(MESH, told, {
    facts: (made: CircuitEvent) => factsOf(CircuitOpened, agent, { id: made.id, by: "system:validation", why }),
  });
}

/** The consequences of a conclusive run: a circuit opens, or a probe has passed or failed. */
export async function weighRun(host: Host, run: ValidationRun): Promise<void> {
  if (run.status === "inconclusive") return probed(host, run, false, "The validation came to no result.");
  const agent = await agentRecord(host, run.agentId);
  // A run of a shared agent in one problem set decides nothing elsewhere.
  if (agent.problemSetId !== run.problemSetId) return;
  const [runs, bounds] = await Promise.all([measuredRuns(host, agent), boundsFor(host, agent.id)]);
  if (agent.circuit === "probing") {
    const left = await leftOut(host, MESH, await lastOpened(host, agent.id), run);
    const lacking = [
      ...lacks(measured(run), bounds).map(lackInWords),
      ...(left.length ? ["it leaves out cases that stopped it"] : []),
    ];
    const why = lacking.length ? `Not enough to bring it back: ${lacking.join("; ")}.` : "The validation passed.";
    return probed(host, run, !lacking.length, why);
  }
  const [worst] = breaches(runs, bounds);
  if (worst) await open(host, agent, saying(worst), worst);
}

/** A failed probe leaves the circuit open; after a passed one it waits for a person to bring the agent back. */
export async function probed(host: Host, run: ValidationRun, good: boolean, why: string): Promise<void> {
  const agent = await agentRecord(host, run.agentId);
  if (agent.circuit !== "probing") return;
  await moveCircuit(host, agent.id, ["probing"], "open");
  await noteMove(host, agent, { move: good ? "passed" : "failed-again", why, runIds: [run.id] });
}

/** Stops an agent of whose last runs more than half failed. */
export async function lookAtRuns(host: Host, agentId: string): Promise<void> {
  const since = await broughtBack(host, agentId);
  const lately = (await runsLately(host, agentId)).filter(({ endedAt = "" }) => endedAt > since);
  if (!failsTooOften(lately.map(({ status }) => status))) return;
  const agent = await agentRecord(host, agentId);
  const failed = lately.filter(({ status }) => status === "failed").map(({ id }) => id);
  const why = `${failed.length} of its last ${lately.length} runs failed.`;
  // Runs outside all problem sets are visible to their owners alone, but everybody sees the agent.
  await open(host, agent, why, { runs: agent.problemSetId === undefined ? [] : failed });
}
