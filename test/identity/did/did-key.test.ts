import { generateKeyPairSync } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { didKeyDocument } from "../../../services/identity/identity/did-methods/did-methods.ts";
import {
  foreignKindOf,
  jwkOf,
  KEY_TYPES,
  multibaseOf,
  readJwk,
  readMultibase,
  type PublicKey,
} from "../../../core/did/key-encodings.ts";
import { newSigningKey, publicKeyOf, sign, SIGNING_TYPES, verifies } from "../../../core/did/signatures.ts";
import published from "../../fixtures/identity/did-key-vectors.json" with { type: "json" };

interface Vector {
  seed?: string;
  didDocument: Record<string, any>;
}
const vectors = Object.entries(published.vectors as Record<string, Vector>);

const OLDER = {
  Ed25519VerificationKey2018: "Ed25519",
  X25519KeyAgreementKey2019: "X25519",
  EcdsaSecp256k1VerificationKey2019: "secp256k1",
  P256Key2021: "P-256",
} as const;

/** The vectors write keys in older forms; what is compared is the key itself. */
function keyIn(method: Record<string, any>): PublicKey {
  if (method["publicKeyJwk"]) return readJwk(method["publicKeyJwk"])!;
  if (method["publicKeyMultibase"]) return readMultibase(method["publicKeyMultibase"])!;
  const type = OLDER[method["type"] as keyof typeof OLDER];
  return { type, bytes: base58.decode(method["publicKeyBase58"]) };
}

describe("the vectors of did:key", () => {
  it.each(vectors)("%s", (did, { didDocument: { verificationMethod, ...relations } }) => {
    const document = didKeyDocument(did, readMultibase(did.slice("did:key:".length))!);
    expect(document.id).toBe(did);
    // Some of the vectors give relative ids.
    const whole = (id: string) => (id.startsWith("#") ? did + id : id);
    const given = (verificationMethod as Record<string, any>[]).map((method) => [
      whole(method["id"]),
      multibaseOf(keyIn(method)),
    ]);
    expect(document.verificationMethod!.map((method) => [method.id, method["publicKeyMultibase"]])).toEqual(given);
    for (const relation of [
      "authentication",
      "assertionMethod",
      "capabilityInvocation",
      "capabilityDelegation",
      "keyAgreement",
    ] as const) {
      expect([relation, document[relation] ?? []]).toEqual([
        relation,
        ((relations[relation] ?? []) as string[]).map(whole),
      ]);
    }
  });

  it.each(vectors.filter(([, { seed }]) => seed))("%s comes from its seed", (did, { seed }) => {
    const secret = Buffer.from(seed!, "hex");
    const bytes = did.startsWith("did:key:z6Mk") ? ed25519.getPublicKey(secret) : secp256k1.getPublicKey(secret, true);
    expect(Buffer.from(readMultibase(did.slice("did:key:".length))!.bytes).toString("hex")).toBe(
      Buffer.from(bytes).toString("hex"),
    );
  });
});

it.each(Object.entries(published.unsupported).flatMap(([kind, dids]) => dids.map((did) => [kind, did] as const)))(
  "a did:key of a %s key is right, and of a kind that we do not work with: %s",
  (kind, did) => {
    const text = did.slice("did:key:".length);
    expect([readMultibase(text), foreignKindOf(text)]).toEqual([null, kind]);
    expect(foreignKindOf(`z${base58.encode(base58.decode(text.slice(1)).subarray(0, 30))}`)).toBeUndefined();
  },
);

const anyKey = fc.constantFrom(...SIGNING_TYPES).map((type) => publicKeyOf(newSigningKey(type)));

it("reads back every key it writes, as Multikey and as JWK", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      for (const read of [readMultibase(multibaseOf(key)), readJwk({ ...jwkOf(key) })]) {
        expect(read?.type).toBe(key.type);
        expect(Buffer.from(read!.bytes).equals(Buffer.from(key.bytes))).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

it("takes no text for a key that is none, and writes each key in one way only", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.uint8Array({ maxLength: 70 }).map((bytes) => `z${base58.encode(bytes)}`),
      ),
      (text) => {
        const key = readMultibase(text);
        if (key) expect(multibaseOf(key)).toBe(text);
      },
    ),
  );
  expect(KEY_TYPES.map((type) => readMultibase(multibaseOf({ type, bytes: new Uint8Array(5) })))).toEqual(
    KEY_TYPES.map(() => null),
  );
  // A point of small order would accept signatures of anybody.
  expect(readMultibase(multibaseOf({ type: "Ed25519", bytes: Uint8Array.of(1, ...new Uint8Array(31)) }))).toBeNull();
  expect(readMultibase(multibaseOf({ type: "X25519", bytes: new Uint8Array(32) }))).toBeNull();
});

it.each(SIGNING_TYPES)("signs and verifies by %s", (type) => {
  const [key, other] = [newSigningKey(type), newSigningKey(type)];
  const data = Buffer.from("data");
  const signature = sign(key, data);
  expect(signature).toHaveLength(64);
  expect(verifies(publicKeyOf(key), data, signature)).toBe(true);
  expect(verifies(publicKeyOf(key), Buffer.from("date"), signature)).toBe(false);
  expect(verifies(publicKeyOf(other), data, signature)).toBe(false);
  expect(verifies(publicKeyOf(key), data, new Uint8Array(3))).toBe(false);
});

describe("a public JWK is taken in one form alone:", () => {
  const pairs = { "P-256": "ES256", "P-384": "ES384", secp256k1: "ES256K" } as const;

  it.each(Object.entries(pairs))(
    "%s as %s, with both coordinates whole, canonical, and on the curve",
    (namedCurve, alg) => {
      const jwk = generateKeyPairSync("ec", { namedCurve }).publicKey.export({ format: "jwk" }) as Record<
        string,
        string
      >;
      expect([readJwk(jwk), readJwk({ ...jwk, alg })]).not.toContain(null);
      const short = Buffer.from(jwk["y"]!, "base64url").subarray(1).toString("base64url");
      const longer = Buffer.concat([
        Buffer.from(jwk["x"]!, "base64url"),
        Buffer.from(jwk["y"]!, "base64url").subarray(0, 1),
      ]).toString("base64url");
      const wrong = [
        { ...jwk, alg: namedCurve === "P-384" ? "ES256" : "ES384" },
        { ...jwk, alg: "EdDSA" },
        { ...jwk, x: `${jwk["x"]}=` },
        { ...jwk, y: jwk["x"]! },
        { ...jwk, y: short },
        { ...jwk, x: longer, y: short },
        { ...jwk, x: { $ne: null } },
      ];
      expect(wrong.map(readJwk)).toEqual(wrong.map(() => null));
    },
  );

  it("Ed25519 of 32 bytes", () => {
    const jwk = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }) as Record<string, string>;
    expect(readJwk({ ...jwk, alg: "EdDSA" })).not.toBeNull();
    const wrong = [
      { ...jwk, alg: "ES256" },
      { ...jwk, x: `${jwk["x"]}=` },
      { ...jwk, x: jwk["x"]!.slice(0, -2) },
      { ...jwk, x: `${jwk["x"]}AA` },
    ];
    expect(wrong.map(readJwk)).toEqual(wrong.map(() => null));
  });
});
