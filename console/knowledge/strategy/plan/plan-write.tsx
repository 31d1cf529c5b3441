import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { newRow, planOf, type PlanDraft, type PlanPart, type PlanRow } from "./plan-draft.ts";
import type { KnownObjective } from "../tree.ts";

interface PlanField {
  name: string;
  label: string;
  isNumber?: true;
  isDay?: true;
  /** One of the lines of effort. */
  isLine?: true;
}
interface PlanPartShown {
  title: string;
  about: string;
  add: string;
  fields: readonly PlanField[];
}

const PARTS: Readonly<Record<PlanPart, PlanPartShown>> = {
  linesOfEffort: {
    title: "Lines of effort",
    about: "What goes on side by side.",
    add: "Add a line of effort",
    fields: [
      { name: "name", label: "Name" },
      { name: "description", label: "What it is about" },
    ],
  },
  tasks: {
    title: "Tasks",
    about:
      "Each has a sign. Write the signs of tasks that end before it after “After” (T1, T3), and those of what it takes after “With” (R1).",
    add: "Add a task",
    fields: [
      { name: "name", label: "What is done" },
      { name: "days", label: "Days", isNumber: true },
      { name: "lineOfEffort", label: "Line of effort", isLine: true },
      { name: "dependsOn", label: "After" },
      { name: "resources", label: "With" },
    ],
  },
  measures: {
    title: "Measures",
    about: "How one sees that it works.",
    add: "Add a measure",
    fields: [
      { name: "indicator", label: "What is counted" },
      { name: "baseline", label: "It begins at", isNumber: true },
      { name: "target", label: "It must get to", isNumber: true },
      { name: "unit", label: "Unit" },
      { name: "dueAt", label: "By when", isDay: true },
      { name: "lineOfEffort", label: "Line of effort", isLine: true },
    ],
  },
  resources: {
    title: "What it takes",
    about: "People by their positions, and things: they are looked for among those of the problem set.",
    add: "Add somebody or something",
    fields: [
      { name: "name", label: "Who or what" },
      { name: "quantity", label: "How many", isNumber: true },
    ],
  },
};

interface WritePlanProps {
  objective: KnownObjective;
  begins: PlanDraft;
  /** That of the plan it begins with: what another kept meanwhile is not written over. */
  version: number | undefined;
  onClose(): void;
}

/** Writes the whole of a plan; the platform says what does not fit together, at its field. */
export function WritePlan({ objective: { id }, begins, version, onClose }: WritePlanProps): ReactNode {
  const [opened] = useState(version);
  const [draft, setDraft] = useState(begins);
  const keep = useAct("POST /strategic/objectives/{id}/operationalize", {
    tellsRefusal: false,
    says: "The plan is kept.",
    then: onClose,
  });
  return (
    <Section title="What is done about it">
      <Form
        act="Keep"
        label="The plan"
        beside={
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        }
        onSubmit={() =>
          keep.mutateAsync({ path: { id }, body: { ...planOf(draft), ...(opened && { version: opened }) } })
        }
      >
        {(Object.keys(PARTS) as PlanPart[]).map((part) => (
          <PartFields
            key={part}
            part={part}
            draft={draft}
            change={(rows) => setDraft((now) => ({ ...now, [part]: rows }))}
          />
        ))}
      </Form>
    </Section>
  );
}

interface PartFieldsProps {
  part: PlanPart;
  draft: PlanDraft;
  change(rows: readonly PlanRow[]): void;
}

function PartFields({ part, draft, change }: PartFieldsProps): ReactNode {
  const { title, about, add, fields } = PARTS[part];
  const rows = draft[part];
  return (
    <fieldset>
      <legend>{title}</legend>
      <small className="muted">{about}</small>
      {rows.map((row, at) => (
        <div key={row["key"]} className="field-row">
          {fields.map((field) => (
            <RowField
              key={field.name}
              field={field}
              path={`${part}.${at}.${field.name}`}
              sign={row["key"]!}
              value={row[field.name] ?? ""}
              lines={draft.linesOfEffort}
              change={(value) => change(rows.with(at, { ...row, [field.name]: value }))}
            />
          ))}
          <button
            type="button"
            aria-label={`Remove ${row["key"]}`}
            onClick={() => change(rows.filter((one) => one !== row))}
          >
            Remove
          </button>
        </div>
      ))}
      <div>
        <button type="button" onClick={() => change([...rows, newRow(part, rows)])}>
          {add}
        </button>
      </div>
    </fieldset>
  );
}

interface RowFieldProps {
  field: PlanField;
  path: string;
  sign: string;
  value: string;
  lines: readonly PlanRow[];
  change(value: string): void;
}

function RowField({ field, path, sign, value, lines, change }: RowFieldProps): ReactNode {
  const { label, isNumber, isDay, isLine } = field;
  const shared = { label: `${sign}: ${label}`, name: path };
  if (isLine)
    return (
      <Select
        {...shared}
        value={value}
        onChange={({ target }) => change(target.value)}
        options={[["", "none"], ...lines.map(({ key = "", name = "" }) => [key, `${key} ${name}`] as const)]}
      />
    );
  // A day that stays as it is keeps its hour.
  if (isDay)
    return (
      <Field
        {...shared}
        type="date"
        value={value.slice(0, 10)}
        onChange={({ target }) => change(target.value && `${target.value}T23:59:59.000Z`)}
      />
    );
  return (
    <Field
      {...shared}
      value={value}
      {...(isNumber && { type: "number", step: "any" })}
      onChange={({ target }) => change(target.value)}
    />
  );
}
