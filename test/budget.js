const SLOWEST = 10;

/**
 * Jest reporter: at the end of a tier its slowest suites, and its time beside its budget. Only a whole tier is held
 * against it.
 */
export default class Budget {
  #title;
  #minutes;

  constructor(_globalConfig, { title, minutes }) {
    this.#title = title;
    this.#minutes = minutes;
  }

  onRunComplete(_contexts, { testResults, startTime, wasInterrupted }) {
    if (wasInterrupted || testResults.length <= SLOWEST) return;
    const seconds = ({ perfStats }) => (perfStats.end - perfStats.start) / 1_000;
    const slowest = testResults.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, SLOWEST);
    const lines = slowest.map(
      (result) => `${seconds(result).toFixed(1).padStart(7)} s  ${result.testFilePath.replace(/^.*\/test\//, "test/")}`,
    );
    const taken = (Date.now() - startTime) / 60_000;
    const verdict = taken <= this.#minutes ? "within" : "OVER";
    process.stderr.write(
      `\nSlowest suites:\n${lines.join("\n")}\n${this.#title}: ${taken.toFixed(1)} minutes, ${verdict} its budget of ${this.#minutes} on two cores\n`,
    );
  }
}
