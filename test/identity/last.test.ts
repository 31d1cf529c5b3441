import { User } from "../../services/identity/auth/users/users.ts";
import { Passkey } from "../../services/identity/auth/passkeys/passkeys.ts";
import { actor, PASSWORD, world, type Reply, type TestWorld } from "../mesh.ts";
import { together } from "../together.ts";
import { authenticatorAt } from "./authenticator.ts";
import { Browser } from "./browser.ts";
import { confirm } from "./letters.ts";

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

interface Administrator {
  id: string;
  email: string;
  token: string;
}
let made = 0;
async function administrator(): Promise<Administrator> {
  const email = `admin-${++made}@example.org`;
  const { id } = (
    await at.http("POST", "/api/auth/users", { body: { email, role: "system_admin", password: PASSWORD } })
  ).body.data;
  const { token } = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body
    .data;
  return { id, email, token };
}

const WAYS: Record<string, (who: Administrator, other: Administrator) => Promise<Reply>> = {
  "deactivate one another": (who, other) =>
    at.http("PUT", `/api/auth/users/${other.id}`, { as: who.token, body: { active: false } }),
  "demote one another": (who, other) =>
    at.http("PUT", `/api/auth/users/${other.id}`, { as: who.token, body: { role: "analyst" } }),
  "leave for good": (who) =>
    at.http("POST", "/api/user-profile/erasure", { as: who.token, body: { email: who.email } }),
};

describe("two administrators who, at the same instant,", () => {
  it.each(Object.keys(WAYS))("%s: one gets through, and one stays", async (way) => {
    const users = await at.commons("auth").world.documents.collection(User.collection);
    const [ann, ben] = [await administrator(), await administrator()];
    // Whoever else administers steps aside, past the rule.
    const others = await users.find({ query: { role: "system_admin", active: true, _id: { $nin: [ann.id, ben.id] } } });
    await users.updateMany(
      { _id: { $in: others.map(({ _id }) => _id) } },
      { $set: { active: false }, $inc: { rev: 1 } },
    );
    let replies: Reply[] = [];
    await together(
      at,
      "auth",
      User.collection,
      "claim",
      (_query, update) => update?.$set?.["active"] === false || update?.$set?.["role"] === "analyst",
      async () => {
        replies = await Promise.all([WAYS[way]!(ann, ben), WAYS[way]!(ben, ann)]);
      },
    );
    expect(replies.filter(({ status }) => status < 300).length).toBe(1);
    expect(replies.find(({ status }) => status >= 300)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: "LAST_ADMINISTRATOR" } } },
    });
    expect(await users.count({ query: { role: "system_admin", active: true } })).toBe(1);
    await users.updateMany(
      { _id: { $in: others.map(({ _id }) => _id) } },
      { $set: { active: true }, $inc: { rev: 1 } },
    );
  });
});

/**
 * Somebody with these and no address: the door lets nobody without one as far as this, so the rule behind it is asked
 * past the door.
 */
async function withoutAddress(email: string) {
  const browser = new Browser(at);
  const registration = (await browser.http("POST", "/api/auth/register", { body: { email } })).body.data;
  const { passkey, user } = (
    await browser.http("POST", "/api/auth/register/verify", { body: authenticatorAt(at).create(registration) })
  ).body.data;
  await confirm(browser, email);
  const again = (await browser.http("POST", "/api/auth/register", { body: {} })).body.data;
  const second = (await browser.http("POST", "/api/auth/register/verify", { body: authenticatorAt(at).create(again) }))
    .body.data.passkey;
  const users = await at.commons("auth").world.documents.collection(User.collection);
  await users.updateById(user.id, { $unset: { email: 1 } });
  const who = actor("reader", { userId: user.id, provedAt: at.clock.now() });
  const status = (action: string, params: object): Promise<number> =>
    at.call(action, params, who).then(
      () => 204,
      ({ code }) => code as number,
    );
  return { users, id: user.id as string, passkeys: [passkey.id, second.id] as string[], status };
}

it("of two passkeys that are the only ways in, one can be removed, and one stays", async () => {
  const { id, passkeys, status } = await withoutAddress("two.keys@example.org");
  let statuses: number[] = [];
  await together(
    at,
    "auth",
    Passkey.collection,
    "removeMany",
    (query) => JSON.stringify(query).includes("_id"),
    async () => {
      statuses = await Promise.all(passkeys.map((one) => status("auth.passkeys.remove", { id: one })));
    },
  );
  expect(statuses.sort()).toEqual([204, 409]);
  expect(
    await (await at.commons("auth").world.documents.collection(Passkey.collection)).count({ query: { userId: id } }),
  ).toBe(1);
});

it("of a passkey and a password that are the only ways in, one can be ended, and one stays", async () => {
  const {
    users,
    id,
    passkeys: [first, second],
    status,
  } = await withoutAddress("key.and.word@example.org");
  expect(await status("auth.passkeys.remove", { id: second })).toBe(204);
  await users.updateById(id, { $set: { passwordHash: "of no matter" } });
  const { claim } = users;
  let removed: number | undefined;
  // The password's end has looked for what stays, and the passkey goes before it is written.
  users.claim = async (query, update, options) => {
    if (!removed && update.$unset && "passwordHash" in update.$unset)
      removed = await status("auth.passkeys.remove", { id: first });
    return claim.call(users, query, update, options);
  };
  const ended = await status("auth.authenticators.end", { which: "password" });
  Reflect.deleteProperty(users, "claim");
  expect([removed, ended]).toEqual([204, 409]);
  expect(await users.findById(id)).toHaveProperty("passwordHash");
});
