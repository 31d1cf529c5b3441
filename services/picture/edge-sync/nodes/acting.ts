import { authorize, type Actor, type AccessRights } from "../../../../core/access/access.ts";
import { modeOf } from "../../../../core/access/training-mode.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { didNotBound, forbidden, notFound, Problem, unauthenticated } from "../../../../core/problem.ts";
import { holderOf } from "../../../identity/identity/client.ts";
import { cutOffOf } from "../../discovery/client.ts";
import { MESH, NOUN_LIST } from "../records/carrying.ts";
import { EdgeNode } from "./nodes.ts";

export const CARRY = "edge-sync:carry";
export const ADMINISTER = "edge-sync:administer";

/** A node and its person as both stand now, by the store, whatever a gateway remembers of them. */
export interface Acting {
  node: EdgeNode;
  actor: Actor;
  /** Problem sets that its DID was cut off from. */
  cutOff: readonly string[];
}

const cut = () =>
  new Problem(
    403,
    "DID_CUT_OFF",
    "The DID of this node was cut off by an emergency disconnect: nothing is taken or told.",
  );

/** Throws where a DID is not the account's, or was cut off everywhere. Answers the problem sets it was cut off from. */
export async function demandDid(host: Host, userId: string, did: string): Promise<readonly string[]> {
  const [holder, { everywhere, problemSetIds }] = await Promise.all([holderOf(host, did), cutOffOf(host, did)]);
  if (holder !== userId) throw didNotBound();
  if (everywhere) throw cut();
  return problemSetIds;
}

/** Throws 404 for a node of somebody else, 403 where it, its person or its DID may not, 409 in the other mode. */
export async function acting(host: Host, caller: Caller, nodeId: string): Promise<Acting> {
  const { actor } = caller.meta;
  if (!actor) throw unauthenticated();
  const [node, standing] = await Promise.all([
    host.store(EdgeNode).one(MESH, { _id: nodeId }),
    host.ask<AccessRights | null>("auth.actor", { userId: actor.userId }),
  ]);
  if (!node || node.userId !== actor.userId) throw notFound(EdgeNode.title, nodeId);
  if (!standing) throw unauthenticated("This account may nothing any more.");
  if (node.status === "revoked") throw new Problem(403, "NODE_REVOKED", "This node was revoked: enrol it anew.");
  if (actor.did !== undefined && actor.did !== node.did) throw forbidden("X-DID is not the DID of this node.");
  const { mode: _before, ...kept } = actor;
  const { roles, permits, memberships = {}, mode } = standing;
  const now: Actor = { ...kept, roles, permits, memberships, ...(mode && { mode }) };
  authorize(now, CARRY);
  for (const { domain } of NOUN_LIST) authorize(now, `${domain}:read`);
  const cutOff = await demandDid(host, actor.userId, node.did);
  if (modeOf(now) !== node.mode)
    throw new Problem(
      409,
      "OTHER_MODE",
      `You are not in the mode of this node (${node.mode}): it waits until you are.`,
    );
  return { node, actor: now, cutOff };
}
