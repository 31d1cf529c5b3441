import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { PageOf, Section } from "../../parts/page.tsx";
import { useAdministers } from "../shared/administration/administers.ts";
import { StaffPage } from "../shared/frame.tsx";
import { useStaffPlace } from "../shared/place.ts";
import { Removal, RemoveButton } from "../shared/administration/removal.tsx";
import { Uses } from "../shared/administration/uses.tsx";
import { Members } from "./members.tsx";
import { TeamDialog } from "./team-dialog.tsx";
import type { Team } from "./teams.tsx";

/** One team: who is in it, who leads it, and what gives it work. */
export function TeamPage(): ReactNode {
  const { teamId = "" } = useParams();
  const team = useAnswer("GET /admin/teams/{teamId}", [{ path: { teamId } }]);
  return (
    <PageOf of={team} title="A team" back={<Link to="/staff/teams">See the other teams</Link>}>
      {({ data }) => <OneTeam team={data} />}
    </PageOf>
  );
}

function OneTeam({ team }: { team: Team }): ReactNode {
  const { nameOf } = useStaffPlace();
  const mayChange = useAdministers(team.problemSetId);
  const uses = useAnswer("GET /admin/teams/{teamId}/uses", [{ path: { teamId: team.id } }]);
  return (
    <StaffPage title={team.name} intro={team.description} acts={mayChange && <Acts team={team} />}>
      <p className="muted">
        It works in {nameOf(team.problemSetId)}. <BarrierOf {...team} />
      </p>
      <Members team={team} mayChange={mayChange} />
      <Section title="What gives it work">
        <Uses of={uses} />
      </Section>
    </StaffPage>
  );
}

function Acts({ team }: { team: Team }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Change it
      </button>
      <RemoveButton>{(close) => <AskRemoval team={team} onClose={close} />}</RemoveButton>
      {isOpen && <TeamDialog team={team} setId={team.problemSetId} onClose={() => setOpen(false)} />}
    </>
  );
}

function AskRemoval({ team: { id, name }, onClose }: { team: Team; onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const path = { teamId: id };
  const uses = useAnswer("GET /admin/teams/{teamId}/uses", [{ path }]);
  const remove = useAct("DELETE /admin/teams/{teamId}", {
    says: `${name} is removed.`,
    then: () => void navigate("/staff/teams"),
  });
  return (
    <Removal
      name={name}
      uses={uses}
      isBusy={remove.isPending}
      onRemove={() => remove.mutate({ path })}
      onClose={onClose}
    >
      <p>Its agents stay.</p>
    </Removal>
  );
}
