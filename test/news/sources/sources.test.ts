import { eventually, world, type TestWorld } from "../../mesh.ts";

let node: TestWorld;
beforeAll(async () => {
  node = await world();
});
afterAll(() => node.stop());

/** Names that cannot be resolved: these stories are about records, not about fetching. */
const feed = (name: string) => `https://${name}.feeds.invalid/rss.xml`;
const add = async (name: string, domain = "technology") =>
  (await node.http("POST", "/api/sources", { body: { name, url: feed(name), domain } })).body.data as { id: number };

describe("adding a source", () => {
  it("answers 201 with exactly five fields, under a number, active", async () => {
    const made = await node.http("POST", "/api/sources", {
      as: "analyst",
      body: { name: "Five", url: feed("five"), domain: "science" },
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      data: { id: expect.any(Number), name: "Five", url: feed("five"), domain: "science", active: true },
    });
    expect(made.headers.get("location")).toBe(`/api/sources/${made.body.data.id}`);
  });

  it.each([
    ["an unknown domain", { domain: "sports" }, "domain"],
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "  " }, "name"],
    ["no url", { url: undefined }, "url"],
    ["a relative url", { url: "/feed.xml" }, "url"],
    ["another scheme", { url: "gopher://example.org/feed" }, "url"],
    ["credentials in the url", { url: "https://u:p@example.org/feed" }, "url"],
    ["a metadata address", { url: "http://169.254.169.254/latest/meta-data" }, "url"],
    ["a field of ours", { articleCount: 7 }, "articleCount"],
    ["active, which it is anyway", { active: false }, "active"],
  ])("refuses %s, naming the field", async (_what, wrong, field) => {
    const refused = await node.http("POST", "/api/sources", {
      body: { name: "Wrong", url: feed("wrong"), domain: "energy", ...wrong },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe("VALIDATION_ERROR");
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).toContain(field);
  });

  it("refuses a feed that is there already, by whatever spelling, and names the source that has it", async () => {
    const { id } = await add("once");
    const again = await node.http("POST", "/api/sources", {
      body: { name: "Twice", url: `http://once.feeds.invalid/rss.xml/?utm_source=a#b`, domain: "energy" },
    });
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({
      code: "CONFLICT",
      message: `The source ${id} (once) has this feed already.`,
    });
  });

  it("makes one source of twenty requests at once", async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        node.http("POST", "/api/sources", { body: { name: "Race", url: feed("race"), domain: "energy" } }),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  it("makes one source under one idempotency key, and answers it twice", async () => {
    const once = () =>
      node.http("POST", "/api/sources", {
        body: { name: "Keyed", url: feed("keyed"), domain: "energy" },
        headers: { "idempotency-key": "keyed-source" },
      });
    const [first, second] = [await once(), await once()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
  });
});

describe("reading sources", () => {
  it("shows every field of Document 1, and health and schedule besides", async () => {
    const { id } = await add("whole", "health");
    const { status, body } = await node.http("GET", `/api/sources/${id}`, { as: "reader" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      name: "whole",
      url: feed("whole"),
      feedUrl: feed("whole"),
      domain: "health",
      active: true,
      articleCount: 0,
      health: expect.any(String),
      fullText: false,
    });
    expect(Date.parse(body.data.createdAt)).not.toBeNaN();
    expect(Date.parse(body.data.nextFetch)).not.toBeNaN();
    for (const hidden of [
      "feedKey",
      "urlKey",
      "host",
      "dueAt",
      "claim",
      "claims",
      "recent",
      "failures",
      "etag",
      "fetchErrors",
    ])
      expect(body.data).not.toHaveProperty(hidden);
  });

  it("filters by domain and by active, pages, and counts", async () => {
    const ids = await Promise.all(["f1", "f2", "f3"].map(async (name) => (await add(name, "environment")).id));
    await node.http("PUT", `/api/sources/${ids[0]}`, { body: { active: false } });
    const list = async (query: string) => (await node.http("GET", `/api/sources?${query}`, { as: "reader" })).body;
    expect((await list("domain=environment")).meta).toMatchObject({ total: 3, page: 1, limit: 20 });
    const off = await list("domain=environment&active=false");
    expect(off.data.map(({ id }: { id: number }) => id)).toEqual([ids[0]]);
    expect((await list("domain=environment&active=true&limit=1&page=2")).data).toHaveLength(1);
    const all = await list("domain=environment&sort=name");
    expect(all.data.map(({ name }: { name: string }) => name)).toEqual(["f1", "f2", "f3"]);
  });

  it.each(["domain=sports", "active=maybe", "page=0", "limit=x", "health=ill", "url=x"])(
    "refuses the query ?%s",
    async (query) => {
      const refused = await node.http("GET", `/api/sources?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(query.split("=")[0]);
    },
  );

  it.each([
    "GET /api/sources/999999",
    "PUT /api/sources/999999",
    "DELETE /api/sources/999999",
    "GET /api/sources/999999/stats",
    "GET /api/sources/999999/fetches",
    "POST /api/sources/999999/refresh",
  ])("answers %s with 404", async (line) => {
    const [method, path] = line.split(" ") as [string, string];
    const missing = await node.http(method, path, { body: method === "PUT" ? {} : undefined });
    expect([missing.status, missing.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("changing a source", () => {
  it("renames it and turns it off and on; off, it has no next fetch", async () => {
    const { id } = await add("change");
    const off = await node.http("PUT", `/api/sources/${id}`, {
      as: "analyst",
      body: { name: "Changed", active: false },
    });
    expect([off.status, off.body.data.name, off.body.data.active, off.body.data.nextFetch]).toEqual([
      200,
      "Changed",
      false,
      null,
    ]);
    const on = await node.http("PUT", `/api/sources/${id}`, { body: { active: true } });
    expect([on.body.data.active, typeof on.body.data.nextFetch]).toEqual([true, "string"]);
    expect(on.body.data.name).toBe("Changed");
  });

  it("leaves alone what is not sent", async () => {
    const { id } = await add("alone");
    const settings = ({ name, url, domain, active, createdAt, createdBy }: Record<string, unknown>) => ({
      name,
      url,
      domain,
      active,
      createdAt,
      createdBy,
    });
    const before = (await node.http("GET", `/api/sources/${id}`)).body.data;
    const after = (await node.http("PUT", `/api/sources/${id}`, { body: { fullText: true } })).body.data;
    expect([before.fullText, after.fullText]).toEqual([false, true]);
    expect(settings(after)).toEqual(settings(before));
  });

  it("takes another address, but not one that another source has", async () => {
    const [one, two] = [await add("moveone"), await add("movetwo")];
    const moved = await node.http("PUT", `/api/sources/${one.id}`, { body: { url: feed("elsewhere") } });
    expect(moved.body.data).toMatchObject({ url: feed("elsewhere"), feedUrl: feed("elsewhere") });
    const taken = await node.http("PUT", `/api/sources/${one.id}`, { body: { url: feed("movetwo") } });
    expect([taken.status, taken.body.error.message]).toEqual([
      409,
      `The source ${two.id} (movetwo) has this feed already.`,
    ]);
  });

  it("honours If-Match, and is not disturbed by fetches", async () => {
    const { id } = await add("match");
    const read = await node.http("GET", `/api/sources/${id}`);
    await node.http("POST", `/api/sources/${id}/refresh`);
    const first = await node.http("PUT", `/api/sources/${id}`, {
      body: { name: "Matched" },
      headers: { "if-match": read.headers.get("etag")! },
    });
    expect(first.status).toBe(200);
    const late = await node.http("PUT", `/api/sources/${id}`, {
      body: { name: "Late" },
      headers: { "if-match": read.headers.get("etag")! },
    });
    expect([late.status, late.body.error.code]).toEqual([412, "STALE"]);
  });

  it("is for those who curate", async () => {
    const { id } = await add("guarded");
    expect((await node.http("PUT", `/api/sources/${id}`, { as: "reader", body: { name: "Mine" } })).status).toBe(403);
    expect((await node.http("DELETE", `/api/sources/${id}`, { as: "reader" })).status).toBe(403);
    expect((await node.http("POST", `/api/sources/${id}/refresh`, { as: "reader" })).status).toBe(403);
  });
});

describe("removing a source", () => {
  it("answers 204 without a body; then it is gone, from the lists too, and its address is free", async () => {
    const [gone, stays] = [await add("gone"), await add("stays")];
    const list = (
      await node.http("POST", "/api/sources/lists", { body: { name: "Both", sourceIds: [gone.id, stays.id] } })
    ).body.data;
    const removed = await node.http("DELETE", `/api/sources/${gone.id}`, { as: "analyst" });
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect((await node.http("GET", `/api/sources/${gone.id}`)).status).toBe(404);
    expect((await node.http("DELETE", `/api/sources/${gone.id}`)).status).toBe(404);
    await eventually(
      async () => (await node.http("GET", `/api/sources/lists/${list.id}`)).body.data.sourceIds,
      (ids) => JSON.stringify(ids) === JSON.stringify([stays.id]),
    );
    expect((await add("gone")).id).not.toBe(gone.id);
  });
});

describe("many at once", () => {
  it("stores the good ones and says of each other one why not", async () => {
    const { id } = await add("known");
    const sources = [
      { name: "B0", url: feed("b0"), domain: "energy" },
      { name: "B1", url: feed("b1"), domain: "sports" },
      { name: "B2", url: feed("known"), domain: "energy" },
      { name: "B3", url: feed("b0"), domain: "energy" },
      "nonsense",
      { name: "B5", url: feed("b5"), domain: "health", extra: 1 },
      { name: "B6", url: feed("b6"), domain: "health" },
    ];
    const { status, body } = await node.http("POST", "/api/sources/bulk", { as: "analyst", body: { sources } });
    expect(status).toBe(201);
    expect(body.data.created).toEqual([
      { id: expect.any(Number), name: "B0", url: feed("b0"), domain: "energy", active: true },
      { id: expect.any(Number), name: "B6", url: feed("b6"), domain: "health", active: true },
    ]);
    expect(body.data.failed.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, "VALIDATION_ERROR"],
      [2, "CONFLICT"],
      [3, "CONFLICT"],
      [4, "VALIDATION_ERROR"],
      [5, "VALIDATION_ERROR"],
    ]);
    const [domain, taken, twice, , extra] = body.data.failed.map(({ message }: { message: string }) => message);
    expect(domain).toMatch(/^domain: /);
    expect(taken).toBe(`The source ${id} (known) has this feed already.`);
    expect(twice).toBe("url: the same feed as entry 0.");
    expect(extra).toMatch(/^extra: There is no such field/);
  });

  it("takes a thousand, larger than an ordinary body, and not one more", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        name: `Many ${at} ${"x".repeat(150)}`,
        url: `https://many${at}.feeds.invalid/${"y".repeat(1_500)}`,
        domain: "science",
      }));
    const taken = await node.http("POST", "/api/sources/bulk", { body: { sources: many(1_000) } });
    expect([taken.status, taken.body.data.created.length, taken.body.data.failed]).toEqual([201, 1_000, []]);
    const refused = await node.http("POST", "/api/sources/bulk", { body: { sources: many(1_001) } });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "sources"]);
    expect((await node.http("POST", "/api/sources/bulk", { body: { sources: [] } })).status).toBe(400);
    expect((await node.http("POST", "/api/sources/bulk", { body: { sources: "all" } })).status).toBe(400);
  });

  it("refuses a body beyond ten megabytes", async () => {
    const { status } = await node.http("POST", "/api/sources/bulk", {
      raw: `{"sources":["${"x".repeat(10 * 1024 * 1024)}"]}`,
    });
    expect(status).toBe(413);
  });
});

describe("OPML", () => {
  const opml = (body: string) =>
    node.http("POST", "/api/sources/opml", { as: "analyst", raw: body, type: "text/x-opml" });
  const wrapped = (outlines: string) =>
    `<?xml version="1.0"?><opml version="2.0"><head/><body>${outlines}</body></opml>`;

  it("imports folders as domains, with a result for each feed", async () => {
    const { status, body } = await opml(
      wrapped(`
      <outline text="Energy"><outline text="O1" xmlUrl="${feed("o1")}"/><outline text="O2" xmlUrl="not an address"/></outline>
      <outline text="Holidays"><outline text="O3" xmlUrl="${feed("o3")}"/></outline>`),
    );
    expect(status).toBe(201);
    expect(body.data.created).toEqual([
      { id: expect.any(Number), name: "O1", url: feed("o1"), domain: "energy", active: true },
    ]);
    expect(body.data.failed.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, "VALIDATION_ERROR"],
      [2, "DOMAIN_MISSING"],
    ]);
    expect(body.data.failed).toMatchObject([
      { name: "O2", url: "not an address", message: expect.stringMatching(/^url: /) },
      { name: "O3", url: feed("o3"), message: expect.stringMatching(/^domain: stands in no folder .*`\?domain=`/) },
    ]);
  });

  it("finds a domain's name in any folder that a feed stands in, or in its categories", async () => {
    const { body } = await opml(
      wrapped(`
      <outline text="Security"><outline text="Daily"><outline text="O5" xmlUrl="${feed("o5")}"/>
      <outline text="Energy"><outline text="O6" xmlUrl="${feed("o6")}"/></outline></outline></outline>
      <outline text="Unsorted"><outline text="O7" category="/Favourites,/News/Science" xmlUrl="${feed("o7")}"/></outline>`),
    );
    expect(body.data.created.map(({ name, domain }: { name: string; domain: string }) => [name, domain])).toEqual([
      ["O5", "security"],
      ["O6", "energy"],
      ["O7", "science"],
    ]);
  });

  it("gives what stands in no domain's folder the domain that is asked for", async () => {
    const { body } = await node.http("POST", "/api/sources/opml?domain=security", {
      raw: wrapped(`<outline text="O4" xmlUrl="${feed("o4")}"/>`),
      type: "application/xml",
    });
    expect(body.data.created[0]).toMatchObject({ name: "O4", domain: "security" });
  });

  it("are found by words of the name that they have now", async () => {
    const { data } = (
      await node.http("POST", "/api/sources", {
        body: { name: "Quay Courier", url: "https://quay.example/feed.xml", domain: "economics" },
      })
    ).body;
    const found = async (q: string) =>
      (await node.http("GET", `/api/sources?q=${encodeURIComponent(q)}`)).body.data.map(({ id }: any) => id);
    expect([await found("cour quay"), await found("uay")]).toEqual([[data.id], []]);
    await node.http("PUT", `/api/sources/${data.id}`, { body: { name: "Harbour Courier" } });
    expect([await found("quay"), await found("harbour cour")]).toEqual([[], [data.id]]);
  });

  it("exports all of them, so that another installation can take them in", async () => {
    const made = await node.http("POST", "/api/sources", {
      body: { name: "Switched off", url: feed("off"), domain: "science", fullText: true },
    });
    await node.http("PUT", `/api/sources/${made.body.data.id}`, { body: { active: false } });
    const exported = await node.http("GET", "/api/sources/opml", { as: "reader" });
    expect([
      exported.status,
      exported.headers.get("content-type"),
      exported.headers.get("content-disposition"),
    ]).toEqual([200, "text/x-opml", 'attachment; filename="sources.opml"']);
    const { total } = (await node.http("GET", "/api/sources")).body.meta;
    const other = await world();
    try {
      const { body } = await other.http("POST", "/api/sources/opml", { raw: exported.text, type: "text/x-opml" });
      expect([body.data.created.length, body.data.failed]).toEqual([total, []]);
      const settings = async (at: TestWorld) => {
        const { data } = (await at.http("GET", "/api/sources?limit=100&sort=name")).body;
        return data.map(({ name, domain, fullText, active }: any) => ({ name, domain, fullText, active }));
      };
      expect(await settings(other)).toEqual(await settings(node));
      const off = (await other.http("GET", "/api/sources?active=false")).body.data;
      expect(off).toContainEqual(expect.objectContaining({ name: "Switched off", fullText: true, nextFetch: null }));
    } finally {
      await other.stop();
    }
  });

  it.each([
    ["<rss/>", 400],
    ["", 400],
    [wrapped(`<outline text="${"x".repeat(2 * 1024 * 1024)}"/>`), 413],
  ])("refuses what is no OPML, or too much of it", async (body, status) => {
    expect((await opml(body)).status).toBe(status);
  });
});

it("refuses private addresses unless they are allowed", async () => {
  const closed = await world({ ALLOW_PRIVATE_FEEDS: "off" });
  try {
    const make = (url: string) =>
      closed.http("POST", "/api/sources", { body: { name: "Inside", url, domain: "security" } });
    expect([
      (await make("http://127.0.0.1:9/feed")).status,
      (await make("http://[::ffff:10.0.0.1]/feed")).status,
    ]).toEqual([400, 400]);
    const bulk = await closed.http("POST", "/api/sources/bulk", {
      body: { sources: [{ name: "Inside", url: "http://192.168.0.1/", domain: "security" }] },
    });
    expect(bulk.body.data.failed).toEqual([
      {
        index: 0,
        name: "Inside",
        url: "http://192.168.0.1/",
        code: "VALIDATION_ERROR",
        message: expect.stringMatching(/^url: is not on the public internet/),
      },
    ]);
  } finally {
    await closed.stop();
  }
});
