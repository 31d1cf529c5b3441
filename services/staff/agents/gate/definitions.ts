import { z } from "zod";
import { ACTION_CLASSES, type ActionClass } from "../../../../config/safety.ts";
import { TOOL_NAMES, toolRow, type ToolName, type ToolRow } from "../../../../config/tools.ts";
import type { Actor } from "../../../../core/access/access.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { published, type PublishedEndpoint } from "../../../../core/contract/catalogue.ts";
import { parametersOf, type AnyContract, type Host, type MeshService } from "../../../../core/contract/endpoint.ts";
import { complaints } from "../../../../core/contract/documents/json-schema.ts";
import { callHttp, type Errand } from "../tools/http.ts";
import { callMcp } from "../tools/mcp.ts";
import { closed, propertiesOf } from "../tools/parameters.ts";
import { higher, Tool, type Tool as ToolRecord } from "../tools/tools.ts";
import { hashOf } from "./hash.ts";

export { hashOf } from "./hash.ts";

const MESH = asSystem("agents");
const DESCRIPTION = 400;
/** The longest duration of a call, by default. */
const ACT_MS = 60_000;
const MOST_BYTES = 1_048_576;
const MOST_REMEMBERED = 500;

/** A tool as agents see it: made from its endpoint's contract, or from the administrators' description. */
export interface Definition extends ToolRow {
  name: string;
  summary: string;
  description: string;
  schema: z.ZodObject;
  /** The input as JSON Schema. */
  parameters: Record<string, unknown>;
  /** SHA-256 over all of this: a tool with another hash is another tool. */
  hash: string;
  endpoint: PublishedEndpoint;
  timeoutMs: number;
  resultBytes: number;
  /** Why nobody may use it at the moment. */
  disabled?: string;
  /** Calls it, where it lies outside the platform. */
  carries?: (host: Host, given: Record<string, unknown>, errand: Errand & { actor: Actor }) => Promise<unknown>;
}

const bounds = { timeoutMs: ACT_MS, resultBytes: MOST_BYTES };

function definitionOf(name: string, row: ToolRow, endpoint: PublishedEndpoint): Definition {
  const schema = parametersOf(endpoint.contract);
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { summary, description = "" } = endpoint.contract;
  const told = { name, ...row, summary, description: description.slice(0, DESCRIPTION), parameters };
  return { ...told, ...bounds, schema, endpoint, hash: hashOf(told) };
}

/** Every operation of the mesh, by its action. */
export const operationsOf = (services: Iterable<MeshService>): ReadonlyMap<string, PublishedEndpoint> =>
  new Map([...services].flatMap((one) => [...published(one)]).map((one) => [one.action, one]));

/** The tools of the table that this mesh has; tools of areas that are not installed are missing. */
export function definitionsOf(services: Iterable<MeshService>): ReadonlyMap<string, Definition> {
  const operations = operationsOf(services);
  return new Map(
    TOOL_NAMES.flatMap((name: ToolName) => {
      const endpoint = operations.get(toolRow(name).action);
      return endpoint ? [[name, definitionOf(name, toolRow(name), endpoint)] as const] : [];
    }),
  );
}

/** What the service of agents has in addition: the services of the mesh, and the definitions made from them. */
export interface AgentsHost extends Host {
  meshServices(): readonly MeshService[];
  definitions?: ReadonlyMap<string, Definition>;
  operations?: ReadonlyMap<string, PublishedEndpoint>;
  /** Definitions made from tools' records, by revision. */
  made?: Map<string, Definition>;
}

/** The tools of this process's mesh; made once, since its code does not change. */
export const definitionsFor = (host: Host): ReadonlyMap<string, Definition> => {
  const agents = host as AgentsHost;
  return (agents.definitions ??= definitionsOf(agents.meshServices()));
};
export const operationsFor = (host: Host): ReadonlyMap<string, PublishedEndpoint> => {
  const agents = host as AgentsHost;
  return (agents.operations ??= operationsOf(agents.meshServices()));
};

/** Arguments by a foreign JSON Schema: only the fields that it names. */
function outsideSchema(parameters: Record<string, unknown>): z.ZodObject {
  const shape = Object.fromEntries(propertiesOf(parameters).map((name) => [name, z.unknown().optional()]));
  return z.strictObject(shape).superRefine((given, context) => {
    for (const message of complaints(parameters, given)) context.addIssue({ code: "custom", message });
  });
}

/** A call outside the platform lies in no problem set, and needs no rights there. */
const outside = (tool: ToolRecord): PublishedEndpoint => ({
  service: "agents",
  action: `agents.outside.${tool.kind}`,
  method: tool.effect === "read" ? "GET" : "POST",
  path: "",
  contract: { permit: "signed-in", summary: tool.summary, returns: data(z.unknown()) } as unknown as AnyContract,
});

const CARRIERS = { http: callHttp, mcp: callMcp } as const;

function fromOutside(tool: ToolRecord, kind: keyof typeof CARRIERS): Definition {
  const { id: name, summary, description, effect, timeoutMs, resultBytes } = tool;
  const parameters = closed(tool.parameters ?? {});
  const told = { name, kind, class: tool.class, effect, summary, description, parameters, timeoutMs, resultBytes };
  const secrets = tool.headers.map((header) => [header.name, header.sealed]);
  return {
    ...told,
    action: `agents.outside.${kind}`,
    schema: outsideSchema(parameters),
    endpoint: outside(tool),
    hash: hashOf({ ...told, http: tool.http ?? null, mcp: tool.mcp ?? null, pinned: tool.pinned ?? null, secrets }),
    carries: async (host, given, { actor, ...errand }) =>
      actor.mode === "training" && effect !== "read" ? { simulated: true } : CARRIERS[kind](host, tool, given, errand),
  };
}

/** An operation as changed by a tool's record: its class is never lower than in the installation's table. */
function fromOperation(host: Host, tool: ToolRecord): Definition | undefined {
  const own = definitionsFor(host).get(tool.id);
  const endpoint = operationsFor(host).get(tool.action ?? "");
  const base =
    own ??
    (endpoint && definitionOf(tool.id, { action: tool.action!, class: tool.class, effect: tool.effect }, endpoint));
  if (!base) return undefined;
  const { timeoutMs, resultBytes } = tool;
  const told = { class: higher(base.class, tool.class), timeoutMs, resultBytes };
  const words = own ? {} : { summary: tool.summary, description: tool.description };
  return { ...base, ...words, ...told, hash: hashOf({ ...told, ...words, of: base.hash }) };
}

/** The definition made from a record, stored or not; undefined where the mesh lacks its operation. */
export function madeFrom(host: Host, tool: ToolRecord): Definition | undefined {
  const fresh = tool.kind === "action" ? fromOperation(host, tool) : fromOutside(tool, tool.kind);
  return fresh && tool.status === "disabled"
    ? { ...fresh, disabled: tool.reason ?? "An administrator switched it off." }
    : fresh;
}

/** The same for a stored record, cached by its revision, which is unique. */
function madeOf(host: Host, tool: ToolRecord): Definition | undefined {
  const agents = host as AgentsHost;
  const made = (agents.made ??= new Map());
  const key = `${tool.id} ${tool.rev} ${tool.createdAt}`;
  const known = made.get(key);
  if (known) return known;
  const definition = madeFrom(host, tool);
  if (!definition) return undefined;
  if (made.size >= MOST_REMEMBERED) made.clear();
  made.set(key, definition);
  return definition;
}

/** The definition of a tool, with its record if there is one. */
export const definedBy = (host: Host, name: string, record: ToolRecord | null | undefined): Definition | undefined =>
  record ? madeOf(host, record) : definitionsFor(host).get(name);

/** Tools by name with their present definitions, both the installation's own and added ones. */
export async function toolsNamed(host: Host, names: readonly string[]): Promise<Map<string, Definition>> {
  const records = new Map((await host.store(Tool).many(MESH, names)).map((one) => [one.id, one]));
  return new Map(
    names.flatMap((name) => {
      const definition = definedBy(host, name, records.get(name));
      return definition ? [[name, definition] as const] : [];
    }),
  );
}

/** All tools, sorted by name. */
export async function allTools(host: Host): Promise<Map<string, { definition: Definition; record?: ToolRecord }>> {
  const records = new Map((await host.store(Tool).find(MESH, {}, { sort: ["_id"] })).map((one) => [one.id, one]));
  const names = [...new Set([...definitionsFor(host).keys(), ...records.keys()])].sort();
  return new Map(
    names.flatMap((name) => {
      const record = records.get(name);
      const definition = definedBy(host, name, record);
      return definition ? [[name, { definition, ...(record && { record }) }] as const] : [];
    }),
  );
}

/** Whether acts of a class change something. */
export const changes = (safety: ActionClass): boolean =>
  ACTION_CLASSES.indexOf(safety) > ACTION_CLASSES.indexOf("analyse");
