import { collectDue } from "../../services/platform/admin/osint/collecting.ts";
import { complaintOf, nextOf } from "../../services/platform/admin/osint/schedules.ts";
import { eventually, world, type Reply, type TestWorld } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";

const CANARY = "canary-header-7711c0ffee";

let at: TestWorld, publisher: FeedServer, elsewhere: FeedServer;
beforeAll(async () => {
  [publisher, elsewhere] = [await FeedServer.start("127.0.9.1"), await FeedServer.start("127.0.9.2")];
  at = await world();
});
afterAll(async () => {
  await at.stop();
  await Promise.all([publisher.stop(), elsewhere.stop()]);
});

const ask = (method: string, path = "", body?: object, as = "admin"): Promise<Reply> =>
  at.http(method, `/api/admin/osint-sources${path}`, { as, body });
const feed = (path: string, count: number) => publisher.on(path, { body: rss(stories(`osint${path}`, count)) });
const given = (address: string, more: object = {}) => ({
  name: "Port notices",
  kind: "feed",
  address,
  schedule: { cron: "*/15 * * * *", timeZone: "Europe/Vienna" },
  reliability: "B",
  ...more,
});
const { name: _name, ...NAMELESS } = given("http://127.0.9.1/");
/** Has the time of a source come, and waits until it was fetched. */
async function collected(id: string): Promise<any> {
  const before = (await ask("GET", `/${id}`)).body.data.lastAt;
  const sources = await at.commons("admin").world.documents.collection("osint_sources");
  await sources.updateMany({ _id: id }, { $set: { nextAt: "2026-01-01T00:00:00.000Z" } });
  await collectDue.call(at.service("admin"));
  return (
    await eventually(
      () => ask("GET", `/${id}`),
      ({ body }) => body.data.lastAt !== before,
    )
  ).body.data;
}

describe("a schedule", () => {
  it.each([
    ["*/5 * * * *", undefined],
    ["0 6 * * 1-5", undefined],
    ["0 0 29 2 *", undefined],
    ["*/4 * * * *", "Runs come at least five minutes apart."],
    ["0,58 * * * *", "Runs come at least five minutes apart."],
    ["0,58 3 * * *", undefined],
    ["0 0 31 2 *", "This never comes."],
    ["* * * * * *", "This has not five fields, such as `*/15 * * * *`."],
    ["2026-01-01T00:00:00", "This has not five fields, such as `*/15 * * * *`."],
    ["61 * * * *", "This is not a cron expression, such as `*/15 * * * *`."],
  ])("%s", (cron, complaint) => expect(complaintOf({ cron, timeZone: "UTC" })).toBe(complaint));

  it("goes by the clocks of its zone", () =>
    expect(nextOf({ cron: "0 6 * * *", timeZone: "Europe/Vienna" }, Date.UTC(2026, 6, 1))).toBe(
      "2026-07-01T04:00:00.000Z",
    ));
});

it("a source is looked at before it is kept: a dry run fetches it once and stores nothing", async () => {
  const address = feed("/dry", 3);
  const tried = await ask("POST", "?dryRun=true", given(address));
  expect([tried.status, tried.body.data.test]).toEqual([200, expect.objectContaining({ ok: true, found: 3 })]);
  expect(tried.body.data.id).toBeUndefined();
  expect((await ask("POST", "?dryRun=true", given(`${publisher.url}/nothing`))).body.data.test).toMatchObject({
    ok: false,
    message: "It answers with status 404.",
  });
  expect((await ask("GET")).body.data).toEqual([]);
});

it("what it brings is kept once, and it is archived with that when it is removed", async () => {
  const { body, status } = await ask("POST", "", given(feed("/kept", 2)));
  const { id } = body.data;
  expect([status, body.data.nextAt > new Date(at.clock.now()).toISOString()]).toEqual([201, true]);
  expect(await collected(id)).toMatchObject({
    collected: 2,
    lastOutcome: { ok: true, found: 2, collected: 2 },
    rev: 1,
  });
  feed("/kept", 3);
  expect(await collected(id)).toMatchObject({ collected: 3, lastOutcome: { found: 3, collected: 1 } });
  expect((await ask("GET", `/${id}/items`)).body.data).toHaveLength(3);
  expect((await ask("DELETE", `/${id}`)).body.data).toEqual({ id, archived: true });
  expect((await ask("GET")).body.data).toEqual([]);
  expect((await ask("GET", "?status=archived")).body.data).toMatchObject([{ id, active: false }]);
  expect((await ask("PUT", `/${id}`, given(publisher.url))).status).toBe(409);
  const unused = (await ask("POST", "", given(publisher.url))).body.data.id;
  expect((await ask("DELETE", `/${unused}`)).body.data.archived).toBe(false);
  expect((await ask("GET", `/${unused}`)).status).toBe(404);
});

it("a page is kept whenever its text is another; one that is away says so, and goes on", async () => {
  const page = (words: string) =>
    publisher.on("/page", {
      headers: { "content-type": "text/html" },
      body: `<html><head><title>Harbour</title></head><body><article><h1>Harbour</h1><p>${words.repeat(20)}</p></article></body></html>`,
    });
  const { id } = (await ask("POST", "", given(page("The harbour is open to all ships. "), { kind: "page" }))).body.data;
  expect(await collected(id)).toMatchObject({ collected: 1 });
  expect(await collected(id)).toMatchObject({ collected: 1, lastOutcome: { ok: true, collected: 0 } });
  page("The harbour is closed until Monday. ");
  expect(await collected(id)).toMatchObject({ collected: 2 });
  publisher.on("/page", { status: 503 });
  expect(await collected(id)).toMatchObject({ collected: 2, lastOutcome: { ok: false } });
});

it("its headers are sent to its origin alone, and shown to nobody", async () => {
  const headers = { "X-Token": CANARY };
  publisher.on("/moved", { status: 302, headers: { location: `${elsewhere.url}/target` } });
  elsewhere.on("/target", { body: rss(stories("target", 1)) });
  const made = await ask("POST", "", given(`${publisher.url}/moved`, { headers }));
  const { id } = made.body.data;
  expect(made.body.data.headers["X-Token"]).toMatchObject({ set: true, last4: "ffee" });
  await collected(id);
  expect(publisher.of("/moved").at(-1)!.headers["x-token"]).toBe(CANARY);
  expect(elsewhere.of("/target").at(-1)!.headers["x-token"]).toBeUndefined();
  const stays = await ask("PUT", `/${id}`, given(feed("/same", 1)));
  expect(stays.body.data.headers["X-Token"].set).toBe(true);
  expect(
    (await ask("PUT", `/${id}`, given(feed("/same", 1), { headers: { "X-Token": "••••ffee" } }))).body.error.code,
  ).toBe("MASKED_SECRET");
  expect((await ask("POST", "", given(feed("/same", 1), { headers: { Host: "x" } }))).body.error.details).toEqual([
    { path: "headers.Host", message: "This header is the client's own." },
  ]);
  const moved = await ask("PUT", `/${id}`, given(`${elsewhere.url}/target`));
  expect(moved.body.data.headers).toEqual({});
  const texts = [
    made,
    stays,
    moved,
    await at.http("GET", "/api/audit/export"),
    await at.http("GET", "/api/admin/config/audit"),
  ];
  for (const { text } of texts) expect(text).not.toContain(CANARY);
  expect((await at.http("GET", "/api/admin/config/audit")).body.data[0]).toMatchObject({
    config: "osint-sources",
    outcome: "ok",
    changes: [{ path: "address", to: `${elsewhere.url}/target` }],
  });
});

it("what cannot be fetched is refused in words", async () => {
  const wrong: [object, number, string][] = [
    [given("http://169.254.169.254/"), 422, "address"],
    [given(publisher.url, { schedule: { cron: "* * * * *" } }), 400, "schedule.cron"],
    [given(publisher.url, { schedule: { cron: "0 6 * * *", timeZone: "Mars/Olympus" } }), 400, "schedule.timeZone"],
    [given(publisher.url, { reliability: "G" }), 400, "reliability"],
    [given(publisher.url, { headers: { Host: "inside" } }), 400, "headers.Host"],
    [given(publisher.url, { compartments: ["c1"] }), 400, "compartments"],
    [NAMELESS, 400, "name"],
  ];
  for (const [body, status, path] of wrong) {
    const reply = await ask("POST", "", body);
    expect([reply.status, reply.body.error.details?.[0]?.path]).toEqual([status, path]);
  }
});

it("who administers sources is not read into what they bring", async () => {
  const set = (await at.http("POST", "/api/problem-sets", { as: "admin", body: { name: "Coast" } })).body.data.id;
  expect((await ask("POST", "", given(publisher.url, { problemSetId: set }), "system_admin")).status).toBe(404);
  const { id } = (await ask("POST", "", given(feed("/closed", 2), { problemSetId: set }))).body.data;
  expect((await collected(id)).collected).toBe(2);
  expect((await ask("GET", `/${id}/items`)).body.data).toHaveLength(2);
  expect((await ask("GET", `/${id}`, undefined, "system_admin")).body.data.collected).toBe(2);
  expect((await ask("GET", `/${id}/items`, undefined, "system_admin")).body.data).toEqual([]);
});

it("what is cut of long titles and texts ends with a whole character", async () => {
  const paragraph = `<p>x${"\u{1F6A2}".repeat(60)} The harbour is open to all ships again.</p>`;
  const head = `<head><title>x${"\u{1F6A2}".repeat(400)}</title></head>`;
  const body = `<html>${head}<body><article>${paragraph.repeat(150)}</article></body></html>`;
  const page = publisher.on("/long", { headers: { "content-type": "text/html; charset=utf-8" }, body });
  const words = "\u{1F6A2}".repeat(11_000);
  const long = publisher.on("/long.xml", { body: rss([{ guid: "long", title: "Ships", text: `x${words}` }]) });
  for (const [address, kind] of [
    [page, "page"],
    [long, "feed"],
  ] as const) {
    const { id } = (await ask("POST", "", given(address, { kind }))).body.data;
    await collected(id);
    const [item] = (await ask("GET", `/${id}/items`)).body.data;
    // A ship is two units long, of which the second would be the 20,001st: it is left out, and nothing stands for it.
    expect([kind, item.text.length, item.title.isWellFormed(), item.text.isWellFormed()]).toEqual([
      kind,
      19_999,
      true,
      true,
    ]);
    expect(item.text).not.toContain("\uFFFD");
  }
});
