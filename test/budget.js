const SLOWEST = 10;
const MOST_FRAMES = 6;

const nameOf = ({ testFilePath }) => testFilePath.replace(/^.*\/test\//, "test/");

/**
 * Who kept the event loop for more than 50 ms of processor time, the longest first: each action, subscriber, job or
 * schedule once for each place in the code.
 */
function longTurnsIn(testResults) {
  const turns = testResults.flatMap((result) =>
    (result.longTurns ?? []).map((turn) => ({ ...turn, suite: nameOf(result) })),
  );
  const groups = [...Map.groupBy(turns, ({ work, stack }) => `${work} ${stack[0]}`).values()]
    .map((group) => group.toSorted((one, other) => other.ms - one.ms))
    .toSorted(([one], [other]) => other.ms - one.ms);
  return groups.map((group) => {
    const [{ ms, work, stack, suite }] = group;
    const often = group.length > 1 ? `, ${group.length} times` : "";
    const where = stack.slice(0, MOST_FRAMES).join(" < ");
    return `${String(ms).padStart(7)} ms  ${work ?? "(in nobody's name)"}${often}, in ${suite}\n            ${where}`;
  });
}

/**
 * Jest reporter: at the end turns of the event loop that took too long, and of a whole tier its slowest suites and its
 * time beside its budget.
 */
export default class Budget {
  #title;
  #minutes;

  constructor(_globalConfig, { title, minutes }) {
    this.#title = title;
    this.#minutes = minutes;
  }

  onRunComplete(_contexts, { testResults, startTime, wasInterrupted }) {
    const turns = longTurnsIn(testResults);
    if (turns.length) process.stderr.write(`\nTurns of more than 50 ms of processor time:\n${turns.join("\n")}\n`);
    if (wasInterrupted || testResults.length <= SLOWEST) return;
    const seconds = ({ perfStats }) => (perfStats.end - perfStats.start) / 1_000;
    const slowest = testResults.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, SLOWEST);
    const lines = slowest.map((result) => `${seconds(result).toFixed(1).padStart(7)} s  ${nameOf(result)}`);
    const taken = (Date.now() - startTime) / 60_000;
    const verdict = taken <= this.#minutes ? "within" : "OVER";
    process.stderr.write(
      `\nSlowest suites:\n${lines.join("\n")}\n${this.#title}: ${taken.toFixed(1)} minutes, ${verdict} its budget of ${this.#minutes} on two cores\n`,
    );
  }
}
