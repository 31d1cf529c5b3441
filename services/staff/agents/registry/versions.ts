import { z } from "zod";
import { ACTION_CLASSES } from "../../../../config/safety.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { Compartments } from "../../../../core/access/place.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { entity, TextId } from "../../../../core/records/entity.ts";
import { Agent, barrier, EVERYWHERE, MODEL_FIELDS } from "./agents.ts";

const MESH = asSystem("agents");

/** One version of an agent: runs begun with it keep it. */
export const AgentVersion = entity("agents.versions", {
  fields: {
    agentId: TextId,
    version: z.int(),
    problemSetId: TextId.optional(),
    compartments: Compartments,
    scope: z.literal(EVERYWHERE).optional(),
    templateId: z.string().optional(),
    character: z.string(),
    ...MODEL_FIELDS,
    phases: z.array(z.string()).default([]),
    raised: z.record(z.string(), z.enum(ACTION_CLASSES)).optional(),
    autonomy: z.int(),
  },
  immutable: ["problemSetId"],
  barrier,
  indexes: [{ fields: ["agentId"] }],
});

const idOf = (agentId: string, version: number): string => derivedId(`agent ${agentId} version ${version}`);

/** Keeps the present version of an agent before a change; repeating it changes nothing. */
export async function keepVersion(host: Host, agent: Agent): Promise<void> {
  const { id, version, problemSetId, compartments, scope, templateId, character, phases, raised, autonomy } = agent;
  const { model, priceIn, priceOut, maxTokens, temperature, budget } = agent;
  const thinks = { model, priceIn, priceOut, maxTokens, temperature, budget };
  const kept = { templateId, character, ...thinks, phases, raised, autonomy };
  await host.store(AgentVersion).createOnce(MESH, {
    id: idOf(id, version),
    agentId: id,
    version,
    problemSetId,
    compartments,
    scope,
    ...kept,
  });
}

/**
 * An agent for a run begun with an earlier version: character, model and autonomy are from then; tools and availability
 * are from now. Null where that version is no longer known.
 */
export async function asBegun(host: Host, agent: Agent, version: number): Promise<Agent | null> {
  if (agent.version === version) return agent;
  const then = await host.store(AgentVersion).one(MESH, { _id: idOf(agent.id, version) });
  if (!then) return null;
  const { templateId, character, phases, raised, autonomy } = then;
  const { model, priceIn, priceOut, maxTokens, temperature, budget } = then;
  const thinks = { model, priceIn, priceOut, maxTokens, temperature, budget };
  const was = { templateId, character, ...thinks, phases, raised, autonomy };
  return { ...agent, ...was, version } as Agent;
}
