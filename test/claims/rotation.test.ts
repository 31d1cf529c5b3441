import { createSecretKey, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { readMemo, writeMemo } from "../../services/news/escrow/zcash/memo.ts";
import { readEnv } from "../../config/env.ts";
import { Sealer } from "../../core/access/sealed.ts";
import { itInside, world, type TestWorld } from "../mesh.ts";

// Claim 19: after a change of the root secret what was sealed before is read as before, and nothing more is sealed
// under the old one.

const [OLD, NEW, OTHER] = ["11", "22", "33"].map((byte) => byte.repeat(32)) as [string, string, string];

interface Kept {
  key: string;
  jwe: string;
  blinded: string;
  signed: string;
  address: string;
  made: string;
  place: string;
}

const post = async (
  at: TestWorld,
  path: string,
  body: object,
  as = "analyst",
  headers: Record<string, string> = {},
) => {
  const reply = await at.http("POST", path, { as, body, headers });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data;
};

const issue = async (at: TestWorld): Promise<string> => {
  const { credential } = await post(
    at,
    "/api/credentials/issue/entity-attribute",
    { subject: "urn:device:7", attribute: "mass", value: 7 },
    "system_admin",
  );
  return credential.credentialStatus[0].id;
};

async function live(at: TestWorld): Promise<Kept> {
  const account = await post(at, "/api/accounts/create", {});
  return {
    key: (await post(at, "/api/keys", { name: "before" })).key,
    jwe: (await post(at, "/api/encryption/encrypt", { plaintext: "written before" })).jwe,
    blinded: (await post(at, "/api/identity/derive-blinded-key", { context: "survey" })).did,
    signed: (await post(at, "/api/accounts/sign", { message: "I was here." })).signature,
    address: account.address,
    made: (await post(at, "/api/encryption/keys", { name: "once" }, "analyst", { "idempotency-key": "made-before" }))
      .id,
    place: await issue(at),
  };
}

it("what the old root secret sealed is read under a new one that names it", async () => {
  const first = await world({ SECRET: OLD });
  const { dataDir } = first;
  let kept: Kept, token: string;
  try {
    kept = await live(first);
    token = await first.tokenOf("analyst");
  } finally {
    await first.stop({ keep: true });
  }
  const second = await world({ DATA_DIR: dataDir, SECRET: NEW, SECRET_PREVIOUS: OLD });
  try {
    expect(
      (await second.http("GET", "/api/articles/stats", { as: null, headers: { "x-api-key": kept.key } })).status,
    ).toBe(200);
    expect((await post(second, "/api/encryption/decrypt", { jwe: kept.jwe })).plaintext).toBe("written before");
    expect((await post(second, "/api/identity/derive-blinded-key", { context: "survey" })).did).toBe(kept.blinded);
    expect(await post(second, "/api/accounts/sign", { message: "I was here." })).toEqual({
      address: kept.address,
      signature: kept.signed,
    });
    expect(
      (await post(second, "/api/encryption/keys", { name: "once" }, "analyst", { "idempotency-key": "made-before" }))
        .id,
    ).toBe(kept.made);
    // No entry of a status list is given twice: the old list is not gone on with, since its order hangs on the old key.
    expect((await issue(second)).replace(/#.*/, "")).not.toBe(kept.place.replace(/#.*/, ""));
    // The old secret proves nothing any longer.
    expect((await second.http("GET", "/api/auth/me", { as: token })).status).toBe(401);
    const { jwe } = await post(second, "/api/encryption/encrypt", { plaintext: "written after", key: "once" });
    expect((await post(second, "/api/encryption/decrypt", { jwe })).plaintext).toBe("written after");
  } finally {
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

it("API keys that were used under the new root secret outlive the old one, re-rolled ones too", async () => {
  const asked = async (at: TestWorld, key: string) =>
    (await at.http("GET", "/api/articles/stats", { as: null, headers: { "x-api-key": key } })).status;
  const first = await world({ SECRET: OLD });
  const { dataDir } = first;
  const made = async (name: string) => await post(first, "/api/keys", { name });
  const [used, idle, before] = [await made("used"), await made("idle"), await made("re-rolled")];
  const after = await post(first, `/api/keys/${before.id}/reroll`, { graceMinutes: 600 });
  await first.stop({ keep: true });
  const second = await world({ DATA_DIR: dataDir, SECRET: NEW, SECRET_PREVIOUS: OLD });
  for (const { key } of [used, before, after]) expect(await asked(second, key)).toBe(200);
  await second.stop({ keep: true });
  const third = await world({ DATA_DIR: dataDir, SECRET: NEW });
  try {
    const found = [];
    for (const { key } of [used, before, after, idle]) found.push(await asked(third, key));
    expect(found).toEqual([200, 200, 200, 401]);
  } finally {
    await third.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

itInside("nodes of a mesh that is restarted in two rounds open what the others seal", async () => {
  const before = await world({ SECRET: OLD, SECRET_PREVIOUS: NEW });
  const { dataDir } = before;
  const after = await world({ DATA_DIR: dataDir, SECRET: NEW, SECRET_PREVIOUS: OLD });
  try {
    for (const [one, other, name] of [
      [before, after, "first"],
      [after, before, "second"],
    ] as const) {
      await post(one, "/api/encryption/keys", { name });
      const { jwe } = await post(other, "/api/encryption/encrypt", { plaintext: name, key: name });
      expect((await post(one, "/api/encryption/decrypt", { jwe })).plaintext).toBe(name);
      const { key } = await post(one, "/api/keys", { name });
      const asked = { as: null, headers: { "x-api-key": key } };
      expect((await other.http("GET", "/api/articles/stats", asked)).status).toBe(200);
    }
    // One of the first round that must start again in the second is not refused.
    const again = await world({ DATA_DIR: dataDir, SECRET: OLD, SECRET_PREVIOUS: NEW });
    expect(again.mesh.world.missingSecrets).toEqual([]);
    await again.stop({ keep: true });
  } finally {
    await after.stop({ keep: true });
    await before.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe("what the platform signed under the old root secret, by its did:web,", () => {
  const PUBLIC_URL = "https://mesh.example";
  const verified = async (at: TestWorld, credential: unknown) =>
    await post(at, "/api/credentials/verify", { credential });
  const document = async (at: TestWorld) => (await at.http("GET", "/.well-known/did.json", { as: null })).body;
  const issued = (at: TestWorld, format: string) =>
    post(
      at,
      "/api/credentials/issue/entity-attribute",
      { subject: "urn:device:7", attribute: "mass", value: 7, format },
      "system_admin",
    );
  let dataDir: string, kept: { proved: any; sealed: string; list: unknown; method: string };

  /** The platform again, under another set of secrets. */
  async function under<T>(settings: Record<string, string>, ask: (at: TestWorld) => Promise<T>): Promise<T> {
    const at = await world({ PUBLIC_URL, ...settings, ...(dataDir && { DATA_DIR: dataDir }) });
    dataDir ??= at.dataDir;
    try {
      return await ask(at);
    } finally {
      await at.stop({ keep: true });
    }
  }

  beforeAll(() =>
    under({ SECRET: OLD }, async (at) => {
      const { credential: proved } = await issued(at, "data-integrity"),
        { jwt: sealed } = await issued(at, "vc+jwt");
      const list = (
        await at.http("GET", new URL(proved.credentialStatus[0].statusListCredential).pathname, { as: null })
      ).body;
      kept = { proved, sealed, list, method: proved.proof.verificationMethod };
    }),
  );
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it("stays verifiable: the document keeps the key, to assert with and for nothing else", () =>
    under({ SECRET: NEW, SECRET_PREVIOUS: OLD }, async (at) => {
      for (const credential of [kept.proved, kept.sealed])
        expect(await verified(at, credential)).toMatchObject({ verified: true, issuedHere: true });
      const {
        verificationMethod,
        assertionMethod,
        authentication,
        capabilityInvocation,
        capabilityDelegation,
        keyAgreement,
      } = await document(at);
      expect(verificationMethod.map(({ id }: { id: string }) => id)).toContain(kept.method);
      expect(assertionMethod).toHaveLength(2);
      expect(assertionMethod[1]).toBe(kept.method);
      for (const relationship of [authentication, capabilityInvocation, capabilityDelegation, keyAgreement]) {
        expect(relationship).toHaveLength(1);
        expect(relationship).not.toContain(kept.method);
      }
      // What is signed from now on is signed by the new key.
      const { credential } = await issued(at, "data-integrity");
      expect(credential.proof.verificationMethod).toBe(assertionMethod[0]);
      expect(await verified(at, { ...credential, validUntil: "2099-01-01T00:00:00Z" })).toMatchObject({
        verified: false,
      });
    }));

  it("stays verifiable over two changes", () =>
    under({ SECRET: OTHER, SECRET_PREVIOUS: `${NEW},${OLD}` }, async (at) => {
      expect(await verified(at, kept.proved)).toMatchObject({ verified: true });
      expect((await document(at)).assertionMethod).toHaveLength(3);
    }));

  it("is worth nothing once that secret is marked as stolen, or no longer named", async () => {
    for (const SECRET_PREVIOUS of [`!${OLD}`, NEW]) {
      await under({ SECRET: OTHER, SECRET_PREVIOUS }, async (at) => {
        const report = await verified(at, kept.proved);
        expect(report.verified).toBe(false);
        expect(report.checks).toContainEqual(expect.objectContaining({ check: "proof", outcome: "failed" }));
        expect(JSON.stringify(await document(at))).not.toContain(kept.method);
      });
    }
  });
});

it("a sealed value tells which of the secrets sealed it, opens for its owner alone, and under a secret that is not known not at all", () => {
  const roots = (now: string, ...before: string[]) => ({
    secret: Buffer.from(now, "hex"),
    formerSecrets: before.map((hex) => Buffer.from(hex, "hex")),
  });
  const plain = randomBytes(32);
  const sealed = new Sealer(roots(OLD), "test").seal(plain, "me");
  const after = new Sealer(roots(NEW, OTHER, OLD), "test");
  expect(after.open(sealed, "me")).toEqual(plain);
  expect(Buffer.from(after.rootOf(sealed)).toString("hex")).toBe(OLD);
  expect(() => after.open(sealed, "you")).toThrow(/authenticate/);
  expect(() => new Sealer(roots(NEW, OLD), "another purpose").open(sealed, "me")).toThrow(/another root secret/);
  expect(() => new Sealer(roots(NEW, OTHER), "test").open(sealed, "me")).toThrow(/SECRET_PREVIOUS/);
  const anew = after.seal(plain, "me");
  expect(new Sealer(roots(NEW), "test").open(anew, "me")).toEqual(plain);
  expect(() => new Sealer(roots(OLD), "test").open(anew, "me")).toThrow(/another root secret/);
});

it("a payout that was under way is known by its memo", () => {
  const [before, now] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
  const memo = { subject: "bounty:1", payoutId: "p1", attempt: 1 };
  expect(readMemo([now, before], writeMemo([before], memo))).toEqual(memo);
  expect(readMemo([before], writeMemo([now, before], memo))).toBeNull();
});

it("the settings say what is wrong with them", () => {
  expect(() => readEnv({ SECRET: NEW, SECRET_PREVIOUS: `${OLD},short` })).toThrow(/SECRET_PREVIOUS/);
  expect(() => readEnv({ SECRET_PREVIOUS: OLD })).toThrow(/SECRET_PREVIOUS needs SECRET/);
  expect(readEnv({ SECRET: NEW, SECRET_PREVIOUS: `!${OLD}` }).SECRET_PREVIOUS).toEqual([`!${OLD}`]);
  expect(readEnv({ SECRET: NEW, SECRET_PREVIOUS: `${OLD}, ${OTHER}` }).SECRET_PREVIOUS).toEqual([OLD, OTHER]);
});
