import { spawn } from "node:child_process";
import { join } from "node:path";
import { compactVerify, importJWK } from "jose";
import { systemActor } from "../../../core/access/access.ts";
import { world, type TestWorld } from "../../mesh.ts";

// Libraries of others accept what we issue, and refuse it once it is revoked or altered.

const BASE = "http://mesh.example";
let at: TestWorld;
beforeAll(async () => {
  at = await world({ PUBLIC_URL: BASE });
});
afterAll(() => at.stop());

interface Verdict {
  verified: boolean;
  marked: string[] | null;
  expanded: true | string;
  key: boolean;
  why: string;
}

/** A document of ours by the address that stands in the credential. */
const published = async (url: string): Promise<unknown> =>
  (await at.http("GET", url.slice(BASE.length), { as: null })).body;

async function verdictOf(credential: any, now = at.clock.now()): Promise<Verdict> {
  const { did, verificationMethod } = await at.call("identity.platform", {}, systemActor("test"));
  const multibase = verificationMethod.split("#")[1];
  const method = {
    "@context": "https://w3id.org/security/multikey/v1",
    id: verificationMethod,
    type: "Multikey",
    controller: did,
    publicKeyMultibase: multibase,
  };
  const controller = {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: did,
    verificationMethod: [method],
    assertionMethod: [verificationMethod],
  };
  const lists = [...new Set<string>(credential.credentialStatus.map((entry: any) => entry.statusListCredential))];
  const documents = Object.fromEntries([
    [did, controller],
    [verificationMethod, method],
    ...(await Promise.all([credential["@context"][1], ...lists].map(async (url) => [url, await published(url)]))),
  ]);
  const child = spawn(process.execPath, [join(import.meta.dirname, "independent-verifier.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ credential, documents, keyId: verificationMethod, now }));
  let out = "";
  for await (const chunk of child.stdout) out += chunk;
  return JSON.parse(out);
}

const HOLDER = "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2";
const issue = async (kind: string, body: object) => {
  const { status, body: answer } = await at.http("POST", `/api/credentials/issue/${kind}`, { body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data;
};

it.each([
  [
    "security-clearance",
    {
      subject: HOLDER,
      level: "secret",
      nation: "NOR",
      authority: "NSM",
      evidence: [{ type: "DocumentEvidence", evidenceDocument: "passport", subjectPresence: "physical" }],
    },
  ],
  [
    "entity-attribute",
    { subject: "urn:mmsi:257123456", entityType: "vessel", attribute: "length overall", value: 140.5, unit: "m" },
  ],
  ["role-assignment", { subject: HOLDER, role: "liaison officer", position: "LNO-2", scope: "harbour" }],
  [
    "coalition-membership",
    { subject: HOLDER, coalition: "Northern Shield", participation: "lead", caveats: ["no night flights"] },
  ],
  [
    "derivative-data",
    {
      subject: "urn:uuid:1d1c2b0e-6c7e-4d6a-9f35-4b3f0a3f8a51",
      contentHash: "ab".repeat(32),
      derivedFrom: [{ source: "https://mesh.example/a/1", contentHash: "cd".repeat(32) }],
      method: "summary",
      classification: "restricted",
    },
  ],
  [
    "user-profile",
    {
      subject: HOLDER,
      displayName: "Åse Holder",
      email: "ase@example.org",
      locale: "nb-NO",
      timeZone: "Europe/Oslo",
      validUntil: "2099-01-01T00:00:00Z",
    },
  ],
])(
  "a credential of the kind %s is accepted by Digital Bazaar's verifier, and no term of it is without meaning",
  async (kind, body) => {
    const { credential } = await issue(kind, body);
    expect(await verdictOf(credential)).toEqual({ verified: true, marked: [], expanded: true, key: true, why: "" });
  },
);

it("is refused by it when altered or out of its time, and found marked once suspended or revoked", async () => {
  const { id, credential } = await issue("user-profile", {
    subject: HOLDER,
    displayName: "B",
    validUntil: "2099-01-01T00:00:00Z",
  });
  expect(
    (await verdictOf({ ...credential, credentialSubject: { ...credential.credentialSubject, displayName: "C" } }))
      .verified,
  ).toBe(false);
  expect((await verdictOf(credential, Date.parse("2100-01-01T00:00:00Z"))).verified).toBe(false);
  await at.http("POST", `/api/credentials/${id}/suspend`);
  expect(await verdictOf(credential)).toMatchObject({ verified: true, marked: ["suspension"] });
  await at.http("POST", `/api/credentials/${id}/reinstate`);
  expect(await verdictOf(credential)).toMatchObject({ verified: true, marked: [] });
  await at.http("POST", `/api/credentials/${id}/revoke`);
  expect(await verdictOf(credential)).toMatchObject({ verified: true, marked: ["revocation"] });
});

it("as a JWT is accepted by jose with the platform's public key", async () => {
  const { jwt, credential } = await issue("user-profile", { subject: HOLDER, displayName: "D", format: "vc+jwt" });
  const { publicKeyJwk, verificationMethod } = await at.call("identity.platform", {}, systemActor("test"));
  const { payload, protectedHeader } = await compactVerify(jwt, await importJWK(publicKeyJwk, "EdDSA"), {
    algorithms: ["EdDSA"],
  });
  expect(protectedHeader).toEqual({ alg: "EdDSA", typ: "vc+jwt", cty: "vc", kid: verificationMethod });
  expect(JSON.parse(Buffer.from(payload).toString())).toEqual(credential);
  expect(credential.proof).toBeUndefined();
});
