import { iso } from "../../../../core/clock.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { memberOf } from "../../../../core/access/access.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { verifies } from "../../../../core/did/signatures.ts";
import { methodsFor, publicKeyOf } from "../../../../core/did/verification-methods.ts";
import { conflict, invalid, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { holderOf, proof, proofRefused, resolveDid, spendChallenge } from "../../../identity/identity/client.ts";
import { placeFor } from "../../place.ts";
import { ResourceAdded, ResourceChanged, factsInSet } from "../events.ts";
import { draftedResource, thresholdFacts } from "./drafting.ts";
import { EDIT, editing } from "./permits.ts";
import { Did, Resource } from "./resources.ts";

interface Proving {
  did: string;
  challenge?: string | undefined;
  signature?: string | undefined;
}

/** Throws 400 without a proof of control over a DID that is not the caller's own already, 422 for one that is no good. */
async function demandControl(host: Host, ctx: Ctx<unknown>, { did, challenge, signature }: Proving): Promise<void> {
  const { userId } = ctx.meta.actor!;
  if (challenge === undefined && signature === undefined && (await holderOf(host, did)) === userId) return;
  if (challenge === undefined || signature === undefined)
    throw invalid([
      {
        path: challenge === undefined ? "challenge" : "signature",
        message: "Control of a DID that is not yours already must be proved.",
      },
    ]);
  const { didDocument, error } = await resolveDid(host, did, userId);
  if (!didDocument)
    throw unprocessable("DID_UNRESOLVED", "This DID does not resolve.", [{ path: "did", message: error ?? "none" }]);
  const message = Buffer.from(await spendChallenge(host, { userId, purpose: "register", subject: did, challenge }));
  const bytes = Buffer.from(signature, "base64url");
  const keys = methodsFor(didDocument, "assertionMethod").map(publicKeyOf);
  if (!keys.some((key) => key && verifies(key, message, bytes))) throw proofRefused("the DID's keys");
}

/** Entering resources into the registry under their DIDs. */
export const registeringActions = {
  register: endpoint({
    rest: "POST /registry/register",
    summary: "Register a resource under a DID",
    permit: "signed-in",
    within: editing,
    body: {
      did: Did,
      challenge: proof.challenge.optional(),
      signature: proof.signature.optional(),
      resourceId: TextId.optional().describe("A resource that is there already; otherwise a new one is made."),
      ...Resource.create,
      name: Resource.create.name.optional().describe("Needed for a new one."),
    },
    returns: data(Resource.view),
    status: 201,
    errors: {
      409: "Another resource has the DID, or this one has another.",
      422: "The DID does not resolve, the challenge is invalid, or the signature is not by one of the DID's keys.",
    },
    description:
      "Requires proof of control of the DID: it is yours (`/api/identity/register`), or its key signs " +
      "the message of a challenge of purpose `register` with the DID as subject (`POST " +
      "/api/identity/challenges`). A DID belongs to one resource.",
    example: {
      did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp",
      problemSetId: "the problem set's id",
      name: "Truck 7",
      kind: "vehicle",
    },
    async handler(ctx) {
      const { did, challenge, signature, resourceId, name, ...fields } = ctx.params;
      const actor = ctx.meta.actor!;
      const store = this.store(Resource);
      const before = resourceId === undefined ? undefined : await store.get(ctx, resourceId);
      if (before?.problemSetId !== undefined) memberOf(actor, before.problemSetId, EDIT, { writes: true });
      const place = before ?? placeFor(actor, fields, EDIT);
      if (before) placeFor(actor, before, EDIT);
      if (!before && name === undefined) throw invalid([{ path: "name", message: "A new resource has a name." }]);
      if (before?.did === did) return before;
      if (before?.did) throw conflict("The resource is registered under another DID.", { did: before.did });
      await demandControl(this, ctx, { did, challenge, signature });
      const registered = { did, registeredAt: iso(this.world.clock.now()) };
      if (before)
        return store.revise(ctx, before, registered, {
          facts: (made: Resource) => factsInSet(ResourceChanged, made, actor.userId),
        });
      return store.create(
        ctx,
        { ...(await draftedResource(this, ctx, place, { ...fields, name: name! })), ...registered },
        {
          facts: (made: Resource) => [...factsInSet(ResourceAdded, made, actor.userId), ...thresholdFacts(made)],
        },
      );
    },
  }),
};
