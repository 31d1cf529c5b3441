import { costOf } from "../../bench/sections/news/hostile-texts.ts";
import { exploding } from "../knowledge/files.ts";

/** All of the process, which holds the file itself too: half a gigabyte is the most that a document may cost. */
const MOST_MB = 500;

it.each([
  ["a page of 900 MB", () => exploding(900_000_000)],
  ["the same, packed twice", () => exploding(900_000_000, { times: 2 })],
  ["the same, which calls itself a picture", () => exploding(900_000_000, { picture: true })],
])("a PDF that explodes is given up before it does: %s", async (_name, make) => {
  const { outcome, mb } = await costOf(make(), "pdf");
  expect([outcome, mb < MOST_MB]).toEqual(["too-big", true]);
});

it("a large page that a document may well have is read to its end, though this one shows no letters", async () => {
  expect((await costOf(exploding(2_000_000), "pdf")).outcome).toBe("no-text");
});
