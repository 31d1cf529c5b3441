// Jest's own test framework over Node's own module loader: suites and product are loaded as they are by `npm start`,
// once a worker instead of once a suite, with types stripped by Node (ADR 38). Hooks, time-outs and reports stay
// Jest's.
const { enableCompileCache, flushCompileCache } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { ModernFakeTimers } = require("@jest/fake-timers");
const { ModuleMocker } = require("jest-mock");
const circus = require("jest-circus/runner");

// Types are stripped and code is compiled once a machine, for `npm start` and tests together.
enableCompileCache(join(__dirname, "../.cache/node"));

/** What Jest says to a worker when all is done (`CHILD_MESSAGE_END` of jest-worker). */
const END = 2;
// What it compiled is kept by then, and to take down a heap of this size lasts longer than Jest waits before it warns
// of leaks: the worker tidies up and ends at once.
function endAtOnce([kind]) {
  if (kind !== END) return;
  process.emit("exit", 0);
  process.kill(process.pid, "SIGKILL");
}
if (process.send) process.on("message", endAtOnce);

const NAMES = [
  "describe",
  "fdescribe",
  "xdescribe",
  "it",
  "fit",
  "xit",
  "test",
  "xtest",
  "expect",
  "beforeAll",
  "beforeEach",
  "afterAll",
  "afterEach",
];

/** What suites use of the `jest` object, for the process's own globals; modules cannot be mocked. */
function jestObject(config, environment) {
  const mocker = new ModuleMocker(globalThis);
  const timers = new ModernFakeTimers({ config, global: globalThis });
  return {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    setTimeout: (milliseconds) => {
      environment.global[Symbol.for("TEST_TIMEOUT_SYMBOL")] = milliseconds;
    },
    useFakeTimers: (options) => timers.useFakeTimers(options),
    useRealTimers: () => timers.useRealTimers(),
    setSystemTime: (now) => timers.setSystemTime(now),
    advanceTimersByTime: (milliseconds) => timers.advanceTimersByTime(milliseconds),
    clearAllTimers: () => timers.clearAllTimers(),
  };
}

/**
 * `expect.any(String)` and `instanceof Error` mean the process's own: Jest's framework runs in a context of its own.
 */
const SHARED = [
  "String",
  "Number",
  "Boolean",
  "BigInt",
  "Symbol",
  "Function",
  "Object",
  "Array",
  "Date",
  "RegExp",
  "Error",
  "TypeError",
  "RangeError",
  "SyntaxError",
  "AggregateError",
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "Promise",
  "ArrayBuffer",
  "Uint8Array",
  "URL",
];

/** The framework of the suite that runs now; modules that suites share keep what they took of it. */
let current;
/**
 * A function of the present suite's framework under a name that stays the same, with all that hangs on it
 * (`it.skip.each`).
 */
const lasting = (find) =>
  new Proxy(function ofTheFramework() {}, {
    apply: (_target, self, given) => Reflect.apply(find(), self, given),
    get: (_target, key) => (typeof find()[key] === "function" ? lasting(() => find()[key]) : find()[key]),
  });
for (const name of NAMES) globalThis[name] = lasting(() => current[name]);

/** How often each suite was loaded. A worker may be given the same one again: its module is another one then. */
const loads = new Map();

/** No turn of the product's takes longer (ADR 43): whoever does is told at the end of a run. */
const MOST_TURN_MS = 50;
let watch;
/** Runs a suite with its event loop watched; its result has the turns that took too long. */
async function watched(suite) {
  const { TurnWatch, canWatch } = await import(pathToFileURL(join(__dirname, "turns/turn-watch.ts")).href);
  if (!canWatch) return suite();
  watch ??= new TurnWatch(MOST_TURN_MS);
  await watch.set(true);
  const result = await suite();
  await watch.set(false);
  return Object.assign(result, { longTurns: watch.turns.splice(0) });
}

module.exports = async function run(globalConfig, config, environment, runtime, testPath, sendMessageToJest) {
  for (const name of SHARED) environment.global[name] = globalThis[name];
  // Jest asks for a hundred frames of each error, and most errors here are answers.
  Error.stackTraceLimit = 20;
  runtime.unstable_shouldLoadAsEsm = (path) => path === testPath;
  runtime.unstable_importModule = async (path) => {
    current = environment.global;
    globalThis.jest = jestObject(config, environment);
    const before = loads.get(path) ?? 0;
    loads.set(path, before + 1);
    await import(`${pathToFileURL(path).href}${before ? `?${before}` : ""}`);
  };
  const tell = circus.default ?? circus;
  const result = await watched(() => tell(globalConfig, config, environment, runtime, testPath, sendMessageToJest));
  // At the process's end there would be too little time for what was loaded on the way: Jest waits for half a second.
  flushCompileCache();
  return result;
};
