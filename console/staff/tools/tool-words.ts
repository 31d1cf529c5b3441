import type { ListRow } from "../../api/client.ts";
import { CLASS_WORDS } from "../shared/words.ts";

export type Tool = ListRow<"GET /admin/tools">;
export type ToolKind = Tool["kind"];

export const KINDS: readonly (readonly [ToolKind, words: string, hint: string])[] = [
  ["action", "Something that this platform does", "What people do here by the same operation, with their rights."],
  ["http", "A request to another server", "An address of somebody else’s, with the values that the agent gives it."],
  ["mcp", "A tool of a server of tools", "One that a server offers by the Model Context Protocol (MCP)."],
];
/** The same in a column. */
export const LEADS_TO: Readonly<Record<ToolKind, string>> = {
  action: "this platform",
  http: "another server",
  mcp: "a server of tools",
};
export const kindWords = (kind: ToolKind): string => KINDS.find(([one]) => one === kind)![1];

/** What becomes of an act that was cut off, as by a power failure. */
export const EFFECTS: Readonly<Record<Tool["effect"], string>> = {
  read: "It only reads: it is done again",
  keyed: "It is done again under the same key, and the other side does nothing twice",
  probed: "It is looked first whether it happened",
  once: "Nobody knows whether it happened: a person says so",
};

/** What can be said of an act that was cut off, by the kind of tool and how its server is asked. */
export function effectsOf(kind: ToolKind, method: string): readonly Tool["effect"][] {
  if (kind === "mcp") return ["read", "once"];
  if (method === "GET") return ["read"];
  return kind === "http" || method === "POST" ? ["keyed", "once"] : ["once"];
}

export const CLASSES = Object.entries(CLASS_WORDS) as readonly (readonly [Tool["class"], string])[];
