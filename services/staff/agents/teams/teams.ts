import { Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { z } from "zod";
import { barrier, EVERYWHERE, type Agent } from "../registry/agents.ts";

export const MOST_MEMBERS = 200;

/** Agents that work together; supervisors use teams. */
export const Team = entity("agents.teams", {
  title: "team",
  fields: {
    problemSetId: TextId.optional().describe("The problem set that it may be used in; without it, every one."),
    compartments: Compartments,
    scope: z.literal(EVERYWHERE).optional(),
    name: z.string().trim().min(1).max(120),
    description: z.string().max(2_000).optional(),
    leadId: TextId.optional().describe("The member that leads it."),
    members: z
      .array(TextId)
      .max(MOST_MEMBERS)
      .default([])
      .overwrite((ids) => [...new Set(ids)])
      .describe("Agents, each once; a team without agents cannot work."),
  },
  readonly: ["scope"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["scope"],
  filter: ["problemSetId"],
  sort: ["name"],
  barrier,
  most: {
    count: 100,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} teams of its own in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }, { by: ["scope"] }],
  indexes: [{ fields: ["createdBy"] }, { fields: ["members"] }],
});
export type Team = Item<typeof Team>;

/** The members of a team, its lead first. */
export const leadFirst = ({ members, leadId }: Pick<Team, "members" | "leadId">): string[] =>
  members.toSorted((one, other) => Number(other === leadId) - Number(one === leadId));

/** Why an agent cannot join a team: it belongs elsewhere, or lies in compartments that the team lacks. */
export function unfitFor(
  team: Pick<Team, "problemSetId" | "compartments">,
  agent: Pick<Agent, "problemSetId" | "compartments">,
): string | undefined {
  if (agent.problemSetId !== undefined && agent.problemSetId !== team.problemSetId)
    return "it belongs to another problem set";
  if (!agent.compartments.every((id) => team.compartments.includes(id)))
    return "it lies in compartments that the team does not";
  return undefined;
}
