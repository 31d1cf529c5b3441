import { asSystem } from "../../core/access/caller.ts";
import { pageSomewhere } from "../../services/picture/place-search.ts";

/** Buoys in a row along the equator, a hundred metres apart, the one at longitude 0 first. */
const buoys = Array.from({ length: 10_050 }, (_, n) => ({
  id: `buoy-${n}`,
  location: { latitude: 0, longitude: n / 1_000 },
}));

/** A store in which all of `kept` may lie where a search looks, as where stretches are coarse. */
const storeOf = (kept: typeof buoys) => ({
  entity: { filter: [] },
  page: () => Promise.reject(new Error("no place was asked for")),
  find: (_: unknown, __: unknown, { limit }: { limit: number }) => Promise.resolve(kept.slice(0, limit)),
  many: (_: unknown, ids: readonly string[]) => Promise.resolve(kept.filter(({ id }) => ids.includes(id))),
});
const near = (kept: typeof buoys, metres: number) =>
  pageSomewhere(storeOf(kept), asSystem("test"), { near: [0, 0, metres], page: 1, limit: 5 });

it("a search by place says that there may be more where it did not look at all that may lie there", async () => {
  expect((await near(buoys.slice(0, 2_000), 50_000)).meta).toEqual({ total: 450, page: 1, limit: 5 });
  const cut = await near(buoys, 50_000);
  expect(cut.meta).toEqual({ total: 450, more: true, page: 1, limit: 5 });
  expect(cut.data.map(({ id }) => id)).toEqual(["buoy-0", "buoy-1", "buoy-2", "buoy-3", "buoy-4"]);
  expect((await near(buoys, 5_000_000)).meta).toMatchObject({ total: 10_000, more: true });
});
