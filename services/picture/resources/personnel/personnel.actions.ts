import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { withSeenNames } from "../../../../core/contract/input/names.ts";
import type { Fact } from "../../../../core/events/event.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { isNotFound, nullIf, unprocessable } from "../../../../core/problem.ts";
import { holderOf } from "../../../identity/identity/client.ts";
import { unitOf } from "../../../workspace/command/client.ts";
import { askedOutside, isSeenWith, mayOutside, outsideAlone, placeFor, type Place } from "../../place.ts";
import { PersonAdded, PersonMoved, PersonRemoved, factsInSet } from "../events.ts";
import { importRows, table } from "../imports.ts";
import { bulk, bulkNote } from "../registry/import.actions.ts";
import { externalKey } from "../registry/resources.ts";
import { Personnel } from "./personnel.ts";

const set = "problemSetId";
const READ = "personnel:read";
const EDIT = "personnel:edit";
const reading = { set, may: READ };
const editing = { set, may: EDIT };

const ELSEWHERE = "The unit lies elsewhere, or further in (`OTHER_PLACE`), or the DID is no member's (`NO_MEMBER`).";

const { problemSetId: _set, compartments: _compartments, ...NEW } = Personnel.create;
const Fresh = withSeenNames(z.strictObject(NEW));
const Change = withSeenNames(z.strictObject(Personnel.change));

/** Throws 422 for a unit that the caller does not see, or that not all see who see the person. */
async function demandUnit(ctx: Ctx<unknown>, place: Place, unitId: string): Promise<void> {
  const unit = await unitOf(ctx, unitId).catch(nullIf(isNotFound));
  if (!unit || !isSeenWith(unit, place))
    throw unprocessable("OTHER_PLACE", "A person belongs to a unit of the same problem set.", [
      {
        path: "unitId",
        message: "There is no such unit in the problem set of the person, in no compartment that the person is not in.",
      },
    ]);
}

/** The account of a DID, a member of the problem set. Throws 422 where there is none. */
async function memberBy(host: Host, { problemSetId }: Place, did: string): Promise<string> {
  const userId = await holderOf(host, did);
  const held =
    userId === undefined || problemSetId === undefined
      ? []
      : await Promise.all(
          [true, false].map((training) => host.ask<object>("problem-sets.membershipsOf", { userId, training })),
        );
  if (!held.some((memberships) => Object.hasOwn(memberships, problemSetId!)))
    throw unprocessable("NO_MEMBER", "The account of a person is that of a member of the problem set.", [
      { path: "did", message: "No member of the problem set has this DID." },
    ]);
  return userId!;
}

type Given = { unitId?: string | null; did?: string | null; externalId?: string | null };

/** What follows from what is said of a person. Throws 422 for a unit or an account of elsewhere. */
async function checked(host: Host, ctx: Ctx<unknown>, place: Place, given: Given): Promise<Record<string, unknown>> {
  const { unitId, did, externalId } = given;
  if (unitId) await demandUnit(ctx, place, unitId);
  return {
    ...(did && { userId: await memberBy(host, place, did) }),
    ...(did === null && { userId: null }),
    ...(externalId && { external: externalKey(place, "person", externalId) }),
    ...(externalId === null && { external: null }),
  };
}

/** What is told of somebody who is in another unit after a change, or in none. */
const moved =
  (before: Personnel, by: string) =>
  (after: Personnel): Fact[] =>
    after.unitId === before.unitId ? [] : factsInSet(PersonMoved, after, by, { unitId: after.unitId ?? null });

export const personnelActions = {
  "persons.list": endpoint({
    rest: "GET /personnel",
    summary: "List the personnel",
    permit: READ,
    within: reading,
    query: { ...Personnel.query, ...outsideAlone },
    returns: list(Personnel.view),
    handler(ctx) {
      const { outside, ...asked } = ctx.params;
      return this.store(Personnel).page(ctx, asked, askedOutside(ctx.meta.actor!, { outside, ...asked }));
    },
  }),

  "persons.get": endpoint({
    rest: "GET /personnel/:id",
    summary: "Show a person of the personnel",
    permit: READ,
    within: reading,
    on: Personnel,
    returns: data(Personnel.view),
    handler: (_ctx, person) => person,
  }),

  "persons.create": endpoint({
    rest: "POST /personnel",
    summary: "Add a person to the personnel register",
    permit: "signed-in",
    within: editing,
    body: Personnel.create,
    returns: data(Personnel.view),
    status: 201,
    example: { name: "Ada Moreau", rank: "Captain", position: "S4" },
    errors: { 422: ELSEWHERE },
    description:
      "With the `did` of an account the record is also that person's data: it is part of their export, " +
      "and is erased with their account.",
    async handler(ctx) {
      const actor = ctx.meta.actor!;
      const place = placeFor(actor, ctx.params, EDIT);
      const known = await checked(this, ctx, place, ctx.params);
      return this.store(Personnel).create(
        ctx,
        { ...ctx.params, ...place, ...known },
        { facts: (made: Personnel) => factsInSet(PersonAdded, made, actor.userId) },
      );
    },
  }),

  "persons.update": endpoint({
    rest: "PATCH /personnel/:id",
    summary: "Edit a person of the personnel",
    permit: "signed-in",
    within: editing,
    on: Personnel,
    when: mayOutside(EDIT),
    body: Personnel.change,
    returns: data(Personnel.view),
    errors: { 422: ELSEWHERE },
    async handler(ctx, person) {
      const known = await checked(this, ctx, person, ctx.params as Given);
      const change = { ...ctx.params, ...known };
      return this.store(Personnel).revise(ctx, person, change, { facts: moved(person, ctx.meta.actor!.userId) });
    },
  }),

  "persons.move": endpoint({
    rest: "PATCH /personnel/:id/unit",
    summary: "Move a person to another unit, or out of all units",
    permit: "signed-in",
    within: editing,
    on: Personnel,
    when: mayOutside(EDIT),
    body: { unitId: TextId.nullable() },
    returns: data(Personnel.view),
    errors: { 422: "The unit lies in another problem set, or further in than the person (`OTHER_PLACE`)." },
    example: { unitId: "the unit's id" },
    async handler(ctx, person) {
      const { unitId } = ctx.params;
      if (unitId !== null) await demandUnit(ctx, person, unitId);
      return this.store(Personnel).revise(ctx, person, { unitId }, { facts: moved(person, ctx.meta.actor!.userId) });
    },
  }),

  "persons.remove": endpoint({
    rest: "DELETE /personnel/:id",
    summary: "Remove a person from the personnel register",
    permit: "signed-in",
    within: editing,
    on: Personnel,
    when: mayOutside(EDIT),
    returns: nothing(),
    status: 204,
    async handler(ctx, person) {
      await this.store(Personnel).remove(ctx, person, {
        facts: factsInSet(PersonRemoved, person, ctx.meta.actor!.userId),
      });
      return null;
    },
  }),

  "persons.bulkImport": endpoint({
    rest: "POST /personnel/bulk-import",
    summary: "Import people in bulk",
    ...bulk,
    within: editing,
    media: table({ phrases: ["skills"] }),
    example: { rows: [{ externalId: "P-7", name: "Ada Moreau", position: "driver" }] },
    description: bulkNote("person"),
    async handler(ctx) {
      const { rows, dryRun, ...where } = ctx.params;
      const place = placeFor(ctx.meta.actor!, where, EDIT);
      const store = this.store(Personnel);
      return importRows(ctx, rows, {
        dryRun,
        noun: Personnel.name,
        fresh: Fresh,
        change: Change,
        before: (externalId) => store.one(ctx, { external: externalKey(place, "person", externalId) }),
        create: async (given, id) => {
          const known = await checked(this, ctx, place, given as Given);
          if (!dryRun) await store.create(ctx, { ...given, ...place, ...known, id });
        },
        update: async (before, change) => {
          const known = await checked(this, ctx, before, change as Given);
          if (!dryRun) await store.revise(ctx, before, { ...(change as object), ...known });
        },
      });
    },
  }),
};
