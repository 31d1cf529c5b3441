import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { useLive } from "../../live/live.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { listedIn, PictureFrame, placeQuery, type PicturePlace } from "../place.tsx";
import { coverageInWords } from "./coverage.ts";
import { SENSOR_KINDS, SensorDialog, type SensorKind } from "./sensor-form.tsx";

export type SensorShown = ListRow<"GET /sensors">;
type SensorStatus = SensorShown["status"];

const TONES = { active: "good", degraded: "warn", silent: "bad", off: "plain" } as const;
export const StatusBadge = ({ of }: { of: SensorStatus }): ReactNode => <Badge tone={TONES[of]}>{of}</Badge>;

export function Sensors(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <PictureFrame
      title="Sensors"
      intro="What watches for you: which sensors report, which have fallen silent, and what ground they cover."
      renderActs={(place) => (
        <>
          {place.problemSetId !== undefined && (
            <Link className="button" to={`/picture/sensors/coverage${placeQuery(place)}`}>
              Coverage of a mission
            </Link>
          )}
          {place.may("sensors:edit") && (
            <button type="button" className="primary" onClick={() => setAdding(true)}>
              Enrol a sensor
            </button>
          )}
        </>
      )}
    >
      {(place) => (
        <>
          <SensorList place={place} />
          {isAdding && <SensorDialog place={place} onClose={() => setAdding(false)} />}
        </>
      )}
    </PictureFrame>
  );
}

const COLUMNS = (place: PicturePlace): readonly Column<SensorShown>[] => [
  {
    head: "Sensor",
    cell: ({ id, name, ...sensor }) => (
      <>
        <Link to={`/picture/sensors/${id}${placeQuery(place)}`}>{name}</Link> <BarrierOf {...sensor} />
      </>
    ),
  },
  { head: "Kind", cell: ({ kind }) => kind },
  { head: "State", cell: ({ status }) => <StatusBadge of={status} /> },
  { head: "Last report", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  {
    head: "Covers",
    cell: ({ measured, coverage }) =>
      coverageInWords(measured?.coverage ?? coverage) ?? <span className="muted">not said</span>,
  },
];

function SensorList({ place }: { place: PicturePlace }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [status, kind] = [search.get("status"), search.get("kind")];
  const query = {
    ...listedIn(place),
    page,
    sort: "name" as const,
    ...(status && { status: status as SensorStatus }),
    ...(kind && { kind: kind as SensorKind }),
  };
  const sensors = useAnswer("GET /sensors", [{ query }], { keepsShown: true });
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? { topic: "sensors" } : { problemSetId }, ["sensor.changed"]);
  return (
    <>
      <Form
        act="Show"
        isInline
        label="Filter sensors"
        onSubmit={(fields) => setSearch({ ...fields, set: search.get("set") ?? "" })}
      >
        <Select
          label="State"
          name="status"
          defaultValue={status ?? ""}
          options={[["", "any"], "active", "degraded", "silent", "off"]}
        />
        <Select label="Kind" name="kind" defaultValue={kind ?? ""} options={[["", "any"], ...SENSOR_KINDS]} />
      </Form>
      <Shown of={sensors}>
        {({ data, meta }) => (
          <>
            <Table
              label="Sensors"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS(place)}
              empty={
                status || kind
                  ? "No sensor fits these filters."
                  : "No sensor is enrolled yet. Enrol one, say how often it reports, and its silence is noticed."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}
