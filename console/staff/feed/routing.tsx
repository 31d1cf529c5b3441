import { useAgentsIn } from "../shared/agents-in.ts";
import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import type { StaffTab } from "./tabs.ts";

/** Which agent answers about what; read when somebody opens it. */
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
  const agents = useAgentsIn(setId);
  const route = useAct("PUT /ai-staff/{problemSetId}/routing/{tabId}", {
    says: ({ data }) => `${data.agentName} answers about ${data.tab} now.`,
  });
  const set = (tab: StaffTab, agentId: string): void =>
    route.mutate({ path: { ...path, tabId: tab }, body: { agentId: agentId || null } });
  return (
    <Shown of={routing}>
      {({ data }) => (
        <dl>
          {data.map(({ tab, agentId, agentName, why }) => (
            <div key={tab} className="contents">
              <dt id={`tab-${tab}`}>{tab}</dt>
              <dd title={why}>
                {mayRoute ? (
                  <select
                    aria-labelledby={`tab-${tab}`}
                    value={agentId ?? ""}
                    onChange={({ currentTarget: { value } }) => set(tab, value)}
                  >
                    <option value="">the assistant</option>
                    {agents.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
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
