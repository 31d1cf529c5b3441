import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "docs/licences.md");

export interface LockedPackage {
  name: string;
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  /** Its content comes in another's archive, whose hash covers it. */
  inBundle?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
}

/** What a package's own files say where its manifest says nothing that npm reads. */
export const READ_BY_HAND: Record<string, string> = {
  "@seald-io/binary-search-tree": "MIT",
  "cli-color": "MIT",
  clui: "MIT",
  "passport-strategy": "MIT",
  pause: "MIT",
  "png-js": "MIT",
  "xmlhttprequest-ssl": "MIT",
  "dejavu-fonts-ttf": "Bitstream-Vera AND Unlicense",
  "@digitalbazaar/credentials-context": "BSD-3-Clause AND W3C",
};

/** Every package of the lock file, wherever it lies. */
export function lockedPackages(): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, one]) => ({ ...one, name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) }));
}

/** Whether running needs it: the others serve tests, benches and checks. */
export const isShipped = ({ dev, devOptional }: LockedPackage): boolean => !dev && !devOptional;

export const labelOf = ({ name, version }: { name: string; version: string }): string => `${name}@${version}`;

export const licenceOf = ({ name, license }: LockedPackage): string | undefined => READ_BY_HAND[name] ?? license;

const HEAD = `# Licences

<!-- Written by \`npm run licences\` from package-lock.json: run it after a change of dependencies. -->

Of the packages that running needs, as their manifests say, or as \`scripts/licences.ts:READ_BY_HAND\` does where those say
nothing. \`npm run --silent sbom\` prints the same packages with versions and hashes, as CycloneDX. What only tests,
benches and checks need is not shipped, and not listed.

| Licence | Packages |
|---|---|
`;

/** The page that lists what is shipped, by licence. */
export function licencesPage(): string {
  const shipped = Map.groupBy(lockedPackages().filter(isShipped), (one) => licenceOf(one) ?? "unknown");
  const rows = [...shipped]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([licence, packages]) => {
      const named = [...new Set(packages.map(labelOf))].sort();
      return `| ${licence} | ${named.join(", ")} |\n`;
    });
  return HEAD + rows.join("");
}

if (import.meta.main) {
  writeFileSync(FILE, licencesPage());
  console.log(`wrote ${FILE}`);
}
