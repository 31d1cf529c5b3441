import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { asSystem } from "../../core/access/caller.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { Briefing } from "../../services/news/briefings/briefings.ts";
import { BriefingGenerated } from "../../services/news/briefings/events.ts";
import { nextTry, SCHEDULE_MS } from "../../services/news/webhooks/webhooks.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { misfits } from "../webhooks-described.ts";

const SECRET = `whsec_${Buffer.from("a shared secret of 24 bytes!").toString("base64")}`;
const OLD = "an older shared secret";

interface Heard {
  headers: IncomingHttpHeaders;
  body: string;
}
let receiver: Server,
  at: TestWorld,
  heard: Heard[],
  answers: { status: number; headers?: Record<string, string> }[],
  base: string;

beforeAll(async () => {
  receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    heard.push({ headers: req.headers, body: Buffer.concat(chunks).toString() });
    const { status, headers } = answers.shift() ?? { status: 204 };
    res.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve);
  });
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  at = await world({ WEBHOOK_URL: `${base}/hook`, WEBHOOK_SECRET: SECRET, WEBHOOK_SECRET_PREVIOUS: OLD });
});
beforeEach(() => {
  heard = [];
  answers = [];
});
afterAll(async () => {
  await at.stop();
  receiver.close();
});

/** A briefing as it stands when its making ends. */
async function briefing(
  content = "# Morning\n\nQuiet — “nothing” happened.",
): Promise<{ id: number; generatedAt: string }> {
  const store = (at.service("briefings") as unknown as Host).store(Briefing);
  const generatedAt = new Date(at.clock.now()).toISOString();
  const given = {
    title: "Morning",
    content,
    generatedAt,
    period: { from: generatedAt, to: generatedAt },
    stats: { sources: 0, articles: 0, verified: 0 },
    articles: [],
    status: "completed",
    method: "heuristic",
    order: { hours: 24, minConfidence: 0, maxArticles: 10 },
  };
  return (await store.create(asSystem("test"), given, {
    facts: (made) => [BriefingGenerated.fact(made.id, { id: made.id, generatedAt })],
  })) as never;
}
const deliveries = async (): Promise<any[]> =>
  (await at.http("GET", "/api/webhooks/deliveries", { as: "admin" })).body.data;
const of = async (id: number): Promise<any> => (await deliveries()).find((delivery) => delivery.subject === String(id));

it("pushes the finished briefing in the document's form, signed three ways", async () => {
  const { id, generatedAt } = await briefing();
  await eventually(
    () => heard.length,
    (n) => n === 1,
  );
  const [{ headers, body }] = heard as [Heard];
  expect(await misfits(at, "briefing.generated", { headers, body })).toEqual([]);
  const { signature, ...message } = JSON.parse(body);
  expect(message).toEqual({
    event: "briefing.generated",
    data: { id, generatedAt, content: expect.stringContaining("Quiet") },
  });
  expect(signature).toBe(`sha256=${createHmac("sha256", SECRET).update(canonicalize(message)!).digest("hex")}`);
  expect(headers["x-signature-256"]).toBe(signature);
  // Any receiver written with the Standard Webhooks library takes it, with the new secret and with the old one.
  const standard = headers as Record<string, string>;
  expect(new Webhook(SECRET).verify(body, standard)).toMatchObject({ event: "briefing.generated" });
  expect(new Webhook(OLD, { format: "raw" }).verify(body, standard)).toMatchObject({ event: "briefing.generated" });
  expect(() => new Webhook(SECRET).verify(`${body} `, standard)).toThrow(/signature/);
  expect(
    await eventually(
      () => of(id),
      (delivery) => delivery.status === "delivered",
    ),
  ).toMatchObject({ attempts: 1, lastStatus: 204 });
});

it("tries again on the schedule, keeps its id, and minds Retry-After", async () => {
  answers = [
    { status: 500 },
    { status: 302, headers: { location: `${base}/elsewhere` } },
    { status: 429, headers: { "retry-after": "1200" } },
    { status: 200 },
  ];
  const { id } = await briefing();
  await eventually(
    () => of(id),
    (delivery) => delivery?.attempts === 1 && delivery.lastStatus === 500,
  );
  expect(heard).toHaveLength(1);
  at.clock.advance(6_000);
  await eventually(
    () => of(id),
    (delivery) => delivery.attempts === 2 && delivery.lastStatus === 302,
  );
  at.clock.advance(5.5 * 60_000);
  const throttled = await eventually(
    () => of(id),
    (delivery) => delivery.attempts === 3 && delivery.lastStatus === 429,
  );
  expect(Date.parse(throttled.nextAt) - at.clock.now()).toBeGreaterThan(1_190_000);
  at.clock.advance(35 * 60_000);
  await eventually(
    () => of(id),
    (delivery) => delivery.status === "delivered",
  );
  expect(new Set(heard.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(heard).toHaveLength(4);
});

it("sends what waits for its next attempt at once when an administrator says so, not what is being sent", async () => {
  answers = [{ status: 500 }, { status: 429, headers: { "retry-after": "7200" } }];
  const { id } = await briefing();
  const failed = await eventually(
    () => of(id),
    (delivery) => delivery?.lastStatus === 500,
  );
  const replay = () => at.http("POST", `/api/webhooks/deliveries/${failed.id}/replay`, { as: "admin" });
  expect((await replay()).status).toBe(409);
  at.clock.advance(6_000);
  await eventually(
    () => of(id),
    (delivery) => delivery.lastStatus === 429,
  );
  expect((await replay()).status).toBe(202);
  expect(
    await eventually(
      () => of(id),
      (delivery) => delivery.status === "delivered",
    ),
  ).toMatchObject({ attempts: 3 });
  expect(heard).toHaveLength(3);
});

it("gives up after a day, keeps the dead letter, and sends it again when an administrator says so", async () => {
  answers = Array.from({ length: SCHEDULE_MS.length }, () => ({ status: 503 }));
  const { id } = await briefing();
  for (let n = 0; n < SCHEDULE_MS.length; n++) {
    await eventually(
      () => of(id),
      (delivery) =>
        delivery?.attempts === n + 1 &&
        delivery.lastStatus === 503 &&
        (delivery.status === "dead" || Date.parse(delivery.nextAt) - at.clock.now() !== 30_000),
    );
    at.clock.advance(12 * 3_600_000);
  }
  const dead = await eventually(
    () => of(id),
    (delivery) => delivery.status === "dead",
  );
  expect(dead.lastError).toBe("The receiver answered 503.");
  expect((await at.http("POST", `/api/webhooks/deliveries/${dead.id}/replay`, { as: "analyst" })).status).toBe(403);
  expect((await at.http("POST", `/api/webhooks/deliveries/${dead.id}/replay`, { as: "admin" })).status).toBe(202);
  await eventually(
    () => of(id),
    (delivery) => delivery.status === "delivered",
  );
});

it("leaves a receiver alone that says it is gone, until it is enabled again", async () => {
  answers = [{ status: 410 }];
  const first = await briefing();
  await eventually(
    () => of(first.id),
    (delivery) => delivery?.status === "dead",
  );
  expect((await at.http("GET", "/api/webhooks", { as: "admin" })).body.data).toMatchObject({
    configured: true,
    enabled: false,
  });
  const second = await briefing();
  await eventually(
    () => of(second.id),
    (delivery) => delivery?.status === "dead",
  );
  expect(heard).toHaveLength(1);
  expect((await at.http("POST", "/api/webhooks/enable", { as: "admin" })).body.data).toMatchObject({ enabled: true });
  const third = await briefing();
  await eventually(
    () => of(third.id),
    (delivery) => delivery?.status === "delivered",
  );
});

it("never tries before its time, and not longer than a day and a tenth", () => {
  fc.assert(
    fc.property(
      fc.nat(12),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(100_000_000),
      fc.nat(3_600_000),
      (attempts, random, elapsed, retry) => {
        const since = 1.7e12;
        const next = nextTry(attempts, since, since + elapsed, random, retry);
        if (attempts >= SCHEDULE_MS.length) return expect(next).toBeUndefined();
        expect(next).toBeGreaterThanOrEqual(since + elapsed + retry);
        expect(next).toBeLessThanOrEqual(Math.max(since + SCHEDULE_MS[attempts]! * 1.1, since + elapsed + retry));
      },
    ),
  );
});

it("refuses receivers on private addresses where they are not allowed", async () => {
  const guarded = await world({ WEBHOOK_URL: `${base}/hook`, WEBHOOK_SECRET: SECRET, ALLOW_PRIVATE_FEEDS: "off" });
  const outer = at;
  try {
    at = guarded;
    const { id } = await briefing();
    const refused = await eventually(
      () => of(id),
      (delivery) => delivery?.lastError !== undefined,
    );
    expect(refused.status).toBe("pending");
    expect(heard).toHaveLength(0);
  } finally {
    at = outer;
    await guarded.stop();
  }
});
