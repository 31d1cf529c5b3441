import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";
import { personOf } from "../../../../core/access/access.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { checkUses, agentNames, readyTeam, teamsOf, type AgentPin } from "../../agents/client.ts";
import { SupervisorSaved } from "../events.ts";
import { Begun, orderExecution, smallInput } from "../executions/ordering.ts";
import { MOST_MEMBERS, MOST_ROUNDS, roundsOf, Supervisor, type Supervision } from "./supervisors.ts";

const set = "problemSetId";

/** The members' descriptions, from which one is chosen. */
async function wordsOf(host: Host, problemSetId: string, pins: readonly AgentPin[]): Promise<Supervision["agents"]> {
  const named = new Map((await agentNames(host, problemSetId)).map((one) => [one.id, one]));
  return pins.map(({ agentId, tools }) => {
    const { name = "", description = "" } = named.get(agentId) ?? {};
    const words = [name, description, ...tools.map((tool) => tool.name.replaceAll("_", " "))];
    return { id: agentId, words: words.filter(Boolean).join(". ") };
  });
}

/** The members' pins, in order. Throws 400 with all faults. */
async function pinned(host: Host, agents: readonly string[], place: Place, by: string): Promise<AgentPin[]> {
  const uses = agents.map((agentId, at) => ({ path: `agents.${at}`, agentId }));
  const { faults, pins } = await checkUses(host, { ...place, by, uses });
  if (faults.length)
    throw invalid(faults.map(({ path, message }) => ({ path: path.replace(/\.agent$/, ""), message })));
  return agents.map((id) => pins.find(({ agentId }) => agentId === id)!);
}

/** Who gets work: the agents that it names, or the members of its team that the person may use. */
async function handed(host: Host, supervisor: Members, by: string): Promise<AgentPin[]> {
  const { agents = [], teamId, problemSetId, compartments } = supervisor;
  if (teamId === undefined) return pinned(host, agents, { problemSetId, compartments }, by);
  const { agentIds } = await readyTeam(host, teamId, problemSetId);
  const uses = agentIds.map((agentId) => ({ path: "teamId", agentId }));
  const { faults, pins } = await checkUses(host, { problemSetId, compartments, by, uses });
  if (!pins.length)
    throw invalid([{ path: "teamId", message: `None of its members would work for you. ${faults[0]?.message ?? ""}` }]);
  return agentIds.flatMap((id) => pins.find(({ agentId }) => agentId === id) ?? []).slice(0, MOST_MEMBERS);
}

/** Throws 400 unless it names agents or a team that are available here. */
async function demandMembers(host: Host, supervisor: Members, by: string): Promise<void> {
  const { agents, teamId, problemSetId, compartments } = supervisor;
  if ((agents === undefined) === (teamId === undefined))
    throw invalid([{ path: "agents", message: "Agents, or a team; one of the two." }]);
  if (teamId === undefined) return void (await pinned(host, agents!, { problemSetId, compartments }, by));
  const teams = await teamsOf(host, problemSetId);
  if (!teams.some(({ id }) => id === teamId))
    throw invalid([{ path: "teamId", message: "There is no such team here." }]);
}
type Place = Pick<Supervisor, "problemSetId" | "compartments">;
type Members = Place & Pick<Supervisor, "agents" | "teamId">;

export const supervisorActions = {
  "supervisors.save": endpoint({
    rest: "POST /supervisors",
    summary: "Save the configuration of a supervisor",
    permit: "signed-in",
    within: { set, may: "orchestration:supervise" },
    body: Supervisor.create,
    returns: data(Supervisor.view),
    status: 201,
    description:
      "A supervisor distributes work among several agents: in turn, by capability, or as a model " +
      "chooses. It names the agents, or with `teamId` a team of `GET /api/problem-sets/teams/list`, " +
      "whose members at the start of the work count.",
    example: { problemSetId: "the problem set's id", name: "Desk", agents: ["an agent's id"] },
    errors: { 400: "An agent or team is not available here, or an agent has no delegation from you." },
    async handler(ctx) {
      const by = personOf(ctx.meta.actor);
      await demandMembers(this, ctx.params, by);
      return this.store(Supervisor).create(
        ctx,
        { ...ctx.params, turns: 0 },
        {
          facts: ({ id, problemSetId, compartments, name }: Supervisor) => [
            SupervisorSaved.fact(id, { id, problemSetId, compartments, by, name }),
          ],
        },
      );
    },
  }),

  "supervisors.list": endpoint({
    rest: "GET /supervisors",
    summary: "List the supervisors' configurations",
    permit: "signed-in",
    within: { set, may: "orchestration:read" },
    query: Supervisor.query,
    returns: list(Supervisor.view),
    handler(ctx) {
      return this.store(Supervisor).page(ctx, ctx.params);
    },
  }),

  "supervisors.remove": endpoint({
    rest: "DELETE /supervisors/:supervisorId",
    summary: "Remove a supervisor",
    permit: "signed-in",
    beyond: true,
    on: Supervisor,
    by: "supervisorId",
    within: { set, may: "orchestration:supervise" },
    returns: nothing(),
    status: 204,
    description: "Its agents are kept, and runs that it started keep what they started with.",
    async handler(ctx, supervisor) {
      await this.store(Supervisor).remove(ctx, supervisor);
      return null;
    },
  }),

  "supervisors.execute": endpoint({
    rest: "POST /supervisors/:supervisorId/execute",
    summary: "Start work through a supervisor",
    permit: "signed-in",
    on: Supervisor,
    by: "supervisorId",
    within: { set, may: "orchestration:run" },
    body: {
      task: z.string().trim().min(1).max(20_000),
      input: OpenRecord.default({}),
      rounds: z.int().min(1).max(MOST_ROUNDS).optional().describe("Fewer than the supervisor's."),
    },
    returns: Begun,
    status: 202,
    description:
      "Each round is one task of one agent, under your delegation to it; the next agent gets its " +
      "result. `choice` of a step says who was chosen and how; without a model, `model` chooses by " +
      "capability. Of a team, the first ten current members to whom you have delegated take part, its " +
      "lead first; the run keeps them.",
    example: { task: "List the open gates" },
    errors: {
      400: "An agent is not to be had any longer, or no member of the team by a delegation of yours.",
      422: "`EMPTY_TEAM`: no member of the team can work now.",
      429: "You have 20 runs that have not ended.",
    },
    async handler(ctx, supervisor) {
      const by = personOf(ctx.meta.actor);
      const { problemSetId, strategy } = supervisor;
      const input = smallInput(ctx.params.input);
      const pins = await handed(this, supervisor, by);
      const counted = await this.store(Supervisor).collection.claim({ _id: supervisor.id }, { $inc: { turns: 1 } });
      const supervision: Supervision = {
        strategy,
        agents: await wordsOf(this, problemSetId, pins),
        turn: ((counted?.["turns"] as number | undefined) ?? 1) - 1,
      };
      const definition = { ...roundsOf(supervisor, ctx.params), supervision };
      const { compartments } = supervisor;
      return orderExecution(this, ctx, {
        problemSetId,
        compartments,
        definition,
        input,
        pins,
        supervisorId: supervisor.id,
        by,
      });
    },
  }),
};
