import { readFileSync } from "node:fs";

// What others supply: each package is the one that was locked, and may be passed on. `npm sbom` lists them.

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  /** It lies inside the archive of another one, whose hash counts. */
  inBundle?: boolean;
}
const json = (path: string): any => JSON.parse(readFileSync(path, "utf8"));
const packages = Object.entries<Locked>(json("package-lock.json").packages).filter(([path]) => path !== "");

it("comes as it was locked: by a hash, and from no other place than the registry", () => {
  const isLocked = ({ integrity = "", resolved = "https://registry.npmjs.org/", inBundle }: Locked): boolean =>
    inBundle || (integrity.startsWith("sha512-") && resolved.startsWith("https://registry.npmjs.org/"));
  const loose = packages.filter(([, one]) => !isLocked(one));
  expect(loose.map(([path]) => path)).toEqual([]);
});

/** What the lock does not say, older packages say in `licenses`. */
function licenceOf([path, { license }]: [string, Locked]): string {
  if (license !== undefined) return license;
  const { license: own, licenses = [] } = json(`${path}/package.json`);
  return own?.type ?? own ?? licenses.map(({ type }: { type: string }) => type).join(" OR ");
}

it("that runs with the platform asks nobody to open what they build on it", () => {
  const found = packages.filter(([, { dev }]) => !dev).map((one) => [one[0], licenceOf(one)] as const);
  const closed = found.filter(([, licence]) => /GPL|SSPL|BUSL|EUPL|MPL/.test(licence) && !licence.includes(" OR "));
  expect(closed).toEqual([]);
});
