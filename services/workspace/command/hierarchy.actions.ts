import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { memberOf } from "../../../core/access/access.ts";
import { data, list } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../core/records/entity.ts";
import { hierarchy, type UnitNode } from "./hierarchy.ts";
import { AUTHORITIES, FUNCTIONS, matrix } from "./matrix.ts";
import { RELATIONSHIP_KINDS, Relationship } from "./relationships.ts";
import { Unit } from "./units.ts";
import {
  CONTROL,
  controlledElsewhere,
  FINDINGS,
  isControl,
  validate,
  type CommandFinding,
  type ControlElsewhere,
} from "./validation.ts";
import { placeOfMission, spansOfMissions, type MissionSpan } from "../missions/client.ts";

const MAY_READ = "command:read";

const TreeNode = z
  .object({
    unit: Unit.view,
    by: z
      .object({ relationshipId: z.string(), kind: z.enum(RELATIONSHIP_KINDS) })
      .optional()
      .describe("The relationship to the unit above."),
    others: z
      .array(
        z.object({
          relationshipId: z.string(),
          kind: z.enum(RELATIONSHIP_KINDS),
          superiorId: z.string(),
          superiorName: z.string(),
        }),
      )
      .describe("Its other relationships in force."),
    get subordinates() {
      return z.array(TreeNode);
    },
  })
  .meta({ id: "CommandNode" }) as z.ZodType<UnitNode>;

const Found = z
  .object({
    code: z.enum(FINDINGS),
    message: z.string(),
    units: z.array(z.string()),
    relationships: z.array(z.string()),
  })
  .meta({ id: "CommandFinding" });

const Holder = z.object({
  superiorId: z.string(),
  superiorName: z.string(),
  relationshipId: z.string(),
  kind: z.enum(RELATIONSHIP_KINDS),
  authority: z.enum(AUTHORITIES),
});

const MatrixRow = z
  .object({ unitId: z.string(), name: z.string(), functions: z.record(z.enum(FUNCTIONS), z.array(Holder)) })
  .meta({ id: "AuthorityMatrixRow" });

const At = { at: Instant.optional().describe("The instant asked about; now, unless said otherwise.") };

/**
 * What of a mission's chain of command the caller may see: units of its problem set, standing relationships and the
 * mission's own.
 */
async function order(host: Host, ctx: Ctx<{ missionId: string; at?: string | undefined }>) {
  const { missionId, at = iso(host.world.clock.now()) } = ctx.params;
  const { problemSetId } = await placeOfMission(ctx, missionId);
  memberOf(ctx.meta.actor, problemSetId, MAY_READ);
  const [units, relationships] = await Promise.all([
    host.store(Unit).find(ctx, { problemSetId }, { sort: ["name"] }),
    host
      .store(Relationship)
      .find(ctx, { problemSetId, $or: [{ missionId }, { missionId: { $exists: false } }] }, { sort: ["_id"] }),
  ]);
  // Thousands of both are worked through next: that has a turn of the loop to itself.
  await nextTurn();
  return { at, units, relationships };
}

/** Units that another mission, which is not over, puts under the control of somebody else at the same time. */
async function inOtherMissions(
  host: Host,
  ctx: Ctx<{ missionId: string }>,
  units: readonly Unit[],
  relationships: readonly Relationship[],
): Promise<CommandFinding[]> {
  const { missionId } = ctx.params;
  const mine = relationships.filter((one) => one.missionId === missionId && isControl(one.kind));
  if (!mine.length) return [];
  const { problemSetId } = mine[0]!;
  const query = { problemSetId, kind: { $in: [...CONTROL] }, missionId: { $exists: true, $ne: missionId } };
  const controlled = new Set(mine.map(({ subordinateId }) => subordinateId));
  const theirs = (await host.store(Relationship).find(ctx, query, { sort: ["_id"] })).filter((one) =>
    controlled.has(one.subordinateId),
  );
  const ids = new Set([...mine, ...theirs].map((one) => one.missionId!));
  const spans = new Map((await spansOfMissions(host, [...ids])).map((span) => [span.id, span]));
  const lasting = (of: readonly Relationship[]): ControlElsewhere[] =>
    of.flatMap((one) => {
      const mission = spans.get(one.missionId!);
      return mission ? [{ ...within(one, mission), mission: mission.name }] : [];
    });
  return controlledElsewhere(units, lasting(mine), lasting(theirs));
}

/** A relationship no longer than its mission. */
const within = (one: Relationship, { from, until }: MissionSpan): Relationship => ({
  ...one,
  from: [one.from, from]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1),
  until: [one.until, until].filter((at) => at !== undefined).toSorted()[0],
});

export const hierarchyActions = {
  getHierarchy: endpoint({
    rest: "GET /hierarchy/:missionId",
    summary: "Show who commands whom in a mission",
    tool: "show_command",
    permit: "signed-in",
    path: { missionId: TextId },
    query: At,
    description:
      "Units of the mission's problem set as trees: each is below the unit that directs it at that time " +
      "(operational control before attachment, tactical control, assignment, organic), with its other " +
      "relationships listed. Standing relationships apply to every mission.",
    returns: data(z.object({ at: Instant, missionId: z.string(), roots: z.array(TreeNode) })),
    async handler(ctx) {
      const { at, units, relationships } = await order(this, ctx);
      return { at, missionId: ctx.params.missionId, roots: hierarchy(units, relationships, at) };
    },
  }),

  validateHierarchy: endpoint({
    rest: "POST /validate-hierarchy/:missionId",
    summary: "Check a mission's chain of command for consistency",
    permit: "signed-in",
    reads: true,
    path: { missionId: TextId },
    query: At,
    description:
      "Finds cycles and double operational control at any time, also by other missions that are not over, relationships to removed units or of no " +
      "duration, and units without a superior at the time asked about; describes each in words.",
    returns: data(
      z.object({
        at: Instant,
        missionId: z.string(),
        ok: z.boolean(),
        units: z.int(),
        relationships: z.int(),
        findings: z.array(Found),
      }),
    ),
    async handler(ctx) {
      const { at, units, relationships } = await order(this, ctx);
      const elsewhere = await inOtherMissions(this, ctx, units, relationships);
      const findings = [...validate(units, relationships, at), ...elsewhere];
      return {
        at,
        missionId: ctx.params.missionId,
        ok: findings.length === 0,
        units: units.length,
        relationships: relationships.length,
        findings,
      };
    },
  }),

  getMatrix: endpoint({
    rest: "GET /matrix/:missionId",
    summary: "Show who is responsible for what in a mission, and with what authority",
    permit: "signed-in",
    path: { missionId: TextId },
    query: At,
    description:
      "For each unit and function, who has it: full authority, or authority limited to the mission or " +
      "shared with the parent. What a temporary commander holds in full, the permanent one does not " +
      "hold meanwhile; two by relationships of one kind are both shown.",
    returns: list(MatrixRow, z.object({ at: Instant, functions: z.array(z.enum(FUNCTIONS)) })),
    async handler(ctx) {
      const { at, units, relationships } = await order(this, ctx);
      return { data: matrix(units, relationships, at), meta: { at, functions: [...FUNCTIONS] } };
    },
  }),
};
