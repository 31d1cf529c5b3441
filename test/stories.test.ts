import { createHmac } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import canonicalize from "canonicalize";
import { eventually, world, type TestWorld } from "./mesh.ts";
import { FeedServer, rss, stories } from "./news/feed-server.ts";
import { as, person, type Person } from "./workspace/people.ts";

// Each document's main job from end to end, by HTTP alone: it holds on embedded stores, on servers, and over processes.

const SECRET = "a-secret-for-the-story";
const HOUR_MS = 3_600_000;
let at: TestWorld, publisher: FeedServer, receiver: Server;
const heard: { body: string; signature: string }[] = [];

beforeAll(async () => {
  publisher = await FeedServer.start("127.0.8.1");
  receiver = createServer((req, res) => {
    let body = "";
    req
      .on("data", (chunk) => {
        body += chunk;
      })
      .on("end", () => {
        heard.push({ body, signature: String(req.headers["x-signature-256"]) });
        res.writeHead(204).end();
      });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  at = await world({
    WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    WEBHOOK_SECRET: SECRET,
  });
}, 120_000);
afterAll(async () => {
  await at?.stop();
  receiver.close();
  await publisher.stop();
});

it("follows feeds, finds what they bring, makes a briefing of it, and tells a webhook", async () => {
  const today = (name: string) => stories(name, 12).map((story) => ({ ...story, date: new Date().toUTCString() }));
  const feeds = ["morning", "evening"].map((name) => ({
    name,
    url: publisher.on(`/${name}`, (_req, res) => res.end(rss(today(name)))),
    domain: "science",
  }));
  expect((await at.http("POST", "/api/sources/bulk", { body: { sources: feeds } })).body.data.created).toHaveLength(2);
  await eventually(
    () => at.http("GET", "/api/articles?limit=1"),
    ({ body }) => body.meta.total === 24,
    60_000,
  );
  await eventually(
    () => at.http("GET", "/api/search?q=source:evening&limit=1"),
    ({ body }) => body.meta.total === 12,
    60_000,
  );
  const { id } = (await at.http("POST", "/api/briefings/generate", { as: "analyst", body: { hours: 48 } })).body.data;
  const {
    body: { data: briefing },
  } = await eventually(
    () => at.http("GET", `/api/briefings/${id}`, { as: "reader" }),
    ({ body }) => body.data.status !== "generating",
    60_000,
  );
  expect(briefing).toMatchObject({ status: "completed", stats: { sources: 2 } });
  const day = briefing.generatedAt.slice(0, 10);
  const made = async (bounds: string) => (await at.http("GET", `/api/briefings?${bounds}`)).body;
  expect((await made(`from=${day}&to=${day}`)).data.map((one: { id: number }) => one.id)).toEqual([id]);
  expect((await made("from=2999-01-01")).data).toEqual([]);
  expect((await made("from=2026-01-02&to=2026-01-01")).error.details).toMatchObject([{ path: "to" }]);
  const nowhere = await at.http("POST", `/api/briefings/${id}/deliver`, { body: { channels: ["pigeon"] } });
  expect(nowhere.body.error.details).toEqual([
    { path: "channels.0", message: expect.stringContaining("There is no channel pigeon; there are email, ") },
  ]);
  await eventually(
    () => heard.length,
    (count) => count === 1,
    30_000,
  );
  const { signature, ...message } = JSON.parse(heard[0]!.body);
  expect(message).toMatchObject({ event: "briefing.generated", data: { id, content: briefing.content } });
  expect([signature, heard[0]!.signature]).toEqual(
    Array(2).fill(`sha256=${createHmac("sha256", SECRET).update(canonicalize(message)!).digest("hex")}`),
  );
  const { key } = (await at.http("POST", "/api/keys", { body: { name: "story" } })).body.data;
  const byKey = { as: null, headers: { "x-api-key": key } } as const;
  const asked = async (path: string) => (await at.http("GET", `/api/v1/${path}`, byKey)).body;
  expect((await asked("briefing/latest")).briefing).toBe(briefing.content);
  const digest = await asked("domains/science/summary");
  expect(digest).toMatchObject({ domain: "science" });
  // By what they are about, not by their feed: the feeds of science brought 24.
  expect([digest.articleCount > 0, digest.articleCount < 24]).toEqual([true, true]);
  const { any, stringMatching } = expect;
  expect(digest.topStories[0]).toEqual({
    title: any(String),
    url: stringMatching(/^https:/),
    confidence: any(Number),
    publishedAt: any(String),
    source: any(String),
    sources: any(Number),
    contested: false,
  });
  // Title, address and time are of one article.
  const listed = (await at.http("GET", "/api/articles?limit=100")).body.data as object[];
  for (const { title, url, publishedAt } of digest.topStories)
    expect(listed).toContainEqual(expect.objectContaining({ title, url, publishedAt }));
  const [{ text, cites }] = digest.statements;
  expect([text, cites[0]]).toMatchObject([any(String), { url: stringMatching(/^https:/) }]);
  await eventually(
    async () => (await at.http("GET", "/api/webhooks/deliveries", { as: "admin" })).body.data,
    ([delivery]) => delivery?.status === "delivered",
  );
  const another = async (hours: number, more: object = {}): Promise<string> => {
    const { data } = (await at.http("POST", "/api/briefings/generate", { body: { hours, ...more } })).body;
    const read = () => at.http("GET", `/api/briefings/${data.id}`);
    return (await eventually(read, ({ body }) => body.data.status !== "generating", 60_000)).body.data.content;
  };
  // A briefing of an hour knows less, and is no measure for one of two days.
  expect(await another(1)).not.toContain("What changed since the last briefing");
  const whole = await another(48);
  expect(whole).toMatch(/What changed since the last briefing[^#]*\*\*Unchanged/);
  expect(whole).not.toContain("More was published");
  expect(await another(48, { maxArticles: 2 })).toContain("verified. More was published; what weighs most was read.");
}, 240_000);

it("builds a workspace, keeps its compartments, lets gates stop it and a vote open one, and hands down what binds below", async () => {
  const [ilona, petr, jana] = [await person(at, "ilona"), await person(at, "petr"), await person(at, "jana")];
  const done = async (who: Person, method: string, path: string, body?: unknown): Promise<any> => {
    const reply = await as(at, who)(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body?.data;
  };
  const refused = async (who: Person, method: string, path: string, body?: unknown): Promise<[number, string]> => {
    const {
      status,
      body: { error },
    } = await as(at, who)(method, path, body);
    return [status, error.code];
  };
  const named = (rows: any[], name: string): any => rows.find((row) => row.name === name || row.title === name);

  const {
    problemSetId: set,
    compartments: [dam],
  } = await done(ilona, "POST", "/api/problem-sets/from-scenario", { scenarioId: "river-flood" });
  for (const [who, role] of [
    [petr, "deputy"],
    [jana, "planner"],
  ] as const) {
    const { code } = await done(ilona, "POST", `/api/problem-sets/${set}/invite`, { role });
    await done(who, "POST", "/api/problem-sets/invite/accept-by-code", { code });
  }
  await done(ilona, "POST", `/api/problem-sets/${set}/compartments/${dam.id}/members`, { did: petr.did });
  expect(
    await refused(ilona, "POST", `/api/problem-sets/${set}/compartments/${dam.id}/members`, { did: ilona.did }),
  ).toEqual([403, "FORBIDDEN"]);
  const hidden = named(await done(petr, "GET", `/api/missions?problemSetId=${set}`), "Watch the Lipno dam");
  expect(named(await done(ilona, "GET", `/api/missions?problemSetId=${set}`), "Watch the Lipno dam")).toBeUndefined();
  expect(await refused(ilona, "GET", `/api/missions/${hidden.id}`)).toEqual([404, "NOT_FOUND"]);

  const mission = named(await done(ilona, "GET", `/api/missions?problemSetId=${set}`), "Evacuate zone A");
  const workflow = `/api/mdmp/workflows/${mission.id}`;
  expect(await refused(ilona, "POST", `${workflow}/transitions`, { to: "mission-analysis" })).toEqual([409, "BLOCKED"]);
  const [assumption] = await done(ilona, "GET", `${workflow}/assumptions?blocking=true`);
  await done(ilona, "PUT", `${workflow}/assumptions/${assumption.id}/accept`);
  const gates: any[] = await done(ilona, "GET", `/api/gates/${set}`);
  const order = named(gates, "Evacuation order released");
  await done(ilona, "POST", `/api/gates/${order.id}/submit`, { note: "Sirens at six, buses at seven." });
  expect((await refused(ilona, "POST", `/api/gates/${order.id}/approve`, {}))[0]).toBe(403);
  expect(await refused(ilona, "POST", `${workflow}/transitions`, { to: "mission-analysis" })).toEqual([409, "BLOCKED"]);
  await done(petr, "POST", `/api/gates/${order.id}/approve`, { note: "Seen and agreed." });
  expect((await done(ilona, "POST", `${workflow}/transitions`, { to: "mission-analysis" })).phase).toBe(
    "mission-analysis",
  );

  const [council] = await done(ilona, "GET", `/api/dao?problemSetId=${set}`);
  const polder = named(gates, "Polder opened by vote");
  const proposals = `/api/dao/${council.id}/proposals`;
  const proposal = await done(jana, "POST", proposals, {
    title: "Open the Dubina polder",
    description: "Hradek stays dry.",
    measures: [{ do: "open-gate", gateId: polder.id }],
  });
  for (const [who, choice] of [
    [ilona, "for"],
    [petr, "against"],
    [jana, "for"],
  ] as const)
    await done(who, "POST", `${proposals}/${proposal.id}/vote`, { choice });
  expect((await refused(jana, "POST", `${proposals}/${proposal.id}/finalize`))[0]).toBe(409);
  at.clock.advance(HOUR_MS + 1_000);
  await done(jana, "POST", `${proposals}/${proposal.id}/finalize`);
  expect((await done(jana, "POST", `${proposals}/${proposal.id}/execute`)).status).toBe("executed");
  expect(await done(petr, "GET", `${proposals}/${proposal.id}/tally`)).toMatchObject({
    equal: true,
    recomputed: { voters: 3 },
  });
  expect((await done(ilona, "GET", `/api/gates/gate/${polder.id}`)).status).toBe("approved");

  const below = (await done(ilona, "POST", "/api/problem-sets", { name: "Local staff of Hradek", parentId: set })).id;
  const { code } = await done(ilona, "POST", `/api/problem-sets/${below}/invite`, { role: "planner" });
  await done(jana, "POST", "/api/problem-sets/invite/accept-by-code", { code });
  const directions: any[] = await done(ilona, "GET", `/api/inheritance/directions?problemSetId=${set}&limit=100`);
  const inherited = () => done(jana, "GET", `/api/inheritance/${below}/inherited-context`);
  await eventually(inherited, ({ items }) => items.length >= directions.length + gates.length, 60_000);
  await done(jana, "POST", `/api/inheritance/${below}/inherited-context/acknowledge`, {});
  await done(ilona, "PATCH", `/api/inheritance/directions/${directions[0].id}`, { title: "Said in another way" });
  await eventually(inherited, ({ changes }) => changes === 1, 60_000);

  const { findings } = await done(
    ilona,
    "POST",
    `/api/command/validate-hierarchy/${mission.id}?at=${new Date(at.clock.now() + 60 * HOUR_MS).toISOString()}`,
  );
  expect(findings).toContainEqual(expect.objectContaining({ code: "TWO_SUPERIORS" }));
  expect((await at.http("GET", "/api/audit/verify")).body.data).toMatchObject({ ok: true });
}, 240_000);
