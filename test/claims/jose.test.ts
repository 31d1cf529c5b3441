import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { compactVerify, importJWK } from "jose";
import { derive } from "../../core/ids.ts";
import { Tokens } from "../../services/identity/auth/sessions/tokens.ts";

// Claim 17 for the token of a sign-in: every published vector right, no forgery taken. Credentials have their own
// vectors beside them.

const SECRET = Buffer.alloc(32, 7);
const NOW = Date.parse("2026-03-01T12:00:00Z");
const tokens = new Tokens(SECRET);
const [jwk] = tokens.jwks().keys as [{ x: string; kid: string; crv: string; kty: string }];
const own: KeyObject = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), derive(SECRET, "jwt ed25519")]),
  format: "der",
  type: "pkcs8",
});
const spki = createPublicKey(own).export({ format: "der", type: "spki" });
const pem = createPublicKey(own).export({ format: "pem", type: "spki" }) as string;
const stranger = generateKeyPairSync("ed25519");

const seconds = Math.floor(NOW / 1000);
const CLAIMS = { sub: "u1", jti: "t1", iss: "signalmesh", aud: "signalmesh", iat: seconds, exp: seconds + 600 };
const part = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
type Signer = (input: string) => Buffer | string;
const by =
  (key: KeyObject): Signer =>
  (input) =>
    sign(null, Buffer.from(input), key);
const hmac =
  (key: string | Buffer, hash = "sha256"): Signer =>
  (input) =>
    createHmac(hash, key).update(input).digest();
const HEADER = { alg: "EdDSA", typ: "JWT", kid: jwk.kid };

function token(header: unknown, claims: unknown, signer: Signer): string {
  const input = `${part(header)}.${part(claims)}`;
  const signature = signer(input);
  return `${input}.${typeof signature === "string" ? signature : signature.toString("base64url")}`;
}
const good = token(HEADER, CLAIMS, by(own));

it("RFC 8037 A.4: the published signature verifies, and no bit of it may differ", async () => {
  const key = await importJWK(
    { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
    "EdDSA",
  );
  const published =
    "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  expect(Buffer.from((await compactVerify(published, key)).payload).toString()).toBe("Example of Ed25519 signing");
  const [head, body, signature] = published.split(".") as [string, string, string];
  const bytes = Buffer.from(signature, "base64url");
  for (let at = 0; at < bytes.length; at += 7) {
    const bent = Buffer.from(bytes);
    bent[at]! ^= 1;
    await expect(compactVerify(`${head}.${body}.${bent.toString("base64url")}`, key)).rejects.toThrow(
      "signature verification failed",
    );
  }
});

it("takes its own token", async () => {
  expect(await tokens.read(good, NOW)).toMatchObject({ userId: "u1", id: "t1" });
});

it("takes a token that it knows again until it expires, and no other that begins like it", async () => {
  expect(await tokens.read(good, NOW)).toEqual(await tokens.read(good, NOW + 599_999));
  expect(await tokens.read(good, NOW + 600_000)).toBeNull();
  for (const other of [good.slice(0, -1), `${good}A`, `${good}.`, token(HEADER, { ...CLAIMS, sub: "u2" }, () => "A")])
    expect(await tokens.read(other, NOW)).toBeNull();
});

/** S + L for the group order L (RFC 8032 §5.1.7): a second form of a signature that lax verifiers take. */
function malleated(text: string): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const bytes = Buffer.from(text.split(".")[2]!, "base64url");
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + order;
  const second = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
  return `${text.split(".").slice(0, 2).join(".")}.${Buffer.concat([bytes.subarray(0, 32), second]).toString("base64url")}`;
}

const KIDS = [
  "../../../../dev/null",
  "/proc/sys/kernel/randomize_va_space",
  "x' UNION SELECT 'a",
  "",
  "0",
  "\u0000",
  "https://evil.example/key",
  "|id",
  "${7*7}",
  "__proto__",
];
const forged: [string, string][] = [
  ...["none", "None", "NONE", "nOnE", " none", ""].map((alg): [string, string] => [
    `alg ${JSON.stringify(alg)}, unsigned`,
    token({ alg }, CLAIMS, () => ""),
  ]),
  ["alg none with the true signature", `${part({ alg: "none" })}.${good.split(".").slice(1).join(".")}`],
  ["no alg", token({ typ: "JWT" }, CLAIMS, by(own))],
  ["alg as a list", token({ alg: ["EdDSA", "none"] }, CLAIMS, by(own))],
  ...(["sha256", "sha384", "sha512"] as const).flatMap((hash) =>
    (
      [
        ["raw", Buffer.from(jwk.x, "base64url")],
        ["base64url", jwk.x],
        ["SPKI", spki],
        ["PEM", pem],
        ["JWK", JSON.stringify(jwk)],
        ["empty", ""],
      ] as const
    ).map(([form, key]): [string, string] => [
      `key confusion: HS${hash.slice(3)} under the ${form} public key`,
      token({ alg: `HS${hash.slice(3)}`, kid: jwk.kid }, CLAIMS, hmac(key as string, hash)),
    ]),
  ),
  ...["RS256", "ES256", "ES512", "PS256", "ES256K", "Ed448", "EdDSA2", "eddsa"].map((alg): [string, string] => [
    `another algorithm: ${alg}`,
    token({ alg, kid: jwk.kid }, CLAIMS, by(own)),
  ]),
  ["a stranger's key", token(HEADER, CLAIMS, by(stranger.privateKey))],
  ...KIDS.map((kid): [string, string] => [
    `kid ${JSON.stringify(kid)} and a stranger's key`,
    token({ ...HEADER, kid }, CLAIMS, by(stranger.privateKey)),
  ]),
  ...KIDS.map((kid): [string, string] => [
    `kid ${JSON.stringify(kid)} and an empty secret`,
    token({ alg: "HS256", kid }, CLAIMS, hmac("")),
  ]),
  [
    "the forger's key in the header",
    token({ ...HEADER, jwk: stranger.publicKey.export({ format: "jwk" }) }, CLAIMS, by(stranger.privateKey)),
  ],
  ...["jku", "x5u"].map((name): [string, string] => [
    `the forger's address in ${name}`,
    token({ ...HEADER, [name]: "http://127.0.0.1:9/keys" }, CLAIMS, by(stranger.privateKey)),
  ]),
  [
    "a certificate in the header",
    token(
      { ...HEADER, x5c: [stranger.publicKey.export({ format: "der", type: "spki" }).toString("base64")] },
      CLAIMS,
      by(stranger.privateKey),
    ),
  ],
  ["a critical extension nobody knows", token({ ...HEADER, crit: ["exp"], exp: seconds + 600 }, CLAIMS, by(own))],
  ["an unencoded payload", token({ ...HEADER, b64: false, crit: ["b64"] }, CLAIMS, by(own))],
  ["the second form of its signature", malleated(good)],
  [
    "other claims under a true signature",
    [good.split(".")[0], part({ ...CLAIMS, sub: "u2" }), good.split(".")[2]].join("."),
  ],
  ["no signature", good.split(".").slice(0, 2).join(".")],
  ["an empty signature", `${good.split(".").slice(0, 2).join(".")}.`],
  ["a signature of zeros", `${good.split(".").slice(0, 2).join(".")}.${Buffer.alloc(64).toString("base64url")}`],
  ["half a signature", good.slice(0, -40)],
  ["a fourth part", `${good}.${part("x")}`],
  ["five parts, as if encrypted", `${good}.${part("x")}.${part("y")}`],
  [
    "the JSON serialization",
    JSON.stringify({ payload: good.split(".")[1], protected: good.split(".")[0], signature: good.split(".")[2] }),
  ],
  ["another issuer", token(HEADER, { ...CLAIMS, iss: "elsewhere" }, by(own))],
  ["another audience", token(HEADER, { ...CLAIMS, aud: "elsewhere" }, by(own))],
  ["expired", token(HEADER, { ...CLAIMS, exp: seconds - 1 }, by(own))],
  ["not yet", token(HEADER, { ...CLAIMS, nbf: seconds + 60 }, by(own))],
  ["an end that is no number", token(HEADER, { ...CLAIMS, exp: "tomorrow" }, by(own))],
  ...["sub", "jti", "iat", "exp", "iss", "aud"].map((name): [string, string] => [
    `without ${name}`,
    token(HEADER, { ...CLAIMS, [name]: undefined }, by(own)),
  ]),
  ["claims that are no object", token(HEADER, [CLAIMS], by(own))],
  ["a header that is no object", token("[]", CLAIMS, by(own))],
  ["claims that are no JSON", token(HEADER, "sub=u1", by(own))],
  ["nothing", ""],
  ["a dot", "."],
  ["two dots", ".."],
  ["a very long text", "a.".repeat(20_000)],
];

it("has more forgeries than sixty, none of them twice", () => {
  expect(forged.length).toBeGreaterThan(60);
  expect(new Set(forged.map(([, text]) => text)).size).toBe(forged.length);
});

it.each(forged)("takes no forgery: %s", async (_what, text) => {
  expect(await tokens.read(text, NOW)).toBeNull();
});
