import { z } from "zod";
import { holds } from "../../../../core/access/access.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { conflict, forbidden, notFound } from "../../../../core/problem.ts";
import { Compartment, CompartmentCreated, CompartmentRow, CompartmentView } from "./compartments.ts";
import { Did, Member, MemberReadIn, MemberReadOut } from "../members/members.ts";
import { alter, memberBy } from "../members/roster.ts";

export const manages = { set: "problemSetId", may: "compartments:manage" };

/** Whether the caller manages the compartments of a set: they then see which there are, not what lies in them. */
export const isManager = (caller: Caller, setId: string): boolean => {
  const { omniscient, memberships } = caller.meta.actor!;
  return omniscient === true || holds(memberships?.[setId]?.permits ?? [], manages.may);
};

export const heldBy = (caller: Caller, setId: string): readonly string[] =>
  caller.meta.actor?.memberships?.[setId]?.compartments ?? [];

/** The record must lie in the path's set; otherwise 404. */
export function refuseElsewhere(id: string, record: { id: string; problemSetId: string }, what: string): void {
  if (record.problemSetId !== id) throw notFound(what, record.id);
}

/** Information barriers within a problem set. Managing them neither needs nor gives sight of what lies in them. */
export const compartmentActions = {
  "compartments.list": endpoint({
    rest: "GET /:id/compartments",
    summary: "List the compartments of a problem set",
    permit: "signed-in",
    within: { set: "id", may: "compartments:read" },
    path: { id: TextId },
    description:
      "Those who manage compartments see all of them; others see only those they are read into. " +
      "Managers see dissolved ones with `status=dissolved`.",
    query: { status: z.enum(["active", "dissolved"]).default("active"), ...paging },
    returns: list(CompartmentRow),
    async handler(ctx) {
      const { id, status, ...window } = ctx.params;
      const own: Query = isManager(ctx, id) ? {} : { _id: { $in: [...heldBy(ctx, id)] } };
      const { data: rows, meta } = await this.store(Compartment).page(ctx, window, {
        ...own,
        problemSetId: id,
        status,
      });
      const members = await this.store(Member).find(
        ctx,
        { problemSetId: id, compartments: { $in: rows.map((row) => row.id) } },
        { fields: ["did", "compartments"] },
      );
      return {
        data: rows.map((row) => ({
          ...row,
          memberDids: members.filter((member) => member.compartments.includes(row.id)).map(({ did }) => did),
        })),
        meta,
      };
    },
  }),

  "compartments.create": endpoint({
    rest: "POST /:id/compartments",
    summary: "Create a compartment",
    permit: "signed-in",
    within: { ...manages, set: "id" },
    path: { id: TextId },
    returns: data(CompartmentView),
    status: 201,
    description: "Nobody is read into it yet, including you: nobody can read themselves in.",
    body: { name: Compartment.create.name, description: Compartment.create.description },
    example: { name: "Human sources" },
    async handler(ctx) {
      const { id: problemSetId, ...fields } = ctx.params;
      return this.store(Compartment).create(
        ctx,
        { ...fields, problemSetId },
        { facts: ({ id }) => [CompartmentCreated.fact(id, { problemSetId, by: actorOf(ctx), compartments: [id] })] },
      );
    },
  }),

  "compartments.readIn": endpoint({
    rest: "POST /:id/compartments/:cid/members",
    summary: "Read a member into a compartment",
    permit: "signed-in",
    on: Compartment,
    by: "cid",
    within: manages,
    path: { id: TextId },
    body: { did: Did },
    returns: data(CompartmentRow),
    description:
      "Must be somebody other than yourself. From their next request on they see what lies in this " +
      "compartment alone, or in this and others that they are read into. Repeating it is harmless.",
    errors: { 403: "Nobody reads themself in.", 409: "The compartment is dissolved." },
    example: { did: "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK" },
    async handler(ctx, compartment) {
      refuseElsewhere(ctx.params.id, compartment, Compartment.title);
      if (compartment.status === "dissolved")
        throw conflict("This compartment is dissolved: nobody is read into it again.");
      const member = await memberBy(this, ctx, compartment.problemSetId, ctx.params.did);
      if (member.userId === actorOf(ctx))
        throw forbidden("Nobody reads themself into a compartment; ask another who manages them.");
      await changeReading(this, ctx, member, compartment, "in");
      return withMembers(this, ctx, compartment);
    },
  }),

  "compartments.readOut": endpoint({
    rest: "DELETE /:id/compartments/:cid/members/:mid",
    summary: "Read a member out of a compartment",
    permit: "signed-in",
    on: Compartment,
    by: "cid",
    within: manages,
    path: {
      id: TextId,
      mid: z.string().min(1).max(2_048).describe("The member's DID, or the id of their membership."),
    },
    returns: data(CompartmentRow),
    description: "In force with their next request, and on open sockets and streams. Repeating it is harmless.",
    async handler(ctx, compartment) {
      const { id, mid } = ctx.params;
      refuseElsewhere(id, compartment, Compartment.title);
      const member = mid.startsWith("did:")
        ? await memberBy(this, ctx, id, mid)
        : await this.store(Member).get(ctx, mid);
      refuseElsewhere(id, member, Member.title);
      await changeReading(this, ctx, member, compartment, "out");
      return withMembers(this, ctx, compartment);
    },
  }),

  "members.listCompartments": endpoint({
    rest: "GET /:id/members/:did/compartments",
    summary: "Read which compartments a member is in",
    permit: "signed-in",
    within: { set: "id", may: "compartments:read" },
    path: { id: TextId, did: Did.describe("The member's DID.") },
    description:
      "Those who manage compartments, and the members themselves, see all of them; others see those " +
      "that both are read into.",
    returns: data(z.array(CompartmentView)),
    async handler(ctx) {
      const { id, did } = ctx.params;
      const member = await memberBy(this, ctx, id, did);
      const shown = isManager(ctx, id)
        ? member.compartments
        : member.compartments.filter((one) => heldBy(ctx, id).includes(one));
      return shown.length
        ? this.store(Compartment).find(ctx, { _id: { $in: shown }, status: "active" }, { sort: ["createdAt"] })
        : [];
    },
  }),
};

/**
 * Reads a member into a compartment or out of it, once; each is audited, and told as a fact that lies in the
 * compartment.
 */
export async function changeReading(
  host: Host,
  caller: Caller,
  member: Member,
  { id, problemSetId }: Pick<Compartment, "id" | "problemSetId">,
  where: "in" | "out",
): Promise<void> {
  const fact = (where === "in" ? MemberReadIn : MemberReadOut).fact(member.id, {
    problemSetId,
    userId: member.userId,
    did: member.did,
    by: actorOf(caller),
    compartments: [id],
  });
  const compartments = where === "in" ? { $addToSet: { compartments: id } } : { $pull: { compartments: id } };
  await alter(host, caller, member, (at) =>
    at.compartments.includes(id) === (where === "in") ? null : { change: {}, compartments, facts: [fact] },
  );
}

async function withMembers(
  host: Host,
  caller: Caller,
  compartment: Compartment,
): Promise<z.input<typeof CompartmentRow>> {
  const members = await host
    .store(Member)
    .find(caller, { problemSetId: compartment.problemSetId, compartments: compartment.id }, { fields: ["did"] });
  return { ...compartment, memberDids: members.map(({ did }) => did) };
}
