import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually, itInside, TestClock, world, type TestWorld } from "../../mesh.ts";

let at: TestWorld, chat: Server;
const heard: string[] = [];
/** What the chat answers, one after the other; then it takes what comes. */
let answers: number[] = [];
const clock = new TestClock();

beforeAll(async () => {
  chat = createServer((req, res) => {
    heard.push(req.url!);
    res.statusCode = answers.shift() ?? 200;
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

itInside("sends it again where a channel was away, and says meanwhile that it did not take it", async () => {
  const briefings = at.service("briefings") as any;
  heard.length = 0;
  answers = [503, 503, 503];
  clock.leap(Date.parse("2026-12-02T12:00:00Z") - clock.now());
  await briefings.schema.mixins[0].domain.schedules.scheduled.run.call(briefings);
  const sent = async (): Promise<any> =>
    (await at.http("GET", "/api/jobs?limit=1&kind=briefings.deliver", { as: "admin" })).body.data[0];
  const away = await eventually(sent, ({ error }) => error !== undefined);
  expect(away).toMatchObject({ status: "queued", error: expect.stringMatching(/^Briefing \d+ did not reach slack: /) });
  clock.advance(121_000);
  const took = await eventually(sent, ({ status }) => status === "completed");
  expect(took).toMatchObject({ id: away.id, attempts: 2 });
  expect([heard.length, took.error]).toEqual([4, undefined]);
});

describe("an order that is left behind", () => {
  const briefingOf = async (id: number): Promise<any> => (await at.http("GET", `/api/briefings/${id}`)).body.data;
  /** A briefing as a node leaves it that dies before the job is there, or whose job was stopped in the middle. */
  async function leftBehind(job: Record<string, unknown> | null): Promise<number> {
    const { id } = (await at.http("POST", "/api/briefings/generate", { body: { hours: 24 } })).body.data;
    await eventually(
      () => briefingOf(id),
      ({ status }) => status === "completed",
    );
    const [briefings, jobs] = await Promise.all(
      ["briefings", "jobs"].map((name) => at.mesh.world.documents.collection(name)),
    );
    await briefings!.updateById(id, { $set: { status: "generating" }, $unset: { content: 1, generatedAt: 1 } });
    if (job) await jobs!.updateById(`briefings.generate:${id}`, { $set: job });
    else await jobs!.removeById(`briefings.generate:${id}`);
    clock.advance(60_000);
    return id;
  }
  async function sweep(): Promise<void> {
    const briefings = at.service("briefings") as any;
    await briefings.schema.mixins[0].domain.schedules.sweep.run.call(briefings);
  }

  itInside("by a node that died before it was begun is made", async () => {
    const id = await leftBehind(null);
    await sweep();
    expect(
      await eventually(
        () => briefingOf(id),
        ({ status }) => status !== "generating",
      ),
    ).toMatchObject({ id, status: "completed", content: expect.any(String) });
  });

  itInside("for more than a day is given up, and says why", async () => {
    const id = await leftBehind(null);
    clock.advance(86_400_000);
    await sweep();
    expect(await briefingOf(id)).toMatchObject({ status: "failed", error: "Its node ended before it was begun." });
  });

  itInside("because its job was stopped has failed, and says why", async () => {
    const id = await leftBehind({ status: "cancelled" });
    await sweep();
    expect(await briefingOf(id)).toMatchObject({ id, status: "failed", error: "Its job was stopped." });
  });
});
