import { useAgentsIn, useTeamsIn } from "../shared/agents-in.ts";
import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import type { StaffTab } from "./tabs.ts";

/** Marks a team among agents. */
const TEAM = "team ";

/** Which agent or team answers about what; read when somebody opens it. */
export function Routing({ setId, mayRoute }: { setId: string; mayRoute: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Who answers about what</summary>
      {isOpen && <Routes setId={setId} mayRoute={mayRoute} />}
    </details>
  );
}

function Routes({ setId, mayRoute }: { setId: string; mayRoute: boolean }): ReactNode {
  const path = { problemSetId: setId };
  const routing = useAnswer("GET /ai-staff/{problemSetId}/routing", [{ path }]);
  const [agents, teams] = [useAgentsIn(setId), useTeamsIn(setId)];
  const route = useAct("PUT /ai-staff/{problemSetId}/routing/{tabId}", {
    says: ({ data }) => `${data.agentName} answers about ${data.tab} now.`,
  });
  const set = (tab: StaffTab, chosen: string): void => {
    const teamId = chosen.startsWith(TEAM) ? chosen.slice(TEAM.length) : undefined;
    route.mutate({ path: { ...path, tabId: tab }, body: teamId ? { teamId } : { agentId: chosen || null } });
  };
  return (
    <Shown of={routing}>
      {({ data }) => (
        <dl>
          {data.map(({ tab, agentId, teamId, agentName, why }) => (
            <div key={tab} className="contents">
              <dt id={`tab-${tab}`}>{tab}</dt>
              <dd title={why}>
                {mayRoute ? (
                  <select
                    aria-labelledby={`tab-${tab}`}
                    value={teamId ? TEAM + teamId : (agentId ?? "")}
                    onChange={({ currentTarget: { value } }) => set(tab, value)}
                  >
                    <option value="">the assistant</option>
                    {agents.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                    {teams.map(({ id, name }) => (
                      <option key={id} value={TEAM + id}>
                        the team {name}
                      </option>
                    ))}
                  </select>
                ) : (
                  agentName
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Shown>
  );
}
