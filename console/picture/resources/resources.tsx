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
import { inDegrees } from "../map/positions.ts";
import { listedIn, placeQuery, type PicturePlace } from "../place.tsx";
import { ResourcesFrame } from "./area.tsx";
import { OpenAlarms } from "./open-alarms.tsx";
import { KINDS, READINESS, ResourceDialog, type ResourceReadiness, type ResourceKind } from "./resource-form.tsx";

export type ResourceShown = ListRow<"GET /resources">;

const TONES = { ready: "good", limited: "warn", maintenance: "info", unavailable: "bad", lost: "bad" } as const;
/** How ready a resource is, as a word in its colour. */
export const ReadinessBadge = ({ of }: { of: ResourceReadiness }): ReactNode => <Badge tone={TONES[of]}>{of}</Badge>;

export function Resources(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <ResourcesFrame
      title="Resources"
      intro="Vehicles, vessels, equipment, places and teams: how ready they are, what they measure, and which of them raise an alarm."
      renderActs={(place) =>
        place.may("resources:edit") && (
          <>
            <Link className="button" to={`/picture/resources/import${placeQuery(place)}`}>
              Bring in from a file
            </Link>
            <button type="button" className="primary" onClick={() => setAdding(true)}>
              Add a resource
            </button>
          </>
        )
      }
    >
      {(place) => (
        <>
          <OpenAlarms place={place} />
          <ResourceList place={place} />
          {isAdding && <ResourceDialog place={place} onClose={() => setAdding(false)} />}
        </>
      )}
    </ResourcesFrame>
  );
}

type Told = Pick<
  ResourceShown,
  "id" | "name" | "kind" | "readiness" | "readinessReason" | "problemSetId" | "compartments"
>;
/** What every list of resources says of one first. */
export const resourceColumns = (place: PicturePlace): readonly Column<Told>[] => [
  {
    head: "Resource",
    cell: ({ id, name, ...resource }) => (
      <>
        <Link to={`/picture/resources/${id}${placeQuery(place)}`}>{name}</Link> <BarrierOf {...resource} />
      </>
    ),
  },
  { head: "Kind", cell: ({ kind }) => kind },
  {
    head: "Ready",
    cell: ({ readiness, readinessReason }) => (
      <>
        <ReadinessBadge of={readiness} /> <small className="muted">{readinessReason}</small>
      </>
    ),
  },
];

const COLUMNS = (place: PicturePlace): readonly Column<ResourceShown>[] => [
  ...resourceColumns(place),
  {
    head: "Place",
    cell: ({ location }) =>
      location ? inDegrees([location.longitude, location.latitude]) : <span className="muted">not known</span>,
  },
  {
    head: "Measures",
    cell: ({ series }) => series.map(({ key }) => key).join(", ") || <span className="muted">nothing</span>,
  },
  { head: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

function ResourceList({ place }: { place: PicturePlace }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [readiness, kind] = [search.get("readiness"), search.get("kind")];
  const resources = useAnswer(
    "GET /resources",
    [
      {
        query: {
          ...listedIn(place),
          page,
          sort: "name",
          ...(readiness && { readiness: readiness as ResourceReadiness }),
          ...(kind && { kind: kind as ResourceKind }),
        },
      },
    ],
    { keepsShown: true },
  );
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? undefined : { problemSetId }, ["activity.item"], (_event, { data }) =>
    data.subject?.type === "resource" ? undefined : false,
  );
  return (
    <>
      <Form
        act="Show"
        isInline
        label="Filter resources"
        onSubmit={(fields) => setSearch({ ...fields, set: search.get("set") ?? "" })}
      >
        <Select label="Ready" name="readiness" defaultValue={readiness ?? ""} options={[["", "any"], ...READINESS]} />
        <Select label="Kind" name="kind" defaultValue={kind ?? ""} options={[["", "any"], ...KINDS]} />
      </Form>
      <Shown of={resources}>
        {({ data, meta }) => (
          <>
            <Table
              label="Resources"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS(place)}
              empty={
                readiness || kind
                  ? "No resource fits these filters."
                  : "There are no resources yet. Add one, and it can stand on the map, send readings and raise alarms."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}
