import { EmbeddedCollection } from "../../../adapters/documents/sqlite/collection.ts";
import { queryOf, type Filters } from "../../../services/news/articles/reading/queries.ts";
import { world, type TestWorld } from "../../mesh.ts";
import { articlesOf, item, source } from "./articles-setup.ts";

/** Plans are the embedded engine's; MongoDB is given the same indexes. */
const onEmbedded = process.env["MONGO_URL"] ? describe.skip : describe;

onEmbedded("indexes", () => {
  let node: TestWorld;
  let collection: EmbeddedCollection;

  beforeAll(async () => {
    node = await world();
    const { store } = articlesOf(node);
    for (const id of [1, 2, 3])
      await store(
        source(id),
        Array.from({ length: 50 }, (_, n) => item(id * 1_000 + n)),
      );
    collection = (await node.mesh.world.documents.collection("articles")) as EmbeddedCollection;
  });
  afterAll(() => node.stop());

  const FILTERS: Filters = {
    domain: "energy",
    sourceId: 1,
    verified: false,
    minConfidence: 0.3,
    from: "2020-01-01T00:00:00.000Z",
    to: "2030-01-01T00:00:00.000Z",
  };
  const names = Object.keys(FILTERS) as (keyof Filters)[];
  const combinations = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_, at) => bits & (1 << at)),
  );
  const queryWith = (chosen: readonly (keyof Filters)[]) =>
    queryOf(Object.fromEntries(chosen.map((name) => [name, FILTERS[name]])));

  const isServed = (plan: readonly string[]) =>
    plan.some((step) => /USING (COVERING )?INDEX/.test(step)) && !plan.some((step) => /TEMP B-TREE|SCAN d$/.test(step));

  it.each(combinations.map((chosen) => [chosen.join(", ") || "no filter", chosen] as const))(
    "the list with %s is read in order from an index",
    (_name, chosen) => {
      const plan = collection.plan({ query: queryWith(chosen), sort: ["-publishedAt"] });
      expect([plan, isServed(plan)]).toEqual([plan, true]);
    },
  );

  it.each([
    ["a story", { storyId: "x" }, ["-publishedAt"]],
    ["identity", { key: { $in: ["a", "b"] } }, []],
    ["addresses", { urlKey: { $in: ["a", "b"] } }, []],
    ["marks", { unindexed: { $gt: "", $lte: "2030" } }, ["unindexed"]],
    ["due pages", { pageDue: { $gt: "", $lte: "2030" } }, ["pageDue"]],
    ["retention", { publishedAt: { $lt: "2020" }, cited: false }, ["publishedAt"]],
    ["confidence", {}, ["-confidence"]],
    ["ingestion", {}, ["-createdAt"]],
  ])("%s: read from an index", (_name, query, sort) => {
    const plan = collection.plan({ query, sort });
    expect([plan, isServed(plan)]).toEqual([plan, true]);
  });

  it("tombstones are found by address, mark and time", async () => {
    const tombstones = (await node.mesh.world.documents.collection("article_tombstones")) as EmbeddedCollection;
    for (const query of [
      { urlKey: { $in: ["a"] } },
      { unindexed: { $gt: "", $lte: "2030" } },
      { removedAt: { $lt: "2020" } },
      { sourceId: 1 },
    ]) {
      const plan = tombstones.plan({ query });
      expect([plan, isServed(plan)]).toEqual([plan, true]);
    }
  });
});
