import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import type { IntentShown } from "./intent.tsx";
import { IntentText } from "./intent-text.tsx";

const MOST = 20;

/** What an intent said before, the newest first. */
export function IntentVersions({ intent: { id } }: { intent: IntentShown }): ReactNode {
  const versions = useAnswer("GET /strategic/intent/{intentId}/versions", [
    { path: { intentId: id }, query: { sort: "-createdAt", limit: MOST } },
  ]);
  return (
    <Section title="What it said before">
      <Shown of={versions}>
        {({ data, meta }) => (
          <>
            <ul className="list">
              {data.map((one) => (
                <li key={one.id}>
                  <details>
                    <summary>
                      Version {one.version} <Badge>{one.status}</Badge>{" "}
                      <small className="muted">
                        {one.writtenByName && `by ${one.writtenByName}, `}of <Time at={one.at} />, until{" "}
                        <Time at={one.createdAt} />
                        {one.approvedByName && `; approved by ${one.approvedByName}`}
                      </small>
                    </summary>
                    <IntentText of={one} />
                  </details>
                </li>
              ))}
            </ul>
            {meta.total > MOST && (
              <p className="muted">{many(meta.total - MOST, "older one is", "older ones are")} not shown.</p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}
