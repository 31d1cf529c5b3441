import { z } from "zod";
import type { DidDocument } from "../../../core/did/did-documents.ts";
import { bitAt, decodeBits } from "./status/bitstring.ts";
import {
  CredentialShape,
  issuerOf,
  kindIn,
  listed,
  objectsIn,
  outsideValidity,
  subjectsOf,
  typesOf,
  type Credential,
} from "./data-model.ts";
import { proofHolds, readProof, type IntegrityProof } from "./securing/data-integrity.ts";
import { jwtHolds, openJwt, signsJwts } from "./securing/jose.ts";
import { complaintsAbout } from "../../../core/contract/input/complaints.ts";
import { complaints, untaken } from "../../../core/contract/documents/json-schema.ts";
import { Uri } from "./kinds.ts";
import { openSdJwt } from "./securing/sd-jwt.ts";
import { methodsFor, publicKeyOf } from "../../../core/did/verification-methods.ts";

export const CHECKS = ["structure", "schema", "issuer", "proof", "validity", "status"] as const;
export type CheckName = (typeof CHECKS)[number];
/** `unknown`: it could not be found out, so the credential does not count as verified. */
export const CHECK_OUTCOMES = ["passed", "failed", "unknown", "not-applicable"] as const;

export const Check = z.object({ check: z.enum(CHECKS), outcome: z.enum(CHECK_OUTCOMES), message: z.string() });
export type Check = z.output<typeof Check>;
type Verdict = Omit<Check, "check">;

export const VerificationReport = z
  .object({
    verified: z.boolean().describe("Whether every check passed or does not apply."),
    format: z.enum(["vc+jwt", "vc+sd-jwt", "data-integrity", "none"]),
    checks: z.array(Check),
    issuer: z.string().nullable(),
    issuedHere: z.boolean().describe("Whether the issuer is this platform."),
    training: z.boolean().describe("Whether this platform issued it in training, where alone it counts."),
    kind: z.string().nullable().describe("Which of the six kinds it is, if one of them."),
    types: z.array(z.string()),
    subjects: z.array(z.string()),
    validFrom: z.string().nullable(),
    validUntil: z.string().nullable(),
  })
  .meta({ id: "CredentialVerification" });
export type VerificationReport = z.output<typeof VerificationReport>;

/** What verification needs to know of the world. */
export interface Ports {
  now: number;
  /** The platform's own DIDs, present and former, and those it issues by in training. */
  platform: readonly string[];
  training: readonly string[];
  /** Whether whoever asks is in training. */
  inTraining: boolean;
  resolve(did: string): Promise<{ didDocument: DidDocument | null; error?: string; deactivated?: boolean }>;
  /**
   * A status list: of one of ours what the asked entry is now (`own`), a foreign one as its address answered. Rejects,
   * in words, when it cannot be had.
   */
  statusList(
    url: string,
    index: number,
  ): Promise<{ own: true; purpose: string; marked: boolean } | { own: false; presented: Credential | string }>;
  /** The JSON Schema at an address. Rejects, in words, when it cannot be had. */
  schema(url: string): Promise<{ own: boolean; schema: Record<string, unknown> | boolean }>;
}

export type Presented = Credential | string;
type Secured =
  | { format: "vc+jwt" | "vc+sd-jwt"; jwt: string; credential: Credential; verificationMethod: string; whole: boolean }
  | { format: "data-integrity"; credential: Credential; proof: IntegrityProof }
  | { format: "none"; credential: Credential; why: string };

const passed = (message: string): Verdict => ({ outcome: "passed", message });
const failed = (message: string): Verdict => ({ outcome: "failed", message });
const unknown = (message: string): Verdict => ({ outcome: "unknown", message });
const notApplicable = (message: string): Verdict => ({ outcome: "not-applicable", message });

const ENVELOPE = /^data:application\/vc\+(?:sd-)?jwt,(.*)$/s;

async function openedText(text: string): Promise<Secured> {
  const selective = text.includes("~");
  const jwt = selective ? await openSdJwt(text) : openJwt(text);
  if (typeof jwt === "string") return { format: "none", credential: {}, why: jwt };
  return { format: selective ? "vc+sd-jwt" : "vc+jwt", jwt: text, whole: true, ...jwt };
}

/** A credential in one of the secured forms; an EnvelopedVerifiableCredential (VC Data Model 2.0 §4.12.1) is opened. */
export async function opened(presented: Presented): Promise<Secured> {
  if (typeof presented === "string") return openedText(presented);
  const { id } = presented;
  const envelope =
    typesOf(presented).includes("EnvelopedVerifiableCredential") && typeof id === "string" ? ENVELOPE.exec(id) : null;
  if (envelope) return openedText(envelope[1]!);
  const proof = readProof(presented);
  return typeof proof === "string"
    ? { format: "none", credential: presented, why: proof }
    : { format: "data-integrity", credential: presented, proof };
}

function structure(credential: Credential): Verdict {
  const { error } = CredentialShape.safeParse(credential);
  if (!error) return passed("It follows the W3C VC Data Model 2.0.");
  const faults = complaintsAbout(error.issues).slice(0, 10);
  return failed(faults.map(({ path, message }) => `${path}: ${message}`).join(" "));
}

async function schema(credential: Credential, whole: boolean, ports: Ports): Promise<Verdict> {
  if (!whole) return notApplicable("Claims were held back; a schema is for the whole credential.");
  const named = objectsIn(credential, "credentialSchema");
  if (!named.length) return notApplicable("It names no schema.");
  const verdicts = await Promise.all(
    named.map(async ({ id, type }): Promise<Verdict> => {
      if (type !== "JsonSchema" || typeof id !== "string")
        return unknown(`Schemas of type ${String(type)} are not read here.`);
      try {
        const found = await ports.schema(id);
        const strange = found.own ? undefined : untaken(found.schema, credential);
        if (strange) return unknown(`The schema uses ${strange}, which is not carried out for foreign schemas.`);
        const wrong = complaints(found.schema, withoutProof(credential));
        return wrong.length ? failed(wrong.join("; ")) : passed("It fits its schema.");
      } catch (error) {
        return unknown(`The schema cannot be had: ${(error as Error).message}`);
      }
    }),
  );
  return worst(verdicts);
}

const withoutProof = ({ proof: _proof, ...credential }: Credential): Credential => credential;
const RANK = ["failed", "unknown", "passed", "not-applicable"] as const;
const worst = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.toSorted((a, b) => RANK.indexOf(a.outcome) - RANK.indexOf(b.outcome))[0]!;

interface Issuer {
  verdict: Verdict;
  /** The DID document that the key must stand in. */
  document?: DidDocument;
}

/** The verification method that a credential says it is signed by. */
const methodOf = (secured: Secured): string | undefined => {
  if (secured.format === "none") return undefined;
  return secured.format === "data-integrity" ? secured.proof.verificationMethod : secured.verificationMethod;
};

async function documentOf(did: string, ports: Ports): Promise<Issuer> {
  const { didDocument, error, deactivated } = await ports.resolve(did);
  if (deactivated) return { verdict: failed(`${did} is deactivated.`) };
  if (error === "internalError" || error === "INTERNAL_ERROR")
    return { verdict: unknown(`${did} could not be resolved now.`) };
  if (error === "unsupportedPublicKeyType")
    return { verdict: unknown(`${did} is of a kind of key that is not known here.`) };
  if (!didDocument || didDocument.id !== did)
    return { verdict: failed(`${did} does not resolve: ${error ?? "notFound"}.`) };
  return { verdict: passed(`${did} resolves.`), document: didDocument };
}

/** The issuer's DID document, or why there is none to trust; of an issuer named by a URL, that of whoever signed. */
async function issuer(secured: Secured, ports: Ports): Promise<Issuer> {
  const named = issuerOf(secured.credential);
  if (named !== undefined && ports.training.includes(named) && !ports.inTraining)
    return {
      ...(await documentOf(named, ports)),
      verdict: failed("It was issued in training, and counts there alone."),
    };
  if (named?.startsWith("did:")) return documentOf(named, ports);
  if (!named || !Uri.safeParse(named).success) return { verdict: failed("The issuer is not named by a DID or URL.") };
  const [did] = methodOf(secured)?.split("#") ?? [];
  const { document } = did?.startsWith("did:") ? await documentOf(did, ports) : {};
  const verdict = unknown(`${named} is no DID: whether the key that signed is its own cannot be found out here.`);
  return { verdict, document };
}

function proof(secured: Secured, document: DidDocument | undefined): Verdict {
  if (secured.format === "none") return failed(secured.why);
  const named = methodOf(secured)!;
  if (secured.format === "data-integrity" && secured.proof.purpose !== "assertionMethod")
    return failed("The proof was not made to assert something (proofPurpose).");
  if (!document) return unknown("Without the issuer's DID document there is no key to check it with.");
  const method = methodsFor(document, "assertionMethod").find(({ id }) => id === named);
  if (!method || (method.controller !== undefined && method.controller !== document.id))
    return failed(`${named} is not a key that the issuer asserts with.`);
  const key = publicKeyOf(method);
  if (!key || (secured.format !== "data-integrity" && !signsJwts(key)))
    return unknown(`${named} is of a type that is not known here.`);
  const holds =
    secured.format === "data-integrity"
      ? proofHolds(secured.credential, secured.proof, key)
      : jwtHolds(secured.jwt, key);
  return holds
    ? passed(`Signed by ${named}.`)
    : failed("The signature does not fit: the credential was altered, or signed by another key.");
}

/** An entry's status by its list (Bitstring Status List §3.2). */
async function entryStatus(entry: Credential, issuerDid: string | undefined, ports: Ports): Promise<Verdict> {
  const { type, statusPurpose: purpose, statusListIndex: index, statusListCredential: url } = entry;
  if (type !== "BitstringStatusListEntry") return unknown(`A status of type ${String(type)} is not read here.`);
  if (typeof purpose !== "string" || typeof url !== "string" || !/^\d{1,12}$/.test(String(index)))
    return failed("The status entry lacks its purpose, index or list.");
  if (entry["statusSize"] !== undefined && entry["statusSize"] !== 1)
    return unknown("Status entries of more than one bit are not read here.");
  let list: Credential;
  try {
    const found = await ports.statusList(url, Number(index));
    if (found.own)
      return found.purpose === purpose
        ? verdictOf(found.marked, purpose)
        : unknown(`The status list is not for ${purpose}.`);
    const report = await verify(found.presented, ports, "list");
    const broken = report.checks.find(({ outcome }) => outcome === "failed" || outcome === "unknown");
    if (broken) return unknown(`The status list does not verify (${broken.check}): ${broken.message}`);
    if (report.issuer !== issuerDid) return unknown("The status list is another issuer's.");
    list = (await opened(found.presented)).credential;
  } catch (error) {
    return unknown(`The status list cannot be had: ${(error as Error).message}`);
  }
  return bitOf(list, purpose, Number(index));
}

const MARKED: Readonly<Record<string, string>> = { revocation: "revoked", suspension: "suspended" };

const verdictOf = (marked: boolean, purpose: string): Verdict =>
  marked ? failed(`It is ${MARKED[purpose] ?? `marked for ${purpose}`}.`) : passed(`Not marked for ${purpose}.`);

function bitOf(list: Credential, purpose: string, index: number): Verdict {
  const subject = subjectsOf(list)[0];
  const encoded = subject?.["encodedList"];
  if (!typesOf(list).includes("BitstringStatusListCredential") || typeof encoded !== "string")
    return unknown("What its address answers is not a status list.");
  if (!listed<unknown>(subject!["statusPurpose"] as string[]).includes(purpose))
    return unknown(`The status list is not for ${purpose}.`);
  try {
    return verdictOf(bitAt(decodeBits(encoded), index), purpose);
  } catch (error) {
    return unknown((error as Error).message);
  }
}

async function status(credential: Credential, ports: Ports): Promise<Verdict> {
  const entries = objectsIn(credential, "credentialStatus");
  if (!entries.length) return notApplicable("It names no status list.");
  return worst(await Promise.all(entries.map((entry) => entryStatus(entry, issuerOf(credential), ports))));
}

/**
 * Checks a credential in any of the secured forms and reports check by check. A status list is verified without its own
 * status.
 */
export async function verify(
  presented: Presented,
  ports: Ports,
  as: "credential" | "list" = "credential",
): Promise<VerificationReport> {
  const secured = await opened(presented);
  const { credential } = secured;
  const outside = outsideValidity(credential, ports.now);
  const shaped = structure(credential);
  const sound = shaped.outcome === "passed";
  const skipped = notApplicable("A credential that does not follow the data model is not looked into.");
  const [fits, { verdict: issued, document }, current] = await Promise.all([
    sound ? schema(credential, secured.format === "vc+sd-jwt" ? secured.whole : true, ports) : skipped,
    issuer(secured, ports),
    as === "credential" && sound ? status(credential, ports) : skipped,
  ]);
  const verdicts: Record<CheckName, Verdict> = {
    structure: shaped,
    schema: fits,
    issuer: issued,
    proof: proof(secured, document),
    validity: outside ? failed(outside) : sound ? passed("It is in its period of validity.") : skipped,
    status: current,
  };
  const checks = CHECKS.map((check) => ({ check, ...verdicts[check] }));
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    verified: checks.every(({ outcome }) => outcome === "passed" || outcome === "not-applicable"),
    format: secured.format,
    checks,
    issuer: issuerOf(credential) ?? null,
    issuedHere: [...ports.platform, ...ports.training].includes(issuerOf(credential) ?? ""),
    training: ports.training.includes(issuerOf(credential) ?? ""),
    kind: kindIn(credential) ?? null,
    types: [...typesOf(credential)],
    subjects: subjectsOf(credential).flatMap(({ id }) => (typeof id === "string" ? [id] : [])),
    validFrom: text(credential["validFrom"]),
    validUntil: text(credential["validUntil"]),
  };
}
