import { useState, type ReactNode } from "react";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { inPlace, type PicturePlace } from "../../place.tsx";
import { LOOK_MS } from "../area.tsx";
import { inTransportWords } from "../device-words.ts";
import { TargetDialog } from "./target-dialog.tsx";

export type ScanTarget = ListRow<"GET /discovery/scan-targets">;
/** A pass that is under way is looked at so often. */
const UNDER_WAY_MS = 3_000;

/** What is scanned, how, and what came of it. */
export function Targets({ place, mayAdminister }: { place: PicturePlace; mayAdminister: boolean }): ReactNode {
  const page = usePage();
  const [changing, setChanging] = useState<ScanTarget>();
  const query = { ...inPlace(place), page, sort: "-createdAt" as const };
  const targets = useAnswer("GET /discovery/scan-targets", [{ query }], {
    keepsShown: true,
    every: (answer) => (answer?.data.some(({ isUnderWay }) => isUnderWay) ? UNDER_WAY_MS : LOOK_MS),
  });
  return (
    <>
      <Shown of={targets}>
        {({ data, meta }) => (
          <>
            <Table
              label="Scan targets"
              rows={data}
              keyOf={({ id }) => id}
              columns={mayAdminister ? [...COLUMNS, actColumn(setChanging)] : COLUMNS}
              empty={
                mayAdminister
                  ? "Nothing is listed, so nothing is asked. Add the addresses and ports that may be looked at."
                  : "Nothing is listed, so nothing is asked. Administrators of the platform list what may be looked at."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {changing && <TargetDialog place={place} before={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<ScanTarget>[] = [
  {
    head: "Target",
    cell: ({ name, enabled, ...target }) => (
      <>
        {name} {!enabled && <Badge tone="plain">turned off</Badge>} <BarrierOf {...target} />
      </>
    ),
  },
  { head: "Addresses", cell: ({ hosts }) => hosts.join(", ") },
  { head: "Ports", cell: ({ ports }) => ports.join(", ") },
  { head: "Asks for", cell: ({ transports }) => inTransportWords(transports) },
  { head: "Every", cell: ({ intervalSeconds }) => everyInWords(intervalSeconds) },
  {
    head: "Last pass",
    cell: ({ lastScannedAt, found, isUnderWay, position = 0, total }) =>
      isUnderWay ? (
        <>under way: {total === undefined ? "just begun" : `${position} of ${many(total, "question")}`}</>
      ) : (
        <>
          <Time at={lastScannedAt} />
          {found !== undefined && <small className="muted"> found {many(found, "device")}</small>}
        </>
      ),
  },
];

const actColumn = (change: (target: ScanTarget) => void): Column<ScanTarget> => ({
  head: "Acts",
  isAct: true,
  cell: (target) => (
    <div className="row">
      <button type="button" aria-label={`Change ${target.name}`} onClick={() => change(target)}>
        Change
      </button>
      <TakeOff target={target} />
    </div>
  ),
});

/** "90 seconds", "5 minutes", "2 hours". */
export const everyInWords = (seconds: number): string =>
  seconds % 3_600 === 0
    ? many(seconds / 3_600, "hour")
    : seconds % 60 === 0
      ? many(seconds / 60, "minute")
      : many(seconds, "second");

function TakeOff({ target: { id, name } }: { target: ScanTarget }): ReactNode {
  const remove = useAct("DELETE /discovery/scan-targets/{id}", { says: `${name} is scanned no more.` });
  return (
    <ConfirmButton
      words="Remove"
      label={`Remove ${name}`}
      className="danger"
      title={`Remove ${name}?`}
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>Nothing more is sent there. The devices that were found stay.</p>
    </ConfirmButton>
  );
}
