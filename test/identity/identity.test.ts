import { createPublicKey, verify } from "node:crypto";
import vectors from "../fixtures/identity/did-key-vectors.json" with { type: "json" };
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { systemActor } from "../../core/access/access.ts";
import { didKeyOf } from "../../services/identity/identity/did-methods/did-methods.ts";
import { multibaseOf } from "../../core/did/key-encodings.ts";
import { newSigningKey, publicKeyOf, sign, SIGNING_TYPES, type SigningKey } from "../../core/did/signatures.ts";
import { world, type Asked, type TestWorld } from "../mesh.ts";

const mesh = systemActor("test");
let at: TestWorld;
beforeAll(async () => {
  at = await world({ PUBLIC_URL: "https://mesh.example" });
});
afterAll(() => at.stop());

const post = (path: string, body: object, asked: Asked = {}) =>
  at.http("POST", `/api/identity/${path}`, { as: "analyst", body, ...asked });
const resolve = async (did: string, more: object = {}) =>
  (await post("did/resolve", { did, ...more }, { as: null })).body.data;
const create = async (body: object = {}, asked: Asked = {}) => (await post("did/create", body, asked)).body.data;
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** A challenge, signed by a key of the client's own. */
async function proof(purpose: string, subject: string, key: SigningKey, as = "analyst") {
  const { challenge, message } = (await post("challenges", { purpose, subject }, { as })).body.data;
  return { challenge, signature: base64url(sign(key, Buffer.from(message))) };
}
const own = (type: SigningKey["type"] = "Ed25519") => {
  const key = newSigningKey(type);
  return { key, did: didKeyOf(publicKeyOf(key)), publicKey: multibaseOf(publicKeyOf(key)) };
};

describe("DIDs", () => {
  it.each(SIGNING_TYPES)("makes a did:key of %s, resolves it, and signs by it", async (keyType) => {
    const { did, didDocument, status } = await create({ keyType });
    expect(status).toBe("active");
    const resolved = await resolve(did);
    expect(resolved.didDocument).toEqual(didDocument);
    expect(resolved.didResolutionMetadata).toEqual({ contentType: "application/did+ld+json" });
    expect(Date.parse(resolved.didDocumentMetadata.created)).not.toBeNaN();

    const { signature, verificationMethod } = await at.call(
      "identity.sign",
      { did, data: base64url(Buffer.from("yes")) },
      mesh,
    );
    const jwk = (await resolve(did, { publicKeyFormat: "JsonWebKey" })).didDocument.verificationMethod.find(
      ({ id }: { id: string }) => id === verificationMethod,
    ).publicKeyJwk;
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const judged =
      keyType === "Ed25519"
        ? verify(null, Buffer.from("yes"), key, Buffer.from(signature, "base64url"))
        : verify("sha256", Buffer.from("yes"), { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
    expect(judged).toBe(true);
  });

  it("resolves from the path, percent-encoded or with its colons, for anybody", async () => {
    const { did } = await create();
    for (const spelled of [did, encodeURIComponent(did)])
      expect((await at.http("GET", `/api/identity/resolve/${spelled}`, { as: null })).body.data.didDocument.id).toBe(
        did,
      );
  });

  it.each([
    ["did:key:z6MkNoKeyAtAll", "invalidDid"],
    ...Object.values(vectors.unsupported).map(([did]): [string, string] => [did!, "unsupportedPublicKeyType"]),
    ["nonsense", "invalidDid"],
    ["did:key:z6Mk#fragment", "invalidDid"],
    ["did:web:127.0.0.1", "invalidDid"],
    ["did:example:123", "methodNotSupported"],
    ["did:ethr:0x52908400098527886E0F7030069857D2E4169EE7", "methodNotSupported"],
    ["did:pkh:solana:x:y", "methodNotSupported"],
    ["did:pkh:eip155:1:0x52908400098527886e0F7030069857D2E4169EE7", "invalidDid"],
    ["did:web:mesh.example:identities:nobody", "notFound"],
    ["did:web:no-such-host.invalid", "notFound"],
  ])("names the error of %s: %s", async (did, error) => {
    const answer = await resolve(did);
    expect([answer.didDocument, answer.didResolutionMetadata.error]).toEqual([null, error]);
    expect((await post("did/check-active", { did }, { as: null })).body.data).toMatchObject({
      active: false,
      reason: error,
    });
  });

  it("gives the representation asked for, or says that it has none such", async () => {
    const { did } = await create();
    expect((await resolve(did, { accept: "application/did+json" })).didResolutionMetadata.contentType).toBe(
      "application/did+json",
    );
    expect((await resolve(did, { accept: "text/html" })).didResolutionMetadata.error).toBe(
      "representationNotSupported",
    );
  });

  it("answers every text with a resolution result", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ minLength: 1, maxLength: 60 }),
          fc.string({ maxLength: 40 }).map((tail) => `did:key:${tail}`),
          fc.string({ maxLength: 40 }).map((tail) => `did:pkh:eip155:${tail}`),
        ),
        async (did) => {
          const { didDocument, didResolutionMetadata } = await at.call("identity.documentOf", { did }, mesh);
          expect((didDocument === null) === (didResolutionMetadata.error !== undefined)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("deactivates for good: no document, no holder, another primary DID", async () => {
    const { did } = (await post("register", {})).body.data;
    const userId = (await at.http("GET", "/api/auth/me", { as: "analyst" })).body.data.userId;
    expect((await post("did/check-active", { did })).body.data.active).toBe(true);
    expect((await post("did/deactivate", { did }, { as: "reader" })).status).toBe(404);
    expect((await post("did/deactivate", { did })).body.data.status).toBe("deactivated");
    expect((await post("did/deactivate", { did })).status).toBe(409);
    expect(await resolve(did)).toMatchObject({ didDocument: null, didDocumentMetadata: { deactivated: true } });
    expect((await post("did/check-active", { did })).body.data).toMatchObject({ active: false, reason: "deactivated" });
    expect(await at.call("identity.holderOf", { did }, mesh)).toBeNull();
    expect(await at.call("identity.bound", { did, userId }, mesh)).toBe(false);
    await expect(at.call("identity.sign", { did, data: "" }, mesh)).rejects.toMatchObject({ code: 404 });
    expect((await at.call("identity.primaryDid", { userId }, mesh)).did).not.toBe(did);
    const [row] = await (await at.mesh.world.documents.collection("dids")).find({ query: { did } });
    expect(row).not.toHaveProperty("sealedKey");
  });

  it("lists one's own alone", async () => {
    const { did } = await create();
    const dids = async (as: string) =>
      (await at.http("GET", "/api/identity/dids?limit=100", { as })).body.data.map((one: { did: string }) => one.did);
    expect(await dids("analyst")).toContain(did);
    expect(await dids("reader")).not.toContain(did);
  });

  it("makes no did:pkh without an account, and one with it", async () => {
    expect((await post("did/create", { method: "pkh" }, { as: "reader" })).body.error.code).toBe("NO_ACCOUNT");
    const { address } = (await at.http("POST", "/api/accounts/create", { as: "reader", body: {} })).body.data;
    const pkh = await create({ method: "pkh" }, { as: "reader" });
    const ethr = await create({ method: "ethr" }, { as: "reader" });
    expect([pkh.did, ethr.did]).toEqual([`did:pkh:eip155:1:${address}`, `did:ethr:${address}`]);
    expect((await resolve(ethr.did)).didDocument.verificationMethod[0].blockchainAccountId).toBe(`eip155:1:${address}`);
    expect(await at.call("identity.holderOf", { did: pkh.did.toLowerCase() }, mesh)).toEqual(
      await at.call("identity.holderOf", { did: pkh.did }, mesh),
    );
    expect(
      (await post("did/create", { method: "pkh", keyType: "P-256" }, { as: "reader" })).body.error.details[0].path,
    ).toBe("keyType");
  });
});

describe("proofs of control", () => {
  it.each(SIGNING_TYPES)("binds a DID whose %s key signs the challenge", async (type) => {
    const { key, did } = own(type);
    const made = await post("register", {
      did,
      entityType: "device",
      name: "Sensor",
      ...(await proof("register", did, key)),
    });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ did, origin: "proved", entityType: "device", name: "Sensor" });
    const userId = (await at.http("GET", "/api/auth/me", { as: "analyst" })).body.data.userId;
    expect(await at.call("identity.holderOf", { did }, mesh)).toEqual({ userId });
    await expect(at.call("identity.sign", { did, data: "" }, mesh)).rejects.toMatchObject({ code: 409 });
    expect((await at.http("GET", "/api/auth/me", { as: "analyst", headers: { "X-DID": did } })).status).toBe(200);
    expect((await at.http("GET", "/api/auth/me", { as: "reader", headers: { "X-DID": did } })).status).toBe(403);
  });

  it("binds an EVM address whose wallet signs the message", async () => {
    const wallet = privateKeyToAccount(`0x${"42".repeat(32)}`);
    const did = `did:pkh:eip155:1:${wallet.address}`;
    const { challenge, message } = (await post("challenges", { purpose: "register", subject: did })).body.data;
    const signature = base64url(Buffer.from((await wallet.signMessage({ message })).slice(2), "hex"));
    expect((await post("register", { did, challenge, signature })).status).toBe(201);
  });

  it("refuses other keys, used, late and foreign challenges, and DIDs that are bound", async () => {
    const { key, did } = own();
    const other = own();
    expect((await post("register", { did })).body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      "challenge",
      "signature",
    ]);
    expect((await post("register", { did, ...(await proof("register", did, other.key)) })).body.error.code).toBe(
      "INVALID_PROOF",
    );
    const refused = async (given: object, as = "analyst") =>
      expect((await post("register", { did, ...given }, { as })).body.error.code).toBe("CHALLENGE_INVALID");
    await refused(await proof("validate", did, key));
    await refused(await proof("register", other.did, key));
    await refused(await proof("register", did, key), "reader");
    const late = await proof("register", did, key);
    at.clock.advance(5 * 60_000 + 1_000);
    await refused(late);
    const good = await proof("register", did, key);
    const [first, second] = await Promise.all([post("register", { did, ...good }), post("register", { did, ...good })]);
    expect([first.status, second.status].filter((status) => status === 201)).toHaveLength(1);
    expect(
      (await post("register", { did, ...(await proof("register", did, key, "reader")) }, { as: "reader" })).status,
    ).toBe(409);
  });

  it("reports check by check whether an identity is sound", async () => {
    const { key, did } = own();
    const checked = async (body: object) =>
      Object.fromEntries(
        (await post("validate", body)).body.data.checks.map(({ name, passed }: { name: string; passed: boolean }) => [
          name,
          passed,
        ]),
      );
    expect(await checked({ did })).toEqual({
      syntax: true,
      method: true,
      resolution: true,
      active: true,
      authentication: true,
      bound: false,
    });
    expect(await checked({ did, ...(await proof("validate", did, key)) })).toMatchObject({ control: true });
    expect(await checked({ did, ...(await proof("validate", did, own().key)) })).toMatchObject({ control: false });
    expect(await checked({ did: "did:example:1" })).toEqual({ syntax: true, method: false, bound: false });
    expect(await checked({ did: "nonsense" })).toEqual({ syntax: false, bound: false });
    expect((await post("validate", { did })).body.data.valid).toBe(true);
    expect((await post("validate", { did: "did:web:mesh.example:identities:nobody" })).body.data.valid).toBe(false);
    expect((await post("validate", { did, challenge: "x".repeat(43) })).body.error.details[0].path).toBe("signature");
    expect(
      (await post("validate", { did, challenge: "x".repeat(43), signature: "A".repeat(86) })).body.error.code,
    ).toBe("CHALLENGE_INVALID");
  });
});

describe("blinded keys", () => {
  it("are the same for the same context, others for others, and sign as plain Ed25519", async () => {
    const derive = async (context: string, as = "analyst") =>
      (await post("derive-blinded-key", { context }, { as })).body.data;
    const key = await derive("survey");
    expect(await derive("survey")).toEqual(key);
    const others = [await derive("poll"), await derive("survey", "reader")];
    expect(new Set([key, ...others].map(({ did }) => did)).size).toBe(3);
    expect(await at.call("identity.holderOf", { did: key.did }, mesh)).toBeNull();

    const { signature, verificationMethod } = (
      await post("blinded-key/sign", { context: "survey", data: base64url(Buffer.from("my vote")) })
    ).body.data;
    expect(verificationMethod).toBe(key.verificationMethod);
    expect(
      verify(
        null,
        Buffer.from("my vote"),
        createPublicKey({ key: key.publicKeyJwk, format: "jwk" }),
        Buffer.from(signature, "base64url"),
      ),
    ).toBe(true);
  });

  it("come from one's own Ed25519 keys alone", async () => {
    const { did } = await create({ keyType: "P-256" });
    expect((await post("derive-blinded-key", { context: "x", did })).body.error.code).toBe("UNSUITABLE_KEY");
    expect((await post("derive-blinded-key", { context: "x", did }, { as: "reader" })).status).toBe(404);
  });
});

describe("PRF keys", () => {
  it("keeps salt and public key, and never takes what the PRF put out", async () => {
    const { key, did, publicKey } = own();
    const credential = {
      credentialId: base64url(Buffer.alloc(32, 9)),
      salt: base64url(Buffer.alloc(32, 1)),
      publicKey,
    };
    expect(
      (await post("register-prf", { ...credential, ...(await proof("register-prf", publicKey, own().key)) })).body.error
        .code,
    ).toBe("INVALID_PROOF");
    const withOutput = await post("register-prf", {
      ...credential,
      prfOutput: "secret",
      ...(await proof("register-prf", publicKey, key)),
    });
    expect([withOutput.status, withOutput.body.error.details[0].path]).toEqual([400, "prfOutput"]);
    expect(
      (await post("register-prf", { ...credential, salt: "AAAA", ...(await proof("register-prf", publicKey, key)) }))
        .body.error.details[0].path,
    ).toBe("salt");

    expect(
      (await post("register-prf", { ...credential, ...(await proof("register-prf", publicKey, key)) })).status,
    ).toBe(201);
    expect(
      (await post("register-prf", { ...credential, ...(await proof("register-prf", publicKey, key)) })).status,
    ).toBe(409);
    const { credentialId, salt } = credential;
    expect((await post("resolve-prf", { credentialId })).body.data.credentials).toMatchObject([
      { credentialId, salt, did },
    ]);
    expect((await post("resolve-prf", { credentialId }, { as: "reader" })).status).toBe(404);
    expect((await post("resolve-prf", {}, { as: "reader" })).body.data.credentials).toEqual([]);
    expect((await at.call("identity.holderOf", { did }, mesh)).userId).toEqual(expect.any(String));
  });
});

it("lists the kinds of entity for anybody", async () => {
  const { status, body } = await at.http("GET", "/api/identity/entity-types", { as: null });
  expect(status).toBe(200);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(
    expect.arrayContaining(["person", "organization", "agent", "device"]),
  );
});

it("leaves signing and proving to keys that may write", async () => {
  const { key } = (await at.http("POST", "/api/keys", { as: "analyst", body: { name: "reading" } })).body.data;
  const headers = { "X-API-Key": key };
  expect((await post("did/create", {}, { as: null, headers })).status).toBe(403);
  expect((await post("blinded-key/sign", { context: "x", data: "" }, { as: null, headers })).status).toBe(403);
  expect((await at.http("GET", "/api/identity/dids", { as: null, headers })).status).toBe(200);
});
