import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, Share, Time } from "../../parts/texts.tsx";
import { progressOf, type KnownObjective } from "./tree.ts";

type ObjectiveAssessment = ListRow<"GET /strategic/objectives/{id}/assessments">;
type ProgressStatus = ObjectiveAssessment["status"];

const TONES = { "on-track": "good", "at-risk": "warn", "off-track": "bad", achieved: "good" } as const;
const WAYS = Object.keys(TONES).map((way) => [way, way.replace("-", " ")] as const);

/** How far it is, as people assessed it, the newest first. */
export function Assessments({ objective, mayAssess }: { objective: KnownObjective; mayAssess: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const all = useAnswer("GET /strategic/objectives/{id}/assessments", [
    { path: { id: objective.id }, query: { sort: "-at", limit: 20 } },
  ]);
  return (
    <Section
      title="How far it is"
      acts={
        mayAssess && (
          <button type="button" onClick={() => setOpen(true)}>
            Assess it
          </button>
        )
      }
    >
      <Shown of={all}>
        {({ data }) => (
          <>
            {!data.length && <Empty>Nobody has assessed it yet.</Empty>}
            <ul className="list">
              {data.map((one) => (
                <Assessed key={one.id} one={one} objective={objective} />
              ))}
            </ul>
          </>
        )}
      </Shown>
      {isOpen && <AssessDialog objective={objective} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function Assessed({ one, objective }: { one: ObjectiveAssessment; objective: KnownObjective }): ReactNode {
  const { status, value, at, evidence, trend, createdByName } = one;
  const progress = progressOf(objective, value);
  return (
    <li>
      <p className="row">
        <Badge tone={TONES[status]}>{status}</Badge>
        {progress !== undefined && <Share of={progress} label="Progress towards the target" />}
        {value !== undefined && (
          <span>
            {value} {objective.measure?.unit}
          </span>
        )}
        <small className="muted">
          <Time at={at} />
          {createdByName && `, ${createdByName}`}
        </small>
      </p>
      {trend?.projected != null && (
        <small className="muted">
          At this pace it will be {Math.round(trend.projected * 10) / 10} when it is due; on the straight line it would
          be {Math.round(trend.expected * 10) / 10} now.
        </small>
      )}
      <ul>
        {evidence.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </li>
  );
}

function AssessDialog({ objective, onClose }: { objective: KnownObjective; onClose(): void }): ReactNode {
  const assess = useAct("POST /strategic/objectives/{id}/assess", { tellsRefusal: false, then: onClose });
  const { id, measure } = objective;
  return (
    <Dialog title="Assess it" onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={({ value, status, evidence = "" }) =>
          assess.mutateAsync({
            path: { id },
            body: {
              ...(value && { value: Number(value) }),
              ...(status && { status: status as ProgressStatus }),
              evidence: evidence.split("\n").filter((line) => line.trim()),
            },
          })
        }
      >
        {measure && (
          <Field
            label={`${measure.indicator}${measure.unit ? ` (${measure.unit})` : ""}`}
            name="value"
            type="number"
            step="any"
            hint={
              measure.keep
                ? `Kept ${measure.keep.replace("-", " ")} ${measure.target}.`
                : `It must get to ${measure.target}.`
            }
          />
        )}
        <Select
          label="It is"
          name="status"
          options={measure && objective.dueAt ? [["", "what the values say"], ...WAYS] : WAYS}
        />
        <TextField label="What shows it" name="evidence" hint="A line for each." rows={3} required />
      </Form>
    </Dialog>
  );
}
