import { z } from "zod";
import { outranks, SET_ROLE_NAMES, type SetRole } from "../../../config/set-roles.ts";
import { authorize, holds, type Actor } from "../../../core/access/access.ts";
import { behind, sees } from "../../../core/access/barrier.ts";
import type { Query } from "../../../core/records/documents.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { lifecycle } from "../../../core/records/keeping/lifecycle.ts";
import { forbidden, invalid, type Detail } from "../../../core/problem.ts";
import { PersonId, personDid } from "../../../core/access/person-reference.ts";
import { barrier } from "../../../core/access/place.ts";
import { modeOf } from "../../../core/access/training-mode.ts";
import { Evidence } from "./data-model.ts";
import { KIND_NAMES, CREDENTIAL_KINDS, Uri, type CredentialKind, type KindName } from "./kinds.ts";
import { LEVELS } from "../../../core/access/classification.ts";

export const FORMATS = ["data-integrity", "vc+jwt", "vc+sd-jwt"] as const;

/** Revocation is for ever, suspension is not; what lay beyond its period expires by itself. */
export const CredentialStatus = lifecycle(["active", "suspended", "revoked", "expired"], {
  suspend: {
    from: ["active"],
    to: "suspended",
    permit: "signed-in",
    summary: "Suspend a credential until it is reinstated",
  },
  reinstate: { from: ["suspended"], to: "active", permit: "signed-in", summary: "Reinstate a suspended credential" },
  revoke: {
    from: ["active", "suspended", "expired"],
    to: "revoked",
    permit: "signed-in",
    summary: "Revoke a credential permanently",
  },
});
export type MoveName = keyof typeof CredentialStatus.moves;

/** What a credential opens to its subject while it is active. */
export const Grants = z.object({
  problemSetId: TextId.optional(),
  role: z.string().optional(),
  clearance: z.enum(LEVELS).optional(),
  compartments: z.array(TextId).optional(),
});
export type Grants = z.output<typeof Grants>;

export const IssuedCredential = entity("credentials", {
  title: "credential",
  fields: {
    kind: z.enum(KIND_NAMES),
    subject: personDid(z.string()).describe("The DID of a person, or the URI of a thing."),
    /** The account behind the subject's DID, where it has one here. */
    holderId: TextId.optional(),
    issuer: z.string(),
    training: z.literal(true).optional().describe("Issued in training: it counts there alone."),
    format: z.enum(FORMATS),
    credential: z
      .record(z.string(), z.unknown())
      .describe("The credential: with its proof (`data-integrity`), or as it stands in the JWT."),
    jwt: z
      .string()
      .optional()
      .describe("The secured form of a `vc+jwt`, or of a `vc+sd-jwt` with all its disclosures."),
    hash: z.string().describe("SHA-256 over the JCS form of `credential`, in hexadecimal."),
    problemSetId: TextId.optional(),
    compartments: z.array(TextId).optional(),
    /** Whether it grants something in a problem set, or else of which mode it is: an index tells them apart. */
    realm: z.enum(["platform", "set", "training"]),
    grants: Grants.optional(),
    validFrom: Instant,
    validUntil: Instant.optional(),
    status: CredentialStatus.field,
    statusReason: z.string().optional(),
    statusSince: Instant.optional(),
    statusBy: PersonId.optional().describe("Who suspended, reinstated or revoked it; absent if it expired."),
    /** Where its status stands in the published lists. */
    list: z.int(),
    index: z.int(),
  },
  readonly: [
    "holderId",
    "issuer",
    "training",
    "credential",
    "jwt",
    "hash",
    "compartments",
    "realm",
    "grants",
    "status",
    "statusReason",
    "statusSince",
    "statusBy",
    "list",
    "index",
  ],
  hidden: ["holderId", "realm", "list", "index"],
  filter: ["kind", "subject", "status", "problemSetId"],
  sort: ["validUntil"],
  indexes: [
    { fields: ["holderId", "-createdAt"], sparse: true },
    { fields: ["problemSetId", "-createdAt"], sparse: true },
    { fields: ["subject", "-createdAt"] },
    { fields: ["realm", "-createdAt"] },
    { fields: ["kind", "-createdAt"] },
    { fields: ["status", "-createdAt"] },
    { fields: ["list", "status"] },
    { fields: ["list", "index"] },
    { fields: ["status", "validUntil"] },
  ],
});
export type IssuedCredential = Item<typeof IssuedCredential>;
export const CredentialView = IssuedCredential.view.meta({ id: "IssuedCredential" });

/** What the body of every issuing call has beside the kind's claims. */
export const ISSUING = {
  subject: Uri.optional().describe("Whom or what it is about: the DID of a person, or the URI of a thing."),
  userId: TextId.optional().describe("Instead of `subject`: the account whose DID it is about."),
  format: z
    .enum(FORMATS)
    .default("data-integrity")
    .describe(
      "How it is secured: by a Data Integrity proof (`eddsa-jcs-2022`), as a JWT, or as an SD-JWT whose " +
        "holder can withhold claims (VC-JOSE-COSE).",
    ),
  validFrom: Instant.optional().describe("Now, when absent."),
  validUntil: Instant.optional(),
  evidence: z.array(Evidence).max(20).optional().describe("The evidence the issuer relied on."),
};

/** What the claims open to the subject, if anything. */
export function grantsOf(kind: KindName, claims: Record<string, unknown>): Grants | undefined {
  if (kind === "role-assignment") return Grants.parse({ problemSetId: claims["problemSetId"], role: claims["role"] });
  if (kind === "security-clearance")
    return Grants.parse({
      problemSetId: claims["problemSetId"],
      clearance: claims["level"],
      compartments: claims["compartments"],
    });
  return undefined;
}

/**
 * A platform role says nothing inside a problem set: what grants something there is issued by its members who may, and
 * nobody grants more than they have. Throws 403; whether the caller is a member was asked before (`within`).
 */
export function demandIssuer(actor: Actor, { problemSetId, role, compartments = [] }: Grants): void {
  if (problemSetId === undefined) {
    if (compartments.length)
      throw invalid([{ path: "compartments", message: "Compartments lie in a problem set: name it as problemSetId." }]);
    return authorize(actor, "credentials:issue");
  }
  if (actor.limits && !holds(actor.limits, "credentials:issue"))
    throw forbidden("This credential of yours is narrowed; it does not allow credentials:issue.");
  const membership = actor.memberships?.[problemSetId];
  if (!membership) return;
  if (role !== undefined && !SET_ROLE_NAMES.includes(role as SetRole)) {
    throw invalid([{ path: "role", message: `In a problem set it is one of ${SET_ROLE_NAMES.join(", ")}.` }]);
  }
  if (role !== undefined && outranks(role as SetRole, membership.role as SetRole)) {
    throw forbidden(`Your role, ${membership.role}, cannot make somebody ${role}.`);
  }
  const held = new Set(membership.compartments);
  const beyond = compartments.flatMap((id, at): Detail[] =>
    held.has(id) ? [] : [{ path: `compartments.${at}`, message: "You are not read into such a compartment." }],
  );
  if (beyond.length) throw invalid(beyond);
}

/** What is wrong with parts of a request that its schema cannot check. */
export function misfits(
  kind: KindName,
  given: { subject?: string; userId?: string; validFrom: string; validUntil?: string },
): Detail[] {
  const person = (CREDENTIAL_KINDS[kind] as CredentialKind).subject === "person";
  return [
    (given.subject === undefined) === (given.userId === undefined) && {
      path: "subject",
      message: "Give either subject or userId.",
    },
    person &&
      given.subject !== undefined &&
      !given.subject.startsWith("did:") && { path: "subject", message: "A person is named by a DID." },
    given.validUntil !== undefined &&
      given.validUntil <= given.validFrom && {
        path: "validUntil",
        message: "This is not after `validFrom`, which is the present unless it is given.",
      },
  ].filter((detail): detail is Detail => detail !== false);
}

/** The problem sets in which an actor issues, as memberships. */
const issuingIn = ({ memberships = {} }: Actor): Actor["memberships"] =>
  Object.fromEntries(Object.entries(memberships).filter(([, { permits }]) => holds(permits, "credentials:issue")));

/**
 * Which credentials an actor sees, in the mode they are in: their own; those of problem sets in which they issue, in no
 * compartment they are not read into; and, as an administrator, those that lie in no problem set: a platform role sees
 * behind no barrier.
 */
export function visibleTo(actor: Actor): Query {
  if (actor.omniscient) return {};
  const isTraining = modeOf(actor) === "training";
  const training = isTraining ? true : { $ne: true };
  const own = [{ holderId: actor.userId, training }, ...(actor.did ? [{ subject: actor.did, training }] : [])];
  const all = holds(actor.permits, "credentials:administer") ? [{ realm: isTraining ? "training" : "platform" }] : [];
  return { $or: [...own, ...all, behind(barrier, { ...actor, memberships: issuingIn(actor) })] };
}

/**
 * Whether an actor may suspend, reinstate and revoke a credential they see: who administers, or in a problem set who
 * issues there.
 */
export function governs(actor: Actor, item: IssuedCredential): boolean {
  if (actor.limits && !holds(actor.limits, "credentials:issue")) return false;
  if (item.problemSetId === undefined) return holds(actor.permits, "credentials:administer");
  return sees(barrier, { ...actor, memberships: issuingIn(actor) }, item);
}
