import { useState, type ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { duration } from "../shared/words.ts";

/** How workflows went in the last month, for whoever asks. */
export function Figures({ setId }: { setId: string | undefined }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Figures of the last 30 days"
      acts={
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"}
        </button>
      }
    >
      {isOpen && <MonthFigures setId={setId} />}
    </Section>
  );
}

function MonthFigures({ setId }: { setId: string | undefined }): ReactNode {
  const query = { days: 30, ...(setId !== undefined && { problemSetId: setId }) };
  const metrics = useAnswer("GET /orchestration/metrics", [{ query }]);
  return (
    <Shown of={metrics}>
      {({ data: { executions, byStatus, runs, waiting, failures, tokens } }) => (
        <>
          <div className="tiles">
            <p className="tile">
              <strong>{executions}</strong> {executions === 1 ? "workflow" : "workflows"}
            </p>
            {Object.entries(byStatus).map(([status, count]) => (
              <p key={status} className="tile">
                <strong>{count}</strong> {status}
              </p>
            ))}
            <p className="tile">
              <strong>{duration(runs.p50)}</strong> at work, half of them less
            </p>
            <p className="tile">
              <strong>{duration(waiting.p50)}</strong> waited for people, half of them less
            </p>
            <p className="tile">
              <strong>{tokens.toLocaleString("en")}</strong> tokens
            </p>
          </div>
          {Object.keys(failures).length > 0 && (
            <p className="muted">
              Failed steps:{" "}
              {Object.entries(failures)
                .map(([code, count]) => `${many(count, "time")} ${code.toLowerCase().replaceAll("_", " ")}`)
                .join(", ")}
              .
            </p>
          )}
        </>
      )}
    </Shown>
  );
}
