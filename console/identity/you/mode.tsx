import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { sessionChanged } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";

/** Whether what one does counts. The mode is the person's: it holds in all their sessions and for their keys. */
export function Mode(): ReactNode {
  const mode = useAnswer("GET /user-mode");
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title="Mode">
      <Shown of={mode}>
        {({ data }) => {
          const isTraining = data.mode === "training";
          return (
            <>
              <p>
                <Badge tone={isTraining ? "warn" : "good"}>{data.mode}</Badge>{" "}
                {data.since && (
                  <small className="muted">
                    since <Time at={data.since} />
                  </small>
                )}
              </p>
              <p>
                {isTraining
                  ? "You see training problem sets only. Nothing that you do leaves the platform: mail, webhooks and payments are simulated, and say so."
                  : "What you do counts: you see operational problem sets, and mail, webhooks and payments are sent."}
              </p>
              <div>
                <button type="button" onClick={() => setAsking(true)}>
                  {isTraining ? "Back to operations" : "Switch to training"}
                </button>
              </div>
              {isAsking && <Switch isTraining={isTraining} onClose={() => setAsking(false)} />}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function Switch({ isTraining, onClose }: { isTraining: boolean; onClose(): void }): ReactNode {
  const set = useAct("PUT /user-mode", {
    then: ({ data }) =>
      void sessionChanged(data.mode === "training" ? "You are in training." : "You are back in operations."),
  });
  return (
    <Confirm
      title={isTraining ? "Back to operations?" : "Switch to training?"}
      act={isTraining ? "Back to operations" : "Switch to training"}
      isBusy={set.isPending}
      onClose={onClose}
      onConfirm={() => set.mutate({ body: { mode: isTraining ? "operational" : "training" } })}
    >
      <p>This holds at once, for all your browsers, programs and API keys:</p>
      {isTraining ? (
        <ul>
          <li>You see operational problem sets again, and training ones no longer.</li>
          <li>
            <strong>What you do counts:</strong> mail, webhooks and payments go out.
          </li>
        </ul>
      ) : (
        <ul>
          <li>You see training problem sets only. Operational ones are hidden until you switch back.</li>
          <li>Mail, webhooks, payments and other acts on the outside are simulated, and say so.</li>
          <li>The word &ldquo;training&rdquo; stands at the top of every page.</li>
        </ul>
      )}
    </Confirm>
  );
}
