import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Form, Select } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { AgentState } from "../agents/agents.tsx";
import type { Team } from "./teams.tsx";

type Agent = ListRow<"GET /admin/agents">;

/** The agents of a team, its lead first. */
export function Members({ team, mayChange }: { team: Team; mayChange: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const agents = useAnswer("GET /admin/agents", [{ query: { limit: 100, sort: "name" } }]);
  return (
    <Section
      title="Agents"
      acts={
        mayChange && (
          <button type="button" onClick={() => setOpen(true)}>
            Put an agent in
          </button>
        )
      }
    >
      <Shown of={agents}>
        {({ data }) => {
          const isIn = ({ id }: Agent): boolean => team.members.includes(id);
          const members = data.filter(isIn).sort((one, other) => leads(team, other) - leads(team, one));
          return (
            <>
              {team.members.length === 0 && <Empty>Nobody is in it yet, and it cannot work. Put agents into it.</Empty>}
              <ul className="list">
                {members.map((agent) => (
                  <Member key={agent.id} {...{ agent, team, mayChange }} />
                ))}
              </ul>
              {isOpen && <PutIn team={team} open={data.filter((one) => !isIn(one))} onClose={() => setOpen(false)} />}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

const leads = ({ leadId }: Team, { id }: Agent): number => Number(leadId === id);

function Member({ agent, team, mayChange }: { agent: Agent; team: Team; mayChange: boolean }): ReactNode {
  const { id, name } = agent;
  const isLead = team.leadId === id;
  const path = { teamId: team.id, agentId: id };
  const take = useAct("DELETE /admin/teams/{teamId}/members/{agentId}", { says: `${name} is out of it.` });
  const lead = useAct("POST /admin/teams/{teamId}/members", { says: `${name} leads it now.` });
  // Whoever leads others goes last.
  const mayGo = !isLead || team.members.length === 1;
  return (
    <li className="row between">
      <span>
        <Link to={`/staff/agents/${id}`}>{name}</Link> {isLead && <Badge tone="info">leads it</Badge>}{" "}
        <AgentState {...agent} />
      </span>
      {mayChange && (
        <span className="row">
          {!isLead && (
            <button
              type="button"
              aria-label={`Have it lead: ${name}`}
              disabled={lead.isPending}
              onClick={() => lead.mutate({ path: { teamId: team.id }, body: { agentId: id, lead: true } })}
            >
              Have it lead
            </button>
          )}
          {mayGo && (
            <button
              type="button"
              aria-label={`Take out: ${name}`}
              disabled={take.isPending}
              onClick={() => take.mutate({ path })}
            >
              Take out
            </button>
          )}
        </span>
      )}
    </li>
  );
}

function PutIn({ team, open, onClose }: { team: Team; open: readonly Agent[]; onClose(): void }): ReactNode {
  const join = useAct("POST /admin/teams/{teamId}/members", {
    tellsRefusal: false,
    says: "It is in the team.",
    then: onClose,
  });
  // Agents of another set, or behind other compartments, cannot join.
  const fit = open.filter(
    ({ problemSetId, compartments }) =>
      (problemSetId === undefined || problemSetId === team.problemSetId) &&
      compartments.every((one) => team.compartments.includes(one)),
  );
  return (
    <Dialog title={`An agent for ${team.name}`} onClose={onClose}>
      {fit.length === 0 ? (
        <Empty>
          There is no other agent that could join. <Link to="/staff/agents/new">Make one</Link>.
        </Empty>
      ) : (
        <Form
          act="Put it in"
          onSubmit={({ agentId = "", lead }) =>
            join.mutateAsync({ path: { teamId: team.id }, body: { agentId, lead: lead === "on" } })
          }
        >
          <Select label="Agent" name="agentId" options={fit.map(({ id, name }) => [id, name] as const)} />
          <Check label="It leads the team" name="lead" hint="A team’s lead answers first." />
        </Form>
      )}
    </Dialog>
  );
}
