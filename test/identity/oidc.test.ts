import { spawn, type ChildProcess } from "node:child_process";
import { Session } from "../../services/identity/auth/sessions/sessions.ts";
import { itInside, world, type TestWorld } from "../mesh.ts";
import { account, Browser } from "./browser.ts";
import { confirm, lettersTo, post as postLetters } from "./letters.ts";

// Signing in at a provider that is not ours: oidc-provider, in a process of its own.

const PUBLIC_URL = "https://mesh.example.org";
let provider: ChildProcess;
let issuer: string;
let at: TestWorld;

beforeAll(async () => {
  provider = spawn(process.execPath, ["test/fixtures/oidc/provider.mjs", `${PUBLIC_URL}/oidc`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  issuer = await new Promise<string>((resolve, reject) => {
    provider.once("exit", () => reject(new Error("the provider did not start")));
    provider.stdout!.on("data", (chunk: Buffer) => {
      const port = /listening (\d+)/.exec(chunk.toString())?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  at = await world({
    PUBLIC_URL,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "mesh",
    OIDC_CLIENT_SECRET: "a secret of the mesh",
  });
});
afterAll(async () => {
  await at?.stop();
  provider.kill();
});

/**
 * A browser at the provider: keeps cookies, follows redirects there, fills in its forms; answers the address it is sent
 * back to.
 */
async function visit(start: string, name: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next: string = start,
    form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    const answer = await fetch(next, {
      method: form ? "POST" : "GET",
      body: form,
      redirect: "manual",
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join("; ") },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(key!, value!);
    }
    const location = answer.headers.get("location");
    form = undefined;
    if (location) {
      const to = new URL(location, next);
      if (to.origin === PUBLIC_URL) return to;
      next = to.href;
      continue;
    }
    const page = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`no form at the provider: ${answer.status} ${page.slice(0, 300)}`);
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)![1]!;
    form = new URLSearchParams(prompt === "login" ? { prompt, login: name, password: "x" } : { prompt });
    next = new URL(action, next).href;
  }
  throw new Error("the provider never sent the browser back");
}

const begin = async (browser = new Browser(at)) =>
  (await browser.http("POST", "/api/auth/oidc")).body.data as { url: string; browser: string };
const queryOf = ({ searchParams }: URL) => ({
  code: searchParams.get("code")!,
  state: searchParams.get("state")!,
  ...(searchParams.get("iss") && { iss: searchParams.get("iss")! }),
});

async function signIn(name: string, browser = new Browser(at)) {
  const { url, browser: secret } = await begin(browser);
  const body = { ...queryOf(await visit(url, name)), browser: secret };
  return { browser, body, reply: await browser.http("POST", "/api/auth/oidc/verify", { body }) };
}

it("sends the browser away with PKCE, state and nonce, and signs in whom the provider sends back", async () => {
  const { searchParams } = new URL((await begin()).url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: "mesh",
    response_type: "code",
    redirect_uri: `${PUBLIC_URL}/oidc`,
    code_challenge_method: "S256",
    scope: "openid email profile",
  });
  for (const secret of ["state", "nonce", "code_challenge"])
    expect(searchParams.get(secret)!.length).toBeGreaterThan(40);
  const { browser, reply } = await signIn("ada");
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: {
        user: { email: "ada@example.org", name: "ada of the provider", role: "reader" },
        session: { means: "oidc" },
      },
    },
  });
  expect(browser.cookie).toMatch(/^__Host-sid=/);
  const { data } = (await browser.http("GET", "/api/auth/session")).body;
  expect(data.user.id).toBe(reply.body.data.user.id);
  expect(data.provedAt).toBeUndefined();
  expect(reply.text).not.toMatch(/subject/);
  expect((await signIn("ada")).reply.body.data.user.id).toBe(data.user.id);
});

it("joins the account that has a verified address, and no other; an unverified one waits for its own letter", async () => {
  const known = await account(at, { email: "bob@example.org", role: "analyst" });
  expect((await signIn("bob")).reply.body.data.user).toMatchObject({ id: known.id, role: "analyst" });
  const target = await account(at, { email: "unverified.eve@example.org", role: "system_admin" });
  const { reply, browser } = await signIn("unverified.eve");
  expect(reply.body.data.user).toMatchObject({ claimedEmail: "unverified.eve@example.org" });
  expect(reply.body.data.user.id).not.toBe(target.id);
  expect((await browser.http("GET", "/api/auth/me")).body.data.roles).toEqual([]);
  postLetters(at);
  expect(lettersTo(at, "unverified.eve@example.org").every(({ text }) => !text.includes("#confirm="))).toBe(true);
});

it("lets whom the provider tells no address of name one, which counts when its letter was followed", async () => {
  const owner = await account(at, { email: "somebody.else@example.org" });
  const { browser, reply } = await signIn("nameless");
  expect(reply.body.data.user).toEqual({
    id: expect.any(String),
    name: "nameless of the provider",
    role: "reader",
    createdAt: expect.any(String),
  });
  const ask = (email?: string) =>
    browser.http("POST", "/api/auth/email", { ...(email !== undefined && { body: { email } }) });
  expect(await ask()).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining("`email`") } } });
  expect((await ask("no address")).status).toBe(400);
  expect((await ask("Nameless@example.org")).status).toBe(202);
  expect((await browser.http("GET", "/api/sources")).status).toBe(403);
  // Named once: what is claimed does not change from letter to letter.
  expect((await ask(owner.email)).status).toBe(409);
  await confirm(browser, "nameless@example.org");
  expect((await browser.http("GET", "/api/auth/session")).body.data.user).toMatchObject({
    email: "nameless@example.org",
    role: "reader",
  });
  expect((await browser.http("GET", "/api/sources")).status).toBe(200);
  expect((await ask("another@example.org")).status).toBe(409);
});

it("opens nobody's account to whom the provider gave the address since", async () => {
  const first = await signIn("frank");
  expect(first.reply.status).toBe(200);
  const second = await signIn("second+frank");
  expect(second.reply).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
  expect((await signIn("frank")).reply.body.data.user.id).toBe(first.reply.body.data.user.id);
});

itInside("a sign-in that races the shutting of its account does not outlive it", async () => {
  const { id } = (await signIn("grace")).reply.body.data.user;
  const sessions = at.service("auth").store(Session);
  const { create } = sessions;
  const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  sessions.create = async (...given: unknown[]) => {
    arrived.resolve();
    await opened.promise;
    return create.apply(sessions, given);
  };
  const racing = signIn("grace");
  await arrived.promise;
  for (const active of [false, true])
    expect((await at.http("PUT", `/api/auth/users/${id}`, { body: { active } })).status).toBe(200);
  sessions.create = create;
  opened.resolve();
  const { browser } = await racing;
  expect((await browser.http("GET", "/api/auth/session")).status).toBe(401);
  expect((await (await signIn("grace")).browser.http("GET", "/api/auth/session")).status).toBe(200);
});

it("keeps out addresses that are not admitted, and closed accounts", async () => {
  await at.http("PUT", "/api/user-profile/email-domains", { body: { domain: "elsewhere.example" } });
  try {
    expect((await signIn("carol")).reply).toMatchObject({
      status: 403,
      body: { error: { code: "EMAIL_NOT_ALLOWED" } },
    });
  } finally {
    expect((await at.http("DELETE", "/api/user-profile/email-domains?domain=elsewhere.example")).status).toBe(204);
  }
  const { reply } = await signIn("dora");
  await at.http("PUT", `/api/auth/users/${reply.body.data.user.id}`, { body: { active: false } });
  expect((await signIn("dora")).reply.status).toBe(403);
});

it("refuses what was not begun here, was used, was altered, or is late", async () => {
  const finish = (body: object) => at.http("POST", "/api/auth/oidc/verify", { as: null, body });
  const refused = { status: 401, body: { error: { code: "SIGN_IN_FAILED" } } };
  const { body } = await signIn("frank");
  expect(await finish(body)).toMatchObject(refused);

  // An attacker's own code and state in a victim's browser: the victim's storage has no such secret.
  const attacker = await begin();
  const theirs = queryOf(await visit(attacker.url, "mallory"));
  expect(await finish({ ...theirs, browser: (await begin()).browser })).toMatchObject(refused);
  expect(await finish({ ...theirs, browser: attacker.browser })).toMatchObject(refused); // and is used up by the attempt

  const mixed = await begin();
  expect(
    await finish({
      ...queryOf(await visit((await begin()).url, "frank")),
      state: new URL(mixed.url).searchParams.get("state")!,
      browser: mixed.browser,
    }),
  ).toMatchObject(refused);
  const foreign = await begin();
  expect(
    await finish({
      ...queryOf(await visit(foreign.url, "frank")),
      iss: "https://evil.example",
      browser: foreign.browser,
    }),
  ).toMatchObject(refused);
  const invented = await begin();
  expect(
    await finish({ ...queryOf(await visit(invented.url, "frank")), code: "invented", browser: invented.browser }),
  ).toMatchObject(refused);
  const late = await begin();
  const back = queryOf(await visit(late.url, "frank"));
  at.clock.advance(300_001);
  expect(await finish({ ...back, browser: late.browser })).toMatchObject(refused);
});

it("says so where no provider is configured, and where it is away", async () => {
  const without = await world();
  const away = await world({ OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "mesh", OIDC_CLIENT_SECRET: "x" });
  try {
    expect(await without.http("POST", "/api/auth/oidc", { as: null })).toMatchObject({
      status: 503,
      body: { error: { code: "NOT_CONFIGURED" } },
    });
    expect(await away.http("POST", "/api/auth/oidc", { as: null })).toMatchObject({
      status: 502,
      body: { error: { code: "UPSTREAM_UNREACHABLE" } },
    });
    await expect(world({ OIDC_ISSUER: "http://127.0.0.1:9" })).rejects.toThrow(/go together/);
  } finally {
    await without.stop();
    await away.stop();
  }
});

it("a name that is cut ends with a whole character", async () => {
  const { reply } = await signIn(`nameless${"x".repeat(111)}\u{1F6A2}`);
  expect([reply.status, reply.body.data?.user.name.isWellFormed()]).toEqual([200, true]);
});
