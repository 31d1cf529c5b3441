import { spawnSync } from "node:child_process";
import manifest from "../package.json" with { type: "json" };
import { isShipped, lockedPackages, labelOf } from "./licences.ts";

interface Bill {
  metadata: { component: object };
  components: { "bom-ref": string; name: string; version: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Prints, as CycloneDX, what is shipped. npm's own `--omit=dev` leaves out whatever tests need as well
 * (npm/cli#7909), which here is a third of it: it is asked for everything, and the rest is taken out.
 */
const { stdout, stderr, status } = spawnSync(
  "npm",
  ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"],
  { encoding: "utf8", maxBuffer: 64 * 2 ** 20, shell: process.platform === "win32" },
);
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
const bill = JSON.parse(stdout) as Bill;
const shipped = new Set(lockedPackages().filter(isShipped).map(labelOf));
const left = new Set(bill.components.filter((one) => !shipped.has(labelOf(one))).map((one) => one["bom-ref"]));
console.log(
  JSON.stringify(
    {
      ...bill,
      // npm takes the folder's name for ours.
      metadata: { ...bill.metadata, component: { ...bill.metadata.component, name: manifest.name } },
      components: bill.components.filter((one) => !left.has(one["bom-ref"])),
      dependencies: bill.dependencies
        .filter(({ ref }) => !left.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !left.has(one)) })),
    },
    null,
    2,
  ),
);
