import { createPublicKey, verify } from "node:crypto";
import { systemActor } from "../../core/access/access.ts";
import { actor, world, type TestWorld } from "../mesh.ts";

const mesh = systemActor("test");
let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const ask = (action: string, params: object = {}) => at.call(`identity.${action}`, params, mesh);

it("gives each account one primary DID, however many ask at once", async () => {
  const answers = await Promise.all(Array.from({ length: 16 }, () => ask("primaryDid", { userId: "alice" })));
  expect(new Set(answers.map(({ did }) => did)).size).toBe(1);
  expect(answers[0].did).toMatch(/^did:key:z6Mk/);
  expect((await ask("primaryDid", { userId: "bob" })).did).not.toBe(answers[0].did);
});

it("knows the holder of a DID, and of no other", async () => {
  const { did } = await ask("primaryDid", { userId: "alice" });
  expect(await ask("holderOf", { did })).toEqual({ userId: "alice" });
  expect(await ask("holderOf", { did: `${did}x` })).toBeNull();
  expect(await ask("bound", { did, userId: "alice" })).toBe(true);
  expect(await ask("bound", { did, userId: "bob" })).toBe(false);
});

it("signs as the platform and as a DID it made; plain Ed25519 verifies", async () => {
  const platform = await ask("platform");
  const data = Buffer.from("to whom it may concern");
  const { signature, verificationMethod } = await ask("sign", { did: platform.did, data: data.toString("base64url") });
  expect(verificationMethod).toBe(platform.verificationMethod);
  const key = createPublicKey({ key: platform.publicKeyJwk, format: "jwk" });
  expect(verify(null, data, key, Buffer.from(signature, "base64url"))).toBe(true);
  expect(verify(null, Buffer.from("something else"), key, Buffer.from(signature, "base64url"))).toBe(false);

  const { did } = await ask("primaryDid", { userId: "alice" });
  const own = await ask("sign", { did, data: data.toString("base64url") });
  expect(own.verificationMethod).toBe(`${did}#${did.slice("did:key:".length)}`);
  await expect(ask("sign", { did: "did:key:z6MkNobody", data: "" })).rejects.toMatchObject({ code: 404 });
});

it("keeps the keys sealed: neither the store nor a person sees one", async () => {
  const rows = await (await at.mesh.world.documents.collection("dids")).find();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row["sealedKey"]).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{80}$/);
  await expect(
    at.call("identity.sign", { did: rows[0]!["did"], data: "" }, actor("system_admin")),
  ).rejects.toMatchObject({ code: 403 });
});
