import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useLive } from "../../live/live.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { inDegrees } from "../map/positions.ts";
import { inPlace, listedIn, PictureFrame, type PicturePlace } from "../place.tsx";
import { ReportDialog } from "./report-dialog.tsx";
import { removalOf, typeWords, type ReportShown } from "./report-words.ts";
import { TakeInDialog } from "./take-in.tsx";

const LOOK_MS = 20_000;

/** What other systems and people reported of where something is; live layers show it. */
export const Reports = (): ReactNode => (
  <PictureFrame
    title="Reports"
    intro="Where other systems and people say that something is: the last word of each. A live layer of reports shows it on the map."
    renderActs={(place) => place.may("cop:draft") && <ReportActs place={place} />}
  >
    {(place) =>
      place.may("cop:read") ? (
        <ReportList place={place} />
      ) : (
        <p className="empty">Your role does not show you the picture of {place.name}.</p>
      )
    }
  </PictureFrame>
);

function ReportActs({ place }: { place: PicturePlace }): ReactNode {
  const [open, setOpen] = useState<"one" | "many">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen("one")}>
        Report where something is
      </button>
      <button type="button" onClick={() => setOpen("many")}>
        Take in a file
      </button>
      {open === "one" && <ReportDialog place={place} onClose={close} />}
      {open === "many" && <TakeInDialog place={place} onClose={close} />}
    </>
  );
}

function ReportList({ place }: { place: PicturePlace }): ReactNode {
  const page = usePage();
  const [again, setAgain] = useState<ReportShown>();
  const reports = useAnswer("GET /cop/reports", [{ query: { ...listedIn(place), page } }], {
    keepsShown: true,
    every: LOOK_MS,
  });
  const { problemSetId } = place;
  // A layer that shows them moves when they do.
  useLive(problemSetId === undefined ? { topic: "cop" } : { problemSetId }, ["cop.layer.changed"], undefined, {
    ops: ["GET /cop/reports"],
  });
  return (
    <>
      <Shown of={reports}>
        {({ data, meta }) => (
          <>
            <Table
              label="Reports"
              rows={data}
              keyOf={({ id }) => id}
              columns={place.may("cop:draft") ? [...COLUMNS, actColumn(place, setAgain)] : COLUMNS}
              empty="Nothing was reported. Systems that speak Cursor on Target report here, and people by hand."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {again && <ReportDialog place={place} before={again} onClose={() => setAgain(undefined)} />}
    </>
  );
}

const isStale = ({ staleAt }: ReportShown): boolean => Date.parse(staleAt) <= Date.now();

const COLUMNS: readonly Column<ReportShown>[] = [
  {
    head: "What",
    cell: ({ name, uid, ...report }) => (
      <>
        {name} {name !== uid && <small className="muted">{uid}</small>} <BarrierOf {...report} />
      </>
    ),
  },
  { head: "Is", cell: ({ type }) => typeWords(type) },
  {
    head: "Where",
    cell: ({ location: { longitude, latitude, accuracy } }) => (
      <>
        {inDegrees([longitude, latitude])}
        {accuracy !== undefined && <small className="muted"> within {accuracy.toLocaleString("en")} m</small>}
      </>
    ),
  },
  { head: "Reported", cell: ({ at }) => <Time at={at} /> },
  {
    head: "Holds until",
    cell: (report) =>
      report.gone ? (
        <Badge tone="plain">taken away</Badge>
      ) : (
        <>
          <Time at={report.staleAt} /> {isStale(report) && <Badge tone="warn">stale</Badge>}
        </>
      ),
  },
  { head: "Brought by", cell: ({ createdByName }) => createdByName ?? <span className="muted">another system</span> },
];

const actColumn = (place: PicturePlace, again: (report: ReportShown) => void): Column<ReportShown> => ({
  head: "Acts",
  isAct: true,
  cell: (report) => (
    <div className="row">
      <button type="button" aria-label={`Report again: ${report.name}`} onClick={() => again(report)}>
        Report again
      </button>
      {!report.gone && <TakeAway report={report} place={place} />}
    </div>
  ),
});

function TakeAway({ report, place }: { report: ReportShown; place: PicturePlace }): ReactNode {
  const { name, compartments } = report;
  const remove = useAct("POST /cop/reports", { says: `${name} is taken away.` });
  return (
    <ConfirmButton
      words="Take away"
      label={`Take away: ${name}`}
      className="danger"
      title={`Take ${name} away?`}
      run={() =>
        remove.mutateAsync({ query: { ...inPlace(place), compartments }, body: { events: [removalOf(report)] } })
      }
    >
      <p>It goes from the map of everybody. The next report of it brings it back.</p>
    </ConfirmButton>
  );
}
