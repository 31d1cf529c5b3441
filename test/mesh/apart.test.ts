import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { itOnStage, meshOf } from "../nodes.ts";
import { freePort } from "../redis.ts";

/** Gateway and areas in processes of their own, on one Redis and one document store. */
const mesh = meshOf(["identity", "workspace,platform", "news", "gateway"], {
  knows: ["/api/sources", "/api/problem-sets/me"],
});
let publisher: FeedServer;
beforeAll(async () => {
  publisher = await FeedServer.start("127.0.5.1");
});
afterAll(() => publisher?.stop());
const story = (name: string, tell: () => Promise<void>): void => itOnStage(name, tell, 120_000);

story("from feeds to a briefing, over processes", async () => {
  const feed = publisher.on("/apart", (_req, res) => res.end(rss(stories("apart", 30))));
  const source = await mesh.nodes.http("POST", "/api/sources", {
    body: { name: "apart", url: feed, domain: "science" },
  });
  expect(source.status).toBe(201);
  await eventually(
    () => mesh.nodes.http("GET", "/api/articles?limit=1"),
    ({ body }) => body.meta?.total === 30,
    60_000,
  );
  await eventually(
    () => mesh.nodes.http("GET", "/api/search?q=source:apart&limit=1"),
    ({ body }) => body.meta?.total === 30,
    60_000,
  );
  const ordered = await mesh.nodes.http("POST", "/api/briefings/generate", { body: { hours: 24 } });
  await eventually(
    () => mesh.nodes.http("GET", `/api/briefings/${ordered.body.data.id}`),
    ({ body }) => body.data?.status === "completed",
    60_000,
  );
});

story("an account that loses its rights loses them at the gateway at once", async () => {
  const email = "apart@example.org";
  const password = "correct horse battery staple 43";
  const made = await mesh.nodes.http("POST", "/api/auth/users", { body: { email, password, role: "analyst" } });
  expect(made.status).toBe(201);
  const { body } = await mesh.nodes.http("POST", "/api/auth/login", { token: null, body: { email, password } });
  const { token } = body.data;
  expect((await mesh.nodes.http("GET", "/api/sources", { token })).status).toBe(200);
  expect(
    (await mesh.nodes.http("PUT", `/api/auth/users/${made.body.data.id}`, { body: { active: false } })).status,
  ).toBe(200);
  // What was changed is told before it is answered, and over the same line.
  expect((await mesh.nodes.http("GET", "/api/sources", { token })).status).toBe(401);
});

story("an idempotency key holds over nodes, twenty at once", async () => {
  const metrics = await freePort();
  await mesh.nodes.start("news", { METRICS_PORT: String(metrics) });
  await mesh.nodes.knows(["/api/sources"]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      mesh.nodes.http("POST", "/api/sources/lists", {
        body: { name: "once", sourceIds: [] },
        headers: { "idempotency-key": "mesh-once" },
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  // Both nodes were asked.
  const told = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const [, calls] = /signalmesh_action_calls_total\{[^}]*action="source-lists\.create"[^}]*\} (\d+)/.exec(told) ?? [];
  expect(Number(calls)).toBeGreaterThan(0);
  expect(Number(calls)).toBeLessThan(20);
});
