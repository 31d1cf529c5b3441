import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { notFound, unprocessable } from "../../../../core/problem.ts";
import { askedOutside, mayOutside, outsideAlone, placeFor, sharePlace } from "../../place.ts";
import { GroupAdded, GroupRemoved, factsInSet } from "../events.ts";
import { EDIT, editing, READ, reading } from "../registry/permits.ts";
import { Resource } from "../registry/resources.ts";
import { hold, release, Uses } from "../uses/uses.ts";
import { Group, Membership, MOST_MEMBERS } from "./groups.ts";

const MESH = asSystem("resources");
const membersOf = async (host: Host, { id }: Group): Promise<string[]> =>
  (await host.store(Membership).one(MESH, { _id: id }))?.memberIds ?? [];
const onGroup = { on: Group, by: "groupId" } as const;
const Added = Resource.view
  .extend({ added: z.boolean().describe("False: it was a member already.") })
  .meta({ id: "GroupMember" });

export const groupActions = {
  "groups.list": endpoint({
    rest: "GET /groups",
    summary: "List the resource groups",
    permit: READ,
    within: reading,
    query: { ...Group.query, ...outsideAlone },
    returns: list(Group.view),
    handler(ctx) {
      const { outside, ...asked } = ctx.params;
      return this.store(Group).page(ctx, asked, askedOutside(ctx.meta.actor!, { outside, ...asked }));
    },
  }),

  "groups.create": endpoint({
    rest: "POST /groups",
    summary: "Add a resource group",
    permit: "signed-in",
    within: editing,
    body: Group.create,
    returns: data(Group.view),
    status: 201,
    example: { name: "Bridging column" },
    handler(ctx) {
      const actor = ctx.meta.actor!;
      return this.store(Group).create(
        ctx,
        { ...ctx.params, ...placeFor(actor, ctx.params, EDIT) },
        { facts: (made: Group) => factsInSet(GroupAdded, made, actor.userId) },
      );
    },
  }),

  "groups.get": endpoint({
    rest: "GET /groups/:groupId",
    summary: "Show a resource group",
    permit: READ,
    within: reading,
    ...onGroup,
    returns: data(Group.view),
    handler: (_ctx, group) => group,
  }),

  "groups.remove": endpoint({
    rest: "DELETE /groups/:groupId",
    summary: "Remove a resource group; its members stay",
    permit: "signed-in",
    within: editing,
    ...onGroup,
    when: mayOutside(EDIT),
    returns: nothing(),
    status: 204,
    async handler(ctx, group) {
      await this.store(Group).remove(ctx, group, { facts: factsInSet(GroupRemoved, group, ctx.meta.actor!.userId) });
      const memberIds = await membersOf(this, group);
      await this.store(Uses).collection.updateMany(
        { _id: { $in: memberIds } },
        { $pull: { uses: { id: group.id } }, $inc: { rev: 1 } },
      );
      await this.store(Membership).removeAll(MESH, { _id: group.id });
      return null;
    },
  }),

  "members.list": endpoint({
    rest: "GET /groups/:groupId/members",
    summary: "List the resources of a group that you can see",
    permit: READ,
    within: reading,
    ...onGroup,
    query: { ...paging },
    returns: list(Resource.view),
    async handler(ctx, group) {
      return this.store(Resource).page(ctx, ctx.params, { _id: { $in: await membersOf(this, group) } });
    },
  }),

  "members.add": endpoint({
    rest: "POST /groups/:groupId/members",
    summary: "Add a resource to a group",
    permit: "signed-in",
    within: editing,
    ...onGroup,
    when: mayOutside(EDIT),
    body: { resourceId: TextId },
    returns: data(Added),
    status: 201,
    found: ({ added }) => !added,
    errors: {
      422: "The resource lies in another problem set (`OTHER_PLACE`), or the group is full (`TOO_MANY_MEMBERS`).",
    },
    example: { resourceId: "the resource's id" },
    async handler(ctx, group) {
      const { resourceId } = ctx.params;
      const resource = await this.store(Resource).get(ctx, resourceId);
      if (!sharePlace(resource, group))
        throw unprocessable("OTHER_PLACE", "A group has resources of its own problem set.", [
          { path: "resourceId", message: "It lies elsewhere." },
        ]);
      const { id, name, compartments } = group;
      const held = await hold(this, ctx, resourceId, { type: "group", id, name, compartments });
      const members = this.store(Membership);
      await members.createOnce(MESH, { id: group.id, memberIds: [] });
      const changed = await members.amend(MESH, group.id, ({ memberIds }) => {
        if (memberIds.includes(resourceId)) return null;
        if (memberIds.length >= MOST_MEMBERS)
          throw unprocessable("TOO_MANY_MEMBERS", `A group has at most ${MOST_MEMBERS} members.`);
        return { memberIds: [...memberIds, resourceId] };
      });
      return { ...held, added: changed !== null };
    },
  }),

  "members.remove": endpoint({
    rest: "DELETE /groups/:groupId/members/:resourceId",
    summary: "Remove a resource from a group",
    permit: "signed-in",
    within: editing,
    ...onGroup,
    when: mayOutside(EDIT),
    path: { resourceId: TextId },
    returns: nothing(),
    status: 204,
    async handler(ctx, group) {
      const { resourceId } = ctx.params;
      const isMember = (await membersOf(this, group)).includes(resourceId);
      if (!isMember || !(await this.store(Resource).one(ctx, { _id: resourceId })))
        throw notFound("member of the group", resourceId);
      await this.store(Membership).amend(MESH, group.id, ({ memberIds }) => ({
        memberIds: memberIds.filter((id) => id !== resourceId),
      }));
      await release(this, resourceId, group.id);
      return null;
    },
  }),
};
