import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

/** What an agent is and does: these are the built-in ones. */
export const AgentView = z
  .object({
    id: z.string(),
    name: z.string(),
    does: z.string().describe("What it does with a document that comes into its container."),
    teamIds: z.array(z.string()),
  })
  .meta({ id: "StrategicAgent" });
export const TeamView = z
  .object({ id: z.string(), name: z.string(), does: z.string(), agentIds: z.array(z.string()) })
  .meta({ id: "StrategicTeam" });

interface Agent extends z.output<typeof AgentView> {
  /** What it starts, by the action's name, on behalf of the person who placed the document. */
  starts: string;
  /** The permissions of that person that it gets. */
  powers: readonly string[];
}

const POWERS = ["strategic:read", "strategic:write", "documents:read"];
export const AGENTS: readonly Agent[] = [
  {
    id: "objective-finder",
    name: "Objective finder",
    does: "Finds the objectives of the document, each with the words that it comes from.",
    teamIds: ["plans"],
    starts: "strategic.extractions.begin",
    powers: POWERS,
  },
  {
    id: "document-reviewer",
    name: "Document reviewer",
    does: "Reviews the document and leaves findings that a person accepts or rejects.",
    teamIds: ["plans", "quality"],
    starts: "strategic.reviews.begin",
    powers: POWERS,
  },
];
export const TEAMS: readonly z.output<typeof TeamView>[] = [
  {
    id: "plans",
    name: "Plans",
    does: "Reads a plan for what it wants, and for what is wrong with it.",
    agentIds: ["objective-finder", "document-reviewer"],
  },
  {
    id: "quality",
    name: "Quality",
    does: "Looks for what is unclear, missing or contradictory.",
    agentIds: ["document-reviewer"],
  },
];
export const agentOf = (id: string): Agent | undefined => AGENTS.find((agent) => agent.id === id);

export const ContainerAgent = AgentView.extend({
  by: PersonId.describe("Who assigned it to the container."),
  at: Instant,
}).meta({ id: "ContainerAgent" });

export const STARTED_STATES = ["waiting", "started", "refused", "unavailable", "failed"] as const;

/** A container agent's work on one document that was placed there. */
export const Run = entity("strategic.agent-runs", {
  title: "run",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    containerId: TextId,
    documentId: TextId,
    agentId: z.string(),
    userId: PersonId.describe("Who placed the document: the agent has no more powers than they."),
    status: z
      .enum(STARTED_STATES)
      .describe(
        "`started`: its job goes on by itself; `refused`: it may not, or cannot with this document; " +
          "`unavailable`: what it does is not served here.",
      ),
    note: z.string().optional().describe("Why it was not started."),
    jobId: z.string().optional().describe("`GET /api/jobs/{id}` shows its progress."),
  },
  immutable: ["problemSetId", "compartments", "containerId", "documentId", "agentId", "userId"],
  filter: ["status"],
  barrier,
  lists: [{ by: ["problemSetId", "containerId"] }],
  indexes: [{ fields: ["containerId"] }, { fields: ["documentId"] }, { fields: ["userId"] }],
});
export type Run = Item<typeof Run>;
export const RunView = Run.view.meta({ id: "ContainerAgentRun" });

/** One run for each agent and placement, however often the event arrives. */
export const runId = (agentId: string, placing: string): string => derivedId(`run of ${agentId} for ${placing}`);
