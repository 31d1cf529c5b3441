import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { memberOf } from "../../../core/access/access.ts";
import { data, list } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { invalid, unprocessable } from "../../../core/problem.ts";
import { Sealer } from "../../../core/access/sealed.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { decoyOf, decrypt, type Desk } from "./decrypting.ts";
import { toHolders, underKey, type Encrypted } from "./encrypting.ts";
import { MOST_RECIPIENTS } from "./jwe.ts";
import { DEFAULT_KEY, EncryptionKey, KeyName, KeyView, kidOf, materialOf, MOST_VERSIONS, newVersion } from "./keys.ts";
import { KeyAltered, SHOWS } from "./live.ts";
import { keyById, keyNamed, makeKey } from "./named-keys.ts";
import { agreementKeys } from "./recipients.ts";

const ENCODINGS = ["utf8", "base64url"] as const;
const MOST_TEXT = 700_000;
/** Base64url inside base64url inside JSON: a JWE is larger than what it holds. */
const JWE_LIMIT = 4 * 1_048_576;
const Jwe = z.union([z.string(), z.record(z.string(), z.unknown())]);
const Did = z
  .string()
  .max(2_048)
  .regex(/^did:[a-z0-9]+:[\w.:%-]+$/, "Must be a DID.");
const Aad = z
  .string()
  .min(1)
  .max(10_000)
  .describe("Associated data: not encrypted, but authenticated; decryption needs the same data.");
const ENCRYPTING =
  "Produces a JSON Web Encryption (RFC 7516). Without `recipients`: under a named key of yours " +
  "(`default`, created on first use) or of a problem set, with `A256GCMKW` and `A256GCM`, in " +
  "compact form, or flattened if there is associated data. With `recipients`: for the key agreement " +
  "keys in their DID documents (X25519, P-256, P-384), with `ECDH-ES+A256KW` and `A256GCM`, in " +
  "general form.";
const DECRYPTING =
  "Takes compact, flattened and general form. Whatever is wrong (the key, the data, the associated " +
  "data, the form), the answer is the same: 422 `DECRYPTION_FAILED`. The answer's `encoding` is " +
  "`base64url` if the bytes are not text.";

const desk = (service: unknown): Desk => service as Desk;

export default {
  name: "encryption",
  metadata: { description: "Data that only its recipients can decrypt (JWE), under keys of your own." },
  settings: { rest: "/encryption" },
  mixins: [
    domain({
      entities: [EncryptionKey],
      live: [KeyAltered],
      shows: SHOWS,
      // What was encrypted under them is unreadable from then on, wherever it lies.
      personal: [{ what: "Encryption keys", entity: EncryptionKey, by: "ownerId", erasure: "remove", shared: true }],
    }),
  ],

  actions: {
    encrypt: endpoint({
      rest: "POST /encrypt",
      summary: "Encrypt data under a named key, or for the holders of DIDs",
      permit: "signed-in",
      description: ENCRYPTING,
      within: { set: "problemSetId", may: "encryption:use" },
      body: {
        plaintext: z.string().max(MOST_TEXT),
        encoding: z.enum(ENCODINGS).default("utf8").describe("How `plaintext` encodes bytes."),
        key: KeyName.optional().describe("Name of the key, or its id."),
        problemSetId: TextId.optional().describe("The problem set whose key it is."),
        recipients: z.array(Did).min(1).max(MOST_RECIPIENTS).optional(),
        aad: Aad.optional(),
      },
      returns: data(z.object({ jwe: Jwe, key: z.string().nullable(), version: z.int().nullable() })),
      errors: {
        404: "There is no such key or problem set.",
        409: "Several keys that you can use have this name.",
        422: "A recipient's DID names no key to encrypt to.",
      },
      example: { plaintext: "Convoy leaves at 05:40.", aad: "order 17" },
      async handler(ctx) {
        const { recipients, aad, key: name, problemSetId } = ctx.params;
        if (recipients && (name ?? problemSetId) !== undefined)
          throw invalid([{ path: "recipients", message: "Encrypt to recipients or under a key, not both." }]);
        const plaintext = bytesOf(ctx.params);
        if (recipients)
          return {
            jwe: await toHolders(plaintext, await agreementKeys(desk(this), recipients, ctx.meta.actor!.userId), aad),
            key: null,
            version: null,
          };
        const key = await keyNamed(desk(this), ctx, name ?? DEFAULT_KEY, problemSetId);
        const jwe: Encrypted = await underKey(
          plaintext,
          materialOf(desk(this).sealer, key, key.version)!,
          kidOf(key.id, key.version),
          aad,
        );
        return { jwe, key: key.name, version: key.version };
      },
    }),

    decrypt: endpoint({
      rest: "POST /decrypt",
      summary: "Decrypt data that was encrypted under a key you can use, or for one of your DIDs",
      permit: "signed-in",
      bodyLimit: JWE_LIMIT,
      description: DECRYPTING,
      body: { jwe: Jwe, aad: Aad.optional() },
      returns: data(z.object({ plaintext: z.string(), encoding: z.enum(ENCODINGS) })),
      errors: { 422: "DECRYPTION_FAILED, whatever is wrong." },
      example: { jwe: "eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZHQ00ifQ…", aad: "order 17" },
      async handler(ctx) {
        const plain = await decrypt(desk(this), ctx, ctx.params.jwe, ctx.params.aad);
        const encoding = isUtf8(plain) ? "utf8" : "base64url";
        return { plaintext: plain.toString(encoding), encoding } as const;
      },
    }),

    "keys.create": endpoint({
      rest: "POST /keys",
      summary: "Create a named encryption key",
      permit: "signed-in",
      beyond: true,
      within: { set: "problemSetId", may: "encryption:manage" },
      description: "The key is generated here, stored sealed, and never leaves the platform.",
      body: EncryptionKey.create,
      returns: data(KeyView),
      status: 201,
      errors: { 404: "There is no such problem set." },
      example: { name: "field-reports" },
      handler(ctx) {
        return makeKey(desk(this), ctx, ctx.params);
      },
    }),

    "keys.list": endpoint({
      rest: "GET /keys",
      summary: "List the encryption keys you can use",
      permit: "signed-in",
      beyond: true,
      query: EncryptionKey.query,
      returns: list(KeyView),
      handler(ctx) {
        return this.store(EncryptionKey).page(ctx, ctx.params);
      },
    }),

    "keys.get": endpoint({
      rest: "GET /keys/:id",
      summary: "Read the metadata of an encryption key",
      permit: "signed-in",
      beyond: true,
      path: { id: TextId },
      returns: data(KeyView),
      handler(ctx) {
        return keyById(desk(this), ctx, ctx.params.id);
      },
    }),

    "keys.rotate": endpoint({
      rest: "POST /keys/:id/rotate",
      summary: "Rotate an encryption key; what older versions encrypted stays readable",
      permit: "signed-in",
      beyond: true,
      path: { id: TextId },
      returns: data(KeyView),
      errors: { 422: `A key has at most ${MOST_VERSIONS} versions.` },
      async handler(ctx) {
        const key = await keyById(desk(this), ctx, ctx.params.id);
        if (key.problemSetId !== undefined)
          memberOf(ctx.meta.actor, key.problemSetId, "encryption:manage", { writes: true });
        const run = ctx.locals.repeatable?.seed;
        // A run that died before it answered is run again, and has rotated the key already.
        if (run !== undefined && key.rotatedIn === run) return key;
        if (key.versions.length >= MOST_VERSIONS)
          throw unprocessable("TOO_MANY_VERSIONS", `This key has ${MOST_VERSIONS} versions; make another.`);
        const now = iso(this.world.clock.now());
        const version = key.version + 1;
        const versions = newVersion(desk(this).sealer, key.id, version, now);
        return this.store(EncryptionKey).revise(
          ctx,
          key,
          { version, rotatedAt: now, rotatedIn: run ?? null },
          { $push: { versions } },
        );
      },
    }),
  },

  created(this: Desk) {
    this.sealer = new Sealer(this.world, "encryption keys");
  },
  async started(this: Desk) {
    this.decoy = await decoyOf(this.sealer);
  },
} satisfies MeshService;

function bytesOf({ plaintext, encoding }: { plaintext: string; encoding: (typeof ENCODINGS)[number] }): Buffer {
  const bytes = Buffer.from(plaintext, encoding);
  if (encoding === "base64url" && bytes.toString("base64url") !== plaintext)
    throw invalid([{ path: "plaintext", message: "This is not base64url without padding." }]);
  return bytes;
}
