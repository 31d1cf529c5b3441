import { join } from "node:path";

/**
 * What is told where, and how many minutes it may take on two cores (CONTRIBUTING, "Tests"). Stories had 6 minutes with
 * 238 endpoints of the catalogue, and have 10 with all 548.
 */
const TIERS = {
  stories: { title: "npm test", within: ".", ignored: ["console", "faults", "mesh", "static"], minutes: 10 },
  console: { title: "npm run test:console", within: "console", ignored: [], minutes: 10 },
  faults: { title: "npm run test:faults", within: "faults", ignored: [], minutes: 15 },
  mesh: { title: "npm run test:mesh", within: "mesh", ignored: [], minutes: 15 },
  static: { title: "npm run lint", within: "static", ignored: [], minutes: 1 },
};

const ROOT = join(import.meta.dirname, "..");

/**
 * The configuration of one tier.
 * @param {keyof typeof TIERS} name
 * @returns {import("jest").Config}
 */
export function tier(name) {
  const { title, within, ignored, minutes } = TIERS[name];
  return {
    rootDir: ROOT,
    testEnvironment: "node",
    testMatch: [join("<rootDir>/test", within, "**/*.test.ts")],
    testPathIgnorePatterns: ignored.map((folder) => `<rootDir>/test/${folder}/`),
    moduleFileExtensions: ["ts", "js", "mjs", "cjs", "json", "node"],
    runner: "<rootDir>/test/runs.js",
    testRunner: "<rootDir>/test/runner.cjs",
    // Node strips the types: nothing is transformed.
    transform: {},
    reporters: ["default", ["<rootDir>/test/budget.js", { title, minutes }]],
    // Many suites wait for killed processes, for leases that end or for what a browser shows: three at once keep two
    // cores busy. Servers are busy too.
    maxWorkers: process.env.TRANSPORTER ? 2 : 3,
    testTimeout: 300_000,
    workerIdleMemoryLimit: "900MB",
    watchman: false,
  };
}
