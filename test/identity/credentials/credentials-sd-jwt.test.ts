import { createHash, generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { SDJwtInstance } from "@sd-jwt/core";
import { compactVerify, importJWK } from "jose";
import { systemActor } from "../../../core/access/access.ts";
import { digestOf, openSdJwt } from "../../../services/identity/credentials/securing/sd-jwt.ts";
import { world, type TestWorld } from "../../mesh.ts";

let at: TestWorld;
let token: string;
const HOLDER = "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2";
const CLAIMS = { level: "secret", nation: "NOR", authority: "NSM" };

beforeAll(async () => {
  at = await world({ PUBLIC_URL: "http://mesh.example" });
  token = (
    await at.http("POST", "/api/credentials/issue/security-clearance", {
      body: { subject: HOLDER, ...CLAIMS, format: "vc+sd-jwt" },
    })
  ).body.data.jwt;
});
afterAll(() => at.stop());

const verify = async (credential: string): Promise<any> =>
  (await at.http("POST", "/api/credentials/verify", { body: { credential } })).body.data;
const outcomes = (report: any): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ check, outcome }: any) => [check, outcome]));
const named = (disclosure: string): string => JSON.parse(Buffer.from(disclosure, "base64url").toString())[1];
/** As a holder presents it: with these claims, without the others. */
const presenting = (...names: string[]): string => {
  const [jwt, ...rest] = token.split("~");
  return [jwt, ...rest.filter((disclosure) => disclosure && names.includes(named(disclosure))), ""].join("~");
};

it("makes the digest of the published example (RFC 9901 §4.2.3)", () => {
  expect(digestOf("WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0")).toBe(
    "X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0",
  );
});

it("verifies whole, and with any claims held back; what is held back does not show", async () => {
  expect(await verify(token)).toMatchObject({ verified: true, format: "vc+sd-jwt", kind: "security-clearance" });
  for (const names of [["level"], ["level", "nation"], []]) {
    const presented = presenting(...names);
    const report = await verify(presented);
    expect(report.verified).toBe(true);
    expect(outcomes(report)).toMatchObject({ schema: "not-applicable", proof: "passed", status: "passed" });
    const opened = await openSdJwt(presented);
    if (typeof opened === "string") throw new Error(opened);
    const shown = Object.fromEntries(Object.entries(CLAIMS).filter(([name]) => names.includes(name)));
    expect(opened.credential["credentialSubject"]).toEqual({ id: HOLDER, ...shown });
    for (const [name, value] of Object.entries(CLAIMS))
      if (!names.includes(name))
        expect(Buffer.from(presented.split(".")[1]!, "base64url").toString()).not.toContain(`"${value}"`);
  }
});

it("is read by the library of the Open Wallet Foundation, and its signature by jose", async () => {
  const { publicKeyJwk } = await at.call("identity.platform", {}, systemActor("test"));
  const key = await importJWK(publicKeyJwk, "EdDSA");
  const theirs = new SDJwtInstance({
    hasher: (data) =>
      createHash("sha256")
        .update(typeof data === "string" ? data : new Uint8Array(data))
        .digest(),
    hashAlg: "sha-256",
    verifier: async (data, signature) =>
      compactVerify(`${data}.${signature}`, key, { algorithms: ["EdDSA"] }).then(
        () => true,
        () => false,
      ),
  });
  const { payload } = await theirs.verify(presenting("level", "nation"));
  expect((payload as any).credentialSubject).toEqual({ id: HOLDER, level: "secret", nation: "NOR" });
});

it("is refused with any letter altered, a claim made up, doubled, or malformed", async () => {
  const stands = async (text: string): Promise<boolean> => (await verify(text)).verified;
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom(..."ABCDwxyz0189-_"), async (place, letter) => {
      if (token[place] === letter || token[place] === "~") return;
      expect(await stands(token.slice(0, place) + letter + token.slice(place + 1))).toBe(false);
    }),
    { numRuns: 60 },
  );
  const madeUp = (parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
  for (const extra of [
    madeUp(["salt", "level", "top-secret"]),
    madeUp(["salt", "__proto__", {}]),
    madeUp(["salt", "_sd", []]),
    madeUp([]),
    "AB",
    token.split("~")[1]!,
  ])
    expect(await stands(`${token}${extra}~`)).toBe(false);
  const { privateKey } = generateKeyPairSync("ed25519");
  const [head, payload] = token.split("~")[0]!.split(".");
  const resigned = `${head}.${payload}.${sign(null, Buffer.from(`${head}.${payload}`), privateKey).toString("base64url")}`;
  expect(await stands([resigned, ...token.split("~").slice(1)].join("~"))).toBe(false);
  expect(await stands(`${token}eyJ0eXAiOiJrYitqd3QifQ.e30.AA`)).toBe(false);
  expect(await stands(token.split("~")[0]!)).toBe(false);
});

it("falls with the credential's status", async () => {
  const [{ id }] = (await at.http("GET", "/api/credentials")).body.data;
  await at.http("POST", `/api/credentials/${id}/revoke`);
  expect(outcomes(await verify(presenting("level")))).toMatchObject({ proof: "passed", status: "failed" });
});
