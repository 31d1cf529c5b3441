import type { ServiceBroker } from "moleculer";
import { connect } from "../gateway/live-setup.ts";
import { secondGateway, WITHIN_REACH } from "../gateway/second-gateway.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, persons } from "../workspace/people.ts";

// A gateway that hears no hint of changed access: what is open there, and what is remembered, looks again within ten
// seconds.

let at: TestWorld, second: ServiceBroker, url: string;
beforeAll(async () => {
  at = await world({}, { options: WITHIN_REACH });
  second = await secondGateway(at);
  const gateway = second.getLocalService("gateway") as unknown as { server: { address(): { port: number } } } & Record<
    "cache" | "live" | "streams",
    Record<string, unknown>
  >;
  Object.assign(gateway.cache, { forget() {} });
  for (const part of [gateway.live, gateway.streams]) Object.assign(part, { changed() {} });
  url = `http://127.0.0.1:${gateway.server.address().port}`;
});
afterAll(async () => {
  await second?.stop();
  await at.stop();
});

it("a member who was suspended meanwhile hears no more of the set, by stream, socket or request", async () => {
  const [ann, ben] = await persons(at, "ann", "ben");
  const set = await openSet(at, ann);
  await admit(at, set, ben, "analyst");
  const headers = { authorization: `Bearer ${ben.token}` };
  const publish = async () =>
    expect(
      (
        await as(at, ann)("POST", "/api/messages", {
          channel: "ops",
          problemSetId: set,
          type: "chat.note.sent",
          payload: {},
        })
      ).status,
    ).toBe(201);
  await publish();
  const line = await connect(url, { auth: { token: ben.token } });
  expect(await line.subscribe({ problemSetId: set })).toEqual({ ok: true });
  const stream = await fetch(`${url}/api/messages/channels/ops/stream?problemSetId=${set}`, { headers });
  expect(stream.status).toBe(200);
  const read = stream.text();
  expect(
    (await as(at, ann)("POST", `/api/problem-sets/${set}/members/${encodeURIComponent(ben.did)}/suspend`, {})).status,
  ).toBe(200);
  const status = async () => (await fetch(`${url}/api/problem-sets/${set}`, { headers })).status;
  // Each is waited for twice as long as it may take, for a machine that is busy.
  await eventually(
    () => line.of("live.unsubscribed"),
    ({ length }) => length === 1,
  );
  expect(await read).toMatch(/event: error\ndata: .*NOT_FOUND/);
  await eventually(status, (code) => code === 404);
  line.socket.close();
}, 60_000);
