import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  type JsonWebKey,
} from "node:crypto";
import fc from "fast-check";
import {
  compactDecrypt,
  CompactEncrypt,
  FlattenedEncrypt,
  flattenedDecrypt,
  generalDecrypt,
  importJWK,
  type JWK,
} from "jose";
import jose from "node-jose";
import { concatKdf, decryptContent, unwrapByGcm, unwrapByKw } from "../../services/identity/encryption/algorithms.ts";
import { toHolders, underKey } from "../../services/identity/encryption/encrypting.ts";
import { bytesOf, parseJwe, type Jwe } from "../../services/identity/encryption/jwe.ts";
import { agree } from "../../services/identity/identity/keys/agreement.ts";
import { agreementKeyOf, jwkOf, readJwk, type PublicKey } from "../../core/did/key-encodings.ts";
import { newSigningKey, publicKeyOf, type SigningKey } from "../../core/did/signatures.ts";
import cookbook from "../fixtures/identity/jose-cookbook.json" with { type: "json" };

const b64 = (text: string): Buffer => Buffer.from(text, "base64url");
const recipient = (header: Record<string, unknown>, encrypted: string) => ({ header, encryptedKey: b64(encrypted) });
const read = (json: { protected: string; iv: string; ciphertext: string; tag: string }): Jwe => ({
  protected: json.protected,
  iv: b64(json.iv),
  ciphertext: b64(json.ciphertext),
  tag: b64(json.tag),
  recipients: [],
});
const secretOf = (mine: JsonWebKey, theirs: JsonWebKey): Buffer => {
  const { d: _d, ...open } = theirs;
  return diffieHellman({
    privateKey: createPrivateKey({ key: mine, format: "jwk" }),
    publicKey: createPublicKey({ key: open, format: "jwk" }),
  });
};

describe("published vectors", () => {
  it("RFC 7520 §5.6: content under a key of its own", () => {
    const { input, output } = cookbook.direct;
    expect(decryptContent(read(output.json), b64(input.key.k), undefined)?.toString()).toBe(input.plaintext);
  });

  it("RFC 7520 §5.10: associated data bound in, key wrapped by AES Key Wrap", () => {
    const { input, output, generated } = cookbook.aad;
    const key = unwrapByKw(b64(input.key.k), b64(output.json_flat.encrypted_key))!;
    expect(key.toString("base64url")).toBe(generated.cek);
    expect(decryptContent(read(output.json_flat), key, output.json_flat.aad)?.toString()).toBe(input.plaintext);
    for (const wrong of [undefined, "", `${output.json_flat.aad}AAAA`])
      expect(decryptContent(read(output.json_flat), key, wrong)).toBeUndefined();
  });

  it("RFC 7520 §5.8: AES Key Wrap", () => {
    const { input, output, generated } = cookbook.kw;
    const key = unwrapByKw(b64(input.key.k), b64(output.json_flat.encrypted_key))!;
    expect(key.toString("base64url")).toBe(generated.cek);
    expect(decryptContent(read(output.json_flat), key, undefined)?.toString()).toBe(input.plaintext);
  });

  it("RFC 7520 §5.7 and §5.13: keys wrapped by AES-256-GCM", () => {
    const {
      input,
      encrypting_content: { protected: header },
      encrypting_key,
      generated,
    } = cookbook.gcmkw;
    expect(unwrapByGcm(b64(input.key.k), recipient(header, encrypting_key.encrypted_key))?.toString("base64url")).toBe(
      generated.cek,
    );
    const third = cookbook.multiple.output.json.recipients[2]!;
    expect(
      unwrapByGcm(b64(cookbook.multiple.input.key[2]!.k!), recipient(third.header, third.encrypted_key))?.toString(
        "base64url",
      ),
    ).toBe(cookbook.multiple.generated.cek);
  });

  it("RFC 7520 §5.13: a key agreed on and wrapped by A256KW, for one recipient of several", () => {
    const second = cookbook.multiple.output.json.recipients[1]!;
    const secret = secretOf(cookbook.multiple.input.key[1] as JsonWebKey, second.header.epk as JsonWebKey);
    expect(unwrapByKw(concatKdf(secret, "ECDH-ES+A256KW", 32), b64(second.encrypted_key))?.toString("base64url")).toBe(
      cookbook.multiple.generated.cek,
    );
  });

  it("RFC 7520 §5.4 and §5.5: Concat KDF", () => {
    const { input, output, generated } = cookbook.ecdhP384;
    const wrapping = concatKdf(
      secretOf(input.key, cookbook.ecdhP384.encrypting_content.protected.epk),
      "ECDH-ES+A128KW",
      16,
    );
    const key = unwrapByKw(wrapping, b64(output.json_flat.encrypted_key))!;
    expect(key.toString("base64url")).toBe(generated.cek);
    expect(decryptContent(read(output.json_flat), key, undefined)?.toString()).toBe(input.plaintext);
    const direct = cookbook.ecdhDirect;
    const ours: SigningKey = { type: "P-256", secret: b64(direct.input.key.d) };
    const secret = agree(ours, readJwk(direct.encrypting_content.protected.epk)!)!;
    expect(concatKdf(secret, "A128CBC-HS256", 32).toString("base64url")).toBe(direct.encrypting_key.cek);
  });

  it("RFC 7518 appendix C: Concat KDF with the names of both sides", () => {
    const alice = {
      kty: "EC",
      crv: "P-256",
      x: "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0",
      y: "SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps",
      d: "0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo",
    };
    const bob = {
      kty: "EC",
      crv: "P-256",
      x: "weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ",
      y: "e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck",
    };
    expect(
      concatKdf(
        agree({ type: "P-256", secret: b64(alice.d) }, readJwk(bob)!)!,
        "A128GCM",
        16,
        "QWxpY2U",
        "Qm9i",
      ).toString("base64url"),
    ).toBe("VqqN6vgjbSBcIijNcacQGg");
  });

  it("the cookbook's message over X25519", () => {
    const { input, output, encrypting_content } = cookbook.x25519;
    const secret = secretOf(input.key, encrypting_content.protected.epk);
    expect(decryptContent(read(output.json_flat), concatKdf(secret, "A128GCM", 16), undefined)?.toString()).toBe(
      input.plaintext,
    );
  });

  it("takes none of the ways of encrypting that are not ours", () => {
    for (const { output } of [
      cookbook.gcmkw,
      cookbook.kw,
      cookbook.direct,
      cookbook.ecdhP384,
      cookbook.ecdhDirect,
      cookbook.x25519,
      cookbook.zipped,
    ]) {
      for (const form of Object.values(output as Record<string, unknown>)) expect(parseJwe(form)).toBeUndefined();
    }
  });
});

const key = randomBytes(32);
const PLAIN = Buffer.from("Convoy leaves at 05:40.");
/** As the service does it: the wrapped key, then the content. */
const openBy = (given: unknown, by: Buffer, aad?: string): string | undefined => {
  const jwe = parseJwe(given);
  const cek = jwe && unwrapByGcm(by, jwe.recipients[0]!);
  const plain = cek && decryptContent(jwe, cek, aad === undefined ? undefined : Buffer.from(aad).toString("base64url"));
  return jwe?.aad === (aad === undefined ? undefined : Buffer.from(aad).toString("base64url"))
    ? plain?.toString()
    : undefined;
};
const openAs = (given: unknown, by: SigningKey, at = 0): string | undefined => {
  const jwe = parseJwe(given)!;
  const { header, encryptedKey } = jwe.recipients[at]!;
  const cek = unwrapByKw(
    concatKdf(
      agree(by, readJwk(header["epk"] as Record<string, unknown>)!)!,
      "ECDH-ES+A256KW",
      32,
      header["apu"],
      header["apv"],
    ),
    encryptedKey,
  );
  return cek && decryptContent(jwe, cek, jwe.aad)?.toString();
};

describe("with other libraries", () => {
  it("jose and node-jose read what we encrypt under a key", async () => {
    const compact = (await underKey(PLAIN, key, "k.1")) as string;
    expect(Buffer.from((await compactDecrypt(compact, key)).plaintext).toString()).toBe(PLAIN.toString());
    const theirs = await jose.JWK.asKey({ kty: "oct", kid: "k.1", k: key.toString("base64url") });
    expect((await jose.JWE.createDecrypt(theirs).decrypt(compact)).plaintext.toString()).toBe(PLAIN.toString());
    const flattened = await underKey(PLAIN, key, "k.1", "order 17");
    expect(Buffer.from((await flattenedDecrypt(flattened as never, key)).plaintext).toString()).toBe(PLAIN.toString());
    expect((await jose.JWE.createDecrypt(theirs).decrypt(flattened as never)).plaintext.toString()).toBe(
      PLAIN.toString(),
    );
  });

  it("we read what jose and node-jose encrypt under a key", async () => {
    const header = { alg: "A256GCMKW", enc: "A256GCM", kid: "k.1" };
    expect(openBy(await new CompactEncrypt(PLAIN).setProtectedHeader(header).encrypt(key), key)).toBe(PLAIN.toString());
    expect(
      openBy(
        await new FlattenedEncrypt(PLAIN)
          .setProtectedHeader(header)
          .setAdditionalAuthenticatedData(Buffer.from("order 17"))
          .encrypt(key),
        key,
        "order 17",
      ),
    ).toBe(PLAIN.toString());
    const theirs = await jose.JWK.asKey({ kty: "oct", kid: "k.1", k: key.toString("base64url"), alg: "A256GCMKW" });
    expect(
      openBy(
        await jose.JWE.createEncrypt({ format: "compact", contentAlg: "A256GCM" }, theirs).update(PLAIN).final(),
        key,
      ),
    ).toBe(PLAIN.toString());
  });

  it("jose reads what we encrypt to several DIDs, and we read what it encrypts to one", async () => {
    const [ed, p256] = [newSigningKey("Ed25519"), newSigningKey("P-256")];
    const publics: [PublicKey, PublicKey] = [agreementKeyOf(publicKeyOf(ed)), publicKeyOf(p256)];
    const jwe = await toHolders(
      PLAIN,
      publics.map((one, at) => ({ kid: `did:example:${at}#k`, jwk: { ...jwkOf(one) } })),
      "order 17",
    );
    const owned = async (one: JWK): Promise<string> =>
      Buffer.from((await generalDecrypt(jwe as never, await importJWK(one, "ECDH-ES+A256KW"))).plaintext).toString();
    expect(await owned({ ...jwkOf(publics[1]), d: Buffer.from(p256.secret).toString("base64url") })).toBe(
      PLAIN.toString(),
    );
    expect(openAs(jwe, ed, 0)).toBe(PLAIN.toString());
    expect(openAs(jwe, p256, 1)).toBe(PLAIN.toString());
    expect(openAs(jwe, newSigningKey("Ed25519"), 0)).toBeUndefined();
    const theirs = await new FlattenedEncrypt(PLAIN)
      .setProtectedHeader({ alg: "ECDH-ES+A256KW", enc: "A256GCM", kid: "did:example:0#k" })
      .encrypt(await importJWK({ ...jwkOf(publics[0]) }, "ECDH-ES+A256KW"));
    expect(openAs(theirs, ed)).toBe(PLAIN.toString());
    const named = await jose.JWK.asKey({ ...jwkOf(publics[1]), kid: "did:example:1#k" } as never);
    const old = await jose.JWE.createEncrypt(
      { format: "flattened", contentAlg: "A256GCM", fields: { alg: "ECDH-ES+A256KW" } } as never,
      named,
    )
      .update(PLAIN)
      .final();
    expect(openAs(old, p256)).toBe(PLAIN.toString());
  });

  it("the twin for agreement of an Ed25519 key is the one that other libraries make", () => {
    const { privateKey, publicKey } = generateKeyPairSync("x25519");
    const ed = newSigningKey("Ed25519");
    const peer = readJwk(publicKey.export({ format: "jwk" }) as Record<string, unknown>)!;
    const twin = createPublicKey({ key: { ...jwkOf(agreementKeyOf(publicKeyOf(ed))) }, format: "jwk" });
    expect(Buffer.from(agree(ed, peer)!)).toEqual(diffieHellman({ privateKey, publicKey: twin }));
  });
});

it("reads what it wrote, whatever the bytes and the associated data", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.option(fc.string({ unit: "binary", minLength: 1 }), { nil: undefined }),
      async (bytes, aad) => {
        const jwe = parseJwe(await underKey(bytes, key, "k.1", aad))!;
        const bound = aad === undefined ? undefined : Buffer.from(aad).toString("base64url");
        expect(jwe.aad).toBe(bound);
        expect(decryptContent(jwe, unwrapByGcm(key, jwe.recipients[0]!)!, bound)).toEqual(Buffer.from(bytes));
      },
    ),
    { numRuns: 60 },
  );
});

it("opens nothing of which one letter was altered, added or cut off", async () => {
  const compact = (await underKey(PLAIN, key, "k.1")) as string;
  const flattened = (await underKey(PLAIN, key, "k.1", "order 17")) as Record<string, string>;
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom(..."ABCDwxyz0189-_."),
      fc.constantFrom("change", "insert", "cut"),
      (place, letter, how) => {
        const altered = (text: string): string => {
          const at = place % text.length;
          return how === "cut"
            ? text.slice(0, at)
            : text.slice(0, at) + letter + text.slice(how === "insert" ? at : at + 1);
        };
        const other = altered(compact);
        if (other !== compact) expect(openBy(other, key)).toBeUndefined();
        for (const name of Object.keys(flattened)) {
          const value = altered(flattened[name]!);
          if (value !== flattened[name])
            expect(openBy({ ...flattened, [name]: value }, key, "order 17")).toBeUndefined();
        }
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  null,
  7,
  "",
  "....",
  "a.b.c.d.e",
  {},
  [],
  { protected: 1 },
  { protected: "e30", iv: "", ciphertext: "", tag: "" },
  { recipients: [] },
])("takes %j for no JWE", (given) => expect(parseJwe(given)).toBeUndefined());

it("takes one text alone for the same bytes", () => {
  expect(bytesOf("AA")).toEqual(Buffer.from([0]));
  for (const text of ["AB", "AA==", "A", "A A", "A+", undefined, 1]) expect(bytesOf(text)).toBeUndefined();
});
