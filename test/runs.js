import TestRunner from "jest-runner";

/**
 * A worker that the runtime itself lost: V8 of Node 24 dies now and then while it collects garbage in one of Jest's
 * workers (nodejs/node#62393). What a suite or the product does wrong ends in another way.
 */
const LOST = /signal=SIG(?:SEGV|BUS|ILL|TRAP),/;

/** Jest's own runner; suites that are lost with their worker run once more, in another one, and it is said. */
export default class Runs extends TestRunner {
  #lost = new Set();
  #isAgain = false;

  on(eventName, listener) {
    if (eventName !== "test-file-failure") return super.on(eventName, listener);
    return super.on(eventName, ([test, error]) => {
      if (this.#isAgain || !LOST.test(error.message)) return listener([test, error]);
      this.#lost.add(test);
      return undefined;
    });
  }

  async runTests(tests, watcher, options) {
    await super.runTests(tests, watcher, options);
    if (!this.#lost.size || watcher.isInterrupted()) return;
    const lost = [...this.#lost];
    process.stderr.write(`\nOnce more, since their worker crashed: ${lost.map(({ path }) => path).join(", ")}\n`);
    this.#isAgain = true;
    await super.runTests(lost, watcher, { serial: false });
  }
}
