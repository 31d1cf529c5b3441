import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { thresholdInWords, valueInWords } from "../readings/spark.ts";
import type { ResourceShown } from "./resources.tsx";

export type RaisedAlarm = ListRow<"GET /resources/{id}/alarms">;
const SEVERITIES = ["critical", "warning", "info"];
/** Orders alarms, the worst first. */
export const bySeverity = (one: RaisedAlarm, other: RaisedAlarm): number =>
  SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity);
const TONES = { critical: "bad", warning: "warn", info: "info" } as const;

/** What a resource raises now, and what it raised before. */
export function Alarms({ resource, mayAcknowledge }: { resource: ResourceShown; mayAcknowledge: boolean }): ReactNode {
  const [seen, setSeen] = useState<RaisedAlarm>();
  const boundOf = ({ threshold }: RaisedAlarm) => resource.thresholds.find(({ id }) => id === threshold);
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
                  <AlarmLine
                    key={one.id}
                    alarm={one}
                    bound={boundOf(one)}
                    acts={
                      mayAcknowledge &&
                      !one.acknowledgedAt && (
                        <button
                          type="button"
                          aria-label={`Acknowledge the alarm on ${one.key}`}
                          onClick={() => setSeen(one)}
                        >
                          Acknowledge
                        </button>
                      )
                    }
                  />
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
                    <AlarmLine key={one.id} alarm={one} bound={boundOf(one)} />
                  ))}
                </ul>
              </details>
            )}
            {seen && <Acknowledge alarm={seen} resourceId={resource.id} onClose={() => setSeen(undefined)} />}
          </Section>
        );
      }}
    </Shown>
  );
}

/** Says to all others that somebody has seen an alarm, and what is done about it. */
export function Acknowledge({
  alarm,
  resourceId,
  onClose,
}: {
  alarm: RaisedAlarm;
  resourceId: string;
  onClose(): void;
}): ReactNode {
  const acknowledge = useAct("POST /resources/{id}/alarms/{alarmId}/acknowledge", {
    tellsRefusal: false,
    says: `The alarm on ${alarm.key} is acknowledged.`,
    then: onClose,
  });
  return (
    <Dialog title={`Acknowledge the alarm on ${alarm.key}`} onClose={onClose}>
      <p>
        Everybody who sees the resource sees that you know of it. The alarm stands until its readings are well again.
      </p>
      <Form
        act="Acknowledge"
        onSubmit={({ note }) =>
          acknowledge.mutateAsync({ path: { id: resourceId, alarmId: alarm.id }, body: note ? { note } : {} })
        }
      >
        <TextField label="What is done about it" name="note" maxLength={1_000} />
      </Form>
    </Dialog>
  );
}

/** "level came to 5.63 m", when it was raised; "No reading of level any more". */
export const alarmInWords = ({ why, key, value, unit }: RaisedAlarm): string =>
  why === "silence" ? `No reading of ${key} any more` : `${key} came to ${valueInWords(value, unit)}`;

interface LineProps {
  alarm: RaisedAlarm;
  /** The resource, where the page is not its own. */
  of?: ReactNode;
  /** What it is beyond, where that is known. */
  bound?: ResourceShown["thresholds"][number] | undefined;
  acts?: ReactNode;
}

export function AlarmLine({ alarm, of, bound, acts }: LineProps): ReactNode {
  const { severity, unit, raisedAt, clearedAt } = alarm;
  const { acknowledgedAt, acknowledgedBy, acknowledgedByName, acknowledgedNote } = alarm;
  return (
    <li>
      <Badge tone={clearedAt ? "plain" : TONES[severity]}>{severity}</Badge> {of}
      {of && ": "}
      {alarmInWords(alarm)}
      <small className="muted">
        {bound && ` (${thresholdInWords(bound, unit)})`}, since <Time at={raisedAt} />
        {clearedAt && (
          <>
            , over <Time at={clearedAt} />
          </>
        )}
      </small>
      {acknowledgedAt && (
        <small className="seen">
          Seen by {acknowledgedByName ?? acknowledgedBy}, <Time at={acknowledgedAt} />
          {acknowledgedNote && `: ${acknowledgedNote}`}
        </small>
      )}{" "}
      {acts}
    </li>
  );
}
