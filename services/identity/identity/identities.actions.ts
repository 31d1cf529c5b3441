import { z } from "zod";
import { may } from "../../../core/access/access.ts";
import { bare, data } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { conflict, invalid, notFound, tooMany, unprocessable } from "../../../core/problem.ts";
import { proof, proofRefused } from "./client.ts";
import { GOOD_FOR_MS, MOST_CHALLENGES, PURPOSES, type Purpose } from "./proofs/challenges.ts";
import { DidText, canonicalDid, LONGEST_DID, parseDid } from "./did-methods/did-syntax.ts";
import { Did, DID_METHODS, DidView, ENTITY_TYPES, EntityType, type EntityType as EntityName } from "./dids.ts";
import { multibaseOf } from "../../../core/did/key-encodings.ts";
import { askerOf, boundDid, primaryDid, self } from "./parts.ts";
import { spokenBy, speakersOf, type Speaker } from "./proofs/proofs.ts";
import type { Resolution } from "./did-methods/resolution.ts";

const Check = z.object({
  name: z.enum(["syntax", "method", "resolution", "active", "authentication", "bound", "control"]),
  passed: z.boolean(),
  detail: z.string().optional(),
});
type Check = z.output<typeof Check>;

export interface AccountOf {
  id: string;
  userId: string;
  address: string;
  chainId: number;
}

export const identities = {
  "entityTypes.list": endpoint({
    rest: "GET /entity-types",
    summary: "List the kinds of entity an identity can be",
    permit: "public",
    cacheSeconds: 3_600,
    returns: data(z.array(z.object({ type: EntityType, description: z.string() }))),
    handler: () =>
      (Object.entries(ENTITY_TYPES) as [EntityName, string][]).map(([type, description]) => ({ type, description })),
  }),

  "challenges.create": endpoint({
    rest: "POST /challenges",
    summary: "Request a challenge to prove control of a key",
    permit: "identity:hold",
    beyond: true,
    audit: false,
    status: 201,
    description:
      "The challenge can be used once, within five minutes, by you, and only for this purpose and " +
      "subject. `subject`: for `register` and `validate` the DID, otherwise the public key to be proved " +
      "(Multikey, `z…`). Sign `message`.",
    body: { purpose: z.enum(PURPOSES), subject: z.string().min(1).max(LONGEST_DID) },
    example: { purpose: "register", subject: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" },
    returns: data(z.object({ challenge: z.string(), message: z.string(), expiresAt: z.string() })),
    errors: { 429: "Too many challenges were asked for." },
    async handler(ctx) {
      const { userId } = ctx.meta.actor!;
      const { limiter, env, clock } = this.world;
      const { allowed, resetAt } = await limiter.take(
        `${env.NAMESPACE}:identity-challenge:${userId}`,
        MOST_CHALLENGES,
        GOOD_FOR_MS,
      );
      if (!allowed)
        throw tooMany(
          "Too many challenges were asked for; wait a little.",
          Math.max(1, (resetAt - clock.now()) / 1000),
        );
      return self(this).challenges.issue({ userId, ...ctx.params }, clock.now());
    },
  }),

  spend: endpoint({
    summary: "Use up a challenge and learn the message that had to be signed",
    permit: "internal",
    returns: bare(z.string()),
    body: { userId: z.string(), purpose: z.enum(PURPOSES), subject: z.string(), challenge: z.string() },
    handler(ctx) {
      return spend(this, ctx.params);
    },
  }),

  register: endpoint({
    rest: "POST /register",
    summary: "Register an identity: your primary DID, or one whose control you prove",
    permit: "identity:hold",
    status: 201,
    returns: data(DidView),
    description:
      "Without `did`, your primary DID (created if there is none) gets the entity type and name. With " +
      "`did`, that DID becomes yours: `POST /api/identity/challenges` gives the message that its key " +
      "must sign.",
    body: {
      did: DidText.optional(),
      entityType: EntityType.default("person"),
      name: Did.create.name,
      challenge: proof.challenge.optional(),
      signature: proof.signature.optional(),
    },
    example: { entityType: "person", name: "Duty officer" },
    errors: {
      409: "The DID is bound already.",
      422: "The DID does not resolve, the challenge is invalid, or the signature is not the DID's.",
    },
    async handler(ctx) {
      const { did, entityType, name } = ctx.params;
      const identity = self(this);
      const userId = ctx.meta.actor!.userId;
      if (did === undefined) {
        const primary = await boundDid(this, (await primaryDid(identity, userId)).did);
        return this.store(Did).revise(ctx, primary!, { entityType, name });
      }
      if (await boundDid(this, did))
        throw conflict("This DID is bound to an account already, or was deactivated.", { did });
      await this.store(Did).demandRoom({ userId });
      const { key } = await provedControl(this, ctx, did);
      const { method } = parseDid(did)!;
      return this.store(Did).create(ctx, {
        did: canonicalDid(did),
        method: DID_METHODS.includes(method as "key") ? method : "other",
        origin: "proved",
        userId,
        entityType,
        name,
        ...(key && { publicKey: multibaseOf(key) }),
      });
    },
  }),

  validate: endpoint({
    rest: "POST /validate",
    summary: "Validate an identity",
    permit: "identity:read",
    reads: true,
    description:
      "Reports each check: the DID's form, its method, whether it resolves, is active, and names a key " +
      "that can authenticate; whether it is bound to an account here; and, with a signed challenge of " +
      "purpose `validate`, whether you control it. `valid` combines all of them except `bound`.",
    body: {
      did: z.string().min(1).max(LONGEST_DID),
      challenge: proof.challenge.optional(),
      signature: proof.signature.optional(),
    },
    example: { did: "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp" },
    returns: data(z.object({ did: z.string(), valid: z.boolean(), checks: z.array(Check) })),
    errors: { 422: "The challenge is unknown, used, too old, or was given for something else." },
    async handler(ctx) {
      const { did } = ctx.params;
      const resolution = await self(this).dids.resolve(did, { asker: askerOf(ctx) });
      const checks = soundness(resolution);
      checks.push({ name: "bound", passed: (await boundDid(this, did))?.status === "active" });
      const given = proofGiven(ctx.params);
      if (given) checks.push(await control(this, ctx, did, resolution, given));
      return { did, valid: checks.every(({ name, passed }) => passed || name === "bound"), checks };
    },
  }),

  "accounts.get": endpoint({
    rest: "GET /account/:accountId",
    summary: "Read your own identity by account, or any as an administrator",
    permit: "identity:read",
    path: { accountId: TextId },
    returns: data(
      z
        .object({
          accountId: z.string(),
          identityUserId: z.string(),
          address: z.string(),
          chainId: z.int(),
          primaryDid: z.string(),
          dids: z.array(DidView),
        })
        .meta({ id: "AccountIdentity" }),
    ),
    async handler(ctx) {
      const { accountId } = ctx.params;
      const account = await this.ask<AccountOf | null>("accounts.of", { accountId });
      const actor = ctx.meta.actor!;
      if (!account || (account.userId !== actor.userId && !may(actor, "accounts:administer")))
        throw notFound("account", accountId);
      const primary = await primaryDid(self(this), account.userId);
      const dids = await this.store(Did).find(ctx, { userId: account.userId }, { sort: ["-createdAt"] });
      return {
        accountId,
        identityUserId: account.userId,
        address: account.address,
        chainId: account.chainId,
        primaryDid: primary.did,
        dids,
      };
    },
  }),
};

interface Proof {
  challenge: string;
  signature: string;
}

/** Both parts or none. */
function proofGiven({ challenge, signature }: Partial<Proof>): Proof | null {
  if (challenge === undefined && signature === undefined) return null;
  if (challenge === undefined || signature === undefined)
    throw invalid([
      { path: challenge === undefined ? "challenge" : "signature", message: "A proof is a challenge and a signature." },
    ]);
  return { challenge, signature };
}

const spend = (
  host: Host,
  { challenge, ...claim }: { userId: string; purpose: Purpose; subject: string; challenge: string },
): Promise<string> => self(host).challenges.spend(claim, challenge, host.world.clock.now());

/** Throws 400 without a proof, 422 where the DID does not resolve or the proof is not good. */
async function provedControl(host: Host, ctx: Ctx<Partial<Proof>>, did: string): Promise<Speaker> {
  const given = proofGiven(ctx.params);
  if (!given)
    throw invalid([
      { path: "challenge", message: "Control of a DID must be proved: ask for a challenge." },
      { path: "signature", message: "Control of a DID must be proved." },
    ]);
  const { didDocument, didResolutionMetadata } = await self(host).dids.resolve(did, { asker: askerOf(ctx) });
  if (!didDocument)
    throw unprocessable("DID_UNRESOLVED", didResolutionMetadata.message ?? "This DID does not resolve.", [
      { path: "did", message: didResolutionMetadata.error ?? "deactivated" },
    ]);
  const message = await spend(host, {
    userId: ctx.meta.actor!.userId,
    purpose: "register",
    subject: did,
    challenge: given.challenge,
  });
  const speaker = await spokenBy(speakersOf(didDocument), message, given.signature);
  if (!speaker) throw proofRefused("the DID's keys");
  return speaker;
}

/** The checks that need no more than the resolution. */
function soundness({
  didDocument,
  didResolutionMetadata: { error, message },
  didDocumentMetadata,
}: Resolution): Check[] {
  const passed = (name: Check["name"], ok: boolean, detail?: string): Check => ({
    name,
    passed: ok,
    ...(!ok && detail && { detail }),
  });
  const resolved = didDocument !== null;
  return [
    passed("syntax", error !== "invalidDid", message),
    ...(error === "invalidDid" ? [] : [passed("method", error !== "methodNotSupported", message)]),
    ...(error === "invalidDid" || error === "methodNotSupported"
      ? []
      : [
          passed("resolution", resolved || didDocumentMetadata.deactivated === true, message),
          passed("active", resolved && !didDocumentMetadata.deactivated, "It is deactivated or has no document."),
          passed(
            "authentication",
            resolved && speakersOf(didDocument).length > 0,
            "Its document names no key of a kind we know for authentication.",
          ),
        ]),
  ];
}

async function control(
  host: Host,
  ctx: Ctx<unknown>,
  did: string,
  { didDocument }: Resolution,
  given: Proof,
): Promise<Check> {
  const message = await spend(host, {
    userId: ctx.meta.actor!.userId,
    purpose: "validate",
    subject: did,
    challenge: given.challenge,
  });
  return {
    name: "control",
    passed: didDocument !== null && (await spokenBy(speakersOf(didDocument), message, given.signature)) !== null,
  };
}
