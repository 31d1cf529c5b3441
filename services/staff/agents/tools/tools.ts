import { z } from "zod";
import { ACTION_CLASSES, SAFETY, type ActionClass, type Autonomy } from "../../../../config/safety.ts";
import { EFFECTS, TOOL_NAMES, type Effect } from "../../../../config/tools.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import type { PublishedEndpoint } from "../../../../core/contract/catalogue.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

export const TOOL_KINDS = ["action", "http", "mcp"] as const;
const HTTP_METHODS = ["GET", "POST"] as const;
const MOST_TOOLS = 200;

/** The name of a tool: one of the installation's own, or one that administrators added. */
export const ToolChoice = z
  .string()
  .regex(/^[a-z][a-z0-9_]{1,59}$/, "A tool's name has small letters, digits and _ alone.")
  .describe("The name of a tool, as `GET /api/agents/tools` lists them.");

const HostName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/, "A host as in an address, with its port.");

export const HttpTool = z.strictObject({
  method: z.enum(HTTP_METHODS),
  url: z
    .string()
    .max(2_000)
    .describe(
      "Its address; `{name}` in the path is replaced by the encoded argument. Other arguments go to the query.",
    ),
  hosts: z
    .array(HostName)
    .min(1)
    .max(20)
    .overwrite((hosts) => [...new Set(hosts)].sort())
    .describe("Hosts that the address and its redirects may lead to."),
});
export type HttpTool = z.output<typeof HttpTool>;

export const McpTool = z.strictObject({
  url: z.string().max(2_000).describe("Address of the server (Streamable HTTP)."),
  tool: z.string().min(1).max(200).describe("The server's name for the tool."),
});

/** A header sent with each call; its value is sealed and never returned. */
const Header = z.object({ name: z.string(), sealed: z.string(), last4: z.string(), updatedAt: Instant });

/** The administrators' record of a tool: one that they added, or their changes to one of the installation's own. */
export const Tool = entity("agents.tools", {
  title: "tool",
  fields: {
    kind: z.enum(TOOL_KINDS),
    builtIn: z.literal(true).optional(),
    summary: z.string().trim().min(6).max(200).describe("What it does, in one sentence; models choose tools by it."),
    description: z.string().max(400).default(""),
    action: z.string().max(200).optional().describe("For `action`: the operation, as named in the API description."),
    http: HttpTool.optional(),
    mcp: McpTool.optional(),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("JSON Schema of the arguments, an object; for `action` and `mcp` it is taken from the tool itself."),
    class: z.enum(ACTION_CLASSES).describe("Class in the safety matrix: at least what the contract implies."),
    effect: z
      .enum(EFFECTS)
      .describe("How an interrupted act is handled; only the installation's own tools can be `probed`."),
    timeoutMs: z.int().min(100).max(60_000).default(30_000),
    resultBytes: z.int().min(256).max(1_048_576).default(65_536).describe("A longer answer is an error."),
    headers: z.array(Header).default([]),
    pinned: z.string().optional().describe("Of `mcp`: SHA-256 over what the server said of the tool."),
    status: z.enum(["enabled", "disabled"]),
    reason: z.string().max(500).optional(),
    updatedBy: PersonId,
  },
  readonly: ["builtIn", "headers", "pinned", "status", "reason", "updatedBy"],
  immutable: ["kind"],
  hidden: ["headers"],
  indexes: [{ fields: ["createdBy"] }, { fields: ["updatedBy"] }],
});
export type Tool = Item<typeof Tool>;
export const tooManyTools = () => conflict(`There are at most ${MOST_TOOLS} tools beside the installation's own.`);
export { MOST_TOOLS };

export const ToolView = z
  .object({
    id: TextId.describe("Its name."),
    kind: z.enum(TOOL_KINDS),
    builtIn: z.boolean().describe("Whether the installation brought it."),
    summary: z.string(),
    description: z.string(),
    action: z.string().optional(),
    http: HttpTool.optional(),
    mcp: McpTool.optional(),
    parameters: z.record(z.string(), z.unknown()),
    class: z.enum(ACTION_CLASSES),
    leastClass: z.enum(ACTION_CLASSES).describe("What its contract implies: `class` is never lower."),
    effect: z.enum(EFFECTS),
    timeoutMs: z.int(),
    resultBytes: z.int(),
    headers: z.array(z.object({ name: z.string(), set: z.literal(true), last4: z.string(), updatedAt: Instant })),
    definition: z.string().describe("SHA-256 over the whole definition; approvals and preferences refer to it."),
    pinned: z.string().optional(),
    status: z.enum(["enabled", "disabled"]),
    reason: z.string().optional(),
    rev: z.int().describe("0 for one of the installation's own tools that nobody changed."),
    updatedAt: Instant.optional(),
    updatedBy: PersonId.optional(),
  })
  .meta({ id: "AgentTool" });

const height = (safety: ActionClass): number => ACTION_CLASSES.indexOf(safety);
export const isLower = (one: ActionClass, other: ActionClass): boolean => height(one) < height(other);
export const higher = (one: ActionClass, other: ActionClass): ActionClass => (isLower(one, other) ? other : one);

/** Domains in which a write is more than a change of shared records. */
const GRAVER: Readonly<Record<string, ActionClass>> = {
  gates: "change-governance",
  dao: "change-governance",
  messages: "communicate-inside",
  escrow: "spend",
  credentials: "change-access",
  encryption: "change-access",
  identity: "change-access",
  "problem-sets": "change-access",
};

/** The lowest class of an operation, by its contract: reading observes, writing changes, removing is irreversible. */
export function impliedClass({ method, service }: Pick<PublishedEndpoint, "method" | "service">): ActionClass {
  if (method === "GET") return "observe";
  return higher(method === "DELETE" ? "irreversible" : "modify-shared", GRAVER[service] ?? "modify-shared");
}

/** The lowest class of an external call: one that sends values out informs an outsider. */
export const impliedOutside = (method: string, parameters: Record<string, unknown>): ActionClass =>
  method === "GET" && !Object.keys((parameters["properties"] as object | undefined) ?? {}).length
    ? "observe"
    : "communicate-outside";

/** Possible effects of a tool, by its kind and by whether it only reads. */
export function possibleEffects(kind: Tool["kind"], method: string): readonly Effect[] {
  if (kind === "mcp") return ["read", "once"];
  if (method === "GET") return ["read"];
  return kind === "http" || method === "POST" ? ["keyed", "once"] : ["once"];
}

/** Whether an agent of this autonomy can never do such an act, with any authority in a problem set. */
export const isNeverAllowed = (safety: ActionClass, autonomy: number): boolean =>
  SAFETY[safety].verdicts[autonomy as Autonomy] === "forbid";

export const isBuiltIn = (name: string): boolean => (TOOL_NAMES as readonly string[]).includes(name);
