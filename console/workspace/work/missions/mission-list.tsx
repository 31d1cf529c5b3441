import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { NewMission } from "./mission-form.tsx";
import { MISSION_STATUSES, type Mission } from "./mission-words.ts";
import { PHASE_TITLES, PHASES, placeOf, type PlanningStage } from "./phase-words.ts";

/** What is to be done, by when, and how far its planning is. */
export function MissionList(): ReactNode {
  const { set, maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [isOpening, setOpening] = useState(false);
  const status = MISSION_STATUSES.find(([name]) => name === search.get("status"))?.[0];
  const missions = useAnswer(
    "GET /missions",
    [{ query: { problemSetId: set.id, page, sort: "startsAt", ...(status && { status }) } }],
    { keepsShown: true },
  );
  const missionIds = missions.data?.data.map(({ id }) => id) ?? [];
  const planning = useAnswer(
    "GET /mdmp/workflows",
    [{ query: { problemSetId: set.id, missionIds, limit: missionIds.length } }],
    { enabled: missionIds.length > 0, keepsShown: true },
  );
  const phases = new Map(planning.data?.data.map(({ id, phase }) => [id, phase]));
  return (
    <SetPage
      title="Missions"
      intro="What is to be done, by whom and by when, and how far the planning is."
      acts={
        <>
          <Link className="button" to={`/workspace/${set.id}/design`}>
            Design
          </Link>
          <Link className="button" to={`/workspace/${set.id}/units`}>
            Units
          </Link>
          {maySet("missions:edit") && (
            <button type="button" className="primary" onClick={() => setOpening(true)}>
              Open a mission
            </button>
          )}
        </>
      }
    >
      <Form act="Show" isInline label="Filter missions" onSubmit={(fields) => setSearch(fields)}>
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...MISSION_STATUSES]} />
      </Form>
      <Shown of={missions}>
        {({ data, meta }) => (
          <>
            <Table
              label="Missions"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsWith(phases)}
              empty={
                status
                  ? "No mission is in this state."
                  : "There is no mission yet. Open one for what has to be done; whoever opens it leads it."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isOpening && <NewMission onClose={() => setOpening(false)} />}
    </SetPage>
  );
}

const columnsWith = (phases: ReadonlyMap<string, PlanningStage>): readonly Column<Mission>[] => [
  {
    head: "Mission",
    cell: ({ problemSetId, id, name, objective }) => (
      <>
        <Link to={`/workspace/${problemSetId}/missions/${id}`}>{name}</Link>
        {objective && <small className="muted under">{objective}</small>}
      </>
    ),
  },
  {
    head: "State",
    cell: ({ status, compartments }) => (
      <span className="row">
        <Badge>{status}</Badge>
        <Barrier compartments={compartments} />
      </span>
    ),
  },
  { head: "Planning", cell: ({ id }) => <Phase of={phases.get(id)} /> },
  { head: "From", cell: ({ startsAt }) => (startsAt ? <Time at={startsAt} /> : <span className="muted">open</span>) },
  { head: "Until", cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} /> : <span className="muted">open</span>) },
  { head: "Opened by", cell: ({ createdByName, createdBy }) => createdByName ?? createdBy },
];

function Phase({ of: phase }: { of: PlanningStage | undefined }): ReactNode {
  if (!phase) return <span className="muted">not begun</span>;
  if (phase === "complete") return "complete";
  return (
    <>
      {PHASE_TITLES[phase]}{" "}
      <small className="muted">
        {placeOf(phase) + 1} of {PHASES.length}
      </small>
    </>
  );
}
