import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Share } from "../../parts/texts.tsx";
import { PictureFrame, placeQuery, type PicturePlace } from "../place.tsx";
import { drawingOf, type MissionCoverage } from "./ground.ts";

const LOOK_MS = 30_000;
const MOST_MISSIONS = 100;

/** How much of a mission's area sensors watch, and where they do not. */
export const Coverage = (): ReactNode => (
  <PictureFrame
    title="Coverage of a mission"
    intro="How much of a mission's area your sensors watch now, and where nobody looks."
  >
    {(place) =>
      place.problemSetId === undefined ? (
        <Empty>Missions lie in problem sets: choose one above.</Empty>
      ) : (
        <MissionsOf place={place} problemSetId={place.problemSetId} />
      )
    }
  </PictureFrame>
);

function MissionsOf({ place, problemSetId }: { place: PicturePlace; problemSetId: string }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const missionId = search.get("mission") ?? "";
  const missions = useAnswer("GET /missions", [{ query: { problemSetId, sort: "name", limit: MOST_MISSIONS } }]);
  return (
    <Shown of={missions}>
      {({ data }) =>
        data.length ? (
          <>
            <Form
              key={missionId}
              act="Show"
              isInline
              label="Choose a mission"
              onSubmit={(fields) => setSearch({ ...fields, set: problemSetId })}
            >
              <Select
                label="Mission"
                name="mission"
                defaultValue={missionId}
                options={[["", "choose one"], ...data.map(({ id, name }) => [id, name] as const)]}
              />
            </Form>
            {missionId && <CoverageOf missionId={missionId} place={place} />}
          </>
        ) : (
          <Empty>
            There is no mission yet. <Link to={`/workspace/${problemSetId}/missions`}>Plan one</Link>, and its sensors
            are measured here.
          </Empty>
        )
      }
    </Shown>
  );
}

const inKm2 = (km2: number): string => `${km2.toLocaleString("en", { maximumFractionDigits: 2 })} km²`;

function CoverageOf({ missionId, place }: { missionId: string; place: PicturePlace }): ReactNode {
  const coverage = useAnswer("GET /sensors/coverage/{missionId}", [{ path: { missionId } }], { every: LOOK_MS });
  return (
    <Shown of={coverage}>
      {({ data }) => (
        <div className="beside">
          <Section title="What is watched">
            <Figures of={data} />
            <Ground of={data} />
          </Section>
          <div className="stack">
            <Section title="By which sensors">
              <Table
                label="Sensors that watch"
                rows={data.sensors}
                keyOf={({ id }) => id}
                columns={watchingColumns(place)}
                empty="No sensor watches now."
              />
            </Section>
            {data.leftOut.length > 0 && (
              <Section title="By which not">
                <Table
                  label="Sensors that do not watch"
                  rows={data.leftOut}
                  keyOf={({ id }) => id}
                  columns={leftOutColumns(place)}
                  empty="All watch."
                />
              </Section>
            )}
          </div>
        </div>
      )}
    </Shown>
  );
}

const Figures = ({ of: { areaKm2, coveredKm2, percent, gapsKm2, overlapKm2 } }: { of: MissionCoverage }): ReactNode => (
  <>
    {percent === null && (
      <p className="muted">
        The mission has no area yet, so what is missing cannot be told. Its plan says where it is.
      </p>
    )}
    <dl>
      {percent !== null && (
        <>
          <dt>Watched</dt>
          <dd>
            <Share of={percent / 100} label="How much of the area is watched" />
          </dd>
        </>
      )}
      {areaKm2 !== null && (
        <>
          <dt>The area</dt>
          <dd>{inKm2(areaKm2)}</dd>
        </>
      )}
      <dt>Watched ground</dt>
      <dd>{inKm2(coveredKm2)}</dd>
      {gapsKm2 !== null && (
        <>
          <dt>Where nobody looks</dt>
          <dd>{inKm2(gapsKm2)}</dd>
        </>
      )}
      <dt>Watched twice or more</dt>
      <dd>{inKm2(overlapKm2)}</dd>
    </dl>
  </>
);

/** A plan of the ground, for eyes: the figures say the same in numbers. */
function Ground({ of: { union, gaps, overlap } }: { of: MissionCoverage }): ReactNode {
  const drawing = drawingOf([union, gaps], 640, 420);
  if (!drawing) return null;
  const { width, height, pathOf } = drawing;
  return (
    <figure className="ground">
      <svg viewBox={`-4 -4 ${width + 8} ${height + 8}`} role="img" aria-label="A plan of what is watched, north up">
        <path className="gap" d={pathOf(gaps)} />
        <path className="watched" d={pathOf(union)} />
        <path className="twice" d={pathOf(overlap)} />
      </svg>
      <figcaption className="muted">
        Full: watched; darker: by two sensors or more; with a broken border: where nobody looks.
      </figcaption>
    </figure>
  );
}

const sensorLink = (place: PicturePlace, { id, name }: { id: string; name: string }): ReactNode => (
  <Link to={`/picture/sensors/${id}${placeQuery(place)}`}>{name}</Link>
);

const watchingColumns = (place: PicturePlace): readonly Column<MissionCoverage["sensors"][number]>[] => [
  { head: "Sensor", cell: (sensor) => sensorLink(place, sensor) },
  { head: "Watches", isFigure: true, cell: ({ km2 }) => inKm2(km2) },
  { head: "As", cell: ({ source }) => <Badge tone={source === "measured" ? "good" : "plain"}>{source}</Badge> },
];

const REASONS: Readonly<Record<MissionCoverage["leftOut"][number]["reason"], string>> = {
  degraded: "It works badly.",
  silent: "It has fallen silent.",
  off: "It is turned off.",
  "no-location": "Nobody knows where it is.",
  "no-coverage": "Nobody has said what it covers.",
  "too-many": "There are too many to measure at once.",
};
const leftOutColumns = (place: PicturePlace): readonly Column<MissionCoverage["leftOut"][number]>[] => [
  { head: "Sensor", cell: (sensor) => sensorLink(place, sensor) },
  { head: "Why not", cell: ({ reason }) => REASONS[reason] },
];
