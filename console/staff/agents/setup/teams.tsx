import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Form, Select } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Badge } from "../../../parts/texts.tsx";
import type { AgentShown } from "../agent.tsx";
import type { SetupProps } from "./setup.tsx";

/** The teams that an agent is in. */
export function AgentTeams({ agent, mayChange }: SetupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { id } = agent;
  const teams = useAnswer("GET /admin/agents/{agentId}/teams", [
    { path: { agentId: id }, query: { limit: 100, sort: "name" } },
  ]);
  return (
    <Section
      title="Teams"
      acts={
        mayChange && (
          <button type="button" onClick={() => setOpen(true)}>
            Put it in a team
          </button>
        )
      }
    >
      <Shown of={teams}>
        {({ data }) => (
          <>
            {data.length === 0 && (
              <Empty>It is in none. Supervisors, and whoever answers on the feed, can be teams of agents.</Empty>
            )}
            <ul className="list">
              {data.map((team) => (
                <li key={team.id}>
                  <Link to={`/staff/teams/${team.id}`}>{team.name}</Link>{" "}
                  {team.leadId === id && <Badge tone="info">leads it</Badge>}
                </li>
              ))}
            </ul>
            {isOpen && <Join agent={agent} isIn={data.map((one) => one.id)} onClose={() => setOpen(false)} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

interface JoinProps {
  agent: AgentShown;
  isIn: readonly string[];
  onClose(): void;
}

function Join({ agent: { id, name, problemSetId }, isIn, onClose }: JoinProps): ReactNode {
  const teams = useAnswer("GET /admin/teams", [{ query: { limit: 100, sort: "name" } }]);
  const join = useAct("POST /admin/teams/{teamId}/members", {
    tellsRefusal: false,
    says: ({ data }) => `${name} is in ${data.name}.`,
    then: onClose,
  });
  // An agent of one set works in no other.
  const open = (teams.data?.data ?? []).filter(
    (team) => !isIn.includes(team.id) && (problemSetId === undefined || team.problemSetId === problemSetId),
  );
  return (
    <Dialog title={`A team for ${name}`} onClose={onClose}>
      <Shown of={teams}>
        {() =>
          open.length === 0 ? (
            <Empty>
              There is no other team that it could join. <Link to="/staff/teams">Make one</Link>.
            </Empty>
          ) : (
            <Form
              act="Put it in"
              onSubmit={({ teamId = "", lead }) =>
                join.mutateAsync({ path: { teamId }, body: { agentId: id, lead: lead === "on" } })
              }
            >
              <Select label="Team" name="teamId" options={open.map((team) => [team.id, team.name] as const)} />
              <Check label="It leads the team" name="lead" hint="A team’s lead answers first." />
            </Form>
          )
        }
      </Shown>
    </Dialog>
  );
}
