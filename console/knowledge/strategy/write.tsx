import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { KIND_WORDS, OBJECTIVE_KINDS, objectiveAddress, type ObjectiveKind } from "./tree.ts";

/** What a form says of an objective, as the API takes it. */
function writtenIn({ statement = "", description, kind, owner, due, indicator, target, unit, baseline }: FormFields) {
  return {
    statement,
    ...(description && { description }),
    kind: kind as ObjectiveKind,
    ...(owner && { owner }),
    ...(due && { dueAt: `${due}T23:59:59.000Z` }),
    ...(indicator && {
      measure: {
        indicator,
        target: Number(target),
        ...(unit && { unit }),
        ...(baseline && { baseline: Number(baseline) }),
      },
    }),
  };
}

/** Writes an objective by hand, as a draft. */
export function WriteDialog({ setId, onClose }: { setId: string; onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const write = useAct("POST /strategic/objectives", {
    tellsRefusal: false,
    says: "It is a draft: put it up for review when it is ready.",
    then: ({ data }) => void navigate(objectiveAddress(data.id)),
  });
  return (
    <Dialog title="Write an objective" onClose={onClose}>
      <Form
        act="Keep as a draft"
        onSubmit={(fields) => write.mutateAsync({ body: { problemSetId: setId, ...writtenIn(fields) } })}
      >
        <TextField label="What is to be reached" name="statement" rows={2} required />
        <Select
          label="Kind"
          name="kind"
          defaultValue="objective"
          options={OBJECTIVE_KINDS.map((kind) => [kind, KIND_WORDS[kind]] as const)}
        />
        <Field label="Who answers for it" name="owner" hint="A person, an office, a unit." />
        <Field label="By when" name="due" type="date" />
        <Field label="Measured by" name="indicator" hint="For example: ships that pass in a day." />
        <div className="columns">
          <Field label="It begins at" name="baseline" type="number" step="any" />
          <Field label="It must get to" name="target" type="number" step="any" />
          <Field label="Unit" name="unit" />
        </div>
      </Form>
    </Dialog>
  );
}
