import { eventually, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, item, source, type TestArticles } from "../articles/articles-setup.ts";

let node: TestWorld, articles: TestArticles;
const [WIRE, HERALD, CLINIC] = ["Wire", "Herald", "Clinic"].map((name) => ({ name, domain: "health" as const }));
const ids: number[] = [];

beforeAll(async () => {
  node = await world();
  articles = articlesOf(node);
  for (const [at, given] of [WIRE!, HERALD!, CLINIC!].entries()) {
    const { body } = await node.http("POST", "/api/sources", {
      body: { ...given, url: `https://feed-${at}.invalid/rss` },
    });
    ids.push(body.data.id);
  }
  const report = (n: number, title: string, text: string) => item(n, { title, text, summary: text.slice(0, 80) });
  await articles.store(source(ids[0]!, WIRE), [
    report(
      1,
      "Quake kills 12 in Tarmak",
      "At least 12 people were killed in an earthquake in Tarmak, the ministry said.",
    ),
    report(
      2,
      "Minister Dahl to resign",
      "Finance minister Jorun Dahl will resign on Friday, two persons close to her said.",
    ),
  ]);
  await articles.store(source(ids[1]!, HERALD), [
    report(
      3,
      "Earthquake in Tarmak: 12 dead",
      "Rescuers in Tarmak searched ruins on Tuesday. Twelve people died in the earthquake.",
    ),
  ]);
  await articles.store(source(ids[2]!, CLINIC), [
    report(4, "Measles cases rise in Karsund", "The health office counted 87 measles cases in Karsund by Friday."),
  ]);
});
afterAll(() => node.stop());

async function briefing(order: object = {}): Promise<any> {
  const { id } = (await node.http("POST", "/api/briefings/generate", { as: "analyst", body: order })).body.data;
  return eventually(
    async () => (await node.http("GET", `/api/briefings/${id}`)).body.data,
    ({ status }) => status !== "generating",
  );
}

it("is compared with the last one of the same list, be it named or active, and with none of another", async () => {
  expect((await briefing()).content).not.toContain("What changed");
  const { id } = (await node.http("POST", "/api/sources/lists", { body: { name: "Doctors", sourceIds: [ids[2]] } }))
    .body.data;
  await node.http("POST", `/api/sources/lists/${id}/activate`);
  const narrowed = await briefing();
  expect(narrowed.content).toContain("Measles");
  // The quake went on; it is the list that does not read of it.
  expect(narrowed.content).not.toContain("What changed");
  expect((await briefing({ sourceListId: id })).content).toMatch(/What changed.*\n\n- \*\*Unchanged \(1\)/);
  await node.http("DELETE", "/api/sources/lists/active");
  const whole = await briefing();
  expect(whole.content).toMatch(/\*\*Unchanged \(3\)/);
  expect(whole.content).not.toMatch(/Gone quiet|back after|Developing/);
});

it("leaves out what a person did not verify, until somebody verifies it", async () => {
  const { body } = await node.http("GET", "/api/articles?limit=100");
  const { id } = body.data.find(({ title }: { title: string }) => title.startsWith("Minister Dahl"));
  const judged = (verified: boolean) =>
    node.http("PUT", `/api/articles/${id}/verification`, { as: "analyst", body: { verified, notes: "Her office." } });
  await judged(false);
  const without = await briefing();
  expect(without.content).not.toContain("Dahl");
  expect([without.stats.articles, without.articles.includes(id)]).toEqual([3, false]);
  await judged(true);
  expect((await briefing()).content).toMatch(/Dahl.*verified/);
});

it("does not call verified what its outlet changed after a person had verified it", async () => {
  const text = "Finance minister Jorun Dahl resigned on Friday, her office said on the ministry's steps.";
  await articles.store(source(ids[0]!, WIRE), [item(2, { title: "Minister Dahl resigns", text, summary: text })]);
  const { content, stats } = await briefing();
  expect(content).toContain("Minister Dahl resigns");
  expect(content).not.toMatch(/Dahl.*(?:, verified|high confidence)/);
  expect(stats.verified).toBe(0);
});
