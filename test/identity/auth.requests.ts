import { authenticatorAt } from "./authenticator.ts";
import { linkIn } from "./letters.ts";
import { PASSWORD, stored, total, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

let counter = 0;
const address = (): string => `row${++counter}.passkey@example.org`;
const begin = async (at: TestWorld, path: string, body: object, as: string | null = null) =>
  (await at.http("POST", `/api/auth/${path}`, { as, body })).body.data;

/** Somebody with a passkey, and a token of the same account. */
async function holder(at: TestWorld) {
  const email = address();
  await at.http("POST", "/api/auth/users", { body: { email, password: PASSWORD } });
  const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
    .data;
  const authenticator = authenticatorAt(at);
  await at.http("POST", "/api/auth/register/verify", {
    as: token,
    body: authenticator.create(await begin(at, "register", {}, token)),
  });
  return { email, token: token as string, authenticator };
}

export const requests: Rows["requests"] = {
  "POST /api/auth/login": async () => ({
    path: "/api/auth/login",
    as: null,
    body: { email: "admin@example.org", password: PASSWORD },
  }),
  "POST /api/auth/logout": async (at) => {
    const email = address();
    await at.http("POST", "/api/auth/users", { body: { email, password: PASSWORD } });
    const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
      .data;
    return { path: "/api/auth/logout", as: token };
  },
  "POST /api/auth/users": async () => ({
    path: "/api/auth/users",
    body: { email: address(), password: PASSWORD },
    effect: total("/api/auth/users"),
  }),
  "POST /api/auth/users/bulk": async () => ({
    path: "/api/auth/users/bulk",
    body: { accounts: [{ email: address() }, { email: address(), name: "Ada" }] },
    effect: total("/api/auth/users"),
  }),
  "POST /api/auth/register": async () => ({ path: "/api/auth/register", as: null, body: { email: address() } }),
  "POST /api/auth/register/verify": async (at) => ({
    path: "/api/auth/register/verify",
    as: null,
    body: authenticatorAt(at).create(await begin(at, "register", { email: address() })),
    effect: stored("passkeys"),
  }),
  "POST /api/auth/login/verify": async (at) => {
    const { authenticator } = await holder(at);
    return {
      path: "/api/auth/login/verify",
      as: null,
      body: authenticator.get(await begin(at, "login", {})),
      effect: async () =>
        await (await at.mesh.world.documents.collection("sessions")).count({ query: { kind: "cookie" } }),
    };
  },
  "POST /api/auth/step-up": async (at) => ({ path: "/api/auth/step-up", as: (await holder(at)).token }),
  "POST /api/auth/step-up/verify": async (at) => {
    const { token, authenticator } = await holder(at);
    return {
      path: "/api/auth/step-up/verify",
      as: token,
      body: authenticator.get((await at.http("POST", "/api/auth/step-up", { as: token })).body.data),
    };
  },
  "POST /api/auth/magic-link": async () => ({ path: "/api/auth/magic-link", as: null, body: { email: address() } }),
  "POST /api/auth/magic-link/verify": async (at) => ({
    path: "/api/auth/magic-link/verify",
    as: null,
    body: { token: await linkIn(at, "magic-link", (await holder(at)).email) },
  }),
  "POST /api/auth/recovery": async () => ({ path: "/api/auth/recovery", as: null, body: { email: address() } }),
  "POST /api/auth/recovery/verify": async (at) => ({
    path: "/api/auth/recovery/verify",
    as: null,
    body: { token: await linkIn(at, "recovery", (await holder(at)).email) },
  }),
};

const UNCONFIRMED =
  "wants the session of an account whose address waits to be confirmed; its story is told in test/identity/links";
const PROVIDER = "wants an identity provider; its story is told with a real one in test/identity/oidc";
export const notRepeated: Rows["notRepeated"] = {
  "POST /api/auth/setup": "works once in the life of an installation",
  "POST /api/auth/email": UNCONFIRMED,
  "POST /api/auth/email/confirm": UNCONFIRMED,
  "POST /api/auth/oidc": PROVIDER,
  "POST /api/auth/oidc/verify": PROVIDER,
};
