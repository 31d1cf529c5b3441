import { itInside, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, DAY_MS, HOUR_MS } from "../articles/articles-setup.ts";
import { tell } from "./verification-setup.ts";

const PLACES = ["Arden", "Belmora", "Castrel", "Dunmark", "Eskova", "Farrow", "Galdin", "Hestia", "Ilverton"];
const THINGS = ["refinery", "shipyard", "hospital", "university", "airport", "brewery", "mine", "harbour", "foundry"];
const worker = (n: number) => 1_100 + 317 * n;
const REPORT = PLACES.map(
  (place, n) => `The ${place} ${THINGS[n]} employed ${worker(n)} workers in March, the labour ministry said.`,
).join(" ");
const ECHO = PLACES.map(
  (place, n) => `In March the ${place} ${THINGS[n]} employed ${worker(n)} workers, according to the statistics office.`,
).join(" ");
const DENIAL = "The Arden refinery employed 40 workers in March, a union count showed.";

let node: TestWorld;
let report: number;
const get = (path: string, as: string | null = "reader") => node.http("GET", `/api/verification${path}`, { as });
const post = (path: string) => node.http("POST", `/api/verification${path}`, { as: "analyst" });
const records = () => node.service("verification") as any;

beforeAll(async () => {
  node = await world({ PUBLIC_URL: "https://mesh.example" });
  report = await tell(node, 1, 1, REPORT);
  await tell(node, 2, 2, ECHO);
});
afterAll(() => node.stop());

describe("a source's reliability", () => {
  it("cannot be judged before anything is known of it", async () => {
    await post(`/verify-claims/${report}`);
    expect((await get("/sources/4711/reliability")).status).toBe(404);
  });

  it("follows from its settled claims, with the reasons, and the change is kept", async () => {
    const { claims } = (await post(`/cross-reference/content/${report}`)).body.data;
    expect(claims.filter(({ status }: { status: string }) => status === "corroborated")).toHaveLength(9);
    const { data } = (await get("/sources/1/reliability")).body;
    expect(data).toMatchObject({
      sourceId: 1,
      sourceName: "Source 1",
      rating: "C",
      meaning: "fairly reliable",
      corroborated: 9,
      contradicted: 0,
      evidence: 9,
      next: null,
    });
    expect(data.months).toEqual([{ month: expect.stringMatching(/^\d{4}-\d\d$/), corroborated: 9, contradicted: 0 }]);
    expect(data.reasons.join()).toMatch(/known for 0 days only/);
    expect(data.history).toEqual([
      {
        at: expect.any(String),
        from: "F",
        to: "C",
        estimate: data.estimate,
        evidence: 9,
        corroborated: 9,
        contradicted: 0,
        reasons: data.reasons,
      },
    ]);
    expect(data.interval[0]).toBeLessThan(data.estimate);
  });

  it("does not fill its history with what has not moved", async () => {
    await post(`/cross-reference/content/${report}`);
    expect((await get("/sources/1/reliability")).body.data.history).toHaveLength(1);
  });

  it("counts in the confidence of its next article", async () => {
    node.clock.advance(HOUR_MS);
    const next = await tell(node, 1, 9, "The council met on Thursday and spoke about the budget of the coming year.");
    const { factors } = (await articlesOf(node).whole()).find(({ id }) => id === next)!;
    expect(factors.find(({ name }) => name === "source-record")!.description).toBe("source of reliability C");
  });

  it("writes an entry once that a kill left unfinished", async () => {
    const sources = await node.mesh.world.documents.collection("verification_sources");
    const entries = await node.mesh.world.documents.collection("reliability_changes");
    await sources.updateById(1, { $unset: { recorded: 1, changes: 1 }, $set: { letter: "F" } });
    await post(`/cross-reference/content/${report}`);
    expect(await entries.count({ query: { sourceId: 1 } })).toBe(1);
    expect(await sources.findById(1)).toMatchObject({ letter: "C", changes: 1 });
  });

  itInside("fades with time, page by page of its history", async () => {
    node.clock.advance(500 * DAY_MS);
    expect(await records().sources.age(records())).toBeGreaterThan(0);
    expect(await records().sources.age(records())).toBe(0);
    // Back in the present: no sign-in lasts so long.
    node.clock.advance(-500 * DAY_MS);
    const { data } = (await get("/sources/1/reliability?limit=1")).body;
    expect(data).toMatchObject({ rating: "F", history: [{ from: "C", to: "F" }] });
    expect((await get(`/sources/1/reliability?limit=1&cursor=${data.next}`)).body.data).toMatchObject({
      history: [{ from: "F", to: "C" }],
      next: null,
    });
  });
});

describe("claim reviews", () => {
  const LD = "application/ld+json; charset=utf-8";
  const claims = async () => (await get(`/claims/${report}`)).body.data.claims;

  it("have the properties that schema.org and search engines ask of a ClaimReview", async () => {
    const [{ id, text }] = await claims();
    const { status, headers, body } = await get(`/claims/${id}/claim-review`);
    expect([status, headers.get("content-type")]).toEqual([200, LD]);
    expect(body).toEqual({
      "@context": "https://schema.org",
      "@type": "ClaimReview",
      "@id": `https://mesh.example/api/verification/claims/${id}/claim-review`,
      url: `https://mesh.example/api/verification/claims/${id}/claim-review`,
      datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      claimReviewed: text,
      author: { "@type": "Organization", name: "Signalmesh", url: "https://mesh.example" },
      itemReviewed: {
        "@type": "Claim",
        datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        author: { "@type": "Organization", name: "Source 1" },
        appearance: {
          "@type": "CreativeWork",
          url: "https://news.example/articles/1",
          headline: "Report 1",
          identifier: String(report),
        },
      },
      reviewRating: {
        "@type": "Rating",
        ratingValue: expect.any(Number),
        worstRating: 1,
        bestRating: 5,
        alternateName: "Corroborated",
        ratingExplanation: "Supported by Source 2.",
      },
      citation: [
        {
          "@type": "Quotation",
          text: expect.stringMatching(/\w.*\.$/),
          keywords: "supports",
          isPartOf: {
            "@type": "NewsArticle",
            url: "https://news.example/articles/2",
            headline: "Report 2",
            identifier: expect.any(String),
            datePublished: expect.any(String),
            publisher: { "@type": "Organization", name: "Source 2" },
          },
        },
      ],
    });
    expect(body.reviewRating.ratingValue).toBeGreaterThanOrEqual(3);
  });

  it("are not given without a verdict", async () => {
    const quiet = await tell(node, 5, 5, "The Kestrel dam held 40 million litres of water on Sunday, engineers said.");
    const [{ id }] = (await post(`/verify-claims/${quiet}`)).body.data.claims;
    expect(await get(`/claims/${id}/claim-review`)).toMatchObject({
      status: 404,
      body: { success: false, code: "NOT_FOUND" },
    });
    expect((await get("/claims/999999/claim-review")).status).toBe(404);
    expect((await get(`/claims/${id}/claim-review`, null)).status).toBe(401);
  });

  it("come as a feed, newest verdict first, page by page", async () => {
    const denial = await tell(node, 6, 6, DENIAL);
    await post(`/cross-reference/content/${denial}`);
    const seen: any[] = [];
    let path = "/claim-reviews?limit=4";
    for (let pages = 0; path && pages < 10; pages++) {
      const { headers, body } = await get(path);
      expect(body).toMatchObject({ "@context": "https://schema.org", "@type": "DataFeed" });
      seen.push(...body.dataFeedElement);
      path = /^<\/api\/verification([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1] ?? "";
    }
    expect(seen[0]).toMatchObject({
      claimReviewed: DENIAL,
      reviewRating: { alternateName: "Contradicted", ratingExplanation: expect.stringContaining("Contradicted by") },
    });
    expect(seen.map(({ claimReviewed }) => claimReviewed).sort()).toEqual(
      [DENIAL, ...(await claims()).map(({ text }: { text: string }) => text)].sort(),
    );
    expect((await get("/claim-reviews?cursor=x")).status).toBe(400);
  });

  it("come by verdict, page by page, with what contradicts them quoted first", async () => {
    const of = async (verdict: string): Promise<any[]> => {
      const seen: any[] = [];
      let path = `/claim-reviews?limit=1&verdict=${verdict}`;
      for (let pages = 0; path && pages < 10; pages++) {
        const { headers, body } = await get(path);
        seen.push(...body.dataFeedElement);
        path = /^<\/api\/verification([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1] ?? "";
      }
      return seen;
    };
    const [contradicted, corroborated] = [await of("contradicted"), await of("corroborated")];
    expect(contradicted.map(({ claimReviewed }) => claimReviewed)).toContain(DENIAL);
    expect(corroborated.length).toBeGreaterThan(0);
    for (const [verdict, reviews] of Object.entries({ Contradicted: contradicted, Corroborated: corroborated }))
      expect(new Set(reviews.map(({ reviewRating }) => reviewRating.alternateName))).toEqual(new Set([verdict]));
    const all = (await get("/claim-reviews?limit=100")).body.dataFeedElement;
    expect([...contradicted, ...corroborated, ...(await of("disputed"))]).toHaveLength(all.length);
    const [quoted] = contradicted.find(({ claimReviewed }) => claimReviewed === DENIAL).citation;
    expect(quoted).toMatchObject({ keywords: "contradicts", text: expect.any(String) });
    const ofSource = (await get("/claim-reviews?sourceId=6&limit=100")).body.dataFeedElement;
    expect(ofSource.map(({ claimReviewed }: { claimReviewed: string }) => claimReviewed)).toEqual([DENIAL]);
    expect((await get("/claim-reviews?sourceId=6&verdict=corroborated")).body.dataFeedElement).toEqual([]);
    const none = await get("/claim-reviews?verdict=unverified");
    expect([none.status, JSON.stringify(none.body)]).toEqual([400, expect.stringContaining('"verdict"')]);
  });

  it("keep the day of their verdict until it changes", async () => {
    const collection = await node.mesh.world.documents.collection("claims");
    const checkedLater = async (place: string) => {
      const { id } = (await claims()).find(({ text }: { text: string }) => text.includes(place));
      const before = (await collection.findById(id))!;
      node.clock.advance(2 * HOUR_MS);
      await post(`/cross-reference/claim/${id}`);
      return { before, after: (await collection.findById(id))! };
    };
    const kept = await checkedLater("Hestia");
    expect(kept.after).toMatchObject({ status: "corroborated", reviewedAt: kept.before["reviewedAt"] });
    expect(kept.after["checkedAt"] > kept.after["reviewedAt"]).toBe(true);
    // The union's other count came after the first verdict.
    const moved = await checkedLater("Arden");
    expect([moved.before["status"], moved.after["status"]]).toEqual(["corroborated", "disputed"]);
    expect(moved.after["reviewedAt"]).toBe(moved.after["checkedAt"]);
  });
});

describe("what a cross-reference found", () => {
  const path = () => `/cross-reference/content/${report}`;

  it("is read by who may not search, with the sentence, its stance and its article", async () => {
    const { data } = (await get(path())).body;
    expect(data).toMatchObject({ contentId: report, contentTitle: "Report 1", method: "heuristic", daysBack: null });
    const support = data.references.find(({ stance }: { stance: string }) => stance === "support");
    expect(support).toMatchObject({
      claimId: expect.any(Number),
      sourceName: "Source 2",
      independent: true,
      articleTitle: "Report 2",
      articleUrl: "https://news.example/articles/2",
      reliabilityMeaning: expect.any(String),
    });
    expect(ECHO).toContain(support.evidence.text);
    expect((await get(path(), null)).status).toBe(401);
    expect((await get("/cross-reference/content/4711")).status).toBe(404);
  });

  it("is nothing of an article that was never held against others", async () => {
    const alone = await tell(node, 7, 7, "The Lorne observatory counted 412 meteors on Friday night, its head said.");
    expect((await get(`/cross-reference/content/${alone}`)).body.data).toMatchObject({
      method: null,
      checkedAt: null,
      references: [],
    });
  });
});

it("says what the model costs, or that there is none", async () => {
  expect((await get("/model")).body.data).toEqual({
    configured: false,
    circuit: "closed",
    today: { calls: 0, tokens: 0 },
  });
});
