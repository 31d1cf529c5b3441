/**
 * Measuring without being felt: numbers in arrays made beforehand, written by plain additions, put into words only when
 * asked. The words are Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
 */

/** Upper bounds of a duration's buckets, in seconds; the last one, +Inf, goes without saying. */
const DURATION_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** How a call ended. `refused`: the caller's mistake; `failed`: ours. */
export const OUTCOMES = ["ok", "refused", "failed", "timeout", "overloaded", "unavailable"] as const;
export type CallOutcome = (typeof OUTCOMES)[number];

/** The outcome that an error stands for, by its code and type; an error without a code is ours. */
export function outcomeOf(error: unknown): CallOutcome {
  const { code, type } = (error ?? {}) as { code?: unknown; type?: unknown };
  if (type === "QUEUE_FULL" || type === "OVERLOADED") return "overloaded";
  if (type === "SERVICE_NOT_FOUND" || type === "SERVICE_NOT_AVAILABLE" || code === 503 || code === 507)
    return "unavailable";
  if (type === "REQUEST_TIMEOUT" || code === 504) return "timeout";
  return typeof code === "number" && code < 500 ? "refused" : "failed";
}

/** Durations of one thing: a histogram and a count for each outcome. */
export class Durations {
  readonly buckets = new Float64Array(DURATION_BOUNDS.length + 1);
  readonly outcomes = new Float64Array(OUTCOMES.length);
  sum = 0;
  count = 0;

  /** `outcome` is its place in OUTCOMES. */
  note(milliseconds: number, outcome: number): void {
    const seconds = milliseconds / 1_000;
    let at = 0;
    while (at < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[at]!) at++;
    this.buckets[at]!++;
    this.outcomes[outcome]!++;
    this.sum += seconds;
    this.count++;
  }
}

export type Labels = Readonly<Record<string, string>>;
export type MetricKind = "counter" | "gauge" | "histogram";

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
const labelled = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length ? `{${pairs.join(",")}}` : "";
};
const number = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value));

/** Puts measurements into words, one family after the other. */
export class Exposition {
  readonly #lines: string[] = [];

  /**
   * One family: its name, what it is, and its samples. An empty one is announced all the same, so that it is known to
   * exist.
   */
  family(name: string, kind: MetricKind, help: string, samples: Iterable<readonly [Labels, number]>): this {
    this.#lines.push(
      `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
      `# TYPE ${name} ${kind}`,
    );
    for (const [labels, value] of samples) this.#lines.push(`${name}${labelled(labels)} ${number(value)}`);
    return this;
  }

  /** Histograms of one family, by their labels; buckets are told cumulatively. */
  durations(name: string, help: string, all: Iterable<readonly [Labels, Durations]>): this {
    this.family(name, "histogram", help, []);
    for (const [labels, { buckets, sum, count }] of all) {
      let within = 0;
      for (const [at, bound] of [...DURATION_BOUNDS, Infinity].entries()) {
        within += buckets[at]!;
        this.#lines.push(`${name}_bucket${labelled({ ...labels, le: number(bound) })} ${within}`);
      }
      this.#lines.push(`${name}_sum${labelled(labels)} ${sum}`, `${name}_count${labelled(labels)} ${count}`);
    }
    return this;
  }

  toString(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}
