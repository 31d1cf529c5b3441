import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { invalid, type Detail } from "../../../../core/problem.ts";
import { definitionsFor, toolsNamed } from "../gate/definitions.ts";
import { Tool } from "./tools.ts";

const MESH = asSystem("agents");

const noTool = (name: string): string =>
  `This installation has no tool ${name}; \`GET /api/agents/tools\` lists those that there are.`;

/** The tool names that this installation lacks. */
export async function unknownTools(host: Host, names: readonly string[], path: string): Promise<Detail[]> {
  const own = definitionsFor(host);
  const others = names.filter((name) => !own.has(name));
  const added = others.length ? await toolsNamed(host, others) : new Map();
  return names.flatMap((name, at) =>
    own.has(name) || added.has(name) ? [] : [{ path: `${path}.${at}`, message: noTool(name) }],
  );
}

/** Throws 400 for a tool that this installation lacks. */
export async function demandKnown(host: Host, names: readonly string[], path: string): Promise<void> {
  const complaints = await unknownTools(host, names, path);
  if (complaints.length) throw invalid(complaints);
}

export const toolRecord = (host: Host, name: string): Promise<Tool | null> => host.store(Tool).one(MESH, { _id: name });
