import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { Actor } from "../../../core/access/access.ts";
import { invalid, type Detail } from "../../../core/problem.ts";
import { allowed, type ServedTool } from "./tools.ts";

/** The tools that a client chooses by the address it connects to: `/mcp?domains=search,missions`. */
export interface ListingChoice {
  /** Only tools of these domains; all of them without it. */
  domains?: ReadonlySet<string>;
  /** Lists tools with the schemas of their answers: for programs that generate code or check answers. */
  outputSchemas: boolean;
}

type Tools = ReadonlyMap<string, ServedTool>;

/**
 * Bytes of tools on one page. All tools fit on the first, since not every client asks for a second; with schemas of
 * answers they do not.
 */
const PAGE_BYTES = 131_072;

const READ: Readonly<Record<string, (value: string, choice: ListingChoice, tools: Tools) => string | undefined>> = {
  domains(value, choice, tools) {
    const known = new Set([...tools.values()].map(({ endpoint }) => endpoint.service));
    const domains = new Set(value.split(",").filter(Boolean));
    const unknown = [...domains].find((domain) => !known.has(domain));
    if (unknown === undefined && domains.size) return void (choice.domains = domains);
    return `Names of domains, separated by commas, of: ${[...known].sort().join(", ")}.`;
  },
  outputSchemas(value, choice) {
    if (value !== "true" && value !== "false") return "`true` or `false`.";
    choice.outputSchemas = value === "true";
    return undefined;
  },
};

/** Reads the choice from a request's address. Throws 400, naming the invalid parameter. */
export function choiceOf(url: string, tools: Tools): ListingChoice {
  const choice: ListingChoice = { outputSchemas: false };
  const details: Detail[] = [];
  for (const [path, value] of new URL(url, "http://localhost").searchParams) {
    const read = Object.hasOwn(READ, path) ? READ[path] : undefined;
    const message = read ? read(value, choice, tools) : `Not a parameter; there are ${Object.keys(READ).join(", ")}.`;
    if (message) details.push({ path, message });
  }
  if (details.length) throw invalid(details, "The address of the server has parameters that it does not know.");
  return choice;
}

/** The tools that are there at an address. */
export const chosen = (tools: Tools, { domains }: ListingChoice): Tools =>
  domains ? new Map([...tools].filter(([, { endpoint }]) => domains.has(endpoint.service))) : tools;

const cursorAt = (name: string): string => Buffer.from(name).toString("base64url");

/** A tool as clients see it; the revision decides which answers may have a schema. */
const shown = ({ tool, answers }: ServedTool, hasSchema: boolean): Tool =>
  hasSchema ? { ...tool, outputSchema: answers as Tool["outputSchema"] } : tool;

export interface ListedPage {
  tools: Tool[];
  nextCursor?: string;
}

/**
 * A page of the tools that the caller may use, sorted by name, so that the order stays the same; undefined where the
 * cursor is not ours.
 */
export function listTools(
  { tools, actor, choice }: { tools: Tools; actor: Actor; choice: ListingChoice },
  cursor: unknown,
  hasSchema: (served: ServedTool) => boolean,
): ListedPage | undefined {
  const after = cursor === undefined ? "" : Buffer.from(String(cursor), "base64url").toString();
  if (cursor !== undefined && (!tools.has(after) || cursor !== cursorAt(after))) return undefined;
  const rest = [...tools.values()]
    .filter((one) => one.tool.name > after && allowed(one, actor))
    .sort((one, other) => (one.tool.name < other.tool.name ? -1 : 1))
    .map((one) => shown(one, choice.outputSchemas && hasSchema(one)));
  let bytes = 0;
  const end = rest.findIndex((tool, at) => (bytes += Buffer.byteLength(JSON.stringify(tool))) > PAGE_BYTES && at > 0);
  return end < 0 ? { tools: rest } : { tools: rest.slice(0, end), nextCursor: cursorAt(rest[end - 1]!.name) };
}
