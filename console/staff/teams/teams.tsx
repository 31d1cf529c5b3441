import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { many } from "../../parts/texts.tsx";
import { useAdministers } from "../shared/administration/administers.ts";
import { StaffPage } from "../shared/frame.tsx";
import { useStaffPlace, type StaffPlace } from "../shared/place.ts";
import { TeamDialog } from "./team-dialog.tsx";

export type Team = ListRow<"GET /admin/teams">;

const columns = ({ nameOf }: StaffPlace): readonly Column<Team>[] => [
  {
    head: "Team",
    cell: (team) => (
      <>
        <Link to={`/staff/teams/${team.id}`}>{team.name}</Link> <BarrierOf {...team} />
        {team.description && <small className="muted block">{team.description}</small>}
      </>
    ),
  },
  { head: "Agents", cell: ({ members }) => (members.length ? many(members.length, "agent") : "none yet") },
  { head: "Works in", cell: ({ problemSetId }) => nameOf(problemSetId) },
];

/** Agents that work together: supervisors and the feed can give them work as one. */
export function Teams(): ReactNode {
  const place = useStaffPlace();
  const [isMaking, setMaking] = useState(false);
  const mayMake = useAdministers(place.setId);
  return (
    <StaffPage
      title="Teams"
      intro="Agents that work together. A supervisor hands work to a team as it is by then; on the feed its lead answers."
      place={place}
      elsewhere="All that I see"
      acts={
        mayMake && (
          <button type="button" className="primary" onClick={() => setMaking(true)}>
            Make a team
          </button>
        )
      }
    >
      <List place={place} />
      {isMaking && <TeamDialog setId={place.setId} onClose={() => setMaking(false)} />}
    </StaffPage>
  );
}

function List({ place }: { place: StaffPlace }): ReactNode {
  const { setId } = place;
  const query = { page: usePage(), sort: "name" as const, ...(setId !== undefined && { problemSetId: setId }) };
  const teams = useAnswer("GET /admin/teams", [{ query }], { keepsShown: true });
  return (
    <Shown of={teams}>
      {({ data, meta }) => (
        <>
          <Table
            label="Teams"
            rows={data}
            keyOf={({ id }) => id}
            columns={columns(place)}
            empty="There is no team here yet. Make one, and put agents into it."
          />
          <Pager meta={meta} />
        </>
      )}
    </Shown>
  );
}
