import { createHash, createSecretKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { base58 } from "@scure/base";
import canonicalize from "canonicalize";
import fc from "fast-check";
import {
  bitAt,
  decodeBits,
  encodeBits,
  LEAST_ENTRIES,
} from "../../../services/identity/credentials/status/bitstring.ts";
import {
  hashData,
  proofHolds,
  proofOptions,
  readProof,
  withProof,
  type IntegrityProof,
} from "../../../services/identity/credentials/securing/data-integrity.ts";
import {
  compose,
  CredentialShape,
  documentHash,
  type Credential,
} from "../../../services/identity/credentials/data-model.ts";
import { jwtHolds, openJwt, signingInput } from "../../../services/identity/credentials/securing/jose.ts";
import { complaints, untaken } from "../../../core/contract/documents/json-schema.ts";
import { schemaOf } from "../../../services/identity/credentials/kinds.ts";
import { indexOf } from "../../../services/identity/credentials/status/status-lists.ts";
import { readJwk, readMultibase, type PublicKey } from "../../../core/did/key-encodings.ts";
import { verifies } from "../../../core/did/signatures.ts";
import ecdsa from "../../fixtures/identity/ecdsa-jcs-2019.json" with { type: "json" };
import suite from "../../fixtures/identity/eddsa-jcs-2022.json" with { type: "json" };
import jcs from "../../fixtures/identity/jcs.json" with { type: "json" };
import model from "../../fixtures/identity/vc-data-model-2.json" with { type: "json" };

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const BASE = "https://mesh.example";

describe("JSON canonicalization (RFC 8785)", () => {
  it.each(Object.entries(jcs.vectors))("hashes the canonical form of %s", (_name, { input, canonicalHex }) => {
    const canonical = Buffer.from(canonicalHex, "hex").toString("utf8");
    expect(canonicalize(JSON.parse(input))).toBe(canonical);
    expect(documentHash(JSON.parse(input))).toBe(sha256(canonical));
  });

  it("gives equal documents equal hashes, however their members are ordered", () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : value && typeof value === "object"
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, one]) => [key, shuffled(one)]),
            )
          : value;
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) =>
          documentHash(JSON.parse(JSON.stringify(shuffled(value)))) === documentHash(JSON.parse(JSON.stringify(value))),
      ),
    );
  });
});

describe("eddsa-jcs-2022 (published vectors)", () => {
  const key = readMultibase(suite.keyPair.publicKeyMultibase)!;
  const signed = suite.signed as Credential;

  it("makes the published hashes on the way", () => {
    expect(canonicalize(suite.unsecured)).toBe(suite.canonicalDocument);
    expect(canonicalize(suite.proofConfig)).toBe(suite.canonicalProof);
    expect(hashData(suite.unsecured, suite.proofConfig).toString("hex")).toBe(suite.proofHash + suite.documentHash);
    expect(hashData(suite.unsecured, suite.proofConfig).toString("hex")).toBe(suite.combinedHash);
  });

  it("makes the published proof with the published key", () => {
    const seed = base58.decode(suite.keyPair.privateKeyMultibase.slice(1)).subarray(2);
    const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
    const options = {
      ...proofOptions(suite.unsecured, suite.proofConfig.verificationMethod, "2023-02-24T23:36:38.000Z"),
    };
    expect(options).toEqual(suite.proofConfig);
    const signature = sign(null, hashData(suite.unsecured, options), { key: pkcs8, format: "der", type: "pkcs8" });
    expect(signature.toString("hex")).toBe(suite.signature);
    expect(withProof(suite.unsecured, options, signature)).toEqual(suite.signed);
  });

  it("verifies the published document, and none with another context", () => {
    const proof = readProof(signed) as IntegrityProof;
    expect(proofHolds(signed, proof, key)).toBe(true);
    expect(
      proofHolds(
        { ...signed, "@context": [...(signed["@context"] as string[]), "https://evil.example/v1"] },
        proof,
        key,
      ),
    ).toBe(false);
  });
});

describe.each(ecdsa.vectors)("ecdsa-jcs-2019 with $curve (published vector)", (vector) => {
  const { publicKeyMultibase, combinedHash, signature, proof } = vector;
  const { proofValue, ...options } = proof;
  const key = readMultibase(publicKeyMultibase)!;
  const signed = { ...ecdsa.document, proof } as Credential;

  it("makes the published hash, and verifies the published document under its key alone", () => {
    const hash = vector.curve === "P-256" ? "sha256" : "sha384";
    expect(hashData(ecdsa.document, options, hash).toString("hex")).toBe(combinedHash);
    expect(Buffer.from(base58.decode(proofValue.slice(1))).toString("hex")).toBe(signature);
    const read = readProof(signed) as IntegrityProof;
    expect(proofHolds(signed, read, key)).toBe(true);
    expect(proofHolds({ ...signed, name: "Another" }, read, key)).toBe(false);
    const other = ecdsa.vectors.find(({ curve }) => curve !== vector.curve)!;
    expect(proofHolds(signed, read, readMultibase(other.publicKeyMultibase)!)).toBe(false);
    expect(proofHolds(signed, read, readMultibase(suite.keyPair.publicKeyMultibase)!)).toBe(false);
  });
});

describe("the data model (published inputs)", () => {
  interface Case {
    name: string;
    valid: boolean;
    with?: Record<string, unknown>;
    without?: string[];
  }
  it.each((model.cases as Case[]).map((one) => [one.valid ? "takes" : "refuses", one.name, one] as const))(
    "%s %s",
    (_takes, _name, { valid, with: changed, without = [] }) => {
      const credential: Record<string, unknown> = { ...model.base, ...changed };
      for (const property of without) delete credential[property];
      expect(CredentialShape.safeParse(credential).success).toBe(valid);
    },
  );

  it("says which property is wrong, and how", () => {
    const faults = (fields: object): string[] =>
      CredentialShape.safeParse({ ...model.base, ...fields }).error!.issues.map(
        ({ path, message }) => `${path.join(".")} ${message}`,
      );
    const v2 = "https://www.w3.org/ns/credentials/v2";
    expect(faults({ "@context": [v2, { name: "https://example.org/#name" }] })).toEqual([
      "@context the term name is protected and keeps its meaning",
    ]);
    expect(faults({ type: ["VerifiableCredential", "Diploma"] })).toEqual([
      "@context no context gives the type Diploma a meaning",
    ]);
    expect(faults({ validFrom: "2030-01-01T00:00:00Z", validUntil: "2029-01-01T00:00:00Z" })).toEqual([
      "validUntil is before validFrom, 2030-01-01T00:00:00Z",
    ]);
    expect(faults({ type: "Diploma" })).toContain("type must include VerifiableCredential");
    // One type is a value of its own (§4.5).
    expect(CredentialShape.safeParse({ ...model.base, type: "VerifiableCredential" }).success).toBe(true);
    // The same meaning again is none other.
    expect(
      CredentialShape.safeParse({ ...model.base, "@context": [v2, { name: "https://schema.org/name" }] }).success,
    ).toBe(true);
  });
});

describe("signatures of JOSE (published vectors)", () => {
  const ed = readJwk({ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" })!;
  const EDDSA =
    "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  const p256 = readJwk({
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  })!;
  const ES256 =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

  it("stand under their keys and under no other: RFC 8037 A.4, RFC 7515 A.3", () => {
    expect([jwtHolds(EDDSA, ed), jwtHolds(ES256, p256), jwtHolds(EDDSA, p256), jwtHolds(ES256, ed)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const [jws, key] of [
      [EDDSA, ed],
      [ES256, p256],
    ] as const)
      expect(jwtHolds(jws.replace(/\.[^.]{3}/, ".AAA"), key)).toBe(false);
  });

  it("P-384 over SHA-384 as ES384 has it: RFC 6979 A.2.6", () => {
    const key = readJwk({
      kty: "EC",
      crv: "P-384",
      x: Buffer.from(
        "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13",
        "hex",
      ).toString("base64url"),
      y: Buffer.from(
        "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720",
        "hex",
      ).toString("base64url"),
    })!;
    const signature = Buffer.from(
      "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46" +
        "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8",
      "hex",
    );
    expect(verifies(key, Buffer.from("sample"), signature)).toBe(true);
    expect(verifies(key, Buffer.from("test"), signature)).toBe(false);
  });

  it.each([
    ["ES256", "P-256", "sha256"],
    ["ES384", "P-384", "sha384"],
    ["ES256K", "secp256k1", "sha256"],
  ])("%s by OpenSSL's keys of its own curve, and by no other name", (alg, namedCurve, hash) => {
    const pair = generateKeyPairSync("ec", { namedCurve });
    const key = readJwk(pair.publicKey.export({ format: "jwk" }) as Record<string, unknown>)!;
    const signedAs = (name: string): string => {
      const input = [{ alg: name }, { claim: 1 }]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const by = { key: pair.privateKey, dsaEncoding: "ieee-p1363" } as const;
      return `${input}.${sign(hash, Buffer.from(input), by).toString("base64url")}`;
    };
    expect(jwtHolds(signedAs(alg), key)).toBe(true);
    for (const other of ["ES256", "ES384", "ES256K", "ES512", "EdDSA", "none", "HS256"])
      if (other !== alg) expect(jwtHolds(signedAs(other), key)).toBe(false);
  });
});

describe("Bitstring Status List", () => {
  const PUBLISHED = "uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA";

  it("reads the published list: 131,072 entries, none set", () => {
    const bytes = decodeBits(PUBLISHED);
    expect(bytes).toHaveLength(16_384);
    expect(bytes.every((byte) => byte === 0)).toBe(true);
    expect(decodeBits(encodeBits([]))).toEqual(bytes);
  });

  it("counts from the left-most bit", () => {
    expect(decodeBits(encodeBits([0]))[0]).toBe(0x80);
    expect(decodeBits(encodeBits([LEAST_ENTRIES - 1])).at(-1)).toBe(0x01);
  });

  it("gives back exactly the bits that were set", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: LEAST_ENTRIES - 1 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: LEAST_ENTRIES - 1 }),
        (set, other) => {
          const bytes = decodeBits(encodeBits(set));
          return set.every((index) => bitAt(bytes, index)) && bitAt(bytes, other) === set.includes(other);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each(["", "z4sI", "uAAAA", "uH4sIAAAAAAAAAwMAAAAAAAAAAAA", `${PUBLISHED.slice(0, -6)}AAAAAA`])(
    "refuses %s in words",
    (text) => expect(() => decodeBits(text)).toThrow(RangeError),
  );
  it("refuses an entry that the list has not", () =>
    expect(() => bitAt(decodeBits(PUBLISHED), LEAST_ENTRIES)).toThrow(RangeError));

  it("gives each entry of a list once, in no order that shows", () => {
    const key = createSecretKey(Buffer.alloc(32, 7));
    const given = new Set(Array.from({ length: 20_000 }, (_, nth) => indexOf(key, 1, nth)));
    expect(given.size).toBe(20_000);
    expect([...given].every((index) => index >= 0 && index < LEAST_ENTRIES)).toBe(true);
    const first = [...given].slice(0, 200);
    expect(first.filter((index, at) => at && Math.abs(index - first[at - 1]!) < 100).length).toBeLessThan(5);
  });
});

describe("a secured credential", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = readJwk(publicKey.export({ format: "jwk" }) as Record<string, unknown>) as PublicKey;
  const unsecured = compose(BASE, {
    id: "0198b000-0000-7000-8000-000000000001",
    kind: "security-clearance",
    issuer: "did:example:issuer",
    subject: "did:example:holder",
    claims: { level: "secret", authority: "National Security Authority" },
    validFrom: "2026-01-01T00:00:00.000Z",
    validUntil: "2027-01-01T00:00:00.000Z",
    evidence: [{ type: "DocumentEvidence", evidenceDocument: "passport" }],
    place: { list: 1, index: 94_567 },
  });
  const options = { ...proofOptions(unsecured, "did:example:issuer#key-1", "2026-01-01T00:00:00.000Z") };
  const secured = withProof(unsecured, options, sign(null, hashData(unsecured, options), privateKey));
  const jwtBy = (by: KeyObject, input = signingInput(unsecured, "did:example:issuer#key-1")): string =>
    `${input}.${sign(null, Buffer.from(input), by).toString("base64url")}`;
  const jwt = jwtBy(privateKey);
  const holds = (document: Credential): boolean => {
    const proof = readProof(document);
    return typeof proof !== "string" && proofHolds(document, proof, key);
  };
  const jwtStands = async (text: string): Promise<boolean> => typeof openJwt(text) !== "string" && jwtHolds(text, key);

  it("stands in both forms", async () => {
    expect(holds(JSON.parse(JSON.stringify(secured)))).toBe(true);
    expect(await jwtStands(jwt)).toBe(true);
    expect(openJwt(jwt)).toEqual({ credential: unsecured, verificationMethod: "did:example:issuer#key-1" });
  });

  it("falls with any claim or member of its proof that is altered, taken away or added", () => {
    const paths: string[][] = [];
    const walk = (node: unknown, path: string[]): void => {
      if (path.length) paths.push(path);
      if (node && typeof node === "object")
        for (const [name, value] of Object.entries(node)) walk(value, [...path, name]);
    };
    walk(secured, []);
    expect(paths.length).toBeGreaterThan(40);
    const change = fc.oneof(fc.constant(undefined), fc.string(), fc.integer(), fc.constant({ extra: true }));
    fc.assert(
      fc.property(fc.constantFrom(...paths), change, (path, value) => {
        const altered = JSON.parse(JSON.stringify(secured));
        const parent = path.slice(0, -1).reduce((node: any, name) => node[name], altered);
        const name = path.at(-1)!;
        if (value === undefined && Array.isArray(parent)) parent.splice(Number(name), 1);
        else if (value === undefined) delete parent[name];
        else if (JSON.stringify(parent[name]) === JSON.stringify(value)) return;
        else parent[name] = value;
        expect(holds(altered)).toBe(false);
      }),
      { numRuns: 400 },
    );
    expect(holds({ ...secured, added: true })).toBe(false);
  });

  it("falls with any letter of the JWT that is altered, and with any that is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: jwt.length - 1 }),
        fc.constantFrom(..."ABCDwxyz0189-_."),
        async (at, letter) => {
          if (jwt[at] === letter) return;
          expect(await jwtStands(jwt.slice(0, at) + letter + jwt.slice(at + 1))).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
    for (const cut of [1, 2, 40, jwt.length - 5]) expect(await jwtStands(jwt.slice(0, -cut))).toBe(false);
  });

  it("falls with another key, another algorithm, none at all, and another type of JWT", async () => {
    expect(await jwtStands(jwtBy(generateKeyPairSync("ed25519").privateKey))).toBe(false);
    const [, payload] = jwt.split(".");
    const headed = (header: object): string =>
      `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}`;
    const kid = "did:example:issuer#key-1";
    for (const header of [
      { alg: "none", typ: "vc+jwt", kid },
      { alg: "ES256", typ: "vc+jwt", kid },
      { alg: "HS256", typ: "vc+jwt", kid },
      { alg: "EdDSA", typ: "JWT", kid },
      { alg: "EdDSA", typ: "vc+jwt" },
      { alg: "EdDSA", typ: "vc+jwt", kid, crit: ["b64"], b64: false },
    ]) {
      expect(await jwtStands(jwtBy(privateKey, headed(header)))).toBe(false);
    }
    expect(await jwtStands(`${headed({ alg: "none", typ: "vc+jwt", kid })}.`)).toBe(false);
    expect(openJwt(jwtBy(privateKey, signingInput({ vc: unsecured, iss: "did:example:issuer" }, kid)))).toMatch(
      /payload/,
    );
  });

  it("fits the schema of its kind, and no longer with a claim that the kind has not", () => {
    const schema = schemaOf(BASE, "security-clearance");
    expect(complaints(schema, unsecured)).toEqual([]);
    const changed = (claims: object): Credential => ({
      ...unsecured,
      credentialSubject: { ...(unsecured["credentialSubject"] as object), ...claims },
    });
    expect(complaints(schema, changed({ level: "cosmic" })).join()).toMatch(/level/);
    expect(complaints(schema, changed({ rank: "general" })).join()).toMatch(/rank/);
    expect(complaints(schemaOf(BASE, "role-assignment"), unsecured)).not.toEqual([]);
  });

  it("carries out no foreign schema that takes long", () => {
    // Each definition asks for the next twice: thirty of them are asked a thousand million times.
    const doubling = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `a${n}`,
        n === 29 ? { type: "object" } : { allOf: [{ $ref: `#/$defs/a${n + 1}` }, { $ref: `#/$defs/a${n + 1}` }] },
      ]),
    );
    expect(untaken({ $defs: doubling, allOf: [{ $ref: "#/$defs/a0" }] })).toBe("more than can be read");
    expect(untaken({ properties: { child: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } } })).toBe("more than can be read");
    expect(
      untaken({
        $defs: { a: { type: "object" } },
        properties: { one: { $ref: "#/$defs/a" }, two: { $ref: "#/$defs/a" } },
      }),
    ).toBeUndefined();
    expect(untaken({ properties: { list: { uniqueItems: true } } })).toBe("uniqueItems");
    expect(untaken({ properties: { one: { $id: "https://elsewhere.example", $ref: "#/x" } } })).toBe("$id");
    expect(
      untaken(
        { items: { type: "string" } },
        Array.from({ length: 300_000 }, () => "x"),
      ),
    ).toBe("more than can be read");
    expect(untaken({ properties: { pattern: { const: { pattern: "^a" } } } })).toBe("pattern");
  });

  it("carries out no expression and follows no reference of a foreign schema", () => {
    expect(untaken({ properties: { name: { pattern: "(a+)+$" } } })).toBe("pattern");
    expect(untaken({ $ref: "https://elsewhere.example/schema" })).toBe("$ref");
    expect(untaken({ $ref: "#/$defs/name", $defs: { name: { type: "string" } } })).toBeUndefined();
  });
});
