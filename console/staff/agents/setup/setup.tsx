import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { PageOf, Section } from "../../../parts/page.tsx";
import { Time } from "../../../parts/texts.tsx";
import { useAdministers } from "../../shared/administration/administers.ts";
import { HearSets } from "../../../live/hear-sets.tsx";
import { StaffPage } from "../../shared/frame.tsx";
import { useStaffPlace } from "../../shared/place.ts";
import { Removal, RemoveButton } from "../../shared/administration/removal.tsx";
import { AUTONOMY_WORDS } from "../../shared/words.ts";
import { AgentDialog } from "../agent-dialog.tsx";
import type { AgentShown } from "../agent.tsx";
import { Character } from "./character.tsx";
import { Identity } from "./identity.tsx";
import { ModelSettings } from "./model.tsx";
import { AgentTeams } from "./teams.tsx";
import { AgentTools } from "./tools.tsx";

/** How one agent is set up, for administrators. */
export function AgentSetup(): ReactNode {
  const { agentId = "" } = useParams();
  const agent = useAnswer("GET /admin/agents/{agentId}", [{ path: { agentId } }]);
  return (
    <PageOf of={agent} title="An agent" back={<Link to="/staff/agents">See the other agents</Link>}>
      {({ data }) => <Setup agent={data} />}
    </PageOf>
  );
}

function Setup({ agent }: { agent: AgentShown }): ReactNode {
  const { id, name, problemSetId } = agent;
  const mayChange = useAdministers(problemSetId);
  const parts = { agent, mayChange };
  return (
    <StaffPage
      title={`How ${name} is set up`}
      intro={
        mayChange
          ? "What is changed here holds for its next run; runs under way keep what they began with, apart from tools that are taken away."
          : "You can look at it. To change it, your role in its problem set would have to let you make agents there."
      }
      acts={
        <>
          <Link className="button" to={`/staff/agents/${id}`}>
            What it does
          </Link>
          {mayChange && <Remove {...agent} />}
        </>
      }
    >
      {problemSetId !== undefined && <HearSets ids={[problemSetId]} ops={["GET /admin/agents"]} />}
      <WhatItIs {...parts} />
      <Character {...parts} />
      <ModelSettings {...parts} />
      <AgentTools {...parts} />
      <AgentTeams {...parts} />
      <Identity agentId={id} />
    </StaffPage>
  );
}

export interface SetupProps {
  agent: AgentShown;
  mayChange: boolean;
}

function WhatItIs({ agent, mayChange }: SetupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { nameOf } = useStaffPlace();
  const { name, description, autonomy, version, updatedAt, problemSetId } = agent;
  return (
    <Section
      title="What it is"
      acts={
        mayChange && (
          <button type="button" onClick={() => setOpen(true)}>
            Change it
          </button>
        )
      }
    >
      <dl>
        <dt>Name</dt>
        <dd>{name}</dd>
        <dt>What it is for</dt>
        <dd>{description ?? "nobody has said"}</dd>
        <dt>Left to it</dt>
        <dd>{AUTONOMY_WORDS[autonomy]}</dd>
        <dt>Works in</dt>
        <dd>{nameOf(problemSetId)}</dd>
        <dt>Version</dt>
        <dd>
          {version}, since <Time at={updatedAt} />
        </dd>
      </dl>
      {isOpen && <AgentDialog agent={agent} setId={problemSetId} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Remove(agent: AgentShown): ReactNode {
  return <RemoveButton>{(close) => <AskRemoval {...agent} onClose={close} />}</RemoveButton>;
}

function AskRemoval({ id, name, onClose }: AgentShown & { onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const path = { agentId: id };
  const uses = useAnswer("GET /admin/agents/{agentId}/uses", [{ path }]);
  const remove = useAct("DELETE /admin/agents/{agentId}", {
    says: `${name} is removed.`,
    then: () => void navigate("/staff/agents"),
  });
  return (
    <Removal
      name={name}
      uses={uses}
      isBusy={remove.isPending}
      onRemove={() => remove.mutate({ path })}
      onClose={onClose}
    >
      <p>
        It is gone for good, and so is its identity. What it did stays on record. To have it rest for a while, switch it
        off instead.
      </p>
    </Removal>
  );
}
