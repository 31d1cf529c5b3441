import { z } from "zod";
import { ACTION_CLASSES, type ActionClass } from "../../../../config/safety.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { conflict } from "../../../../core/problem.ts";
import { entity, Figure, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { ToolChoice } from "../tools/tools.ts";

export const MOST_DEPTH = 3;
const MOST_NAMED = 300;

/** The most that a run may cost, by the installation's prices. */
export const MOST_COST = 1_000_000;

/** The most that may be used. */
export const Limits = z
  .strictObject({
    calls: z.int().min(1).max(10_000).default(200).describe("Calls of tools."),
    tokens: z.int().min(1).max(10_000_000).default(200_000).describe("Tokens of the model, prompts and answers."),
    cost: z.number().positive().max(MOST_COST).optional().describe("Of the model, by the installation's prices."),
  })
  .meta({ id: "AgentLimits" });
export type Limits = z.output<typeof Limits>;
/** Counted against the limits: reserved before use, settled after. */
export const USED = { usedCalls: z.int(), usedTokens: z.int(), usedCost: Figure };
/** Amounts reserved at the moment, by the name of the act or question; they count as used. */
export const HELD = {
  holds: z
    .record(
      z.string(),
      z.object({ calls: z.number().optional(), tokens: z.number().optional(), cost: z.number().optional() }),
    )
    .optional(),
};
export const UNUSED = { usedCalls: 0, usedTokens: 0, usedCost: 0 };

export const Delegation = entity("agents.delegations", {
  title: "delegation",
  fields: {
    agentId: TextId,
    problemSetId: TextId.describe("The problem set in which it is valid."),
    compartments: Compartments,
    grants: Compartments.describe("Your compartments that the agent may read; none if absent."),
    tools: z.array(ToolChoice).max(MOST_NAMED).default([]).describe("Tools that the agent may use for you."),
    classes: z
      .array(z.enum(ACTION_CLASSES))
      .max(ACTION_CLASSES.length)
      .default([])
      .describe("Whole classes of tools that the agent may use."),
    limits: Limits.default(Limits.parse({})),
    expiresAt: Instant.describe("At most 90 days ahead."),
    by: PersonId.describe("Whom the agent acts for, with that person's current rights and never more."),
    fromId: TextId.optional().describe("The delegation that this one is derived from."),
    depth: z.int(),
    chain: z.array(TextId).describe("The agents it was passed through, this one last."),
    status: z.enum(["live", "revoked"]),
    revokedBy: PersonId.optional(),
    revokedAt: Instant.optional(),
    ...USED,
    ...HELD,
  },
  readonly: [
    "agentId",
    "compartments",
    "by",
    "fromId",
    "depth",
    "chain",
    "status",
    "revokedBy",
    "revokedAt",
    ...keysOf(USED),
    "holds",
  ],
  hidden: ["holds"],
  immutable: ["problemSetId", "compartments", "grants", "tools", "classes", "limits", "expiresAt"],
  filter: ["problemSetId", "status"],
  sort: ["expiresAt"],
  barrier,
  most: {
    count: 1_000,
    per: ["problemSetId", "by"],
    refusal: (count) => conflict(`Somebody has at most ${count} delegations in a problem set.`),
  },
  lists: [{ by: ["problemSetId", "agentId"] }],
  indexes: [{ fields: ["by"] }, { fields: ["agentId", "status"] }, { fields: ["tools", "status"] }],
});
export type Delegation = Item<typeof Delegation>;

function keysOf<K extends string>(shape: Record<K, unknown>): K[] {
  return Object.keys(shape) as K[];
}

type Scope = Pick<Delegation, "tools" | "classes">;
/** A tool as delegations name it: by its name, and by its class. */
interface Choice {
  name: string;
  class: ActionClass;
}

/** Whether a delegation covers a tool, by name or by the class it has for this agent. */
export const covers = ({ tools, classes }: Scope, tool: Choice): boolean =>
  tools.includes(tool.name) || classes.includes(tool.class);

/** The tools that every one of the scopes covers. */
export const coveredByAll = (tools: Iterable<Choice>, ...scopes: readonly Scope[]): string[] =>
  [...tools].filter((tool) => scopes.every((scope) => covers(scope, tool))).map(({ name }) => name);

/** What is handed on: in no respect more than the giver has. */
export function handedOn(
  from: Delegation,
  wanted: Scope & Pick<Delegation, "grants" | "limits" | "expiresAt">,
  tools: Iterable<Choice>,
) {
  const least = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined ? other : other === undefined ? one : Math.min(one, other);
  const cost = least(from.limits.cost, wanted.limits.cost);
  return {
    tools: coveredByAll(tools, from, wanted),
    classes: [],
    grants: wanted.grants.filter((id) => from.grants.includes(id)),
    limits: {
      calls: Math.min(from.limits.calls, wanted.limits.calls),
      tokens: Math.min(from.limits.tokens, wanted.limits.tokens),
      ...(cost !== undefined && { cost }),
    },
    expiresAt: from.expiresAt < wanted.expiresAt ? from.expiresAt : wanted.expiresAt,
  };
}

/** Whether it is valid at a moment. */
export const isValidAt = ({ status, expiresAt }: Pick<Delegation, "status" | "expiresAt">, now: string): boolean =>
  status === "live" && expiresAt > now;
