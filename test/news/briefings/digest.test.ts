import { TestClock, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, HOUR_MS, item, source, type TestArticles } from "../articles/articles-setup.ts";

let at: TestWorld, articles: TestArticles;
const clock = new TestClock();

beforeAll(async () => {
  at = await world({}, { clock });
  articles = articlesOf(at);
});
afterAll(() => at.stop());

const OUTBREAK =
  "Cholera has broken out in the camps of Mbelo, and 120 people are ill, the health ministry said on Monday.";
const report = (id: number, title: string, text: string) =>
  item(id, { title, text, publishedAt: new Date(clock.now() - HOUR_MS).toISOString() });
const health = async () => (await at.http("GET", "/api/v1/domains/health/summary")).body;
const told = async () => (await health()).topStories.map(({ title }: { title: string }) => title);

it("a domain's summary is made once a minute, however many ask, and anew when an article was published", async () => {
  await articles.store(source(201, { domain: "health" }), [report(1, "Cholera breaks out in Mbelo camps", OUTBREAK)]);
  const [one, other] = await Promise.all([health(), health()]);
  expect(one.topStories).toHaveLength(1);
  expect(other).toEqual(one);
  const [{ id }] = (await at.http("GET", "/api/articles")).body.data;
  await articles.store(source(202, { domain: "health" }), [
    report(
      2,
      "Nurses strike in Sennmark over pay",
      "Nurses in Sennmark's hospitals went on strike over pay on Monday, their union said.",
    ),
  ]);
  expect((await told()).sort()).toEqual(["Cholera breaks out in Mbelo camps", "Nurses strike in Sennmark over pay"]);
  await at.http("DELETE", `/api/articles/${id}`, { as: "admin" });
  // What was made before is given for a minute, as its Cache-Control says.
  expect(await told()).toHaveLength(2);
  clock.advance(61_000);
  expect(await told()).toEqual(["Nurses strike in Sennmark over pay"]);
});
