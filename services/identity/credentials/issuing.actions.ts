import type { ActionSchema } from "moleculer";
import { data } from "../../../core/contract/answer.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { invalid, notFound } from "../../../core/problem.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import { holderOf, platformOf, primaryDid } from "../identity/client.ts";
import { simulates } from "../../../core/access/training-mode.ts";
import { CredentialView, demandIssuer, FORMATS, grantsOf, IssuedCredential, ISSUING, misfits } from "./credentials.ts";
import { CredentialIssued, credentialEvent } from "./events.ts";
import { compose, documentHash, type Evidence } from "./data-model.ts";
import { prove, sealJwt, sealSdJwt } from "./issuer.ts";
import { KIND_NAMES, CREDENTIAL_KINDS, type CredentialKind, type KindName } from "./kinds.ts";
import { baseOf, takePosition } from "./status/publishing.ts";
import { accountOf } from "../auth/client.ts";

type Issuing = {
  subject?: string;
  userId?: string;
  format: (typeof FORMATS)[number];
  validFrom?: string;
  validUntil?: string;
  evidence?: Evidence[];
};

const ISSUED =
  "Follows the W3C VC Data Model 2.0; the issuer is this platform's DID. In training it is another, which attests to " +
  "nothing elsewhere; the credential says so in its name, and counts in training alone.";

const IN_SET =
  "With `problemSetId` it says what its subject holds there, and gives nothing by itself: roles are given, and members " +
  "read into compartments, at `/api/problem-sets`. When it is suspended, revoked or expires, what it says is taken from " +
  "them there. Whoever issues must be a member allowed to (`credentials:issue`) and cannot say more than they have. " +
  "Without one it needs the platform's permit `credentials:issue`.";

export const DID = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";

const SUBJECTS: Readonly<Record<CredentialKind["subject"], string>> = { person: DID, thing: "urn:example:vessel:7" };

function issuing(kind: KindName): ActionSchema {
  const { title, summary, claims, subject, example } = CREDENTIAL_KINDS[kind] as CredentialKind;
  const inSet = "problemSetId" in claims;
  return endpoint({
    rest: `POST /issue/${kind}`,
    summary: `Issue a credential: ${title.toLowerCase()}`,
    permit: inSet ? "signed-in" : "credentials:issue",
    description: `${summary}. ${ISSUED} ${inSet ? IN_SET : ""}`,
    ...(inSet && { within: { set: "problemSetId", may: "credentials:issue" } }),
    body: { ...ISSUING, ...claims },
    returns: data(CredentialView),
    status: 201,
    errors: { 404: "There is no such user or problem set.", 422: "The subject's DID cannot be used." },
    example: { subject: SUBJECTS[subject], ...example },
    handler(ctx) {
      return issue(this, ctx as Ctx<Issuing>, kind) as never;
    },
  });
}

/** One call for each kind of credential. */
export const issuingCredentials = {
  ...Object.fromEntries(
    KIND_NAMES.map((kind) => [
      `issue-${kind}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      issuing(kind),
    ]),
  ),
};

/** The subject's DID or URI, and the account behind it where there is one. */
async function subjectOf(host: Host, { subject, userId }: Issuing): Promise<{ subject: string; holderId?: string }> {
  if (userId !== undefined) {
    if (!(await accountOf(host, userId))) throw notFound("user", userId);
    return { subject: await primaryDid(host, userId), holderId: userId };
  }
  return { subject: subject!, holderId: subject!.startsWith("did:") ? await holderOf(host, subject!) : undefined };
}

export async function issue(host: Host, ctx: Ctx<Issuing>, kind: KindName): Promise<IssuedCredential> {
  const {
    subject: _subject,
    userId: _userId,
    format,
    validFrom,
    validUntil,
    evidence,
    ...given
  } = ctx.params as Issuing & Record<string, unknown>;
  const claims = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const grants = grantsOf(kind, claims);
  if (grants) demandIssuer(ctx.meta.actor!, grants);
  const now = iso(host.world.clock.now());
  const period = { validFrom: validFrom ?? now, validUntil };
  const wrong = misfits(kind, { ...ctx.params, ...period });
  if (wrong.length) throw invalid(wrong);
  // A repetition comes to the same id, and so finds the record it made before.
  const id = nextId(ctx, IssuedCredential.name);
  const [{ subject, holderId }, platform, place] = await Promise.all([
    subjectOf(host, ctx.params),
    platformOf(host),
    takePosition(host),
  ]);
  const isTraining = simulates(ctx);
  const signer = isTraining ? platform.training : platform;
  const unsecured = compose(baseOf(host), {
    id,
    kind,
    isTraining,
    issuer: signer.did,
    subject,
    claims,
    ...period,
    evidence,
    place,
  });
  const seal = { "vc+jwt": sealJwt, "vc+sd-jwt": sealSdJwt, "data-integrity": undefined }[format];
  const jwt = await seal?.(host, signer, unsecured);
  const credential = jwt ? unsecured : await prove(host, signer, unsecured, now);
  const realm = grants?.problemSetId !== undefined ? "set" : isTraining ? "training" : "platform";
  const record = {
    id,
    kind,
    subject,
    holderId,
    issuer: signer.did,
    ...(isTraining && { training: true }),
    format,
    credential,
    jwt,
    hash: documentHash(credential),
    ...period,
    ...place,
    realm,
    grants,
    problemSetId: grants?.problemSetId,
    compartments: grants?.compartments,
  };
  return host.store(IssuedCredential).create(ctx, record, {
    facts: (made: IssuedCredential) => [CredentialIssued.fact(made.id, credentialEvent(made))],
  });
}
