import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { isShipped, labelOf, licenceOf, licencesPage, lockedPackages, READ_BY_HAND } from "../../scripts/licences.ts";

// Claim 20: what is installed is what was locked, from the registry alone, and everybody can see what it is.

/** None of them asks more of who ships them than to name it. */
const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSL-1.0",
  "Bitstream-Vera AND Unlicense",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Unlicense",
]);

const locked = lockedPackages();

it("locks each package by a hash of its content", () => {
  expect(locked.length).toBeGreaterThan(500);
  const loose = locked.filter(
    ({ integrity, inBundle }) => !inBundle && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""),
  );
  expect(loose.map(labelOf)).toEqual([]);
});

it("takes each from the registry: none from an address, a repository or a folder", () => {
  const elsewhere = locked.filter(
    ({ resolved, link }) => link || (resolved !== undefined && !resolved.startsWith("https://registry.npmjs.org/")),
  );
  expect(elsewhere.map(labelOf)).toEqual([]);
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const moving = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
  );
  expect(moving).toEqual([]);
});

it("ships only what may be shipped, and lists it: `npm run licences` writes the page", () => {
  const unfit = locked.filter((one) => isShipped(one) && !PERMISSIVE.has(licenceOf(one) ?? ""));
  expect(unfit.map((one) => `${labelOf(one)}: ${licenceOf(one)}`)).toEqual([]);
  expect(locked.filter((one) => !licenceOf(one)).map(labelOf)).toEqual([]);
  const gone = Object.keys(READ_BY_HAND).filter((name) => !locked.some((one) => one.name === name));
  expect(gone).toEqual([]);
  expect(readFileSync("docs/licences.md", "utf8")).toBe(licencesPage());
});

const hasNpm = spawnSync("npm", ["--version"]).status === 0;
(hasNpm ? it : it.skip)(
  `has a bill of materials with all that is shipped, each with its hash${hasNpm ? "" : ": skipped, no npm here"}`,
  () => {
    const { stdout, status } = spawnSync("npm", ["run", "--silent", "sbom"], { encoding: "utf8", maxBuffer: 2 ** 26 });
    expect(status).toBe(0);
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { name: string; version: string; hashes?: { alg: string }[] }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    const listed = (some: { name: string; version: string }[]) => [...new Set(some.map(labelOf))].sort();
    expect(listed(components)).toEqual(listed(locked.filter(isShipped)));
    expect(components.filter(({ hashes }) => hashes?.[0]?.alg !== "SHA-512").map(labelOf)).toEqual([]);
  },
);
