import { globSync, readFileSync } from "node:fs";
import { operationPlace } from "../../console/staff/shared/operation-place.ts";
import { allServices } from "../../services/index.ts";

/** Paths of the routes in a file, without parameters. */
const routesIn = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/<Route (?:index|path="([^"*]+?)(?:\/\*)?")/g)].map(([, path]) => path ?? "");

/** Addresses that the areas' routes know, and those of areas within them. */
const addresses = new Set(
  [
    ...globSync("console/*/*.tsx").map((file) => [file, `/${file.split("/")[1]}`] as const),
    ["console/news/escrow/escrow-area.tsx", "/news/escrow"] as const,
    ["console/knowledge/intelligence/intelligence.tsx", "/knowledge/intelligence"] as const,
  ].flatMap(([file, base]) => routesIn(file).map((path) => (path ? `${base}/${path.replace("/:name?", "")}` : base))),
);
/** Pages of a problem set. */
const pagesOfSet = new Set(
  ["console/workspace/set/frame.tsx", "console/workspace/work/work.tsx"].flatMap((file) => routesIn(file)),
);

it("every page that the assistant names for an operation is there", async () => {
  const operations = (await allServices()).flatMap(({ service }) =>
    Object.keys(service.actions ?? {}).map((action) => `${service.name as string}.${action}`),
  );
  const places = operations.flatMap((operation) => operationPlace(operation, "s1") ?? []);
  expect(new Set(places.map(({ to }) => to)).size).toBeGreaterThan(30);
  const lost = places.filter(({ to }) => {
    const inSet = /^\/workspace\/s1\/([\w/]+)$/.exec(to);
    return inSet ? !pagesOfSet.has(inSet[1]!) : !addresses.has(to);
  });
  expect(lost).toEqual([]);
});

it("a page of a problem set leads to the list of sets where none is spoken of", () => {
  expect(operationPlace("gates.submit", "s1")).toEqual({ to: "/workspace/s1/gates", words: "Gates" });
  expect(operationPlace("gates.submit", undefined)).toEqual({ to: "/workspace", words: "Problem sets, then Gates" });
  expect(operationPlace("dao.proposals.create", "s1")).toEqual({ to: "/workspace/s1/dao", words: "DAOs" });
  expect(operationPlace("strategic.containers.create", "s1")).toEqual({
    to: "/workspace/s1/containers",
    words: "Documents: Containers",
  });
  expect(operationPlace("nowhere.list", "s1")).toBeUndefined();
});
