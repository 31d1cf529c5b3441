import { z } from "zod";
import { LEVELS } from "../../../core/access/classification.ts";
import { isTimeZone } from "../../../core/clock.ts";
import { TextId } from "../../../core/records/entity.ts";

/**
 * What a kind of credential says of its subject; everything about a kind (body, JSON Schema, vocabulary, list of types)
 * is derived from here.
 */
export interface CredentialKind {
  /** The credential's type in the W3C data model. */
  type: string;
  title: string;
  summary: string;
  /** A person is named by a DID; a thing by any URI. */
  subject: "person" | "thing";
  claims: z.ZodRawShape;
  /** Claims as somebody would send them. */
  example: Record<string, unknown>;
}

const words = (most: number) => z.string().trim().min(1).max(most);
/** ISO 3166-1 alpha-3, as NATO's STANAG 1059 uses it. */
const Nation = z.string().regex(/^[A-Z]{3}$/, "Must be three letters of ISO 3166-1, such as NOR.");
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "64 hexadecimal characters");
export const Uri = z
  .string()
  .max(2_000)
  .regex(/^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i, "an absolute URI");

const Level = z.enum(LEVELS);

const SECURITY_CLEARANCE = {
  level: Level.describe("The highest classification the subject may see."),
  problemSetId: TextId.optional().describe(
    "The problem set whose compartments are named; the issuer must be allowed to issue there.",
  ),
  compartments: z
    .array(TextId)
    .max(100)
    .optional()
    .describe("Compartments of that problem set that the subject is read into."),
  authority: words(200).optional().describe("Who granted the clearance."),
  nation: Nation.optional(),
};
const ENTITY_ATTRIBUTE = {
  entityType: words(100).optional().describe("What the entity is: `organisation`, `vessel`, `sensor`, …"),
  attribute: words(100).describe("Name of the attribute."),
  value: z.union([z.string().max(2_000), z.number(), z.boolean()]),
  unit: words(40).optional().describe("UCUM code of a measured value."),
};
const ROLE_ASSIGNMENT = {
  role: words(60).describe("In a problem set, one of its roles; otherwise a free-text role."),
  problemSetId: TextId.optional().describe(
    "The problem set in which the role is held; the issuer must be allowed to issue there.",
  ),
  position: words(120).optional().describe("The post that the role is held in."),
  scope: words(400).optional().describe("What the role covers, in words."),
};
const COALITION_MEMBERSHIP = {
  coalition: words(200).describe("Name of the coalition."),
  participation: z.enum(["lead", "member", "partner", "observer"]).default("member"),
  nation: Nation.optional(),
  caveats: z.array(words(200)).max(50).optional().describe("National caveats on what the member takes part in."),
};
const DERIVATIVE_DATA = {
  contentHash: Sha256.describe("SHA-256 of the derived data, in hexadecimal."),
  contentType: words(120).optional().describe("Media type of the derived data."),
  derivedFrom: z
    .array(z.strictObject({ source: Uri, contentHash: Sha256.optional() }))
    .min(1)
    .max(200)
    .describe("What it was derived from."),
  method: words(400).describe("How it was derived."),
  classification: Level.default("unclassified"),
};
const USER_PROFILE = {
  displayName: words(120),
  email: z.email().max(254).optional(),
  organisation: words(200).optional(),
  jobTitle: words(120).optional(),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Must be a language tag, such as en-GB.")
    .optional(),
  timeZone: words(60)
    .refine(isTimeZone, "This is not a zone of the IANA time zone database, such as Europe/Oslo.")
    .optional()
    .describe("IANA name, such as Europe/Oslo."),
};

export const CREDENTIAL_KINDS = {
  "security-clearance": {
    type: "SecurityClearanceCredential",
    title: "Security clearance",
    subject: "person",
    claims: SECURITY_CLEARANCE,
    example: { level: "secret", authority: "Ministry of Defence", nation: "NOR" },
    summary: "The highest classification a person may see, and compartments they are read into",
  },
  "entity-attribute": {
    type: "EntityAttributeCredential",
    title: "Entity attribute",
    subject: "thing",
    claims: ENTITY_ATTRIBUTE,
    example: { entityType: "vessel", attribute: "draught", value: 4.2, unit: "m" },
    summary: "One attribute of an entity and its value",
  },
  "role-assignment": {
    type: "RoleAssignmentCredential",
    title: "Role assignment",
    subject: "person",
    claims: ROLE_ASSIGNMENT,
    example: { role: "planner", problemSetId: "the problem set's id", position: "Chief of plans" },
    summary: "A role that a person holds, in a problem set or elsewhere",
  },
  "coalition-membership": {
    type: "CoalitionMembershipCredential",
    title: "Coalition membership",
    subject: "person",
    claims: COALITION_MEMBERSHIP,
    example: { coalition: "Flood relief", participation: "partner", nation: "NOR" },
    summary: "That somebody belongs to a coalition, and as what",
  },
  "derivative-data": {
    type: "DerivativeDataCredential",
    title: "Derivative data",
    subject: "thing",
    claims: DERIVATIVE_DATA,
    example: {
      contentHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      derivedFrom: [{ source: "https://example.org/survey.csv" }],
      method: "Averaged by month.",
    },
    summary: "What data was derived from, and how",
  },
  "user-profile": {
    type: "UserProfileCredential",
    title: "User profile",
    subject: "person",
    claims: USER_PROFILE,
    example: { displayName: "Ada Lovelace", organisation: "Analytical Engines", locale: "en-GB" },
    summary: "How a user presents themself",
  },
} as const satisfies Record<string, CredentialKind>;

export type KindName = keyof typeof CREDENTIAL_KINDS;
export const KIND_NAMES = Object.keys(CREDENTIAL_KINDS) as [KindName, ...KindName[]];

export const isKind = (name: string): name is KindName => Object.hasOwn(CREDENTIAL_KINDS, name);

/** The kind of a credential by its types; undefined where it is none of ours. */
export const kindOf = (types: readonly string[]): KindName | undefined =>
  KIND_NAMES.find((name) => types.includes(CREDENTIAL_KINDS[name].type));

/** Where a kind's JSON Schema is published, below the platform's address. */
export const schemaUrl = (base: string, kind: KindName): string => `${base}/api/credentials/schemas/${kind}`;
export const contextUrl = (base: string): string => `${base}/api/credentials/context`;

/**
 * The JSON Schema of a whole credential of this kind, as `credentialSchema` of type `JsonSchema` wants it (VC JSON
 * Schema 1.0).
 */
export function schemaOf(base: string, name: KindName): Record<string, unknown> {
  const { type, title, summary, claims } = CREDENTIAL_KINDS[name] as CredentialKind;
  const { $schema: _draft, ...subject } = z.toJSONSchema(z.strictObject({ id: Uri, ...claims }), { io: "output" });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaUrl(base, name),
    title,
    description: `${summary}.`,
    type: "object",
    required: ["@context", "type", "issuer", "credentialSubject"],
    properties: { type: { type: "array", contains: { const: type } }, credentialSubject: subject },
  };
}

/** Terms of the W3C context are protected and keep their meaning; the rest are ours. */
const STANDARD = new Set(["id", "type"]);

const EVIDENCE = [
  "DocumentEvidence",
  "VettingEvidence",
  "RecordEvidence",
  "verifier",
  "evidenceDocument",
  "subjectPresence",
  "documentHash",
];

/** The JSON-LD context that gives our types and claims their meaning. */
export function contextOf(base: string): Record<string, unknown> {
  const term = (name: string): [string, string] => [name, `${contextUrl(base)}#${name}`];
  const kinds = Object.values(CREDENTIAL_KINDS) as CredentialKind[];
  const claims = new Set(["source", ...kinds.flatMap((kind) => Object.keys(kind.claims))]);
  const names = [...kinds.map(({ type }) => type), ...[...claims].filter((name) => !STANDARD.has(name)), ...EVIDENCE];
  return { "@context": { "@version": 1.1, "@protected": true, ...Object.fromEntries(names.map(term)) } };
}
