import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { IntelligencePage } from "../area.tsx";
import { Alerts } from "./alerts.tsx";
import { MonitorDialog } from "./monitor-dialog.tsx";
import { watchWords, type WatchOfNews } from "./monitor-words.ts";

/** What is watched for in the news, and what was seen. */
export const Monitors = (): ReactNode => (
  <IntelligencePage
    title="Monitors and alerts"
    intro="A monitor reads the news as they come in, and raises an alert when something fits: day and night, until its end."
    acts={Start}
  >
    {({ id }) => (
      <>
        <Alerts setId={id} />
        <Watching setId={id} />
      </>
    )}
  </IntelligencePage>
);

function Start({ setId }: { setId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!useMayIn(setId)("intelligence:watch")) return null;
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        Start a monitor
      </button>
      {isOpen && <MonitorDialog setId={setId} onClose={() => setOpen(false)} />}
    </>
  );
}

const MOST = 100;

function Watching({ setId }: { setId: string }): ReactNode {
  const may = useMayIn(setId)("intelligence:watch");
  const monitors = useAnswer("GET /strategic-agents/threats/monitors", [
    { query: { problemSetId: setId, sort: "-createdAt", limit: MOST } },
  ]);
  return (
    <Section title="Monitors">
      <Shown of={monitors}>
        {({ data, meta }) => (
          <>
            <Table
              label="Monitors"
              rows={data.toSorted((one, other) => one.status.localeCompare(other.status))}
              keyOf={({ id }) => id}
              columns={may ? [...COLUMNS, END] : COLUMNS}
              empty={
                may
                  ? "Nothing is watched for yet. Start a monitor for what you would want to be told of at once."
                  : "Nothing is watched for yet. Analysts, planners and deputies start monitors."
              }
            />
            {meta.total > data.length && <p className="muted">The newest {MOST} are shown.</p>}
          </>
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<WatchOfNews>[] = [
  {
    head: "Monitor",
    cell: ({ name, problemSetId, compartments }) => (
      <>
        {name} <BarrierOf problemSetId={problemSetId} compartments={compartments} />
      </>
    ),
  },
  {
    head: "Tells of",
    cell: (monitor) => (
      <>
        {watchWords(monitor)}
        <br />
        <Link to={`/news/articles?${new URLSearchParams({ q: monitor.q })}`}>
          <code>{monitor.q}</code>
        </Link>
      </>
    ),
  },
  {
    head: "Until",
    cell: ({ status, endsAt }) => (status === "ended" ? <Badge>ended</Badge> : <Time at={endsAt} />),
  },
  { head: "Started by", cell: ({ createdBy, createdByName }) => createdByName ?? createdBy },
];

const END: Column<WatchOfNews> = {
  head: "Acts",
  isAct: true,
  cell: (monitor) => monitor.status === "active" && <EndMonitor of={monitor} />,
};

function EndMonitor({ of: { id, name } }: { of: WatchOfNews }): ReactNode {
  const end = useAct("POST /strategic-agents/threats/monitors/{monitorId}/end", { says: `${name} ended.` });
  return (
    <ConfirmButton
      words="End"
      label={`End ${name}`}
      title={`End ${name}?`}
      run={() => end.mutateAsync({ path: { monitorId: id } })}
    >
      <p>It watches no longer, and cannot be started again. Its alerts stay.</p>
    </ConfirmButton>
  );
}
