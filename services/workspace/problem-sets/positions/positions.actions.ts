import { z } from "zod";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { actorOf, asSystem, type Caller } from "../../../../core/access/caller.ts";
import { endpoint, parse, type Host } from "../../../../core/contract/endpoint.ts";
import { withSeenNames } from "../../../../core/contract/input/names.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { isNotFound, isProblem, nullIf, unprocessable } from "../../../../core/problem.ts";
import { refuseElsewhere } from "../compartments/compartments.actions.ts";
import { Did } from "../members/members.ts";
import {
  NewPosition,
  PhaseMappings,
  Position,
  PositionChanged,
  PositionCreated,
  PositionRemoved,
  PositionView,
} from "./positions.ts";
import { memberBy } from "../members/roster.ts";

const manages = { set: "id", may: "positions:manage" };
const managesOne = { ...manages, set: "problemSetId" };
const MOST_AT_ONCE = 200;
const TAKEN = {
  409: "There is a position with that title, or the set is archived.",
  422: "`holderDid` is no member's (`NOT_A_MEMBER`).",
};
const Failed = z.object({ index: z.int(), code: z.string(), message: z.string() });
const Bulk = z.object({ created: z.array(PositionView), failed: z.array(Failed) }).meta({ id: "PositionBulkResult" });

/** The staff of a problem set: who does what in which phase. */
export const positionActions = {
  "positions.list": endpoint({
    rest: "GET /:id/positions",
    summary: "List the staff positions of a problem set",
    permit: "signed-in",
    within: { set: "id", may: "positions:read" },
    path: { id: TextId },
    query: Position.query,
    returns: list(PositionView),
    handler(ctx) {
      return this.store(Position).page(ctx, ctx.params, { problemSetId: ctx.params.id });
    },
  }),

  "positions.create": endpoint({
    rest: "POST /:id/positions",
    summary: "Add a staff position",
    permit: "signed-in",
    within: manages,
    path: { id: TextId },
    body: Position.create,
    returns: data(PositionView),
    status: 201,
    errors: TAKEN,
    example: { title: "Operations officer", abbreviation: "S3", phases: [{ phase: "mission-analysis", part: "lead" }] },
    handler(ctx) {
      const { id, ...position } = ctx.params;
      return create(this, ctx, id, position);
    },
  }),

  "positions.createMany": endpoint({
    rest: "POST /:id/positions/bulk",
    summary: "Add several staff positions",
    permit: "signed-in",
    within: manages,
    path: { id: TextId },
    bodyLimit: 10 * 2 ** 20,
    description:
      "Each entry is handled separately: `created` lists those that were created, `failed` gives the " +
      "reason for each of the others.",
    body: {
      positions: z.array(z.unknown()).min(1).max(MOST_AT_ONCE).describe(`1 to ${MOST_AT_ONCE}, each as for one.`),
    },
    returns: data(Bulk),
    example: { positions: [{ title: "Planner" }, { title: "Liaison officer" }] },
    async handler(ctx) {
      const { id, positions } = ctx.params;
      const outcome: { created: Position[]; failed: z.output<typeof Failed>[] } = { created: [], failed: [] };
      for (const [index, given] of positions.entries()) {
        try {
          outcome.created.push(await create(this, ctx, id, parse(NamedPosition, given, `positions.${index}`)));
        } catch (error) {
          if (!isProblem(error)) throw error;
          outcome.failed.push({ index, code: error.type, message: reasonOf(error) });
        }
      }
      return outcome;
    },
  }),

  "positions.update": endpoint({
    rest: "PATCH /:id/positions/:positionId",
    summary: "Change a staff position",
    permit: "signed-in",
    on: Position,
    by: "positionId",
    within: managesOne,
    path: { id: TextId },
    returns: data(PositionView),
    errors: TAKEN,
    description: "`holderDid: null` makes the position vacant.",
    body: {
      title: Position.update.title,
      phases: Position.update.phases,
      abbreviation: Position.create.abbreviation.nullable(),
      description: Position.create.description.nullable(),
      holderDid: Did.nullable().optional(),
    },
    example: { abbreviation: "G3" },
    async handler(ctx, position) {
      const { id, holderDid, ...change } = ctx.params;
      refuseElsewhere(id, position, Position.title);
      const holder = holderDid ? await holderIn(this, ctx, id, holderDid) : holderDid;
      return revise(this, ctx, position, { ...change, ...(holder !== undefined && { holderDid: holder }) });
    },
  }),

  "positions.mapPhases": endpoint({
    rest: "PUT /:id/positions/:positionId/phase-mappings",
    summary: "Set the phases that a staff position takes part in",
    permit: "signed-in",
    on: Position,
    by: "positionId",
    within: managesOne,
    path: { id: TextId },
    returns: data(PositionView),
    description: "Replaces the whole mapping; each phase of the decision process at most once.",
    body: { phases: PhaseMappings },
    example: {
      phases: [
        { phase: "coa-development", part: "lead" },
        { phase: "coa-analysis", part: "support" },
      ],
    },
    async handler(ctx, position) {
      const { id, phases } = ctx.params;
      refuseElsewhere(id, position, Position.title);
      return revise(this, ctx, position, { phases });
    },
  }),

  "positions.remove": endpoint({
    rest: "DELETE /:id/positions/:positionId",
    summary: "Remove a staff position",
    permit: "signed-in",
    on: Position,
    by: "positionId",
    within: managesOne,
    path: { id: TextId },
    returns: nothing(),
    status: 204,
    async handler(ctx, position) {
      refuseElsewhere(ctx.params.id, position, Position.title);
      await this.store(Position).remove(ctx, position, {
        facts: [PositionRemoved.fact(position.id, factOf(ctx, position))],
      });
      return null;
    },
  }),
};

const factOf = (caller: Caller, { problemSetId, title }: Pick<Position, "problemSetId" | "title">) => ({
  problemSetId,
  title,
  by: actorOf(caller),
});
const reasonOf = ({ message, data: { details } }: { message: string; data: { details?: unknown } }): string =>
  Array.isArray(details) && details.length
    ? details
        .map((one: { path: string; message: string }) => (one.path ? `${one.path}: ${one.message}` : message))
        .join(" ")
    : message;

/** The DID that a holder is known by in the set. Throws 422 where they are no member. */
async function holderIn(host: Host, caller: Caller, problemSetId: string, did: string): Promise<string> {
  try {
    return (await memberBy(host, caller, problemSetId, did)).did;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw unprocessable("NOT_A_MEMBER", "The holder of a position is a member of the problem set.", [
      { path: "holderDid", message: "No member of this problem set has this DID." },
    ]);
  }
}

/** Entries of a request are looked at one by one. */
const NamedPosition = withSeenNames(NewPosition);

async function create(host: Host, caller: Caller, problemSetId: string, position: NewPosition): Promise<Position> {
  const holderDid = position.holderDid && (await holderIn(host, caller, problemSetId, position.holderDid));
  return host
    .store(Position)
    .create(
      caller,
      { ...position, problemSetId, ...(holderDid && { holderDid }) },
      { facts: ({ id, ...made }) => [PositionCreated.fact(id, factOf(caller, made))] },
    );
}

function revise(host: Host, caller: Caller, position: Position, change: Record<string, unknown>): Promise<Position> {
  return host.store(Position).revise(caller, position, change, {
    facts: (made) => [
      PositionChanged.fact(position.id, {
        ...factOf(caller, made),
        fields: Object.keys(change).filter((name) => change[name] !== undefined),
      }),
    ],
  });
}

/** Vacates the positions of somebody who left, unless they came back meanwhile. */
export async function vacate(this: Host, { problemSetId, did }: { problemSetId: string; did: string }): Promise<void> {
  const there = await memberBy(this, asSystem("problem-sets"), problemSetId, did).catch(nullIf(isNotFound));
  if (!there)
    await this.store(Position).collection.updateMany(
      { problemSetId, holderDid: did },
      { $unset: { holderDid: 1 }, $inc: { rev: 1 } },
    );
}
