import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../../api/client.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { Shown } from "../../../parts/page.tsx";
import { many } from "../../../parts/texts.tsx";
import { inLocalTime } from "../words.ts";

type Uses = Data<"GET /admin/agents/{agentId}/uses">;

interface Kind {
  words: string;
  to?(id: string): string;
}
const KINDS: Readonly<Record<string, Kind>> = {
  agent: { words: "Agent", to: (id) => `/staff/agents/${id}` },
  team: { words: "Team", to: (id) => `/staff/teams/${id}` },
  delegation: { words: "What somebody lets it do" },
  execution: { words: "Under way", to: (id) => `/staff/runs/${id}` },
  workflow: { words: "Workflow under way", to: (id) => `/staff/workflows/${id}` },
  supervisor: { words: "Supervisor", to: () => "/staff/workflows" },
  tab: { words: "Who answers about what", to: () => "/staff/feed" },
  validation: { words: "Validation", to: (id) => `/staff/validation/${id}` },
  suite: { words: "Suite of validation", to: (id) => `/staff/validation/suites/${id}` },
};

/** What would stop without it, by name; what the reader may not see is counted. */
export function Uses({ of: query }: { of: UseQueryResult<{ data: Uses }> }): ReactNode {
  return (
    <Shown of={query} what="Looking what uses it">
      {({ data: { usedBy, unseen } }) =>
        usedBy.length + unseen === 0 ? (
          <p>Nothing uses it.</p>
        ) : (
          <>
            <p>It is used, and stays until these do without it:</p>
            <ul className="plain-list">
              {usedBy.map((one) => (
                <li key={`${one.type} ${one.id}`}>
                  <Used {...one} />
                </li>
              ))}
              {unseen > 0 && <li>{many(unseen, "thing")} that you may not see</li>}
            </ul>
          </>
        )
      }
    </Shown>
  );
}

function Used({ type, id, name }: Uses["usedBy"][number]): ReactNode {
  const { words, to } = KINDS[type] ?? { words: type };
  const told = inLocalTime(name);
  return (
    <>
      <span className="muted">{words}:</span> {to ? <Link to={to(id)}>{told}</Link> : told}
    </>
  );
}

/** Whether anything uses it; true until that is known. */
export const isUsed = ({ data }: UseQueryResult<{ data: Uses }>): boolean =>
  data === undefined || data.data.usedBy.length + data.data.unseen > 0;
