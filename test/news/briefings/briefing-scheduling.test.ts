import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually, itInside, TestClock, world, type TestWorld } from "../../mesh.ts";

let at: TestWorld, chat: Server;
const heard: string[] = [];
const clock = new TestClock();

beforeAll(async () => {
  chat = createServer((req, res) => {
    heard.push(req.url!);
    req.resume().on("end", () => res.end("ok"));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => chat.once("listening", resolve));
  // Noon is the next one: the node's own timer does not get there.
  clock.leap(Date.parse("2026-12-01T09:00:00Z") - clock.now());
  at = await world(
    {
      BRIEFING_CRON: "0 12 * * *",
      BRIEFING_CHANNELS: "slack",
      SLACK_WEBHOOK_URL: `http://127.0.0.1:${(chat.address() as AddressInfo).port}/slack`,
    },
    { clock },
  );
});
afterAll(async () => {
  await at?.stop();
  chat.close();
});

itInside("sends a scheduled briefing once, though its timer comes early and again in the same minute", async () => {
  const briefings = at.service("briefings") as any;
  const atNoon = async () => {
    await briefings.schema.mixins[0].domain.schedules.scheduled.run.call(briefings);
    await eventually(
      () => at.http("GET", "/api/jobs?limit=100", { as: "admin" }),
      ({ body }) =>
        body.data.some(({ kind }: { kind: string }) => kind === "briefings.generate") &&
        body.data.every(({ status }: { status: string }) => status === "completed"),
    );
    return (await at.http("GET", "/api/briefings")).body.data.length;
  };
  clock.advance(Date.parse("2026-12-01T11:59:59.600Z") - clock.now());
  expect(await atNoon()).toBe(1);
  expect(heard).toEqual(["/slack"]);
  clock.advance(10_000);
  expect(await atNoon()).toBe(1);
  expect(heard).toEqual(["/slack"]);
  clock.advance(60_000);
  expect(await atNoon()).toBe(1);
});
