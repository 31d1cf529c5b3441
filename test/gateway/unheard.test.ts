import type { ServiceBroker } from "moleculer";
import { systemActor } from "../../core/access/access.ts";
import { secondGateway, WITHIN_REACH } from "./second-gateway.ts";
import { world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, person, type Person } from "../workspace/people.ts";

// A gateway remembers for a short while who its callers are, and hears when that changes; here it hears nothing. What
// somebody was granted by way of another gateway is theirs at this one nevertheless.

let at: TestWorld;
let second: ServiceBroker;
let url: string;
beforeAll(async () => {
  at = await world({}, { options: WITHIN_REACH });
  second = await secondGateway(at);
  const gateway = second.getLocalService("gateway") as unknown as {
    server: { address(): { port: number } };
    cache: { forget(): void };
  };
  gateway.cache.forget = () => {};
  url = `http://127.0.0.1:${gateway.server.address().port}`;
});
afterAll(async () => {
  await second?.stop();
  await at.stop();
});

/** Speaks to the gateway that hears nothing. */
async function there(
  { token }: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}
/** Somebody who is remembered there as they are now. */
async function known(name: string): Promise<Person> {
  const who = await person(at, name);
  expect((await there(who, "GET", "/api/problem-sets/me")).status).toBe(200);
  return who;
}

it("a problem set opened elsewhere is there, to be read and to be worked in", async () => {
  const ann = await known("ann");
  const set = await openSet(at, ann);
  expect((await there(ann, "GET", `/api/problem-sets/${set}`)).status).toBe(200);
  const ben = await known("ben");
  const his = await openSet(at, ben);
  expect((await there(ben, "POST", "/api/gates", { problemSetId: his, tab: "orders", name: "Release" })).status).toBe(
    201,
  );
  expect((await as(at, ben)("GET", `/api/gates/${his}`)).body.meta.total).toBe(1);
});

it("so is a role: what an observer may not do, a deputy may", async () => {
  const [ann, cleo] = [await person(at, "ann"), await person(at, "cleo")];
  const set = await openSet(at, ann);
  await admit(at, set, cleo, "observer");
  const name = () => there(cleo, "PATCH", `/api/problem-sets/${set}`, { name: "Great flood" });
  expect((await name()).status).toBe(403);
  await at.call("problem-sets.grant", { problemSetId: set, did: cleo.did, role: "deputy" }, systemActor("test"));
  expect((await name()).status).toBe(200);
});

it("a platform role is, too", async () => {
  const dan = await known("dan");
  expect((await there(dan, "GET", "/api/audit")).status).toBe(403);
  expect(
    (await at.http("PUT", `/api/auth/users/${dan.userId}`, { as: "system_admin", body: { role: "admin" } })).status,
  ).toBe(200);
  expect((await there(dan, "GET", "/api/audit")).status).toBe(200);
});

it("whoever was granted nothing is refused as before, and what is not there stays so", async () => {
  const [ann, eve] = [await person(at, "ann"), await known("eve")];
  const set = await openSet(at, ann);
  expect((await there(eve, "GET", `/api/problem-sets/${set}`)).status).toBe(404);
  expect((await there(eve, "GET", "/api/audit")).status).toBe(403);
  expect((await there(ann, "GET", "/api/problem-sets/nowhere")).status).toBe(404);
});

it("an agent's tools go by it as well: what a reader may not do and an analyst may", async () => {
  const fay = await person(at, "fay");
  const become = async (role: string) =>
    expect((await at.http("PUT", `/api/auth/users/${fay.userId}`, { as: "system_admin", body: { role } })).status).toBe(
      200,
    );
  const add = async () => {
    const answer = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${fay.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "add_source",
          arguments: { name: "Harbour news", url: "https://harbour.example.org/feed.xml", domain: "security" },
        },
      }),
    });
    const { result } = (await answer.json()) as { result: { isError?: boolean; content: { text: string }[] } };
    return { isError: result.isError ?? false, said: JSON.parse(result.content[0]!.text) };
  };
  await become("reader");
  // Remembered there as the reader they are now.
  expect((await there(fay, "POST", "/api/sources", {})).status).toBe(403);
  expect(await add()).toMatchObject({ isError: true, said: { code: "FORBIDDEN" } });
  await become("analyst");
  expect(await add()).toMatchObject({ isError: false, said: { name: "Harbour news" } });
});
