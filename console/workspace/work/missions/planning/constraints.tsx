import type { ReactNode } from "react";
import { useAnswer } from "../../../../api/hooks.ts";
import { Section } from "../../../../parts/page.tsx";

/** What the design lays on the planning; nothing is shown where it lays nothing. */
export function Constraints({ missionId }: { missionId: string }): ReactNode {
  const { data } = useAnswer("GET /mdmp/workflows/{missionId}/constraints", [
    { path: { missionId }, query: { limit: 100 } },
  ]);
  if (!data?.data.length) return null;
  return (
    <Section title="Constraints from the design">
      <ul className="list">
        {data.data.map(({ id, kind, statement }) => (
          <li key={id}>
            <strong>{kind === "must" ? "Must" : "Must not"}</strong>: {statement}
          </li>
        ))}
      </ul>
    </Section>
  );
}
