import { globSync, readFileSync } from "node:fs";
import { operationPlace } from "../../console/staff/shared/operation-place.ts";
import { allServices } from "../../services/index.ts";

/** Addresses that the areas' routes know, without parameters. */
const addresses = new Set(
  globSync("console/*/*.tsx").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/<Route (?:index|path="([^"*]+)")/g)].map(([, path]) => {
      const area = `/${file.split("/")[1]}`;
      return path ? `${area}/${path.replace("/:name?", "")}` : area;
    }),
  ),
);
const tabs = new Set(
  [...readFileSync("console/workspace/set/frame.tsx", "utf8").matchAll(/"([a-z]+)"/g)].map(([, tab]) => tab!),
);

it("every page that the assistant names for an operation is there", async () => {
  const domains = (await allServices()).map(({ service }) => service.name as string);
  const places = domains.flatMap((domain) => operationPlace(`${domain}.list`, "s1") ?? []);
  expect(places.length).toBeGreaterThan(30);
  const lost = places.filter(({ to }) => {
    const inSet = /^\/workspace\/s1\/(\w+)$/.exec(to);
    return inSet ? !tabs.has(inSet[1]!) : !addresses.has(to);
  });
  expect(lost).toEqual([]);
});

it("a page of a problem set leads to the list of sets where none is spoken of", () => {
  expect(operationPlace("gates.submit", "s1")).toEqual({ to: "/workspace/s1/gates", words: "Gates" });
  expect(operationPlace("gates.submit", undefined)).toEqual({ to: "/workspace", words: "Problem sets, then Gates" });
  expect(operationPlace("dao.proposals.create", "s1")).toEqual({ to: "/workspace/s1/dao", words: "DAOs" });
  expect(operationPlace("nowhere.list", "s1")).toBeUndefined();
});
