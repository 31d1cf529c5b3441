import type { Exposition, Labels } from "../load/metrics.ts";
import type { Job } from "./job.ts";

/** How the work on one kind went in this process. */
interface Counts {
  completed: number;
  failed: number;
  cancelled: number;
  /** Those that ended in an error, whether the job was tried again or not. */
  failedAttempts: number;
}
const ENDS = ["completed", "failed", "cancelled"] as const;

/** Counts how jobs end in this process. A kind is told from the first on: a rate begins at nought. */
export class JobMeter {
  readonly #kinds = new Map<string, Counts>();

  attend(kind: string): void {
    this.#kinds.set(kind, { completed: 0, failed: 0, cancelled: 0, failedAttempts: 0 });
  }

  /** To be told of each change of a job that is made here. */
  changed({ kind, status }: Pick<Job, "kind" | "status">): void {
    const counts = this.#kinds.get(kind);
    const end = ENDS.find((one) => one === status);
    if (counts && end) counts[end]++;
  }

  attemptFailed({ kind }: Pick<Job, "kind">): void {
    const counts = this.#kinds.get(kind);
    if (counts) counts.failedAttempts++;
  }

  tell(exposition: Exposition): void {
    const all = [...this.#kinds];
    exposition
      .family(
        "signalmesh_jobs_ended_total",
        "counter",
        "Background work that ended, by kind and how; failed: given up for good.",
        all.flatMap(([kind, counts]) => ENDS.map((status): [Labels, number] => [{ kind, status }, counts[status]])),
      )
      .family(
        "signalmesh_job_attempts_failed_total",
        "counter",
        "Attempts at background work that ended in an error, those that were made again included.",
        all.map(([kind, { failedAttempts }]): [Labels, number] => [{ kind }, failedAttempts]),
      );
  }
}
