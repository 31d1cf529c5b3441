import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import canonicalize from "canonicalize";
import { setPermitsOf, type SetRole } from "../../../config/set-roles.ts";
import { systemActor, type Actor } from "../../../core/access/access.ts";
import type { MeshService } from "../../../core/contract/endpoint.ts";
import { on } from "../../../core/events/event.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { encodeBits } from "../../../services/identity/credentials/status/bitstring.ts";
import {
  CredentialExpired,
  CredentialIssued,
  CredentialReinstated,
  CredentialRevoked,
  CredentialSuspended,
} from "../../../services/identity/credentials/events.ts";
import { hashData, proofOptions, withProof } from "../../../services/identity/credentials/securing/data-integrity.ts";
import { CREDENTIALS_V2, type Credential } from "../../../services/identity/credentials/data-model.ts";
import { signingInput } from "../../../services/identity/credentials/securing/jose.ts";
import { multibaseOf, readJwk } from "../../../core/did/key-encodings.ts";
import ecdsa from "../../fixtures/identity/ecdsa-jcs-2019.json" with { type: "json" };
import eddsa from "../../fixtures/identity/eddsa-jcs-2022.json" with { type: "json" };
import { isApart } from "../../apart.ts";
import { actor, eventually, itInside, PASSWORD, world, type TestWorld } from "../../mesh.ts";
import { as, person, signIn, type Person } from "../../workspace/people.ts";

const BASE = "http://mesh.example";
const HOLDER = "did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2";

/** Hears what the workspace hears of credentials. */
const heard: { type: string; data: any }[] = [];
const hearing = [CredentialIssued, CredentialRevoked, CredentialSuspended, CredentialReinstated, CredentialExpired].map(
  (type) =>
    on(type, (data) => {
      heard.push({ type: type.name, data });
    }),
);
const listener: MeshService = {
  name: "listener",
  settings: { rest: "/listener" },
  mixins: [domain({ hears: hearing })],
};

let at: TestWorld;
let anna: Person;
let bert: Person;
beforeAll(async () => {
  at = await world({ PUBLIC_URL: BASE }, { extra: isApart ? [] : [listener] });
  [anna, bert] = [await person(at, "anna"), await person(at, "bert")];
});
afterAll(() => at.stop());

const issue = (kind: string, body: object, who?: string) =>
  at.http("POST", `/api/credentials/issue/${kind}`, { body, ...(who && { as: who }) });
const issued = async (kind: string, body: object): Promise<any> => {
  const { status, body: answer } = await issue(kind, body);
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return answer.data;
};
const verify = async (credential: unknown): Promise<any> =>
  (await at.http("POST", "/api/credentials/verify", { body: { credential } })).body.data;
const outcomes = (report: any): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ check, outcome }: any) => [check, outcome]));
const PASSED = {
  structure: "passed",
  schema: "passed",
  issuer: "passed",
  proof: "passed",
  validity: "passed",
  status: "passed",
};

describe("issuing", () => {
  it("lists the six kinds, each with its schema", async () => {
    const { body } = await at.http("GET", "/api/credentials/types", { as: "reader" });
    expect(body.data.map(({ kind }: any) => kind)).toEqual([
      "security-clearance",
      "entity-attribute",
      "role-assignment",
      "coalition-membership",
      "derivative-data",
      "user-profile",
    ]);
    for (const { kind, schema, type } of body.data) {
      expect(schema).toBe(`${BASE}/api/credentials/schemas/${kind}`);
      const { body: published } = await at.http("GET", schema.slice(BASE.length), { as: null });
      expect(published).toMatchObject({
        $id: schema,
        $schema: "https://json-schema.org/draft/2020-12/schema",
        properties: { type: { contains: { const: type } } },
      });
    }
  });

  it.each(["data-integrity", "vc+jwt"])(
    "issues a clearance secured as %s that verifies, check by check",
    async (format) => {
      const record = await issued("security-clearance", {
        userId: anna.userId,
        level: "secret",
        nation: "NOR",
        format,
        evidence: [{ type: "VettingEvidence", description: "vetted in person" }],
        validUntil: "2099-01-01T00:00:00+01:00",
      });
      expect(record).toMatchObject({
        kind: "security-clearance",
        subject: anna.did,
        status: "active",
        format,
        validUntil: "2098-12-31T23:00:00.000Z",
      });
      expect(record.credential).toMatchObject({
        "@context": [CREDENTIALS_V2, `${BASE}/api/credentials/context`],
        type: ["VerifiableCredential", "SecurityClearanceCredential"],
        issuer: record.issuer,
        id: `urn:uuid:${record.id}`,
        credentialSubject: { id: anna.did, level: "secret", nation: "NOR" },
        evidence: [{ type: "VettingEvidence", description: "vetted in person" }],
        credentialSchema: { id: `${BASE}/api/credentials/schemas/security-clearance`, type: "JsonSchema" },
      });
      const report = await verify(record.jwt ?? record.credential);
      expect(outcomes(report)).toEqual(PASSED);
      expect(report).toMatchObject({
        verified: true,
        format,
        issuedHere: true,
        kind: "security-clearance",
        subjects: [anna.did],
        issuer: record.issuer,
      });
    },
  );

  it("takes a JWT in an envelope too", async () => {
    const { jwt } = await issued("user-profile", { userId: anna.userId, displayName: "Anna", format: "vc+jwt" });
    const report = await verify({
      "@context": CREDENTIALS_V2,
      id: `data:application/vc+jwt,${jwt}`,
      type: "EnvelopedVerifiableCredential",
    });
    expect(report).toMatchObject({ verified: true, format: "vc+jwt" });
  });

  it("can be listed by what ends first; what never ends comes last", async () => {
    const subject = "urn:device:ends";
    for (const year of ["2041", undefined, "2040"])
      await issued("entity-attribute", {
        subject,
        attribute: "mass",
        value: 7,
        ...(year && { validUntil: `${year}-01-01T00:00:00Z` }),
      });
    const ends = async (sort: string) =>
      (await at.http("GET", `/api/credentials?subject=${subject}&sort=${sort}`, { as: "system_admin" })).body.data.map(
        ({ validUntil }: any) => validUntil?.slice(0, 4) ?? "never",
      );
    expect([await ends("validUntil"), await ends("-validUntil")]).toEqual([
      ["2040", "2041", "never"],
      ["2041", "2040", "never"],
    ]);
  });

  it("names the field of a request that does not fit", async () => {
    const wrong = async (kind: string, body: object) =>
      (await issue(kind, body)).body.error?.details?.map(({ path }: any) => path);
    expect(await wrong("security-clearance", { level: "secret" })).toEqual(["subject"]);
    expect(await wrong("security-clearance", { subject: anna.did, userId: anna.userId, level: "secret" })).toEqual([
      "subject",
    ]);
    expect(await wrong("security-clearance", { subject: "urn:x:1", level: "secret" })).toEqual(["subject"]);
    expect(await wrong("security-clearance", { subject: anna.did, level: "cosmic", rank: 1 })).toEqual(
      expect.arrayContaining(["level", "rank"]),
    );
    expect(
      await wrong("user-profile", {
        subject: anna.did,
        displayName: "A",
        validFrom: "2030-01-01T00:00:00Z",
        validUntil: "2029-01-01T00:00:00Z",
      }),
    ).toEqual(["validUntil"]);
    expect(
      await wrong("user-profile", { subject: anna.did, displayName: "A", evidence: [{ type: "Rumour" }] }),
    ).toEqual(["evidence.0.type"]);
    expect(await wrong("security-clearance", { subject: anna.did, level: "secret", compartments: ["red"] })).toEqual([
      "compartments",
    ]);
    expect(await wrong("user-profile", { subject: anna.did, displayName: "A", timeZone: "Europe/Amstrdam" })).toEqual([
      "timeZone",
    ]);
    expect((await issue("user-profile", { userId: "nobody", displayName: "N" })).status).toBe(404);
  });

  it("is for administrators", async () => {
    for (const [kind, body] of [
      ["security-clearance", { subject: anna.did, level: "secret" }],
      ["user-profile", { subject: anna.did, displayName: "A" }],
      ["role-assignment", { subject: anna.did, role: "liaison" }],
    ] as const) {
      expect((await issue(kind, body, "analyst")).status).toBe(403);
      const made = await issue(kind, body, "admin");
      expect([made.status, made.headers.get("location")]).toEqual([201, `/api/credentials/${made.body.data.id}`]);
    }
  });
});

describe("what grants something in a problem set", () => {
  const member = (role: SetRole, compartments: string[] = [], extra: object = {}): Actor =>
    actor("reader", {
      userId: `${role}`,
      memberships: { "set-1": { role, permits: setPermitsOf(role), compartments, ...extra } },
    });
  const give = (who: Actor, body: object, kind = "RoleAssignment"): Promise<any> =>
    at.call(`credentials.issue${kind}`, { subject: anna.did, problemSetId: "set-1", ...body }, who);

  it("is issued by those of its members who may, and by no platform role", async () => {
    const record = await give(member("commander"), { role: "planner" });
    expect(record).toMatchObject({
      problemSetId: "set-1",
      grants: { problemSetId: "set-1", role: "planner" },
      credential: { credentialSubject: { id: anna.did, role: "planner", problemSetId: "set-1" } },
    });
    await expect(give(actor("system_admin"), { role: "planner" })).rejects.toMatchObject({ code: 404 });
    await expect(give(member("planner"), { role: "observer" })).rejects.toMatchObject({ code: 403 });
    await expect(give(member("commander", [], { archived: true }), { role: "observer" })).rejects.toMatchObject({
      type: "ARCHIVED",
    });
    await expect(give(member("commander"), { role: "emperor" })).rejects.toMatchObject({ code: 400 });
  });

  it("never grants more than its issuer has: no higher role, no compartment they are not read into", async () => {
    await expect(give(member("deputy"), { role: "commander" })).rejects.toMatchObject({ code: 403 });
    expect((await give(member("deputy"), { role: "analyst" })).status).toBe("active");
    await expect(
      give(member("commander", ["red"]), { level: "secret", compartments: ["red", "blue"] }, "SecurityClearance"),
    ).rejects.toMatchObject({ code: 400, data: { details: [{ path: "compartments.1" }] } });
    const record = await give(
      member("commander", ["red"]),
      { level: "secret", compartments: ["red"] },
      "SecurityClearance",
    );
    expect(record.grants).toEqual({ problemSetId: "set-1", clearance: "secret", compartments: ["red"] });
  });

  it("is seen and revoked by those who issue there, not by their colleagues", async () => {
    const { id } = await give(member("commander"), { role: "observer" });
    expect((await at.call("credentials.get", { id }, member("deputy"))).id).toBe(id);
    await expect(at.call("credentials.get", { id }, member("analyst"))).rejects.toMatchObject({ code: 404 });
    await expect(at.call("credentials.revoke", { id }, member("analyst"))).rejects.toMatchObject({ code: 404 });
    for (const who of [actor("system_admin"), actor("admin")]) {
      await expect(at.call("credentials.get", { id }, who)).rejects.toMatchObject({ code: 404 });
      expect(
        (await at.call("credentials.list", { limit: 100 }, who)).data.every(
          (row: any) => row.problemSetId === undefined,
        ),
      ).toBe(true);
    }
    const revoked = await at.call("credentials.revoke", { id, reason: "left" }, member("deputy"));
    expect(revoked).toMatchObject({ status: "revoked", statusReason: "left", statusBy: member("deputy").userId });
  });

  it("and names compartments is not there for an issuer who is not read into all of them, nor counted", async () => {
    const before = (await at.call("credentials.list", {}, member("commander"))).meta.total;
    const { id } = await give(
      member("commander", ["red", "blue"]),
      { level: "secret", compartments: ["red", "blue"] },
      "SecurityClearance",
    );
    for (const who of [member("commander"), member("commander", ["red"]), actor("system_admin")]) {
      await expect(at.call("credentials.get", { id }, who)).rejects.toMatchObject({ code: 404 });
      await expect(at.call("credentials.revoke", { id }, who)).rejects.toMatchObject({ code: 404 });
    }
    expect((await at.call("credentials.list", {}, member("commander"))).meta.total).toBe(before);
    expect((await at.call("credentials.get", { id }, actor("reader", { userId: anna.userId }))).id).toBe(id);
    expect((await at.call("credentials.revoke", { id }, member("deputy", ["red", "blue", "green"]))).status).toBe(
      "revoked",
    );
  });

  itInside("is told as facts: what was granted, and when it is taken away, given back or over", async () => {
    const until = new Date(at.clock.now() + 3_600_000).toISOString();
    const { id } = await give(member("commander"), { role: "analyst", validUntil: until });
    const about = (type: string) =>
      eventually(
        () => heard.filter((fact) => fact.type === `identity.credential.${type}` && fact.data.credentialId === id),
        (facts) => facts.length > 0,
      );
    const grants = { problemSetId: "set-1", role: "analyst" };
    expect((await about("issued"))[0]!.data).toMatchObject({
      kind: "role-assignment",
      subject: anna.did,
      holderId: anna.userId,
      grants,
      validUntil: until,
    });
    await at.call("credentials.suspend", { id, reason: "inquiry" }, member("commander"));
    expect((await about("suspended"))[0]!.data).toMatchObject({ grants, reason: "inquiry" });
    await at.call("credentials.reinstate", { id }, member("commander"));
    expect((await about("reinstated"))[0]!.data.reason).toBeUndefined();
    at.clock.advance(3_700_000);
    await (at.service("credentials") as any).schema.mixins[0].domain.schedules.expire.run.call(
      at.service("credentials"),
    );
    expect((await about("expired"))[0]!.data).toMatchObject({ grants });
    expect((await at.call("credentials.get", { id }, member("commander"))).status).toBe("expired");
    await at.call("credentials.revoke", { id }, member("commander"));
    expect(await about("revoked")).toHaveLength(1);
  });
});

describe("status", () => {
  it("of a revoked or suspended credential fails, and is published in the list that it names", async () => {
    const { id, credential } = await issued("coalition-membership", {
      userId: anna.userId,
      coalition: "Northern Shield",
    });
    const list = async (purpose: string) =>
      (
        await at.http(
          "GET",
          credential.credentialStatus
            .find((entry: any) => entry.statusPurpose === purpose)
            .statusListCredential.slice(BASE.length),
          { as: null },
        )
      ).body;
    expect(await verify(await list("revocation"))).toMatchObject({ verified: true, issuedHere: true });
    const before = (await list("suspension")).credentialSubject.encodedList;
    expect(
      (await at.http("POST", `/api/credentials/${id}/suspend`, { body: { reason: "under review" } })).body.data,
    ).toMatchObject({ status: "suspended", statusReason: "under review" });
    expect((await list("suspension")).credentialSubject.encodedList).not.toBe(before);
    expect(await verify(credential)).toMatchObject({
      verified: false,
      checks: expect.arrayContaining([{ check: "status", outcome: "failed", message: "It is suspended." }]),
    });
    await at.http("POST", `/api/credentials/${id}/reinstate`);
    expect((await list("suspension")).credentialSubject.encodedList).toBe(before);
    expect((await verify(credential)).verified).toBe(true);
    await at.http("POST", `/api/credentials/${id}/revoke`);
    expect(outcomes(await verify(credential))).toEqual({ ...PASSED, status: "failed" });
    for (const move of ["reinstate", "suspend", "revoke"])
      expect((await at.http("POST", `/api/credentials/${id}/${move}`)).body.error).toMatchObject({
        code: "INVALID_TRANSITION",
      });
    expect((await at.http("GET", "/api/credentials/status/99/revocation", { as: null })).status).toBe(404);
  });

  it("is changed by administrators alone; a stranger does not learn that there is such a credential", async () => {
    const { id } = await issued("user-profile", { userId: anna.userId, displayName: "Anna" });
    expect((await as(at, anna)("POST", `/api/credentials/${id}/revoke`)).status).toBe(403);
    expect((await as(at, bert)("POST", `/api/credentials/${id}/revoke`)).status).toBe(404);
    expect((await as(at, bert)("GET", `/api/credentials/${id}`)).status).toBe(404);
    expect((await as(at, anna)("GET", `/api/credentials/${id}`)).body.data.id).toBe(id);
    const mine = (await as(at, anna)("GET", "/api/credentials?limit=100")).body;
    expect(mine.data.every(({ subject }: any) => subject === anna.did)).toBe(true);
    expect((await as(at, bert)("GET", "/api/credentials")).body.meta.total).toBe(0);
    expect(
      (await at.http("GET", "/api/credentials?kind=user-profile&status=active")).body.data.map((row: any) => row.id),
    ).toContain(id);
  });
});

it("at a person's erasure loses what it attested and is revoked; until then the person can take it along", async () => {
  const carl = await person(at, "carl");
  const { id, credential } = await issued("user-profile", {
    userId: carl.userId,
    displayName: "Carl the Canary",
    email: "carl@example.org",
  });
  expect(
    JSON.stringify(
      await at.call("credentials.personal:gather", { userId: carl.userId }, actor("reader", { userId: carl.userId })),
    ),
  ).toContain("Carl the Canary");
  for (let times = 0; times < 2; times++)
    await at.call("credentials.personal:erase", { userId: carl.userId }, systemActor("test"));
  const kept = (await at.http("GET", `/api/credentials/${id}`)).body.data;
  expect(kept).toMatchObject({ status: "revoked", credential: {}, hash: "" });
  expect(JSON.stringify(kept)).not.toContain("Canary");
  expect(outcomes(await verify(credential)).status).toBe("failed");
});

describe("hash", () => {
  it("is SHA-256 over the JCS form: the same for equal credentials, another for any other", async () => {
    const { credential, hash } = await issued("user-profile", { userId: anna.userId, displayName: "Anna" });
    expect(hash).toBe(createHash("sha256").update(canonicalize(credential)!).digest("hex"));
    const turned = Object.fromEntries(Object.entries(credential).reverse());
    expect((await at.http("POST", "/api/credentials/hash", { body: { credential: turned } })).body.data).toEqual({
      hash,
      algorithm: "sha-256",
      canonicalization: "JCS",
    });
    const check = async (given: unknown, of = hash) =>
      (await at.http("POST", "/api/credentials/verify-hash", { body: { credential: given, hash: of } })).body.data
        .matches;
    expect(await check(turned)).toBe(true);
    expect(await check(turned, hash.toUpperCase())).toBe(true);
    expect(await check({ ...credential, name: "other" })).toBe(false);
    const jwt = await issued("user-profile", { userId: anna.userId, displayName: "Anna", format: "vc+jwt" });
    expect(await check(jwt.jwt, jwt.hash)).toBe(true);
    expect(
      (await at.http("POST", "/api/credentials/hash", { body: { credential: "no.jwt" } })).body.error.details,
    ).toEqual([expect.objectContaining({ path: "credential" })]);
    const [header, payload] = [
      { typ: "vc+jwt", alg: "EdDSA", kid: "#1" },
      { issuer: "did:example:1", name: "\ud800" },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
    expect(
      (await at.http("POST", "/api/credentials/hash", { body: { credential: `${header}.${payload}.AA` } })).body.error
        .details,
    ).toEqual([expect.objectContaining({ path: "credential" })]);
  });
});

describe("verification", () => {
  const keys = generateKeyPairSync("ed25519");
  const jwk = keys.publicKey.export({ format: "jwk" }) as Record<string, unknown>;
  const multibase = multibaseOf(readJwk(jwk)!);
  const did = `did:key:${multibase}`;
  const method = `${did}#${multibase}`;
  const sealed = (document: Credential, by: KeyObject = keys.privateKey, named = method): Credential => {
    const options = { ...proofOptions(document, named, "2026-01-01T00:00:00Z") };
    return withProof(document, options, sign(null, hashData(document, options), by));
  };
  const foreign = (fields: object = {}): Credential => ({
    "@context": [CREDENTIALS_V2],
    type: ["VerifiableCredential"],
    issuer: did,
    validFrom: "2026-01-01T00:00:00Z",
    credentialSubject: { id: "did:example:somebody", alumniOf: "The School of Examples" },
    ...fields,
  });

  let server: Server;
  let origin: string;
  const served = new Map<string, string>();
  beforeAll(async () => {
    server = createServer((req, res) => {
      const body = served.get(req.url!);
      res.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("accepts a foreign issuer's credential in both forms", async () => {
    const report = await verify(sealed(foreign()));
    expect(report).toMatchObject({ verified: true, issuedHere: false, kind: null, issuer: did });
    expect(outcomes(report)).toEqual({ ...PASSED, schema: "not-applicable", status: "not-applicable" });
    const input = signingInput(foreign(), method);
    expect(
      await verify(`${input}.${sign(null, Buffer.from(input), keys.privateKey).toString("base64url")}`),
    ).toMatchObject({ verified: true, format: "vc+jwt" });
  });

  it.each([
    ["ES256", "P-256", "sha256"],
    ["ES384", "P-384", "sha384"],
    ["ES256K", "secp256k1", "sha256"],
  ])("accepts %s by a %s key, and no algorithm that is not the key's", async (own, namedCurve, hash) => {
    const pair = generateKeyPairSync("ec", { namedCurve });
    const name = multibaseOf(readJwk(pair.publicKey.export({ format: "jwk" }) as Record<string, unknown>)!);
    const by = (alg: string): string => {
      const input = [
        { alg, typ: "vc+jwt", kid: `did:key:${name}#${name}` },
        { ...foreign(), issuer: `did:key:${name}` },
      ]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      return `${input}.${sign(hash, Buffer.from(input), { key: pair.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
    };
    expect(outcomes(await verify(by(own))).proof).toBe("passed");
    expect(outcomes(await verify(by("EdDSA"))).proof).toBe("failed");
  });

  it("checks the published proof, whose issuer is a URL, and says that nothing ties the key to it", async () => {
    for (const published of [eddsa.signed, { ...ecdsa.document, proof: ecdsa.vectors[1]!.proof }]) {
      const report = await verify(published);
      expect(outcomes(report)).toMatchObject({ structure: "passed", issuer: "unknown", proof: "passed" });
      expect(report).toMatchObject({ verified: false, issuer: "https://vc.example/issuers/5678" });
      expect(outcomes(await verify({ ...published, name: "Altered" })).proof).toBe("failed");
    }
  });

  it("says which check fails, and why", async () => {
    const failing = async (credential: unknown) =>
      Object.entries(outcomes(await verify(credential)))
        .filter(([, outcome]) => outcome !== "passed" && outcome !== "not-applicable")
        .map(([check, outcome]) => `${check} ${outcome}`);
    expect(await failing(foreign())).toEqual(["proof failed"]);
    expect(await failing(sealed(foreign({ validUntil: "2026-01-02T00:00:00Z" })))).toEqual(["validity failed"]);
    expect(await failing(sealed(foreign({ validFrom: "2999-01-01T00:00:00Z" })))).toEqual(["validity failed"]);
    expect(await failing(sealed(foreign({ credentialSubject: {} })))).toEqual(["structure failed"]);
    expect(await failing(sealed(foreign({ "@context": ["https://www.w3.org/2018/credentials/v1"] })))).toEqual([
      "structure failed",
    ]);
    expect(await failing(sealed(foreign(), generateKeyPairSync("ed25519").privateKey))).toEqual(["proof failed"]);
    expect(await failing({ ...sealed(foreign()), name: "added" })).toEqual(["proof failed"]);
    expect(await failing(sealed(foreign({ issuer: "https://issuer.example" })))).toEqual(["issuer unknown"]);
    expect(await failing(sealed(foreign({ issuer: "did:key:zNobody" })))).toEqual(["issuer failed", "proof unknown"]);
    const { did: other } = await at.call("identity.platform", {}, systemActor("test"));
    expect(await failing(sealed(foreign({ issuer: other })))).toEqual(["proof failed"]);
    const told = async (wrong: object) => (await verify({ ...foreign(), ...wrong })).checks[0].message;
    expect(await told({ refreshService: {}, proof: { created: "2026-01-01" } })).toBe(
      "refreshService.type: Is required. proof.type: Is required.",
    );
    expect(
      await told({ type: ["VerifiableCredential", "diploma"], "@context": ["https://www.w3.org/ns/credentials/v2"] }),
    ).toBe("@context: No context gives the type diploma a meaning.");
    expect(await failing("not.a.jwt")).toEqual(["structure failed", "issuer failed", "proof failed"]);
    // What is no credential is in no period of validity either.
    expect(outcomes(await verify("not.a.jwt")).validity).toBe("not-applicable");
  });

  it("fetches foreign schemas and status lists, bounded, and calls unknown what it cannot find out", async () => {
    const check = async (credential: Credential) => outcomes(await verify(sealed(credential)));
    served.set(
      "/schema",
      JSON.stringify({
        $id: `${origin}/schema`,
        type: "object",
        properties: { credentialSubject: { type: "object", required: ["alumniOf"] } },
      }),
    );
    served.set(
      "/strict",
      JSON.stringify({ type: "object", properties: { credentialSubject: { required: ["doctorOf"] } } }),
    );
    served.set("/hostile", JSON.stringify({ properties: { issuer: { pattern: "(a+)+$" } } }));
    const schema = (path: string) => foreign({ credentialSchema: { id: `${origin}${path}`, type: "JsonSchema" } });
    expect([
      (await check(schema("/schema"))).schema,
      (await check(schema("/strict"))).schema,
      (await check(schema("/hostile"))).schema,
      (await check(schema("/absent"))).schema,
    ]).toEqual(["passed", "failed", "unknown", "unknown"]);

    const listOf = (marked: number[], fields: object = {}, by = keys.privateKey) =>
      JSON.stringify(
        sealed(
          foreign({
            type: ["VerifiableCredential", "BitstringStatusListCredential"],
            credentialSubject: {
              id: `${origin}/list#list`,
              type: "BitstringStatusList",
              statusPurpose: "revocation",
              encodedList: encodeBits(marked),
            },
            ...fields,
          }),
          by,
        ),
      );
    const status = (path: string, index = "94567") =>
      foreign({
        credentialStatus: {
          type: "BitstringStatusListEntry",
          statusPurpose: "revocation",
          statusListIndex: index,
          statusListCredential: `${origin}${path}`,
        },
      });
    served.set("/clean", listOf([]));
    served.set("/marked", listOf([94_567]));
    served.set("/forged", listOf([], {}, generateKeyPairSync("ed25519").privateKey));
    served.set("/stale", listOf([], { validUntil: "2026-01-02T00:00:00Z" }));
    served.set("/other", JSON.stringify({ hello: "world" }));
    served.set("/broken", "{");
    const found = await Promise.all(
      ["/clean", "/marked", "/forged", "/stale", "/other", "/broken", "/absent"].map(async (path) => [
        path,
        (await check(status(path))).status,
      ]),
    );
    expect(Object.fromEntries(found)).toEqual({
      "/clean": "passed",
      "/marked": "failed",
      "/forged": "unknown",
      "/stale": "unknown",
      "/other": "unknown",
      "/broken": "unknown",
      "/absent": "unknown",
    });
    expect((await check(status("/clean", "9999999"))).status).toBe("unknown");
    const many = foreign({ credentialStatus: Array.from({ length: 50 }, () => status("/clean")["credentialStatus"]) });
    expect(outcomes(await verify(sealed(many)))).toMatchObject({ structure: "failed", status: "not-applicable" });
  });

  it("reaches no address of the inside where that is not allowed", async () => {
    const closed = await world({ PUBLIC_URL: BASE, ALLOW_PRIVATE_FEEDS: "off" });
    try {
      served.set("/clean", "{}");
      const credential = sealed(foreign({ credentialSchema: { id: `${origin}/clean`, type: "JsonSchema" } }));
      const { body } = await closed.http("POST", "/api/credentials/verify", { body: { credential } });
      expect(outcomes(body.data).schema).toBe("unknown");
    } finally {
      await closed.stop();
    }
  });

  it("finds its own issuer by did:web, where the platform has a public name", async () => {
    const named = await world({ PUBLIC_URL: "https://mesh.example" });
    try {
      const { body } = await named.http("POST", "/api/credentials/issue/user-profile", {
        body: { subject: HOLDER, displayName: "A" },
      });
      expect(body.data.issuer).toBe("did:web:mesh.example");
      const { body: report } = await named.http("POST", "/api/credentials/verify", {
        body: { credential: body.data.credential },
      });
      expect(report.data).toMatchObject({ verified: true, issuedHere: true, issuer: "did:web:mesh.example" });
    } finally {
      await named.stop();
    }
  });

  it("of anything that a stranger can send ends in a report or names the field", async () => {
    for (const credential of [
      { "@context": [CREDENTIALS_V2], type: "x" },
      { "@context": [null], type: ["VerifiableCredential"], issuer: null, credentialSubject: [null, 1], proof: [] },
      {
        "@context": [CREDENTIALS_V2],
        type: ["VerifiableCredential"],
        issuer: { id: 7 },
        credentialStatus: [null],
        credentialSchema: 1,
        proof: {
          type: "DataIntegrityProof",
          cryptosuite: "eddsa-jcs-2022",
          proofValue: "z1",
          verificationMethod: "x",
          proofPurpose: "y",
        },
      },
      "a.b.c",
      "..",
      "eyJhbGciOiJub25lIn0.e30.",
    ]) {
      const { status, body } = await at.http("POST", "/api/credentials/verify", { body: { credential } });
      expect([status, body.data.verified]).toEqual([200, false]);
    }
    for (const credential of [7, null, {}, { $ne: 1 }])
      expect((await at.http("POST", "/api/credentials/verify", { body: { credential } })).status).toBe(400);
  });
});

describe("in training", () => {
  const mode = (who: Person, to: string) => as(at, who)("PUT", "/api/user-mode", { mode: to });

  it("credentials are marked, kept apart from those of operations in every list, and count in training alone", async () => {
    const { body: made } = await at.http("POST", "/api/auth/users", {
      body: { email: "instructor@example.org", role: "admin", password: PASSWORD },
    });
    const chief = { token: await signIn(at, "instructor@example.org"), userId: made.data.id } as Person;
    const clearance = async (): Promise<any> =>
      (
        await as(at, chief)("POST", "/api/credentials/issue/security-clearance", {
          userId: anna.userId,
          level: "secret",
        })
      ).body.data;
    const listed = async (who: Person): Promise<string[]> =>
      (await as(at, who)("GET", "/api/credentials?limit=100")).body.data.map(({ id }: any) => id);
    const report = async (who: Person, { credential }: any): Promise<any> =>
      (await as(at, who)("POST", "/api/credentials/verify", { credential })).body.data;

    const real = await clearance();
    await mode(chief, "training");
    const practised = await clearance();
    expect(practised).toMatchObject({ training: true, credential: { name: "Security clearance (training)" } });
    expect(practised.issuer).not.toBe(real.issuer);
    expect(real).not.toHaveProperty("training");
    expect([(await listed(chief)).includes(real.id), (await listed(chief)).includes(practised.id)]).toEqual([
      false,
      true,
    ]);
    expect(await report(chief, practised)).toMatchObject({ verified: true, issuedHere: true, training: true });

    // Whoever it is about, and the administrator back in operations, have nothing of it.
    await mode(chief, "operational");
    for (const who of [chief, anna]) {
      expect([(await listed(who)).includes(real.id), (await listed(who)).includes(practised.id)]).toEqual([
        true,
        false,
      ]);
      expect((await as(at, who)("GET", `/api/credentials/${practised.id}`)).status).toBe(404);
    }
    const there = await report(anna, practised);
    expect(there).toMatchObject({ verified: false, issuedHere: true, training: true });
    expect(outcomes(there)).toEqual({ ...PASSED, issuer: "failed" });
    expect(await report(anna, real)).toMatchObject({ verified: true, training: false });
    await mode(anna, "training");
    expect(await listed(anna)).toContain(practised.id);
    expect(await listed(anna)).not.toContain(real.id);
    await mode(anna, "operational");
  });
});
