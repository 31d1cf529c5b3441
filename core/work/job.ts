import { z } from "zod";
import type { Doc } from "../records/documents.ts";
import { liveType } from "../contract/live.ts";
import { FAILED_INSIDE, isProblem } from "../problem.ts";

export type JobStatus = "queued" | "running" | "completed" | "failed" | "cancelled";

/** Background work, as it is stored. `state` is what a handler saved to go on from. */
export interface Job<I = Record<string, unknown>, S = Record<string, unknown>> {
  id: string;
  kind: string;
  status: JobStatus;
  input: I;
  state?: S;
  stage?: string;
  done?: number;
  total?: number;
  attempts: number;
  /** Counts its claims: the fencing number. */
  fence?: number;
  /** How often it was put off because something that it needs was away. */
  waits?: number;
  /** Counts what was told of it. */
  seq?: number;
  /** What was told of it lately, oldest first. */
  log?: readonly JobNews[];
  /** Who asked. */
  by: string;
  /** Where it may be looked at by more than whoever asked: it works on what everybody may read. */
  open?: true;
  /** The same: those look at it who see the place that it works in. */
  problemSetId?: string;
  compartments?: readonly string[];
  /** Of those, nobody but whoever asked. */
  alone?: true;
  createdAt: string;
  startedAt?: string;
  endedAt?: string;
  /** Why the last attempt failed, in words for people. */
  error?: string;
  /** The same in the error's own words, which may speak of what lies inside: for operators. */
  fault?: string;
  /** It failed for good, and nobody was told so: it may be tried again. */
  retryable?: true;
  result?: unknown;
}

/**
 * Who may look at a job beside whoever asked and operators: everybody, or those who see the place that it works in;
 * `alone`: nobody, and whoever asked as long as they see that place.
 */
export type Onlookers =
  | "everybody"
  | { problemSetId: string; compartments?: readonly string[] | undefined; alone?: true };

/** For work that is somebody's own, in a place or in none: nobody else looks on. */
export const aloneIn = ({
  problemSetId,
  compartments,
}: {
  problemSetId?: string | undefined;
  compartments?: readonly string[];
}): Onlookers | undefined => (problemSetId === undefined ? undefined : { problemSetId, compartments, alone: true });

/** How a job says in its record who may look at it. */
export const lookedAtBy = (
  onlookers: Onlookers | undefined,
): Pick<Job, "open" | "problemSetId" | "compartments" | "alone"> => {
  if (onlookers === "everybody") return { open: true };
  if (!onlookers) return {};
  const { problemSetId, compartments = [], alone } = onlookers;
  return { problemSetId, compartments: [...compartments], ...(alone && { alone }) };
};

/**
 * A failed attempt as it is kept: whoever asked for the job is told what a `Problem` says, and of any other error that
 * the log has it under the job's id.
 */
export const failureOf = (error: unknown, id: string): Required<Pick<Job, "error" | "fault">> => {
  const fault = error instanceof Error ? error.message : String(error);
  return { error: isProblem(error) ? fault : `${FAILED_INSIDE} Its job is ${id}.`, fault };
};

/** One line of a job's log. */
export interface JobNews {
  seq: number;
  at: string;
  status: JobStatus;
  stage?: string;
  done?: number;
  total?: number;
  error?: string;
}

/** Told to whoever asked for the job, on their open sockets. */
export const JobChanged = liveType("job.changed", {
  domain: "jobs",
  summary: "Background work that you asked for goes on, or ended",
  payload: z.object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
    stage: z.string().optional(),
    done: z.number().optional(),
    total: z.number().optional(),
    error: z.string().optional(),
  }),
});

/** A worker's hold on a job it runs. */
export interface JobRun<I = any, S = any> {
  job: Job<I, S>;
  /** Aborts when the job is cancelled, the lease is lost, or the node stops. */
  signal: AbortSignal;
  /**
   * Saves how far it is, and what to go on from after a kill; also renews the lease. Outlasts a short absence of the
   * store. Throws when the lease was lost.
   */
  progress(stage: string, done?: number, total?: number, state?: S): Promise<void>;
}

export interface JobKind<I = any, S = any> {
  /**
   * Runs at least once, perhaps again after a kill: effects must bear that. What it answers is stored as the result.
   */
  run(this: any, run: JobRun<I, S>): Promise<unknown>;
  /**
   * Called when it failed for good, or was cancelled (`job.status`, with `STOPPED` for a reason), before it counts as
   * ended; again if a kill comes between. Such a job is not tried again: what it was for has ended with it.
   */
  failed?(this: any, job: Job<I, S>, reason: string): Promise<void>;
  /**
   * Called instead when it was cancelled, where a job of this kind that failed can be tried again, and one that was
   * cancelled leaves something behind.
   */
  cancelled?(this: any, job: Job<I, S>): Promise<void>;
  /** Attempts in all, those that ended for want of something which was away not counted; 3 by default. */
  attempts?: number;
  /** How many at once in this process; 1 by default. */
  concurrency?: number;
  /** After a failed attempt, wait this long times the attempt; 2,000 ms by default. */
  backoffMs?: number;
  /** Whether the kind told the log of an error itself, such as an outage once and not each attempt. */
  isTold?(error: unknown): boolean;
}

/** Why what a job was for has ended, where somebody cancelled it. */
export const STOPPED = "Its job was stopped.";
/** What a job is shown as doing while what it was for is being ended. */
const STOPPING = "stopping";
/** How a cancelled job is stored until what it was for has ended as well; to all others it is still running. */
export const CANCELLING = "cancelling";

/** After a failed attempt a job waits this long times the attempt, where its kind says nothing else. */
export const BACK_OFF_MS = 2_000;
/** So long waits a job that wants for something which is away. */
export const WAIT_MS = 5_000;
/** Lines of the log that are kept. */
const MOST_NEWS = 200;
export const JOB_INDEXES = [
  { fields: ["kind", "status", "runAt"] },
  { fields: ["endedAt"], sparse: true },
  { fields: ["-createdAt"] },
  { fields: ["by", "-createdAt"] },
  { fields: ["open", "-createdAt"], sparse: true },
] as const;

/** The change of a job's record that adds a line to its log. */
export const logged = (news: JobNews | undefined) =>
  news ? { $push: { log: { $each: [news], $slice: -MOST_NEWS } } } : {};

export const toJob = ({ _id, ...rest }: Doc): Job =>
  ({
    id: String(_id),
    ...rest,
    ...(rest["status"] === CANCELLING && { status: "running", stage: STOPPING }),
  }) as unknown as Job;
