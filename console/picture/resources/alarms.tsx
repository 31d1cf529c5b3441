import type { ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { thresholdInWords, valueInWords } from "../readings/spark.ts";
import type { ResourceShown } from "./resources.tsx";

type Alarm = ListRow<"GET /resources/{id}/alarms">;
const TONES = { critical: "bad", warning: "warn", info: "info" } as const;

/** What a resource raises now, and what it raised before. */
export function Alarms({ resource }: { resource: ResourceShown }): ReactNode {
  const alarms = useAnswer("GET /resources/{id}/alarms", [{ path: { id: resource.id }, query: { limit: 50 } }]);
  return (
    <Shown of={alarms} what="Reading its alarms">
      {({ data }) => {
        const [open, past] = [data.filter(({ clearedAt }) => !clearedAt), data.filter(({ clearedAt }) => clearedAt)];
        return (
          <Section title={open.length ? many(open.length, "open alarm") : "Alarms"}>
            {open.length ? (
              <ul className="list">
                {open.map((one) => (
                  <AlarmLine key={one.id} alarm={one} resource={resource} />
                ))}
              </ul>
            ) : (
              <p className="empty">
                {resource.thresholds.length
                  ? "Nothing is beyond its bounds."
                  : "It has no thresholds: nothing would raise an alarm."}
              </p>
            )}
            {past.length > 0 && (
              <details>
                <summary>{many(past.length, "earlier alarm")}</summary>
                <ul className="list">
                  {past.map((one) => (
                    <AlarmLine key={one.id} alarm={one} resource={resource} />
                  ))}
                </ul>
              </details>
            )}
          </Section>
        );
      }}
    </Shown>
  );
}

function AlarmLine({ alarm, resource }: { alarm: Alarm; resource: ResourceShown }): ReactNode {
  const { severity, key, why, value, raisedAt, clearedAt, threshold } = alarm;
  const unit = resource.series.find((one) => one.key === key)?.unit;
  const bound = resource.thresholds.find(({ id }) => id === threshold);
  return (
    <li>
      <Badge tone={clearedAt ? "plain" : TONES[severity]}>{severity}</Badge>{" "}
      {why === "silence" ? `No reading of ${key} any more` : `${key} is ${valueInWords(value, unit)}`}
      <small className="muted">
        {bound && ` (${thresholdInWords(bound, unit)})`}, since <Time at={raisedAt} />
        {clearedAt && (
          <>
            , over <Time at={clearedAt} />
          </>
        )}
      </small>
    </li>
  );
}
