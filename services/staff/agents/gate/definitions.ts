import canonicalize from "canonicalize";
import { z } from "zod";
import { TOOL_NAMES, toolRow, type ToolName, type ToolRow } from "../../../../config/tools.ts";
import { published, type Published } from "../../../../core/contract/catalogue.ts";
import { parametersOf, type Host, type MeshService } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";

/** A tool as an agent gets to know it, made from its endpoint's contract. */
export interface Definition extends ToolRow {
  name: ToolName;
  summary: string;
  description: string;
  schema: z.ZodObject;
  /** The same as JSON Schema. */
  parameters: Record<string, unknown>;
  /** SHA-256 over all of this: another one is another tool. */
  hash: string;
  endpoint: Published;
}

/** SHA-256 over the canonical JSON (RFC 8785) of a value. */
export const hashOf = (value: unknown): string => sha256(canonicalize(value) ?? "");

const DESCRIPTION = 400;

function definitionOf(name: ToolName, endpoint: Published): Definition {
  const row = toolRow(name);
  const schema = parametersOf(endpoint.contract);
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { summary, description = "" } = endpoint.contract;
  const told = { name, ...row, summary, description: description.slice(0, DESCRIPTION), parameters };
  return { ...told, schema, endpoint, hash: hashOf(told) };
}

/** The tools of the table that this mesh has; one whose area is not installed is missing. */
export function definitionsOf(services: Iterable<MeshService>): ReadonlyMap<ToolName, Definition> {
  const byAction = new Map([...services].flatMap((one) => [...published(one)]).map((one) => [one.action, one]));
  return new Map(
    TOOL_NAMES.flatMap((name) => {
      const endpoint = byAction.get(toolRow(name).action);
      return endpoint ? [[name, definitionOf(name, endpoint)] as const] : [];
    }),
  );
}

/** What the service of agents has beside: the services of the mesh, and what it made of them. */
export interface AgentsHost extends Host {
  meshServices(): readonly MeshService[];
  definitions?: ReadonlyMap<ToolName, Definition>;
}

/** The tools of the mesh that this process is part of; made once, since its code never changes. */
export const definitionsFor = (host: Host): ReadonlyMap<ToolName, Definition> => {
  const agents = host as AgentsHost;
  return (agents.definitions ??= definitionsOf(agents.meshServices()));
};
