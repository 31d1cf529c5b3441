import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { SaidOf } from "../shared/record-link.tsx";
import { SEVERITY_TONES } from "../shared/severity.ts";

/** What blocks decisions here, by rules over what the person sees, each with what could be done about it. */
export function Advice({ setId }: { setId: string }): ReactNode {
  const advice = useAnswer("GET /agents/governance-copilot/analyze", [{ query: { problemSetId: setId } }]);
  return (
    <Section title="What blocks decisions">
      <Shown of={advice}>
        {({ data }) => (
          <>
            {data.advice.length === 0 && <p className="empty">Nothing that you can see blocks a decision.</p>}
            <ul className="list">
              {data.advice.map(({ kind, severity, text, evidence, proposal }) => (
                <li key={`${kind} ${text}`}>
                  <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge> <SaidOf {...{ text, evidence, setId }} />
                  <p className="note">{proposal}</p>
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Section>
  );
}
