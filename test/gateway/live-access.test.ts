import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, persons, type Person } from "../workspace/people.ts";
import { connect, type Client } from "./live-setup.ts";

// Somebody who was invited, made a member or given a role hears of it on their open sockets, whatever they subscribed to.

let at: TestWorld;
let ann: Person, bob: Person, eve: Person;
const clients: Client[] = [];
beforeAll(async () => {
  at = await world();
  [ann, bob, eve] = await persons(at, "ann", "bob", "eve");
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.close();
});
afterAll(() => at.stop());

async function listen(auth: object): Promise<Client> {
  const client = await connect(at.url, auth);
  clients.push(client);
  return client;
}
const socketOf = ({ token }: Person): Promise<Client> => listen({ auth: { token } });
const invite = (set: string, role: string) =>
  as(at, ann)("POST", `/api/problem-sets/${set}/invite`, { role, did: bob.did });

it("tells whoever is invited by name, and of the withdrawal, and nobody else", async () => {
  const set = await openSet(at, ann, { name: "Flood" });
  const [his, hers] = [await socketOf(bob), await socketOf(eve)];
  const { id } = (await invite(set, "planner")).body.data;
  expect(
    (
      await eventually(
        () => his.of("invitation.changed"),
        ({ length }) => length === 1,
      )
    )[0].data,
  ).toEqual({
    id,
    status: "open",
    name: "Flood",
    role: "planner",
  });
  expect((await as(at, bob)("GET", "/api/problem-sets/me/invites")).body.data).toMatchObject([{ id, name: "Flood" }]);
  await as(at, ann)("DELETE", `/api/problem-sets/${set}/invites/${id}`);
  await eventually(
    () => his.of("invitation.changed").map(({ data }) => data.status),
    (all) => all.length === 2 && all[1] === "withdrawn",
  );
  // A code is handed on by hand: nobody is told of it.
  await as(at, ann)("POST", `/api/problem-sets/${set}/invite`, { role: "observer" });
  await invite(set, "observer");
  await eventually(
    () => his.of("invitation.changed").length,
    (count) => count === 3,
  );
  expect(hers.of("invitation.changed")).toEqual([]);
});

it("tells who waits by a code that the invitation was withdrawn", async () => {
  const set = await openSet(at, ann, { name: "Drought" });
  const hers = await socketOf(eve);
  const given = { role: "analyst", approval: true };
  const { id, code } = (await as(at, ann)("POST", `/api/problem-sets/${set}/invite`, given)).body.data;
  await as(at, eve)("POST", "/api/problem-sets/invite/accept-by-code", { code });
  await as(at, ann)("DELETE", `/api/problem-sets/${set}/invites/${id}`);
  const [told] = await eventually(
    () => hers.of("invitation.changed"),
    ({ length }) => length > 0,
  );
  expect(told.data).toEqual({ id, status: "withdrawn", name: "Drought", role: "analyst" });
});

it("tells whoever becomes a member, or another role in a set, though they did not subscribe to it", async () => {
  const set = await openSet(at, ann, { name: "Fire" });
  const [his, hers] = [await socketOf(bob), await socketOf(eve)];
  await admit(at, set, bob, "observer");
  await eventually(
    () => his.of("live.access"),
    (told) => told.some(({ problemSetId }) => problemSetId === set),
  );
  await as(at, ann)("POST", `/api/problem-sets/${set}/members/${encodeURIComponent(bob.did)}/role`, { role: "deputy" });
  await eventually(
    () => his.of("live.access").filter(({ problemSetId }) => problemSetId === set),
    ({ length }) => length === 2,
  );
  expect(hers.of("live.access")).toEqual([]);
});

it("tells of a new role on the platform, once, and names no set", async () => {
  const [his, hers] = [await socketOf(bob), await socketOf(eve)];
  await at.http("PUT", `/api/auth/users/${bob.userId}`, { body: { role: "admin" } });
  expect(
    await eventually(
      () => his.of("live.access"),
      ({ length }) => length === 1,
    ),
  ).toEqual([{}]);
  expect(hers.of("live.access")).toEqual([]);
});

it("tells a key that is narrowed to other domains nothing of sets that it did not subscribe to", async () => {
  const { key } = (await as(at, eve)("POST", "/api/keys", { name: "News", scopes: ["articles"] })).body.data;
  const [narrow, hers] = [await listen({ extraHeaders: { "x-api-key": key } }), await socketOf(eve)];
  const set = await openSet(at, ann, { name: "Storm" });
  await admit(at, set, eve, "observer");
  await invite(set, "observer");
  await eventually(
    () => hers.of("live.access"),
    ({ length }) => length === 1,
  );
  // What comes after it on the same socket: the other change has passed by then.
  await at.http("PUT", `/api/auth/users/${eve.userId}`, { body: { role: "reader" } });
  await eventually(
    () => narrow.of("live.access"),
    ({ length }) => length > 0,
  );
  expect(narrow.of("live.access")).toEqual([{}]);
});
