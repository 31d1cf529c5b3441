import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { lettersTo, post } from "./letters.ts";

// Accounts for a whole organisation: made from a list, and found again.

let at: TestWorld;
beforeAll(async () => {
  at = await world();
});
afterAll(() => at.stop());

const make = (accounts: unknown[], more: { as?: string; idem?: string } = {}) =>
  at.http("POST", "/api/auth/users/bulk", {
    body: { accounts },
    ...(more.as && { as: more.as }),
    ...(more.idem && { headers: { "idempotency-key": more.idem } }),
  });
const found = async (query: string, as?: string) => {
  const { status, body } = await at.http("GET", `/api/auth/users?sort=email&${query}`, as ? { as } : {});
  return status === 200 ? body.data.map(({ email }: any) => email) : status;
};

it("makes an account for each good address of a list, mails its owner, and says why another was not taken", async () => {
  const { status, body } = await make([
    { email: "Ada@Example.org", name: " Ada Lovelace ", role: "analyst" },
    { email: "ben@example.org" },
    { email: "ada@example.org" },
    { email: "admin@example.org" },
    { email: "no address" },
    { email: "cy@example.org", role: "emperor" },
    { email: "dee@example.org", password: PASSWORD },
    "eve@example.org",
  ]);
  expect(status).toBe(201);
  expect(body.data.created).toMatchObject([
    { email: "ada@example.org", name: "Ada Lovelace", role: "analyst", active: true },
    { email: "ben@example.org", role: "reader" },
  ]);
  expect(body.data.failed.map(({ index, email, code }: any) => [index, email, code])).toEqual([
    [2, "ada@example.org", "CONFLICT"],
    [3, "admin@example.org", "CONFLICT"],
    [4, "no address", "VALIDATION_ERROR"],
    [5, "cy@example.org", "VALIDATION_ERROR"],
    [6, "dee@example.org", "VALIDATION_ERROR"],
    [7, undefined, "VALIDATION_ERROR"],
  ]);
  expect(body.data.failed[1].message).toBe("This address has an account already.");
  expect(body.data.failed[3].message).toMatch(/^role: /);
  post(at);
  for (const email of ["ada@example.org", "ben@example.org"])
    await eventually(
      () => lettersTo(at, email),
      (letters) => letters.length === 1,
    );
});

it("tells the audit log of no account that was not made", async () => {
  const email = "taken.already@example.org";
  const one = (body: object) => at.http("POST", "/api/auth/users", { body });
  expect((await one({ email, password: PASSWORD })).status).toBe(201);
  for (const password of [undefined, PASSWORD])
    expect((await one({ email, password })).body.error).toMatchObject({
      code: "CONFLICT",
      message: "This address has an account already.",
      details: { fields: ["email"] },
    });
  expect((await make([{ email }])).body.data.created).toEqual([]);
  const { data } = (await at.http("GET", "/api/audit?limit=4")).body;
  expect(data.map(({ outcome, object }: any) => [outcome, object?.type])).toEqual([
    ["ok", undefined],
    ["refused", undefined],
    ["refused", undefined],
    ["ok", "users"],
  ]);
});

it("finds an account by its whole name, however long and in whatever letters, and cuts none of them in two", async () => {
  // Of two halves each, and behind one of one: wherever it is cut evenly, that falls into one of them.
  const name = `a${"\u{20000}".repeat(50)}`;
  const { body } = await make([{ email: "long.name@example.org", name }, { email: `a${"\u{1F6A7}".repeat(200)}` }]);
  expect(body.data.created).toMatchObject([{ name }]);
  expect(body.data.failed[0].email.isWellFormed()).toBe(true);
  for (const q of [name, name.slice(0, 21)])
    expect(await found(`q=${encodeURIComponent(q)}`)).toEqual(["long.name@example.org"]);
});

it("makes a list that is sent again no second time, and mails nobody twice", async () => {
  const list = [{ email: "once.one@example.org" }, { email: "once.two@example.org" }];
  const [first, again] = [await make(list, { idem: "a-list" }), await make(list, { idem: "a-list" })];
  expect(again.body).toEqual(first.body);
  expect((await make(list)).body.data).toMatchObject({ created: [], failed: [{ index: 0 }, { index: 1 }] });
  expect(await found("q=once")).toEqual(["once.one@example.org", "once.two@example.org"]);
});

it("is for those alone who administer accounts, and takes a list that is not too long", async () => {
  expect((await make([{ email: "fay@example.org" }], { as: "admin" })).status).toBe(403);
  expect(await found("q=admin", "admin")).toBe(403);
  expect((await make([])).body.error.details).toEqual([expect.objectContaining({ path: "accounts" })]);
  expect((await make(Array.from({ length: 201 }, (_, n) => ({ email: `n${n}@example.org` })))).status).toBe(400);
});

it("finds accounts by the beginnings of names and addresses, whatever their case and accents", async () => {
  const { data } = (
    await at.http("POST", "/api/auth/users", {
      body: { email: "zoe.brown@river.example", password: PASSWORD, name: "Zoë Brown" },
    })
  ).body;
  for (const q of ["zoe", "ZOË br", "zoe.brown@river", "brown river"])
    expect({ q, found: await found(`q=${encodeURIComponent(q)}`) }).toEqual({ q, found: ["zoe.brown@river.example"] });
  expect(await found("q=own")).toEqual([]);
  expect(await found("q=zoe&role=analyst")).toEqual([]);
  await at.http("PUT", `/api/auth/users/${data.id}`, { body: { name: "Zoë Green" } });
  expect(await found("q=brown%20zoe")).toEqual(["zoe.brown@river.example"]);
  expect(await found("q=green")).toEqual(["zoe.brown@river.example"]);
  await at.http("PUT", `/api/auth/users/${data.id}`, { body: { role: "analyst" } });
  expect(await found("q=green&role=analyst")).toEqual(["zoe.brown@river.example"]);
  expect(data).not.toHaveProperty("words");
});
