import type { ActionSchema } from "moleculer";
import { z } from "zod";
import { bare, data, list } from "../../../core/contract/answer.ts";
import { asSystem, type Caller, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import type { EventType } from "../../../core/records/event.ts";
import { refuseUnless } from "../../../core/records/lifecycle.ts";
import { forbidden, invalid, isConflict, notFound, nullIf } from "../../../core/problem.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { holderOf, platformOf, primaryDid } from "../identity/client.ts";
import {
  CredentialStatus,
  CredentialView,
  demandIssuer,
  FORMATS,
  governs,
  grantsOf,
  IssuedCredential,
  ISSUING,
  misfits,
  visibleTo,
  type MoveName,
} from "./credentials.ts";
import {
  CredentialExpired,
  CredentialIssued,
  CredentialReinstated,
  CredentialRevoked,
  CredentialSuspended,
  told,
} from "./events.ts";
import { compose, hashOf, type Evidence } from "./data-model.ts";
import { prove, sealJwt, sealSdJwt } from "./issuer.ts";
import { contextOf, KIND_NAMES, KINDS, schemaOf, schemaUrl, type Kind, type KindName } from "./kinds.ts";
import { heldCredentials } from "./personal.ts";
import { baseOf, listChanged, publishedList, takePosition, type Published } from "./status/publishing.ts";
import { PURPOSES, StatusList } from "./status/status-lists.ts";
import { opened, Report, verify } from "./verification.ts";
import { portsOf } from "./verifying.ts";
import { accountOf } from "../auth/client.ts";

interface Credentials extends Host {
  published: Published;
}

/** A credential as it is presented: an object with the marks of one, or a JWT. */
const Presented = z
  .union([
    z.string().min(1).max(500_000),
    z.looseObject({
      "@context": z.union([z.string(), z.array(z.unknown()).min(1)]),
      type: z.union([z.string(), z.array(z.string()).min(1)]),
    }),
  ])
  .describe("A credential as JSON, or in compact form (JWT, SD-JWT).");
const Json = z.record(z.string(), z.unknown());
const Hash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "64 hexadecimal characters")
  .overwrite((hash) => hash.toLowerCase());
const Hashed = z.object({ hash: z.string(), algorithm: z.literal("sha-256"), canonicalization: z.literal("JCS") });

const KindView = z
  .object({
    kind: z.enum(KIND_NAMES),
    type: z.string(),
    title: z.string(),
    description: z.string(),
    subject: z.enum(["person", "thing"]),
    schema: z.url().describe("Where its JSON Schema is published."),
    formats: z.array(z.enum(FORMATS)),
    issue: z.string().describe("Path of the call that issues it."),
  })
  .meta({ id: "CredentialKind" });
const VERIFYING =
  "For credentials of this platform and of any issuer whose DID resolves, secured as `vc+jwt` or `vc+sd-jwt` (EdDSA, ES256, ES384, ES256K), " +
  "or by `eddsa-jcs-2022` or `ecdsa-jcs-2019` (P-256 with SHA-256, P-384 with SHA-384): structure " +
  "(VC Data Model 2.0), schema, issuer, proof, period of validity, and status (Bitstring Status List v1.0). What cannot be found out is `unknown`, and the " +
  "credential does not count as verified: the `issuer` too where a URL names it, since nothing here ties a key to a URL.";
const HASHING =
  "SHA-256 over the JCS form (RFC 8785) of the credential as it is sent, its proof included; of a JWT, over its payload; of an SD-JWT, over what it " +
  "discloses. Equal credentials have equal hashes, however they are written.";
const SEEING =
  "Your own; those of problem sets in which you issue, as far as you are read into their compartments; and, with the permit " +
  "`credentials:administer`, all that lie in no problem set.";

const EXPIRE_EVERY_MS = 60_000;
const BATCH = 200;

type Issuing = {
  subject?: string;
  userId?: string;
  format: (typeof FORMATS)[number];
  validFrom?: string;
  validUntil?: string;
  evidence?: Evidence[];
};

const IN_SET =
  "With `problemSetId` it grants something there: whoever issues must be a member allowed to (`credentials:issue`) and cannot grant more " +
  "than they have. Without one it needs the platform's permit `credentials:issue`.";

const DID = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
const SUBJECTS: Readonly<Record<Kind["subject"], string>> = { person: DID, thing: "urn:example:vessel:7" };
const CREDENTIAL = {
  "@context": ["https://www.w3.org/ns/credentials/v2"],
  type: ["VerifiableCredential"],
  issuer: DID,
  credentialSubject: { clearance: "secret" },
};

function issuing(kind: KindName): ActionSchema {
  const { title, summary, claims, subject, example } = KINDS[kind] as Kind;
  const inSet = "problemSetId" in claims;
  return endpoint({
    rest: `POST /issue/${kind}`,
    summary: `Issue a credential: ${title.toLowerCase()}`,
    permit: inSet ? "signed-in" : "credentials:issue",
    description: `${summary}. Follows the W3C VC Data Model 2.0; the issuer is this platform's DID. ${inSet ? IN_SET : ""}`,
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

const moving = (move: MoveName, fact: EventType): ActionSchema =>
  endpoint({
    rest: `POST /:id/${move}`,
    summary: CredentialStatus.moves[move].summary,
    permit: "signed-in",
    beyond: true,
    path: { id: TextId },
    body: { reason: z.string().trim().min(1).max(500).optional() },
    returns: data(CredentialView),
    async handler(ctx) {
      const item = await seen(this, ctx, ctx.params.id);
      if (!governs(ctx.meta.actor!, item)) throw forbidden("You may see this credential, but not change its status.");
      const { from, to } = CredentialStatus.moves[move];
      refuseUnless(from, item.status, move);
      return changeStatus(this, ctx, item, to, fact, ctx.params.reason ?? null);
    },
  });

export default {
  name: "credentials",
  settings: { rest: "/credentials" },
  mixins: [
    domain({
      entities: [IssuedCredential, StatusList],
      personal: [heldCredentials],
      schedules: { expire: { everyMs: EXPIRE_EVERY_MS, run: expire } },
    }),
  ],

  actions: {
    ...Object.fromEntries(
      KIND_NAMES.map((kind) => [
        `issue-${kind}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        issuing(kind),
      ]),
    ),

    "types.list": endpoint({
      rest: "GET /types",
      summary: "List the kinds of credential",
      permit: "signed-in",
      returns: data(z.array(KindView)),
      handler() {
        return KIND_NAMES.map((kind) => {
          const { type, title, summary, subject } = KINDS[kind];
          const schema = schemaUrl(baseOf(this), kind);
          return {
            kind,
            type,
            title,
            description: `${summary}.`,
            subject,
            schema,
            formats: [...FORMATS],
            issue: `/api/credentials/issue/${kind}`,
          };
        });
      },
    }),

    hash: endpoint({
      rest: "POST /hash",
      summary: "Compute the hash of a credential",
      permit: "signed-in",
      reads: true,
      description: HASHING,
      body: { credential: Presented },
      returns: data(Hashed),
      example: { credential: CREDENTIAL },
      handler: async ({ params }) => ({
        hash: hashOf(await documentOf(params.credential)),
        algorithm: "sha-256" as const,
        canonicalization: "JCS" as const,
      }),
    }),

    verifyHash: endpoint({
      rest: "POST /verify-hash",
      summary: "Check the hash of a credential",
      permit: "signed-in",
      reads: true,
      body: { credential: Presented, hash: Hash },
      returns: data(Hashed.extend({ matches: z.boolean() })),
      example: { credential: CREDENTIAL, hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
      async handler({ params }) {
        const hash = hashOf(await documentOf(params.credential));
        return { matches: hash === params.hash, hash, algorithm: "sha-256" as const, canonicalization: "JCS" as const };
      },
    }),

    verify: endpoint({
      rest: "POST /verify",
      summary: "Verify a credential, reported check by check",
      permit: "signed-in",
      beyond: true,
      reads: true,
      description: VERIFYING,
      body: { credential: Presented },
      returns: data(Report),
      example: { credential: CREDENTIAL },
      async handler(ctx) {
        return verify(ctx.params.credential, await portsOf(this, ctx.meta.actor?.userId));
      },
    }),

    list: endpoint({
      rest: "GET /",
      summary: "List the credentials you may see",
      permit: "signed-in",
      beyond: true,
      description: SEEING,
      query: IssuedCredential.query,
      returns: list(CredentialView),
      handler(ctx) {
        return this.store(IssuedCredential).page(ctx, ctx.params, visibleTo(ctx.meta.actor!));
      },
    }),

    get: endpoint({
      rest: "GET /:id",
      summary: "Read a credential",
      permit: "signed-in",
      beyond: true,
      path: { id: TextId },
      returns: data(CredentialView),
      handler(ctx) {
        return seen(this, ctx, ctx.params.id);
      },
    }),

    revoke: moving("revoke", CredentialRevoked),
    suspend: moving("suspend", CredentialSuspended),
    reinstate: moving("reinstate", CredentialReinstated),

    "statusLists.get": endpoint({
      rest: "GET /status/:list/:purpose",
      summary: "Read a status list, as a signed credential",
      permit: "public",
      beyond: true,
      cacheSeconds: 60,
      path: { list: z.int().min(1).max(999_999_999), purpose: z.enum(PURPOSES) },
      returns: bare(Json),
      handler(ctx) {
        return publishedList(this, (this as unknown as Credentials).published, ctx.params.list, ctx.params.purpose);
      },
    }),

    "schemas.get": endpoint({
      rest: "GET /schemas/:kind",
      summary: "Read the JSON Schema of a kind of credential",
      permit: "public",
      beyond: true,
      cacheSeconds: 3_600,
      path: { kind: z.enum(KIND_NAMES) },
      returns: bare(Json),
      handler(ctx) {
        return schemaOf(baseOf(this), ctx.params.kind);
      },
    }),

    getContext: endpoint({
      rest: "GET /context",
      summary: "Read the JSON-LD context of our credentials",
      permit: "public",
      beyond: true,
      cacheSeconds: 3_600,
      returns: bare(Json),
      handler() {
        return contextOf(baseOf(this));
      },
    }),
  },

  created(this: Credentials) {
    this.published = new Map();
  },
} satisfies MeshService;

/** A credential the caller may see, or 404. */
async function seen(host: Host, ctx: Ctx<unknown>, id: string): Promise<IssuedCredential> {
  const item = await host.store(IssuedCredential).one(ctx, { $and: [{ _id: id }, visibleTo(ctx.meta.actor!)] });
  if (!item) throw notFound("credential", id);
  return item;
}

/** What a hash is taken over: the JSON as it was sent, or what stands in a JWT. */
async function documentOf(presented: Record<string, unknown> | string): Promise<Record<string, unknown>> {
  if (typeof presented !== "string") return presented;
  const secured = await opened(presented);
  if (secured.format === "none") throw invalid([{ path: "credential", message: secured.why }]);
  return secured.credential;
}

/** The subject's DID or URI, and the account behind it where there is one. */
async function subjectOf(host: Host, { subject, userId }: Issuing): Promise<{ subject: string; holderId?: string }> {
  if (userId !== undefined) {
    if (!(await accountOf(host, userId))) throw notFound("user", userId);
    return { subject: await primaryDid(host, userId), holderId: userId };
  }
  return { subject: subject!, holderId: subject!.startsWith("did:") ? await holderOf(host, subject!) : undefined };
}

async function issue(host: Host, ctx: Ctx<Issuing>, kind: KindName): Promise<IssuedCredential> {
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
  const unsecured = compose(baseOf(host), {
    id,
    kind,
    issuer: platform.did,
    subject,
    claims,
    ...period,
    evidence,
    place,
  });
  const seal = { "vc+jwt": sealJwt, "vc+sd-jwt": sealSdJwt, "data-integrity": undefined }[format];
  const jwt = await seal?.(host, platform, unsecured);
  const credential = jwt ? unsecured : await prove(host, platform, unsecured, now);
  const realm = grants?.problemSetId === undefined ? "platform" : "set";
  const record = {
    id,
    kind,
    subject,
    holderId,
    issuer: platform.did,
    format,
    credential,
    jwt,
    hash: hashOf(credential),
    ...period,
    ...place,
    realm,
    grants,
    problemSetId: grants?.problemSetId,
    compartments: grants?.compartments,
  };
  return host
    .store(IssuedCredential)
    .create(ctx, record, { facts: (made: IssuedCredential) => [CredentialIssued.fact(made.id, told(made))] });
}

type Status = IssuedCredential["status"];

async function changeStatus(
  host: Host,
  caller: Caller,
  item: IssuedCredential,
  status: Status,
  type: EventType,
  reason: string | null,
): Promise<IssuedCredential> {
  const change = { status, statusReason: reason, statusSince: iso(host.world.clock.now()) };
  const facts = (as: IssuedCredential) => [type.fact(as.id, told({ ...as, statusReason: reason ?? undefined }))];
  const changed = await host.store(IssuedCredential).revise(caller, item, change, { facts });
  await listChanged(host, item.list);
  return changed;
}

/** Takes the credentials whose period ended for expired, so that what they opened closes. */
async function expire(this: Host): Promise<void> {
  const caller = asSystem("credentials");
  for (let found = BATCH; found === BATCH;) {
    const query = { status: { $in: ["active", "suspended"] }, validUntil: { $lte: iso(this.world.clock.now()) } };
    const over = await this.store(IssuedCredential).find(caller, query, { limit: BATCH });
    found = over.length;
    for (const item of over) {
      // One that changed meanwhile is looked at again next time.
      await changeStatus(this, caller, item, "expired", CredentialExpired, null).catch(nullIf(isConflict));
    }
  }
}
