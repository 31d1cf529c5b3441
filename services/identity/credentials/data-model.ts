import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { iso } from "../../../core/clock.ts";
import { contextFaults } from "./contexts.ts";
import { contextUrl, kindOf, CREDENTIAL_KINDS, schemaUrl, Uri, type KindName } from "./kinds.ts";
import { statusEntries, type StatusPosition } from "./status/status-lists.ts";

/** VC Data Model 2.0 §4.3: the first context of every credential. */
export const CREDENTIALS_V2 = "https://www.w3.org/ns/credentials/v2";

/** xsd:dateTimeStamp (VC Data Model 2.0 §4.9): an offset is required. */
const DateTimeStamp = z.iso.datetime({ offset: true });
/** One or more terms or addresses (§4.5). */
const Types = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);
const Typed = z.looseObject({ type: Types });
const TypedAndNamed = Typed.extend({ id: Uri });
const TypedPerhapsNamed = Typed.extend({ id: Uri.optional() });
const oneOrMore = <T extends z.ZodType>(item: T, most = 100) => z.union([item, z.array(item).min(1).max(most)]);
/** Schemas and status lists may lie elsewhere: nobody has us fetch more than these for one credential. */
const MOST_FETCHED = 8;

/** A text, or language value objects with nothing beside (§11.1). */
const LanguageValue = z.strictObject({
  "@value": z.string(),
  "@language": z
    .string()
    .regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/, "a language tag (BCP 47)")
    .optional(),
  "@direction": z.enum(["ltr", "rtl"]).nullable().optional(),
});
const Text = z.union([z.string(), LanguageValue, z.array(LanguageValue).min(1).max(100)]);
const described = { name: Text.optional(), description: Text.optional() };

/** §5.3: something that the credential goes with, and what it is told by. */
const RelatedResource = z
  .looseObject({ id: Uri, digestSRI: z.string().min(1).optional(), digestMultibase: z.string().min(1).optional() })
  .refine((one) => one.digestSRI !== undefined || one.digestMultibase !== undefined, "has no digest");
const ids = (resources: { id: string } | readonly { id: string }[]): string[] => listed(resources).map(({ id }) => id);

/** Properties of a credential whose values must say of what type they are (§4.5). */
const TYPED = ["credentialStatus", "credentialSchema", "evidence", "refreshService", "termsOfUse"] as const;

/** What the data model asks of every credential; other properties are the context's business. */
const Properties = z.looseObject({
  ...described,
  "@context": z.tuple([z.literal(CREDENTIALS_V2)], z.union([Uri, z.record(z.string(), z.unknown())])),
  id: Uri.optional(),
  type: Types.refine((types) => listed(types).includes("VerifiableCredential"), "must include VerifiableCredential"),
  issuer: z.union([Uri, z.looseObject({ id: Uri, ...described })]),
  validFrom: DateTimeStamp.optional(),
  validUntil: DateTimeStamp.optional(),
  credentialSubject: oneOrMore(
    z.looseObject({ id: Uri.optional() }).refine((subject) => Object.keys(subject).length > 0, "says nothing"),
  ),
  credentialStatus: oneOrMore(TypedPerhapsNamed, MOST_FETCHED).optional(),
  credentialSchema: oneOrMore(TypedAndNamed, MOST_FETCHED).optional(),
  evidence: oneOrMore(Typed).optional(),
  refreshService: oneOrMore(TypedPerhapsNamed).optional(),
  termsOfUse: oneOrMore(TypedPerhapsNamed).optional(),
  proof: oneOrMore(Typed).optional(),
  relatedResource: oneOrMore(RelatedResource)
    .refine((resources) => new Set(ids(resources)).size === listed(resources).length, "names a resource twice")
    .optional(),
});

/** Properties, each by itself, and what they must be beside one another. */
export const CredentialShape = Properties.superRefine((credential, { addIssue }) => {
  const { validFrom, validUntil } = credential;
  if (validFrom && validUntil && Date.parse(validFrom) > Date.parse(validUntil))
    addIssue({ code: "custom", path: ["validUntil"], message: `is before validFrom, ${validFrom}` });
  const nested = TYPED.flatMap((property) => objectsIn(credential, property));
  for (const fault of contextFaults(credential["@context"], [credential, ...nested].flatMap(typesOf)))
    addIssue({ code: "custom", path: ["@context"], message: fault });
});

export type Credential = Record<string, unknown>;

export const listed = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];
export const issuerOf = ({ issuer }: Credential): string | undefined => {
  const id = typeof issuer === "object" && issuer !== null ? (issuer as { id?: unknown }).id : issuer;
  return typeof id === "string" ? id : undefined;
};
export const typesOf = (credential: Credential): readonly string[] =>
  listed(credential["type"] as string | string[] | undefined).filter((type) => typeof type === "string");
export const kindIn = (credential: Credential): KindName | undefined => kindOf(typesOf(credential));
/** The objects under a property that holds one or several. */
export const objectsIn = (credential: Credential, property: string): Credential[] =>
  listed<unknown>(credential[property] as unknown[]).filter(
    (value): value is Credential => typeof value === "object" && value !== null,
  );
export const subjectsOf = (credential: Credential): Credential[] => objectsIn(credential, "credentialSubject");

/**
 * Lower-case hexadecimal SHA-256 over the JCS form (RFC 8785): documents that are equal have equal hashes, however they
 * are written.
 */
export const documentHash = (document: unknown): string =>
  createHash("sha256").update(canonicalize(document)!).digest("hex");

export const Evidence = z.strictObject({
  type: z.enum(["DocumentEvidence", "VettingEvidence", "RecordEvidence"]),
  id: Uri.optional(),
  name: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(2_000).optional(),
  verifier: Uri.optional().describe("Who checked it."),
  evidenceDocument: z.string().min(1).max(200).optional().describe("What was looked at: `passport`, `vetting file`, …"),
  subjectPresence: z.enum(["physical", "digital"]).optional(),
  documentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "64 hexadecimal characters")
    .optional()
    .describe("SHA-256 of the document."),
});
export type Evidence = z.output<typeof Evidence>;

export interface CredentialDraft {
  id: string;
  kind: KindName;
  issuer: string;
  isTraining?: boolean;
  subject: string;
  claims: Record<string, unknown>;
  validFrom: string;
  validUntil?: string;
  evidence?: readonly Evidence[];
  place: StatusPosition;
}

/** An unsecured credential in the VC Data Model 2.0. `base` is the platform's address, without a slash at its end. */
export function compose(base: string, draft: CredentialDraft): Credential {
  const { type, title } = CREDENTIAL_KINDS[draft.kind];
  return {
    "@context": [CREDENTIALS_V2, contextUrl(base)],
    id: `urn:uuid:${draft.id}`,
    type: ["VerifiableCredential", type],
    name: draft.isTraining ? `${title} (training)` : title,
    issuer: draft.issuer,
    validFrom: draft.validFrom,
    ...(draft.validUntil && { validUntil: draft.validUntil }),
    credentialSubject: { id: draft.subject, ...draft.claims },
    credentialSchema: { id: schemaUrl(base, draft.kind), type: "JsonSchema" },
    credentialStatus: statusEntries(base, draft.place),
    ...(draft.evidence?.length && { evidence: draft.evidence }),
  };
}

/** Whether the instant lies in the credential's period of validity; says in words why not. */
export function outsideValidity({ validFrom, validUntil }: Credential, now: number): string | undefined {
  if (typeof validFrom === "string" && Date.parse(validFrom) > now)
    return `It becomes valid at ${validFrom}; it is ${iso(now)}.`;
  if (typeof validUntil === "string" && Date.parse(validUntil) < now) return `It was valid until ${validUntil}.`;
  return undefined;
}
