// TypeScript written as ESM runs in Jest as CommonJS through swc: twice as fast and in half the memory of
// --experimental-vm-modules. ESM-only dependencies that tests reach are transformed too, so they are listed here.
const swc = ["@swc/jest", { jsc: { target: "es2024", parser: { syntax: "typescript" } }, module: { type: "commonjs" } }];
// The OpenTelemetry exporter is CommonJS that loads `http` by import(), which Jest refuses as it is.
const esmOnly = ["@opentelemetry/otlp-exporter-base", "openid-client", "oauth4webapi", "@noble/hashes", "@noble/curves", "@scure/base", "jose", "uuid", "feedsmith", "entities", "croner", "canonicalize", "mingo", "@ucast/mongo", "@ucast/core", "@ucast/mongo2js", "chardet", "htmlparser2", "domhandler", "domutils", "domelementtype", "dom-serializer", "parse5"];

/** @type {import("jest").Config} */
export default {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  moduleFileExtensions: ["ts", "js", "mjs", "cjs", "json", "node"],
  transform: { "\\.ts$": swc, [`node_modules/(${esmOnly.join("|")})/.*\\.m?js$`]: swc },
  // These export for `import` alone, and Jest asks for `require`.
  moduleNameMapper: { "^canonicalize$": "<rootDir>/node_modules/canonicalize/lib/canonicalize.js" },
  transformIgnorePatterns: [`/node_modules/(?!(?:${esmOnly.join("|")})/)`],
  coverageProvider: "babel",
  // Many suites wait for killed processes and for leases that end: three at once keep two cores busy. On servers those are busy too.
  maxWorkers: process.env.TRANSPORTER ? 2 : 3,
  testTimeout: 60_000,
  workerIdleMemoryLimit: "900MB",
  watchman: false,
};
