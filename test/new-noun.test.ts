import { readFileSync } from "node:fs";
import { filesOf, nounOf, permitOf, withNoun } from "../scripts/noun.ts";

// What `npm run new` would write; that it runs is shown in test/faults/new-noun.

const text = (file: string): string => readFileSync(file, "utf8");

it("finds the words of a plural, and where they go", () => {
  const words = ["patrol-routes", "entities", "searches", "classes"].map(
    (noun) => nounOf("workspace", "command", noun).type,
  );
  expect(words).toEqual(["PatrolRoute", "Entity", "Search", "Class"]);
  const board = nounOf("workspace", "problem-sets", "boards", "folder");
  expect(board).toMatchObject({
    folder: "services/workspace/problem-sets/boards",
    up: "../../../../",
    shared: true,
    inSet: true,
  });
  expect(nounOf("news", "notes", "notes")).toMatchObject({ shared: false, inSet: false, up: "../../../" });
});

it("brings everything that a noun of a problem set needs, in files of its own", () => {
  const files = filesOf(nounOf("workspace", "patrols", "patrols"), { service: true });
  expect(Object.keys(files)).toEqual([
    "services/workspace/patrols/patrols.ts",
    "services/workspace/patrols/patrols.service.ts",
    "test/workspace/patrols.requests.ts",
    "test/workspace/patrols.test.ts",
  ]);
  const all = Object.values(files).join("\n");
  for (const part of [
    'words: ({ name }) => `The patrol "${name}" was added.`',
    "tells: () => eventsIn(patrolNoun)",
    '"POST /api/patrols"',
    "export async function plant",
    "barrier,",
  ])
    expect(all).toContain(part);
  expect(all.split("\n").filter((line) => line.length > 120)).toEqual([]);
});

it("adds a noun to the service of a domain that stands, and leaves alone what it does not understand", () => {
  const noun = nounOf("workspace", "command", "patrols");
  const service = withNoun(text("services/workspace/command/command.service.ts"), noun)!;
  for (const part of [
    "entities: [patrolNoun.Patrol, ",
    "eventsIn(patrolNoun, ",
    "\n    ...patrolActions,",
    'from "./patrols.actions.ts"',
  ])
    expect(service).toContain(part);
  expect(withNoun("export default { entities: [], actions: {} };", noun)).toBeUndefined();
});

it("gives its permit to roles of the set or of the platform, once", () => {
  for (const [area, added] of [
    ["workspace", 1],
    ["news", 2],
  ] as const) {
    const { file, grant } = permitOf(nounOf(area, "patrols", "patrols"));
    const granted = grant(text(file))!;
    expect([area, granted.split('"patrols:edit"').length - 1]).toEqual([area, added]);
    expect(grant(granted)).toBe(granted);
    expect(grant("export {};")).toBeUndefined();
  }
});
