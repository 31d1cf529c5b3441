import { readFileSync } from "node:fs";
import { DOMAINS } from "../../../services/news/sources/events.ts";
import { entriesOf } from "../../../services/news/sources/opml.ts";
import { sortEntries } from "../../../services/news/sources/registration.ts";

it("the starter file gives every domain at least five feeds, and none of its entries would be refused", () => {
  const entries = entriesOf(readFileSync("data/starter/sources.opml", "utf8"), undefined);
  const { accepted, failed } = sortEntries(entries, false);
  expect(failed).toEqual([]);
  for (const domain of DOMAINS)
    expect([domain, accepted.filter(({ entry }) => entry.domain === domain).length >= 5]).toEqual([domain, true]);
  expect(accepted.every(({ entry }) => entry.url.startsWith("https://"))).toBe(true);
});
