import { may, type Actor } from "../../../../core/access/access.ts";
import { modeOf } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict, isConflict, notFound } from "../../../../core/problem.ts";
import { ADMINISTER, CARRY, demandDid } from "./acting.ts";
import { EdgeNode } from "./nodes.ts";

const isTheirs = (actor: Actor, { userId }: EdgeNode): boolean => userId === actor.userId || may(actor, ADMINISTER);
function demandTheirs(actor: Actor, node: EdgeNode): void {
  if (!isTheirs(actor, node)) throw notFound(EdgeNode.title, node.id);
}

export const nodeActions = {
  "nodes.create": endpoint({
    rest: "POST /nodes",
    summary: "Enrol an edge node",
    permit: CARRY,
    beyond: true,
    body: EdgeNode.create,
    returns: data(EdgeNode.view),
    status: 201,
    errors: {
      403: "The DID is not bound to your account (`DID_NOT_BOUND`), or was cut off (`DID_CUT_OFF`).",
      409: "Another active node has the DID, or you have too many.",
    },
    example: { name: "Tablet of the forward post", did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" },
    description:
      "A node is a device with a DID of your account: `POST /api/identity/register` binds a DID whose " +
      "key the device holds. It acts as you, with your current rights. Its changes are numbered from 1.",
    async handler(ctx) {
      const actor = ctx.meta.actor!;
      const { did } = ctx.params;
      await demandDid(this, actor.userId, did);
      const state = { userId: actor.userId, mode: modeOf(actor), status: "active", lastSeq: 0, holds: did };
      return this.store(EdgeNode)
        .create(ctx, { ...ctx.params, ...state })
        .catch((error: unknown) => {
          const fields = isConflict(error) && (error.data?.details as { fields?: string[] } | undefined)?.fields;
          throw fields && fields.includes("holds") ? conflict("An active edge node has this DID.", { did }) : error;
        });
    },
  }),

  "nodes.list": endpoint({
    rest: "GET /nodes",
    summary: "List your edge nodes, or all as their administrator",
    permit: CARRY,
    beyond: true,
    query: EdgeNode.query,
    returns: list(EdgeNode.view),
    handler(ctx) {
      const actor = ctx.meta.actor!;
      const theirs = may(actor, ADMINISTER) ? {} : { userId: actor.userId };
      return this.store(EdgeNode).page(ctx, ctx.params, theirs);
    },
  }),

  "nodes.get": endpoint({
    rest: "GET /nodes/:id",
    summary: "Show an edge node and its last accepted change",
    permit: CARRY,
    beyond: true,
    on: EdgeNode,
    returns: data(EdgeNode.view),
    handler(ctx, node) {
      demandTheirs(ctx.meta.actor!, node);
      return node;
    },
  }),

  "nodes.revoke": endpoint({
    rest: "DELETE /nodes/:id",
    summary: "Revoke an edge node permanently",
    permit: CARRY,
    beyond: true,
    on: EdgeNode,
    returns: nothing(),
    status: 204,
    description: "From the next request on, no node of the mesh accepts changes from it or sends it any.",
    async handler(ctx, node) {
      demandTheirs(ctx.meta.actor!, node);
      const revokedAt = iso(this.world.clock.now());
      await this.store(EdgeNode).amend(ctx, node.id, ({ status }) =>
        status === "revoked" ? null : { status: "revoked", revokedAt, holds: null },
      );
      return null;
    },
  }),
};
