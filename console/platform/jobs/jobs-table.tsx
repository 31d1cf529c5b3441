import type { ReactNode } from "react";
import type { Input, ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Progress, Time } from "../../parts/texts.tsx";
import { KINDS } from "./kinds.ts";

type Job = ListRow<"GET /jobs">;
export type JobStatus = Job["status"];
type Query = NonNullable<Input<"GET /jobs">["query"]>;

/** Live events come for one's own jobs alone: those of others are looked at again, more often while they run. */
const LOOK_MS = 5_000,
  REST_MS = 30_000;
const isUnderWay = ({ status }: Job): boolean => status === "running" || status === "queued";
/** It was stopped already, and waits for whoever can end what it was for. */
const isStopping = ({ status, stage }: Job): boolean => status === "running" && stage === "stopping";
const wordsOf = ({ kind }: Job): string => KINDS[kind] ?? kind;

const COLUMNS: readonly Column<Job>[] = [
  { head: "Job", cell: (job) => <span title={job.id}>{wordsOf(job)}</span> },
  { head: "State", cell: (job) => <State of={job} /> },
  { head: "For", cell: ({ by, byName }) => byName ?? by.replace(/^system:/, "the platform: ") },
  { head: "Asked for", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Ended", cell: ({ endedAt }) => (endedAt ? <Time at={endedAt} /> : <span className="muted">not yet</span>) },
  { head: "Acts", isAct: true, cell: (job) => <Acts of={job} /> },
];

/** Jobs, newest first, with their progress. */
export function JobsTable({ query, empty }: { query: Query; empty: string }): ReactNode {
  const jobs = useAnswer("GET /jobs", [{ query }], {
    keepsShown: true,
    every: (answer) => (answer?.data.some(isUnderWay) ? LOOK_MS : REST_MS),
  });
  useLive(undefined, ["job.changed"]);
  return (
    <Shown of={jobs}>
      {({ data }) => <Table label="Jobs" rows={data} keyOf={({ id }) => id} columns={COLUMNS} empty={empty} />}
    </Shown>
  );
}

function State({ of: job }: { of: Job }): ReactNode {
  const { status, stage, done, total, attempts, error, fault } = job;
  if (status === "running")
    return (
      <Progress
        label={stage ?? "running"}
        {...(done !== undefined && { done })}
        {...(total !== undefined && { total })}
      />
    );
  return (
    <>
      <Badge>{status}</Badge> {attempts > 1 && <small className="muted">tried {attempts} times</small>}
      {status !== "completed" && (fault ?? error) && <div className="fault">{fault ?? error}</div>}
    </>
  );
}

function Acts({ of: job }: { of: Job }): ReactNode {
  if (isUnderWay(job)) return isStopping(job) ? null : <Cancel job={job} />;
  return job.retryable ? <Retry job={job} /> : null;
}

function Retry({ job }: { job: Job }): ReactNode {
  const retry = useAct("POST /jobs/{id}/retry", { says: "The job is tried again." });
  return (
    <button
      type="button"
      aria-label={`Try again: ${wordsOf(job)}`}
      disabled={retry.isPending}
      onClick={() => retry.mutate({ path: { id: job.id } })}
    >
      Try again
    </button>
  );
}

function Cancel({ job }: { job: Job }): ReactNode {
  const mayCancel = useMay("jobs:administer");
  const cancel = useAct("POST /jobs/{id}/cancel", { says: "The job is stopped." });
  if (!mayCancel) return null;
  return (
    <button
      type="button"
      aria-label={`Stop: ${wordsOf(job)}`}
      disabled={cancel.isPending}
      onClick={() => cancel.mutate({ path: { id: job.id } })}
    >
      Stop
    </button>
  );
}
