import { globSync, readFileSync } from "node:fs";

// All sheets of the console stay once an area was visited: what one area's sheet says of a bare element, or of a class that
// another area uses too, would look otherwise there by where its reader came from.

const areaOf = (file: string): string => file.split("/")[1]!;

/** The values that `className` takes in a source: each string in its expression; what comes of values is not seen. */
function classesIn(source: string): Set<string> {
  const found = new Set<string>();
  for (const { index } of source.matchAll(/\bclassName=/g)) {
    let [end, depth] = [index + "className=".length, 0];
    if (source[end] === "{")
      do {
        if (source[end] === "{") depth++;
        if (source[end] === "}") depth--;
        end++;
      } while (depth > 0);
    else end = source.indexOf('"', end + 1) + 1;
    for (const [, written] of source.slice(index, end).matchAll(/["`]([^"`]*)["`]/g))
      for (const name of written!.replace(/\$\{[^}]*\}/g, " ").split(/\s+/)) if (name) found.add(name);
  }
  return found;
}

/** Selectors of a sheet; `:root` may name colours. */
function selectorsOf(sheet: string): string[] {
  const rules = sheet.replace(/\/\*[^]*?\*\//g, "").replace(/@(?:media|supports|container)[^{]*\{/g, "");
  return [...rules.matchAll(/([^{}]+)\{[^{}]*\}/g)]
    .flatMap(([, list]) => list!.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim())
    .filter((selector) => selector !== ":root");
}

it("the sheet of an area says how things look there, and nowhere else", () => {
  const used = new Map<string, Set<string>>();
  for (const file of globSync("console/**/*.tsx"))
    for (const name of classesIn(readFileSync(file, "utf8")))
      used.set(name, (used.get(name) ?? new Set()).add(areaOf(file)));
  const isOwn = (name: string, area: string): boolean =>
    name.startsWith("leaflet-") || [...(used.get(name) ?? [])].every((one) => one === area);
  const sheets = globSync("console/*/**/*.css").filter((file) => areaOf(file) !== "styles");
  expect(sheets.length).toBeGreaterThan(10);
  const foreign = sheets.flatMap((file) =>
    selectorsOf(readFileSync(file, "utf8"))
      .filter((one) => ![...one.matchAll(/\.([a-z][\w-]*)/g)].some(([, name]) => isOwn(name!, areaOf(file))))
      .map((selector) => `${file}: ${selector}`),
  );
  expect(foreign).toEqual([]);
});
