import { globSync, readFileSync } from "node:fs";

/** Names that the readers of news still share, each a sentence's own: their files are to be taken one by one. */
const SHARED = new Set(["Finding", "Position", "Quoting"]);
const MOST = 2;

const FOLDERS = "{core,config,console,edge,mesh,mixins,adapters,services}";
const EXPORTED = /^export (?:interface|type|(?:abstract )?class) (\w+)/gm;

it("a type carries its noun's name: nobody has to choose among three of one name", () => {
  const homes = new Map<string, string[]>();
  for (const file of globSync(`${FOLDERS}/**/*.{ts,tsx}`, { exclude: ["**/*.d.ts"] }).sort())
    for (const [, name] of readFileSync(file, "utf8").matchAll(EXPORTED))
      homes.set(name!, [...(homes.get(name!) ?? []), file]);
  const crowded = [...homes].filter(([name, files]) => new Set(files).size > MOST && !SHARED.has(name));
  expect(Object.fromEntries(crowded)).toEqual({});
});
