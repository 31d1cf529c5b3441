import { newSigningKey, publicKeyOf, sign } from "../../core/did/signatures.ts";
import { multibaseOf } from "../../core/did/key-encodings.ts";
import { stored, type TestWorld } from "../mesh.ts";
import type { ValidRequest } from "../requests.ts";

const DID = "did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";

/** A key of the client's own, and the proof that goes with it. */
async function proved(
  at: TestWorld,
  purpose: string,
  subjectOf: (publicKey: string) => string = (publicKey) => publicKey,
) {
  const key = newSigningKey("Ed25519");
  const publicKey = multibaseOf(publicKeyOf(key));
  const { challenge, message } = (
    await at.http("POST", "/api/identity/challenges", { body: { purpose, subject: subjectOf(publicKey) } })
  ).body.data;
  const signed = (by = key): string => Buffer.from(sign(by, Buffer.from(message))).toString("base64url");
  return { key, publicKey, challenge, signature: signed(), signed };
}

const account = (at: TestWorld) => at.http("POST", "/api/accounts/create", { body: {} });

export const requests: Record<string, (at: TestWorld) => Promise<ValidRequest>> = {
  "POST /api/identity/did/create": async () => ({
    path: "/api/identity/did/create",
    body: { method: "key" },
    effect: stored("dids"),
  }),
  "POST /api/identity/did/resolve": async () => ({ path: "/api/identity/did/resolve", body: { did: DID } }),
  "POST /api/identity/did/check-active": async () => ({ path: "/api/identity/did/check-active", body: { did: DID } }),
  "POST /api/identity/did/deactivate": async (at) => ({
    path: "/api/identity/did/deactivate",
    body: { did: (await at.http("POST", "/api/identity/did/create", { body: {} })).body.data.did },
  }),
  "POST /api/identity/challenges": async () => ({
    path: "/api/identity/challenges",
    body: { purpose: "validate", subject: DID },
    effect: stored("identity_challenges"),
  }),
  "POST /api/identity/register": async (at) => {
    const { publicKey, challenge, signature } = await proved(at, "register", (key) => `did:key:${key}`);
    return {
      path: "/api/identity/register",
      body: { did: `did:key:${publicKey}`, challenge, signature },
      effect: stored("dids"),
    };
  },
  "POST /api/identity/validate": async () => ({ path: "/api/identity/validate", body: { did: DID } }),
  "POST /api/identity/derive-blinded-key": async () => ({
    path: "/api/identity/derive-blinded-key",
    body: { context: "row" },
  }),
  "POST /api/identity/blinded-key/sign": async () => ({
    path: "/api/identity/blinded-key/sign",
    body: { context: "row", data: "eWVz" },
  }),
  "POST /api/identity/register-prf": async (at) => {
    const { publicKey, challenge, signature } = await proved(at, "register-prf");
    const credentialId = Buffer.from(`credential ${publicKey}`).toString("base64url");
    return {
      path: "/api/identity/register-prf",
      body: { credentialId, salt: Buffer.alloc(32, 7).toString("base64url"), publicKey, challenge, signature },
      effect: stored("prf_credentials"),
    };
  },
  "POST /api/identity/resolve-prf": async () => ({ path: "/api/identity/resolve-prf", body: {} }),

  "POST /api/accounts/create": async () => ({
    path: "/api/accounts/create",
    body: { email: `holder${Math.random().toString(36).slice(2)}@example.org` },
    effect: stored("accounts"),
  }),
  "POST /api/accounts/sign": async (at) => {
    await account(at);
    return { path: "/api/accounts/sign", body: { message: "I was here." } };
  },
  "POST /api/accounts/add-mpc-key": async (at) => {
    await account(at);
    const { publicKey, challenge, signature } = await proved(at, "add-mpc-key");
    return { path: "/api/accounts/add-mpc-key", body: { publicKey, challenge, signature }, effect: stored("mpc_keys") };
  },
  "POST /api/accounts/update-mpc-key": async (at) => {
    await account(at);
    const old = await proved(at, "add-mpc-key");
    const keyId = (
      await at.http("POST", "/api/accounts/add-mpc-key", {
        body: { publicKey: old.publicKey, challenge: old.challenge, signature: old.signature },
      })
    ).body.data.id;
    const { publicKey, challenge, signature, signed } = await proved(at, "update-mpc-key");
    return {
      path: "/api/accounts/update-mpc-key",
      body: { keyId, publicKey, challenge, signature, oldSignature: signed(old.key) },
    };
  },
};
