import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { levelWords, PROBABILITIES, SEVERITIES, type RiskEstimate } from "./risk-words.ts";

/** An estimate as a form says it; undefined where it says none. */
const estimateIn = (fields: FormFields, name: "before" | "after"): RiskEstimate | undefined => {
  const [probability, severity] = [fields[`${name}.probability`], fields[`${name}.severity`]];
  return probability || severity ? ({ probability, severity } as RiskEstimate) : undefined;
};

function controlsIn(fields: FormFields, rows: number): { text: string; owner?: string }[] {
  return Array.from({ length: rows }, (_none, at) => {
    const [text = "", owner] = [fields[`controls.${at}.text`], fields[`controls.${at}.owner`]];
    return { text, ...(owner && { owner }) };
  }).filter(({ text, owner }) => text || owner);
}

const FIRST_ROWS = 2;

/** Says what may go wrong; how high that is follows from the matrix of ATP 5-19, and is never sent. */
export function AssessRisk({ objectiveId, onClose }: { objectiveId: string; onClose(): void }): ReactNode {
  const [rows, setRows] = useState(FIRST_ROWS);
  const assess = useAct("POST /strategic/objectives/{id}/risk", {
    tellsRefusal: false,
    says: ({ data }) => `It is a ${levelWords(data.residualLevel)}; somebody else accepts it or returns it.`,
    then: onClose,
  });
  return (
    <Dialog title="Assess a risk" onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={(fields) => {
          const after = estimateIn(fields, "after");
          return assess.mutateAsync({
            path: { id: objectiveId },
            body: {
              hazard: fields["hazard"] ?? "",
              before: estimateIn(fields, "before")!,
              controls: controlsIn(fields, rows),
              ...(after && { after }),
            },
          });
        }}
      >
        <TextField label="What may go wrong" name="hazard" rows={2} required />
        <fieldset>
          <legend>If nothing is done about it</legend>
          <Estimated name="before" isNeeded />
        </fieldset>
        <fieldset>
          <legend>What is done about it</legend>
          {Array.from({ length: rows }, (_none, at) => (
            // Rows are added at the end alone.
            // oxlint-disable-next-line react/no-array-index-key
            <div className="field-row" key={at}>
              <Field label={`Measure ${at + 1}`} name={`controls.${at}.text`} />
              <Field label={`Who does it (${at + 1})`} name={`controls.${at}.owner`} />
            </div>
          ))}
          <div>
            <button type="button" onClick={() => setRows(rows + 1)}>
              Add a measure
            </button>
          </div>
        </fieldset>
        <fieldset>
          <legend>With that</legend>
          <small className="muted">Left as it is, the measures change nothing about it.</small>
          <Estimated name="after" />
        </fieldset>
      </Form>
    </Dialog>
  );
}

function Estimated({ name, isNeeded = false }: { name: "before" | "after"; isNeeded?: boolean }): ReactNode {
  const none = isNeeded ? ([["", "choose"]] as const) : ([["", "as before"]] as const);
  const beside = isNeeded ? "" : ", then";
  return (
    <div className="field-row">
      <Select
        label={`How often${beside}`}
        name={`${name}.probability`}
        options={[...none, ...PROBABILITIES]}
        required={isNeeded}
      />
      <Select
        label={`How bad${beside}`}
        name={`${name}.severity`}
        options={[...none, ...SEVERITIES]}
        required={isNeeded}
      />
    </div>
  );
}
