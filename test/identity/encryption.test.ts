import { generateKeyPairSync } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { generalDecrypt, GeneralEncrypt, importJWK } from "jose";
import { systemActor, type Actor } from "../../core/access/access.ts";
import { Sealer } from "../../core/access/sealed.ts";
import { setPermitsOf } from "../../config/set-roles.ts";
import { EncryptionKey, materialOf } from "../../services/identity/encryption/keys.ts";
import { agreementKeyOf, jwkOf, multibaseOf, readJwk, readMultibase } from "../../core/did/key-encodings.ts";
import { actor, itInside, world, type TestWorld } from "../mesh.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const SECRET_TEXT = "Convoy leaves at 05:40 (canary-7f3a91)";
const encrypt = async (body: object, as = "analyst") =>
  (await at.http("POST", "/api/encryption/encrypt", { as, body })).body.data;
const decrypt = (body: object, as = "analyst") => at.http("POST", "/api/encryption/decrypt", { as, body });
const member = (
  set: string,
  role: "commander" | "analyst" | "observer",
  compartments: string[] = [],
  traits: Partial<Actor> = {},
): Actor =>
  actor("reader", {
    userId: `${role}-of-${set}`,
    memberships: { [set]: { role, permits: setPermitsOf(role), compartments } },
    ...traits,
  });

it("encrypts under a key of one's own, made when first needed, and decrypts what it encrypted", async () => {
  const { jwe, key, version } = await encrypt({ plaintext: SECRET_TEXT });
  expect({ key, version, parts: jwe.split(".").length }).toEqual({ key: "default", version: 1, parts: 5 });
  expect((await decrypt({ jwe })).body.data).toEqual({ plaintext: SECRET_TEXT, encoding: "utf8" });
  const bytes = Buffer.from([0, 255, 128, 7]).toString("base64url");
  expect((await decrypt({ jwe: (await encrypt({ plaintext: bytes, encoding: "base64url" })).jwe })).body.data).toEqual({
    plaintext: bytes,
    encoding: "base64url",
  });
  const { body } = await at.http("GET", "/api/encryption/keys", { as: "analyst" });
  expect(body.data).toEqual([expect.objectContaining({ name: "default", version: 1 })]);
});

it("binds associated data: without it, or with other, nothing opens", async () => {
  const { jwe } = await encrypt({ plaintext: SECRET_TEXT, aad: "order 17" });
  expect((await decrypt({ jwe, aad: "order 17" })).body.data.plaintext).toBe(SECRET_TEXT);
  for (const aad of [undefined, "order 18"])
    expect((await decrypt({ jwe, aad })).body.error.code).toBe("DECRYPTION_FAILED");
  const { jwe: bare } = await encrypt({ plaintext: SECRET_TEXT });
  expect((await decrypt({ jwe: bare, aad: "order 17" })).body.error.code).toBe("DECRYPTION_FAILED");
});

it("rotates keys: what old versions encrypted stays readable, after a restart too", async () => {
  const first = await encrypt({ plaintext: "written under version 1" });
  const { id } = (await at.http("GET", "/api/encryption/keys?name=default", { as: "analyst" })).body.data[0];
  const versions = [first];
  for (const version of [2, 3]) {
    expect((await at.http("POST", `/api/encryption/keys/${id}/rotate`, { as: "analyst" })).body.data).toMatchObject({
      id,
      version,
    });
    versions.push(await encrypt({ plaintext: `written under version ${version}` }));
  }
  expect(versions.map(({ version }) => version)).toEqual([1, 2, 3]);
  const kids = versions.map(({ jwe }) => JSON.parse(Buffer.from(jwe.split(".")[0], "base64url").toString()).kid);
  expect(kids).toEqual([`${id}.1`, `${id}.2`, `${id}.3`]);
  // The same data folder under a new node, as the same person.
  const { id: userId } = (await at.http("GET", "/api/auth/users?sort=email", {})).body.data.find(
    ({ email }: any) => email === "analyst-account@example.org",
  );
  const mine = actor("analyst", { userId });
  if (at.mesh.world.documents.kind === "embedded") {
    await at.stop({ keep: true });
    at = await world({ DATA_DIR: at.dataDir });
  }
  for (const [n, { jwe }] of versions.entries())
    expect((await at.call("encryption.decrypt", { jwe }, mine)).plaintext).toBe(`written under version ${n + 1}`);
});

describe("cannot decrypt", () => {
  /** Everything of an answer that a caller can tell one refusal from another by. */
  const told = ({ status, body, headers }: Awaited<ReturnType<typeof decrypt>>) => {
    const { requestId: _id, ...error } = body.error;
    return {
      status,
      error,
      headers: [...headers.keys()].filter((name) => name !== "date").sort(),
      length: headers.get("content-length"),
    };
  };

  it("says the same of a wrong key, a key that is not there, altered, truncated and foreign data, and data for somebody else", async () => {
    const { jwe } = await encrypt({ plaintext: SECRET_TEXT });
    const [header, wrapped, iv, ciphertext, tag] = jwe.split(".");
    const headed = (change: object): string =>
      Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(header, "base64url").toString()), ...change })).toString(
        "base64url",
      );
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
    const { did } = await at.call("identity.primaryDid", { userId: "somebody else" }, systemActor("test"));
    const toOther = (await encryptTo([did])).jwe;
    const cases: Record<string, unknown> = {
      "another's": (await encrypt({ plaintext: "x" }, "admin")).jwe,
      "no such version": [headed({ kid: kid.replace(/\.\d+$/, ".999") }), wrapped, iv, ciphertext, tag].join("."),
      "no such key": [headed({ kid: "0198b000-0000-7000-8000-000000000000.1" }), wrapped, iv, ciphertext, tag].join(
        ".",
      ),
      "no name of a key": [headed({ kid: "what" }), wrapped, iv, ciphertext, tag].join("."),
      "altered tag": [header, wrapped, iv, ciphertext, `${tag[0] === "A" ? "B" : "A"}${tag.slice(1)}`].join("."),
      "altered content": [header, wrapped, iv, `${ciphertext[0] === "A" ? "B" : "A"}${ciphertext.slice(1)}`, tag].join(
        ".",
      ),
      "altered key": [header, `${wrapped[0] === "A" ? "B" : "A"}${wrapped.slice(1)}`, iv, ciphertext, tag].join("."),
      truncated: jwe.slice(0, -9),
      "cut to pieces": jwe.slice(0, 20),
      "another algorithm": [headed({ alg: "dir" }), "", iv, ciphertext, tag].join("."),
      compressed: [headed({ zip: "DEF" }), wrapped, iv, ciphertext, tag].join("."),
      "no JWE": "hello",
      "no members": {},
      "to somebody else": toOther,
      "to a stranger's DID": {
        ...toOther,
        recipients: toOther.recipients.map((one: any) => ({
          ...one,
          header: { ...one.header, kid: "did:key:zNobody#zNobody" },
        })),
      },
      "to nobody": {
        ...toOther,
        recipients: toOther.recipients.map(({ encrypted_key }: any) => ({
          encrypted_key,
          header: { alg: "ECDH-ES+A256KW" },
        })),
      },
    };
    const answers = new Map<string, string[]>();
    for (const [name, given] of Object.entries(cases)) {
      const answer = JSON.stringify(told(await decrypt({ jwe: given })));
      answers.set(answer, [...(answers.get(answer) ?? []), name]);
    }
    expect([...answers.values()]).toEqual([Object.keys(cases)]);
    expect(JSON.parse([...answers.keys()][0]!)).toMatchObject({
      status: 422,
      error: { code: "DECRYPTION_FAILED", message: "Cannot decrypt." },
    });
  });

  itInside("does the same work for a key that is not there as for one that is wrong", async () => {
    const { jwe } = await encrypt({ plaintext: SECRET_TEXT });
    const service = at.service("encryption") as any;
    const steps = async (given: string): Promise<string[]> => {
      const done: string[] = [];
      const { sealer, store } = service;
      service.sealer = {
        open: (...of: unknown[]) => {
          done.push("unseal");
          return sealer.open(...of);
        },
      };
      service.store = (entity: unknown) => {
        done.push("read");
        return store(entity);
      };
      await at.call("encryption.decrypt", { jwe: given }, actor("analyst")).catch(() => {});
      Object.assign(service, { sealer, store });
      return done;
    };
    const parts = jwe.split(".");
    const absent = [
      Buffer.from(
        JSON.stringify({
          alg: "A256GCMKW",
          enc: "A256GCM",
          kid: "nobody.1",
          iv: "AAAAAAAAAAAAAAAA",
          tag: "AAAAAAAAAAAAAAAAAAAAAA",
        }),
      ).toString("base64url"),
      ...parts.slice(1),
    ].join(".");
    expect(await steps(jwe)).toEqual(["read", "unseal"]);
    expect(await steps(absent)).toEqual(["read", "unseal"]);
    expect(await steps("nothing at all")).toEqual(["read", "unseal"]);
  });

  it("names the field where the request itself is wrong", async () => {
    expect((await decrypt({ jwe: 7 })).body.error.details).toEqual([expect.objectContaining({ path: "jwe" })]);
    expect(
      (await at.http("POST", "/api/encryption/encrypt", { body: { plaintext: "***", encoding: "base64url" } })).body
        .error.details,
    ).toEqual([expect.objectContaining({ path: "plaintext" })]);
    expect(
      (
        await at.http("POST", "/api/encryption/encrypt", {
          body: {
            plaintext: "x",
            key: "default",
            recipients: ["did:key:z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2"],
          },
        })
      ).body.error.details,
    ).toEqual([expect.objectContaining({ path: "recipients" })]);
    expect(
      (await at.http("POST", "/api/encryption/encrypt", { body: { plaintext: "x", key: "none-such" } })).status,
    ).toBe(404);
  });
});

const encryptTo = (recipients: string[], extra: object = {}): Promise<any> =>
  encrypt({ plaintext: SECRET_TEXT, recipients, ...extra });
const didOf = async (userId: string): Promise<string> =>
  (await at.call("identity.primaryDid", { userId }, systemActor("test"))).did;

describe("to DIDs", () => {
  it("is read by each recipient, whoever keeps the key, and by nobody else", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("x25519");
    const outside = privateKey.export({ format: "jwk" });
    const outsider = `did:key:${multibaseOf(readJwk(publicKey.export({ format: "jwk" }) as Record<string, unknown>)!)}`;
    const [anna, bert] = [await didOf("anna"), await didOf("bert")];
    const { jwe, key } = await encryptTo([anna, bert, outsider], { aad: "order 17" });
    expect(key).toBeNull();
    expect(jwe.recipients).toHaveLength(3);
    for (const userId of ["anna", "bert"])
      expect(
        (await at.call("encryption.decrypt", { jwe, aad: "order 17" }, actor("reader", { userId }))).plaintext,
      ).toBe(SECRET_TEXT);
    await expect(
      at.call("encryption.decrypt", { jwe, aad: "order 17" }, actor("system_admin", { userId: "carl" })),
    ).rejects.toMatchObject({ type: "DECRYPTION_FAILED" });
    const theirs = await generalDecrypt(
      { ...jwe, recipients: [jwe.recipients[2]] },
      await importJWK(outside as never, "ECDH-ES+A256KW"),
    );
    expect(Buffer.from(theirs.plaintext).toString()).toBe(SECRET_TEXT);
  });

  it("is read by the holder of a P-384 key, which a did:key's document offers for agreement", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    const did = `did:key:${multibaseOf(readJwk(publicKey.export({ format: "jwk" }) as Record<string, unknown>)!)}`;
    const { jwe } = await encryptTo([did]);
    const key = await importJWK(privateKey.export({ format: "jwk" }) as never, "ECDH-ES+A256KW");
    expect(Buffer.from((await generalDecrypt(jwe, key)).plaintext).toString()).toBe(SECRET_TEXT);
  });

  it("reads what other libraries encrypt to the key in a DID's document", async () => {
    const anna = await didOf("anna");
    const key = agreementKeyOf(readMultibase(anna.slice("did:key:".length))!);
    const jwe = new GeneralEncrypt(Buffer.from("from outside")).setProtectedHeader({ enc: "A256GCM" });
    jwe
      .addRecipient(await importJWK({ ...jwkOf(key) }, "ECDH-ES+A256KW"))
      .setUnprotectedHeader({ alg: "ECDH-ES+A256KW", kid: `${anna}#any` });
    expect(
      (await at.call("encryption.decrypt", { jwe: { ...(await jwe.encrypt()) } }, actor("reader", { userId: "anna" })))
        .plaintext,
    ).toBe("from outside");
  });

  it("refuses recipients that cannot be encrypted to, each by its place", async () => {
    const { status, body } = await at.http("POST", "/api/encryption/encrypt", {
      body: { plaintext: "x", recipients: [await didOf("anna"), "did:key:zNobody", "did:nomethod:x"] },
    });
    expect(status).toBe(422);
    expect(body.error).toMatchObject({
      code: "NO_KEY_FOR_RECIPIENT",
      details: [{ path: "recipients.1" }, { path: "recipients.2" }],
    });
  });
});

describe("keys of a problem set", () => {
  const make = (who: Actor, body: object) => at.call("encryption.keys.create", body, who);

  it("are used by its members, made and rotated by those who may, and not there for anybody else", async () => {
    const key = await make(member("set-a", "commander"), { name: "reports", problemSetId: "set-a" });
    const { jwe } = await at.call(
      "encryption.encrypt",
      { plaintext: "shared", key: "reports", problemSetId: "set-a" },
      member("set-a", "analyst"),
    );
    for (const role of ["commander", "observer"] as const)
      expect((await at.call("encryption.decrypt", { jwe }, member("set-a", role))).plaintext).toBe("shared");
    await expect(make(member("set-a", "analyst"), { name: "mine", problemSetId: "set-a" })).rejects.toMatchObject({
      code: 403,
    });
    await expect(at.call("encryption.keys.rotate", { id: key.id }, member("set-a", "analyst"))).rejects.toMatchObject({
      code: 403,
    });
    await expect(
      at.call(
        "encryption.encrypt",
        { plaintext: "x", key: "reports", problemSetId: "set-a" },
        member("set-a", "observer"),
      ),
    ).rejects.toMatchObject({ code: 403 });
    for (const stranger of [member("set-b", "commander"), actor("system_admin")]) {
      await expect(at.call("encryption.decrypt", { jwe }, stranger)).rejects.toMatchObject({
        type: "DECRYPTION_FAILED",
      });
      await expect(at.call("encryption.keys.get", { id: key.id }, stranger)).rejects.toMatchObject({ code: 404 });
      await expect(
        at.call("encryption.encrypt", { plaintext: "x", key: "reports", problemSetId: "set-a" }, stranger),
      ).rejects.toMatchObject({ code: 404 });
      expect((await at.call("encryption.keys.list", {}, stranger)).data.map(({ id }: any) => id)).not.toContain(key.id);
    }
  });

  it("that lie in compartments are only for those read into all of them, the commander included", async () => {
    await expect(
      make(member("set-a", "commander"), { name: "deep", problemSetId: "set-a", compartments: ["red"] }),
    ).rejects.toMatchObject({ code: 400 });
    const key = await make(member("set-a", "commander", ["red"]), {
      name: "deep",
      problemSetId: "set-a",
      compartments: ["red"],
    });
    const { jwe } = await at.call(
      "encryption.encrypt",
      { plaintext: "deep", key: "deep", problemSetId: "set-a" },
      member("set-a", "analyst", ["red", "blue"]),
    );
    expect((await at.call("encryption.decrypt", { jwe }, member("set-a", "analyst", ["red"]))).plaintext).toBe("deep");
    await expect(at.call("encryption.decrypt", { jwe }, member("set-a", "commander", ["blue"]))).rejects.toMatchObject({
      type: "DECRYPTION_FAILED",
    });
    await expect(at.call("encryption.keys.get", { id: key.id }, member("set-a", "commander"))).rejects.toMatchObject({
      code: 404,
    });
  });

  it("tell nobody by their names what lies in compartments, and leave it to nobody else who reads", async () => {
    const [red, blue] = [member("set-d", "commander", ["red"]), member("set-d", "commander", ["blue"])];
    const hidden = await make(red, { name: "plans", problemSetId: "set-d", compartments: ["red"] });
    await expect(make(red, { name: "plans", problemSetId: "set-d", compartments: ["red"] })).rejects.toMatchObject({
      code: 409,
    });
    expect((await make(blue, { name: "plans", problemSetId: "set-d" })).id).not.toBe(hidden.id);
    await expect(
      at.call("encryption.encrypt", { plaintext: "x", key: "plans", problemSetId: "set-d" }, red),
    ).rejects.toMatchObject({ code: 409 });
    const { jwe } = await at.call("encryption.encrypt", { plaintext: "x", key: hidden.id, problemSetId: "set-d" }, red);
    await expect(at.call("encryption.decrypt", { jwe }, blue)).rejects.toMatchObject({ type: "DECRYPTION_FAILED" });
    await expect(
      at.call("encryption.encrypt", { plaintext: "x", key: hidden.id, problemSetId: "set-d" }, blue),
    ).rejects.toMatchObject({ code: 404 });
    expect(
      (await at.call("encryption.encrypt", { plaintext: "x", key: "plans", problemSetId: "set-d" }, blue)).key,
    ).toBe("plans");
  });

  it("of an archived problem set still decrypt, and encrypt no more", async () => {
    await make(member("set-c", "commander"), { name: "reports", problemSetId: "set-c" });
    const { jwe } = await at.call(
      "encryption.encrypt",
      { plaintext: "before", key: "reports", problemSetId: "set-c" },
      member("set-c", "analyst"),
    );
    const kept = member("set-c", "commander");
    const archived: Actor = { ...kept, memberships: { "set-c": { ...kept.memberships!["set-c"]!, archived: true } } };
    expect((await at.call("encryption.decrypt", { jwe }, archived)).plaintext).toBe("before");
    await expect(
      at.call("encryption.encrypt", { plaintext: "after", key: "reports", problemSetId: "set-c" }, archived),
    ).rejects.toMatchObject({ type: "ARCHIVED" });
  });
});

it("lets no key and no plaintext out: not in answers, not in stored files", async () => {
  const { jwe } = await encrypt({ plaintext: SECRET_TEXT });
  await decrypt({ jwe });
  const stored = await (await at.mesh.world.documents.collection(EncryptionKey.collection)).find({});
  const records = stored.map(({ _id, ...record }) => ({ id: _id, ...record }) as unknown as EncryptionKey);
  const sealer = new Sealer(at.mesh.world, "encryption keys");
  const keys: Buffer[] = records.flatMap((record) =>
    record.versions.map(({ version }) => materialOf(sealer, record, version)!),
  );
  expect(keys.length).toBeGreaterThan(3);
  const forms = [
    ...keys.flatMap((key) => [key.toString("hex"), key.toString("base64"), key.toString("base64url")]),
    "canary-7f3a91",
  ];
  const answers = [
    await at.http("GET", "/api/encryption/keys", { as: "analyst" }),
    await at.http("POST", "/api/encryption/keys", { as: "analyst", body: { name: "fresh" } }),
  ];
  for (const { text } of answers) for (const form of [...forms, "sealed", "versions"]) expect(text).not.toContain(form);
  if (at.mesh.world.documents.kind !== "embedded") return;
  const files = (readdirSync(at.dataDir, { recursive: true }) as string[])
    .map((name) => join(at.dataDir, name))
    .filter((path) => statSync(path).isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) {
    const bytes = readFileSync(path);
    for (const form of forms) expect(bytes.includes(form)).toBe(false);
    for (const key of keys) expect(bytes.includes(key)).toBe(false);
  }
});
