import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { LOOK_MS } from "../area.tsx";
import { Consent } from "../consent.tsx";
import { inTransportWords } from "../device-words.ts";
import { TransportsTable } from "./transports.tsx";

/** What the platform itself is asked for: the address is not that of a page. */
const SERVER = "server";

/** Whether the platform itself looks for devices; that begins with a person's consent. */
export function Scanner({ mayOperate, mayAdminister }: { mayOperate: boolean; mayAdminister: boolean }): ReactNode {
  const status = useAnswer("GET /discovery/status", [], { every: LOOK_MS });
  const consent = useAnswer("GET /discovery/legal-consent/{origin}", [{ path: { origin: SERVER } }]);
  const [isReading, setReading] = useState(false);
  const start = useAct("POST /discovery/start", { says: "The scanner runs." });
  const pause = useAct("POST /discovery/pause", { says: "The scanner is paused." });
  const resume = useAct("POST /discovery/resume", { says: "The scanner runs again." });
  const stop = useAct("POST /discovery/stop", { says: "The scanner stands." });
  const hasAccepted = consent.data?.data.accepted === true;
  return (
    <Section title="Scanner of the platform">
      <Shown of={status}>
        {({ data: { state, since, consentHolds, targets, transports } }) => (
          <>
            <p>
              <Badge tone={state === "running" ? "good" : "plain"}>{state}</Badge>{" "}
              {since && (
                <small className="muted">
                  since <Time at={since} />
                </small>
              )}
            </p>
            <p>
              {many(targets.total, "target")} listed, {targets.enabled} turned on; by{" "}
              {inTransportWords(transports.filter(({ enabled }) => enabled).map(({ transport }) => transport)) ||
                "no way that is turned on"}
              . Nothing is sent to what is not listed.
            </p>
            {state !== "stopped" && !consentHolds && (
              <p className="fault">
                The legal text has changed since it was started: nothing is sent until somebody starts it anew.
              </p>
            )}
            {mayOperate && (
              <div className="row">
                {!hasAccepted && consent.data && (
                  <button type="button" onClick={() => setReading(true)}>
                    Read the legal text
                  </button>
                )}
                {hasAccepted && state === "stopped" && (
                  <button type="button" className="primary" onClick={() => start.mutate({})}>
                    Start
                  </button>
                )}
                {state === "running" && (
                  <button type="button" onClick={() => pause.mutate({})}>
                    Pause
                  </button>
                )}
                {state === "paused" && (
                  <button type="button" onClick={() => resume.mutate({})}>
                    Go on
                  </button>
                )}
                {state !== "stopped" && (
                  <button type="button" onClick={() => stop.mutate({})}>
                    Stop
                  </button>
                )}
              </div>
            )}
            <details>
              <summary>By which ways it looks, and how often</summary>
              <TransportsTable transports={transports} mayAdminister={mayAdminister} />
            </details>
          </>
        )}
      </Shown>
      {isReading && consent.data && (
        <Consent
          {...consent.data.data}
          says="You have accepted. The scanner can be started now."
          onAccepted={() => setReading(false)}
          onClose={() => setReading(false)}
        />
      )}
    </Section>
  );
}
