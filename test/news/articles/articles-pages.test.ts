import { eventually, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, holdSchedule, item, source, type TestArticles } from "./articles-setup.ts";
import { FeedServer } from "../feed-server.ts";

let node: TestWorld;
let articles: TestArticles;
let site: FeedServer;

beforeAll(async () => {
  [node, site] = await Promise.all([world(), FeedServer.start("127.0.3.1")]);
  await holdSchedule(node, "visit-pages");
  articles = articlesOf(node);
});
afterAll(async () => {
  await Promise.all([node.stop(), site.stop()]);
});

const paragraph = (n: number) =>
  `Paragraph ${n} of the report says at length what the ministry decided on the harbour and why the council of the town objected to it, as two of its members told this paper.`;
const page = (body: string) => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html><head><title>Report</title></head><body><nav><a href="/">Home</a> <a href="/about">About</a></nav><article><h1>Report</h1>${body}</article><footer>Imprint</footer></body></html>`,
});
const long = (from: number) => Array.from({ length: 12 }, (_, n) => `<p>${paragraph(from + n)}</p>`).join("");
const FULL = { fullText: true };
const excerpt = (n: number, path: string, traits = {}) =>
  item(n, {
    url: `${site.url}${path}`,
    text: "Only the first lines.",
    html: "<p>Only the first lines.</p>",
    summary: "Only the first lines.",
    ...traits,
  });
const contentOf = async (id: number) => {
  const [article] = (await articles.whole()).filter(({ sourceId }) => sourceId === id);
  return (await node.http("GET", `/api/articles/${article!.id}`)).body.data as { content: string; html: string };
};
const stateOf = async (id: number) => (await articles.whole()).find(({ sourceId }) => sourceId === id)!;

it("fetches the whole text of an excerpt where the source asks for it, cleans it, and search finds it", async () => {
  site.on(
    "/whole",
    page(`${long(1)}<script>alert(1)</script><p onclick="steal()">The word zephyrine stands only on the page.</p>`),
  );
  await articles.store(source(1, FULL), [excerpt(1, "/whole")]);
  expect((await contentOf(1)).content).toBe("Only the first lines.");
  expect(await articles.call("visitPages")).toEqual({ gained: 1 });
  const { content, html } = await contentOf(1);
  expect(content).toContain(paragraph(5));
  expect(content).not.toMatch(/Home|Imprint|alert/);
  expect(html).toContain("<p>");
  expect(html).not.toMatch(/script|onclick/);
  await eventually(
    () => node.http("GET", "/api/search?q=zephyrine"),
    ({ body }) => body.meta.total === 1,
  );
  expect(await articles.call("visitPages")).toEqual({ gained: 0 });
  expect(site.of("/whole")).toHaveLength(1);
});

it("leaves the page alone where the source does not ask, or the feed has the text", async () => {
  site.on("/unasked", page(long(1)));
  await articles.store(source(2), [excerpt(1, "/unasked")]);
  await articles.store(source(3, FULL), [
    excerpt(2, "/unasked", { text: Array.from({ length: 12 }, (_, n) => paragraph(n)).join("\n\n") }),
  ]);
  await articles.call("visitPages");
  expect(site.of("/unasked")).toHaveLength(0);
});

it("keeps the feed's words where the page says less, or is none", async () => {
  site.on("/wall", page("<p>Please enable cookies.</p>"));
  site.on("/picture", { headers: { "content-type": "image/png" }, body: Buffer.from([137, 80, 78, 71]) });
  await articles.store(source(4, FULL), [excerpt(1, "/wall")]);
  await articles.store(source(5, FULL), [excerpt(1, "/picture")]);
  await articles.store(source(6, FULL), [excerpt(1, "/missing")]);
  expect(await articles.call("visitPages")).toEqual({ gained: 0 });
  for (const id of [4, 5, 6]) {
    expect((await contentOf(id)).content).toBe("Only the first lines.");
    expect((await stateOf(id)).pageDue).toBeUndefined();
  }
});

it("says of each article why it holds the feed's text only, and of a source how many there are", async () => {
  site.on("/subscribers", { status: 403 });
  await articles.store(source(10, FULL), [
    excerpt(1, "/wall"),
    excerpt(2, "/missing"),
    excerpt(3, "/subscribers"),
    excerpt(4, "/whole"),
  ]);
  const since = new Date(node.clock.now() - 1).toISOString();
  await articles.call("visitPages");
  const found = (await articles.whole()).filter(({ sourceId }) => sourceId === 10);
  const why = async (id: number) => (await node.http("GET", `/api/articles/${id}`)).body.data.feedTextOnly;
  expect(await Promise.all(found.map(({ id }) => why(id)))).toEqual([
    "No article was found on the page: it may ask for cookies, a sign-in or a subscription.",
    "The site answers 404: the page is not there.",
    "The site answers 403: the page is not for everybody, or not for programs.",
    undefined,
  ]);
  expect(await articles.call("unreadPages", { sourceId: 10, since })).toEqual({
    count: 3,
    example: { url: expect.stringContaining(site.url), why: expect.stringContaining("page") },
  });
  // A new edition has its page visited again.
  site.on("/missing", page(long(200)));
  await articles.store(source(10, FULL), [excerpt(2, "/missing", { title: "Corrected" })]);
  expect(await why(found[1]!.id)).toBeUndefined();
  expect(await articles.call("visitPages")).toEqual({ gained: 1 });
  expect(await articles.call("unreadPages", { sourceId: 10, since })).toMatchObject({ count: 2 });
  site.on("/missing", { status: 404 });
});

it("comes back to a site that is ill, later each time, and gives up after the third", async () => {
  site.on("/ill", { status: 503 });
  await articles.store(source(7, FULL), [excerpt(1, "/ill")]);
  await articles.call("visitPages");
  await articles.call("visitPages");
  expect(site.of("/ill")).toHaveLength(1);
  node.clock.advance(11 * 60_000);
  await articles.call("visitPages");
  expect(site.of("/ill")).toHaveLength(2);
  node.clock.advance(11 * 60_000);
  await articles.call("visitPages");
  expect(site.of("/ill")).toHaveLength(2);
  node.clock.advance(11 * 60_000);
  await articles.call("visitPages");
  expect(site.of("/ill")).toHaveLength(3);
  expect((await stateOf(7)).pageDue).toBeUndefined();
});

it("a new edition keeps the page's text until the page was fetched anew", async () => {
  site.on("/edited", page(long(1)));
  await articles.store(source(8, FULL), [excerpt(1, "/edited")]);
  await articles.call("visitPages");
  site.on("/edited", page(long(100)));
  expect(await articles.store(source(8, FULL), [excerpt(1, "/edited", { title: "Corrected" })])).toMatchObject({
    updated: 1,
  });
  expect((await contentOf(8)).content).toContain(paragraph(5));
  await articles.call("visitPages");
  expect((await contentOf(8)).content).toContain(paragraph(105));
  expect(await stateOf(8)).toMatchObject({ title: "Corrected", fromPage: true });
});

it("does not lose an edition that comes while its page is being fetched", async () => {
  let answer!: () => void;
  const asked = new Promise<void>((resolve) => {
    site.on("/slow", (_req, res) => {
      answer = () => res.writeHead(200, { "content-type": "text/html" }).end(page(long(1)).body);
      resolve();
    });
  });
  await articles.store(source(9, FULL), [excerpt(1, "/slow")]);
  const visiting = articles.call("visitPages");
  await asked;
  await articles.store(source(9, FULL), [excerpt(1, "/slow", { title: "Second edition", text: "Other first lines." })]);
  answer();
  await visiting;
  expect(await stateOf(9)).toMatchObject({
    title: "Second edition",
    text: "Other first lines.",
    pageDue: expect.any(String),
  });
  site.on("/slow", page(long(50)));
  expect(await articles.call("visitPages")).toEqual({ gained: 1 });
  expect((await contentOf(9)).content).toContain(paragraph(52));
});

it("leaves no body behind that nothing points at", async () => {
  const texts = await node.mesh.world.documents.collection("article_texts");
  expect((await texts.find()).map(({ _id }) => _id).sort()).toEqual(
    (await articles.whole()).map(({ textId }) => textId).sort(),
  );
});
