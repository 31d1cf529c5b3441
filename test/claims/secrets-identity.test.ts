import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { unlockKey } from "../../adapters/keystore.ts";
import { openDocuments } from "../../adapters/documents/index.ts";
import { derive } from "../../core/ids.ts";
import { Sealer } from "../../core/access/sealed.ts";
import { files, forms, formsOfBytes } from "../canaries.ts";
import { eventually } from "../mesh.ts";
import { ADMIN, startNode } from "../process.ts";

// Claim 19 over identity: a node of its own process signs people in, mails links, holds keys and talks to a provider.
// Then neither its data nor its log nor any answer but the one that hands a secret out holds a mailed token, a session,
// a key or what a key is made of.

const ROOT = "5a".repeat(32);
const PASSWORDS = {
  "smtp password": "canary-smtp-66e0b1d2af",
  "oidc secret": "a secret of the mesh",
  "admin password": ADMIN.ADMIN_PASSWORD,
  "new password": "canary new pass phrase 4711",
};
const COOKIE = /(?:__Host-sid|sid)=([^;]+)/;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function mailServer(): Promise<{ server: SMTPServer; port: number; letters: string[] }> {
  const letters: string[] = [];
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 50,
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      done(null, password === PASSWORDS["smtp password"] ? { user: "mesh" } : undefined);
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          letters.push(Buffer.concat(chunks).toString().replace(/=\r\n/g, "").replace(/=3D/g, "="));
          done();
        });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve());
  });
  return { server, port: (server.server.address() as AddressInfo).port, letters };
}

async function provider(redirectUri: string): Promise<{ process: ChildProcess; issuer: string }> {
  const child = spawn(process.execPath, ["test/fixtures/oidc/provider.mjs", redirectUri], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const issuer = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("the provider did not start")));
    child.stdout.on("data", (chunk: Buffer) => {
      const port = /listening (\d+)/.exec(chunk.toString())?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  return { process: child, issuer };
}

/**
 * Everything that is kept sealed, opened: private keys of accounts and DIDs, encryption keys; and the keys that come
 * from the root itself.
 */
async function keysIn(dir: string): Promise<[string, Buffer][]> {
  const secret = Buffer.from(ROOT, "hex");
  const documents = openDocuments({ dataDir: dir });
  const all = async (name: string): Promise<any[]> => (await documents.collection(name)).find();
  try {
    const [identity, encryption] = [new Sealer({ secret }, "identity keys"), new Sealer({ secret }, "encryption keys")];
    const dids = (await all("dids"))
      .filter(({ sealedKey }) => sealedKey)
      .map(({ did, sealedKey }): [string, Buffer] => [`key of ${did}`, identity.open(sealedKey, did)]);
    const keys = (await all("encryption_keys")).flatMap(({ _id, versions }) =>
      versions.map(({ version, sealed }: any): [string, Buffer] => [
        `encryption key ${version}`,
        encryption.open(sealed, `${_id}.${version}`),
      ]),
    );
    const accounts = await Promise.all(
      (await all("accounts")).map(async ({ address, keystore }): Promise<[string, Buffer]> => [
        "key of the account",
        await unlockKey(keystore, derive(secret, `account keystore ${address}`).toString("base64url")),
      ]),
    );
    expect([dids.length, keys.length, accounts.length].every((count) => count > 0)).toBe(true);
    const derived = [
      "jwt ed25519",
      "platform did ed25519",
      "api key pepper",
      "audit checkpoint ed25519",
      "identity keys",
      "encryption keys",
    ].map((purpose): [string, Buffer] => [purpose, derive(secret, purpose)]);
    return [...dids, ...keys, ...accounts, ...derived, ["root secret", secret]];
  } finally {
    await documents.close();
  }
}

it("no mailed token, session, key or secret of a provider stands in data files, logs or answers", async () => {
  const dir = await mkdtemp(join(tmpdir(), "signalmesh-identity-"));
  const port = await freePort();
  const [mail, oidc] = [await mailServer(), await provider(`http://localhost:${port}/oidc`)];
  const node = await startNode({
    DATA_DIR: dir,
    PORT: String(port),
    SECRET: ROOT,
    LOG_LEVEL: "debug",
    SMTP_URL: `smtp://mesh:${PASSWORDS["smtp password"]}@127.0.0.1:${mail.port}?tls=off`,
    MAIL_FROM: "mesh@example.org",
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: "mesh",
    OIDC_CLIENT_SECRET: PASSWORDS["oidc secret"],
  });
  const said: string[] = [];
  const secrets: [string, string][] = Object.entries(PASSWORDS);
  const ask = async (
    method: string,
    path: string,
    {
      token,
      cookie,
      key,
      body,
      headers = {},
      secret = false,
    }: {
      token?: string;
      cookie?: string;
      key?: string;
      body?: unknown;
      headers?: Record<string, string>;
      secret?: boolean;
    } = {},
  ): Promise<any> => {
    const answer = await fetch(node.url + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && { cookie: `sid=${cookie}`, "sec-fetch-site": "same-origin" }),
        ...(key && { "x-api-key": key }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
    const text = await answer.text();
    const session = COOKIE.exec(answer.headers.get("set-cookie") ?? "")?.[1];
    if (session) secrets.push([`session of ${path}`, session]);
    if (!secret) said.push(text);
    return { status: answer.status, session, ...(text ? JSON.parse(text) : {}) };
  };
  const linked = async (kind: string): Promise<string> => {
    const before = mail.letters.length;
    await ask("POST", `/api/auth/${kind}`, { body: { email: ADMIN.ADMIN_EMAIL } });
    const letter = await eventually(
      () => mail.letters.slice(before).find((text) => text.includes(`#${kind}=`)),
      (found) => found !== undefined,
    );
    const [, token] = new RegExp(`#${kind}=([\\w-]{43})`).exec(letter!)!;
    secrets.push([`mailed ${kind}`, token!]);
    return token!;
  };
  try {
    const {
      data: { token },
      session,
    } = await ask("POST", "/api/auth/login", {
      body: { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD, session: true },
      headers: { "idempotency-key": "sign-in-once" },
      secret: true,
    });
    secrets.push(["token", token]);
    expect(session).toBeDefined();
    expect((await ask("GET", "/api/auth/session", { cookie: session })).status).toBe(200);
    for (const path of [
      "/api/auth/sessions",
      "/api/auth/me",
      "/api/auth/passkeys",
      "/api/auth/jwks",
      "/api/user-profile/export",
    ])
      await ask("GET", path, { cookie: session });

    // Mailed tokens: one used, one that lies unused, one used twice, one for recovery.
    const link = await linked("magic-link");
    const bySession = await ask("POST", "/api/auth/magic-link/verify", { body: { token: link } });
    expect(bySession.status).toBe(200);
    expect((await ask("POST", "/api/auth/magic-link/verify", { body: { token: link } })).status).toBe(403);
    await linked("magic-link");
    expect((await ask("POST", "/api/auth/recovery/verify", { body: { token: await linked("recovery") } })).status).toBe(
      200,
    );

    // The provider: a code that it does not know, and a provider that went away.
    const begun = await ask("POST", "/api/auth/oidc", { secret: true });
    secrets.push(["browser of oidc", begun.data.browser]);
    const state = new URL(begun.data.url).searchParams.get("state")!;
    expect(
      (
        await ask("POST", "/api/auth/oidc/verify", {
          body: { code: "made-up", state, iss: oidc.issuer, browser: begun.data.browser },
        })
      ).status,
    ).toBe(401);
    const late = await ask("POST", "/api/auth/oidc", { secret: true });
    secrets.push(["browser of oidc", late.data.browser]);
    oidc.process.kill();
    await new Promise((resolve) => oidc.process.once("exit", resolve));
    expect(
      (
        await ask("POST", "/api/auth/oidc/verify", {
          body: {
            code: "made-up",
            state: new URL(late.data.url).searchParams.get("state")!,
            iss: oidc.issuer,
            browser: late.data.browser,
          },
        })
      ).status,
    ).toBe(502);

    // Keys that are ours to keep, and what is done with them.
    const made = await ask("POST", "/api/keys", {
      token,
      body: { name: "one", scopes: ["write"] },
      headers: { "idempotency-key": "make-one-key" },
      secret: true,
    });
    secrets.push(["API key", made.data.key]);
    expect((await ask("GET", "/api/articles/stats", { key: made.data.key })).status).toBe(200);
    expect((await ask("POST", "/api/accounts/create", { token, body: {} })).status).toBe(201);
    expect((await ask("POST", "/api/accounts/sign", { token, body: { message: "I was here." } })).status).toBe(200);
    for (const keyType of ["Ed25519", "secp256k1", "P-256"])
      expect((await ask("POST", "/api/identity/did/create", { token, body: { method: "key", keyType } })).status).toBe(
        201,
      );
    expect((await ask("POST", "/api/identity/derive-blinded-key", { token, body: { context: "survey" } })).status).toBe(
      200,
    );
    const {
      data: { jwe },
    } = await ask("POST", "/api/encryption/encrypt", { token, body: { plaintext: "canary-plaintext-1f30" } });
    expect((await ask("POST", "/api/encryption/decrypt", { token, body: { jwe }, secret: true })).data.plaintext).toBe(
      "canary-plaintext-1f30",
    );
    secrets.push(["plaintext", "canary-plaintext-1f30"]);
    const [key] = (await ask("GET", "/api/encryption/keys", { token })).data;
    await ask("POST", `/api/encryption/keys/${key.id}/rotate`, { token });
    await ask("POST", "/api/encryption/decrypt", { token, body: { jwe: `${jwe}x` } });
    for (const path of [
      "/api/accounts/none",
      "/api/identity/dids",
      "/api/auth/users",
      "/api/audit",
      "/api/jobs",
      "/api/admin/api-keys",
      "/.well-known/did.json",
      "/health/ready",
    ])
      await ask("GET", path, { token });
    expect(
      (
        await ask("PUT", "/api/auth/password", {
          cookie: bySession.session,
          body: { current: PASSWORDS["admin password"], password: PASSWORDS["new password"] },
        })
      ).status,
    ).toBe(204);
    await ask("POST", "/api/auth/login", {
      body: { email: ADMIN.ADMIN_EMAIL, password: `${PASSWORDS["new password"]}x` },
    });
  } finally {
    await node.stop();
    oidc.process.kill();
    await new Promise<void>((resolve) => {
      mail.server.close(() => resolve());
    });
  }
  const texts = secrets.flatMap(([name, secret]) => forms(secret).map((form) => [name, form] as const));
  const all: (readonly [string, string | Buffer])[] = [
    ...texts,
    ...(await keysIn(dir)).flatMap(([name, bytes]) => formsOfBytes(bytes).map((form) => [name, form] as const)),
  ];
  const found: string[] = [];
  for await (const { path, bytes } of files(dir))
    for (const [name, form] of all) if (bytes.includes(form)) found.push(`${name} in ${path.slice(dir.length)}`);
  const told = said.join("\n");
  for (const [name, form] of all) {
    if (typeof form !== "string") continue;
    if (node.log.includes(form)) found.push(`${name} in the log`);
    if (told.includes(form)) found.push(`${name} in an answer`);
  }
  expect(found).toEqual([]);
  // The search would find what is there.
  expect(node.log.length).toBeGreaterThan(100);
  expect(secrets.length).toBeGreaterThanOrEqual(14);
  let seen = false;
  for await (const { bytes } of files(dir)) seen ||= bytes.includes(ADMIN.ADMIN_EMAIL);
  expect(seen).toBe(true);
  await rm(dir, { recursive: true, force: true });
}, 120_000);
