import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { asOf, unlessStale } from "./stale.ts";
import { KIND_WORDS, OBJECTIVE_KINDS, objectiveAddress, type KnownObjective, type ObjectiveKind } from "./tree.ts";

const dayOf = (at: string | undefined): string | undefined => at?.slice(0, 10);

/** What a form says of an objective, as the API takes it; a day that stayed keeps its hour. */
function writtenIn(fields: FormFields, before?: KnownObjective) {
  const { statement = "", description, kind, owner, dueAt } = fields;
  const [indicator, unit, baseline, target, keep] = ["indicator", "unit", "baseline", "target", "keep"].map(
    (name) => fields[`measure.${name}`],
  );
  return {
    statement,
    ...(description && { description }),
    kind: kind as ObjectiveKind,
    ...(owner && { owner }),
    ...(dueAt && { dueAt: dueAt === dayOf(before?.dueAt) ? before!.dueAt! : `${dueAt}T23:59:59.000Z` }),
    ...((indicator || target) && {
      measure: {
        indicator: indicator ?? "",
        // Without a target the API says so, at its field.
        target: (target && Number(target)) as number,
        ...(unit && { unit }),
        ...(baseline && { baseline: Number(baseline) }),
        ...(keep && { keep: keep as "at-least" | "at-most" }),
      },
    }),
  };
}

const TARGETS = [
  ["", "reached"],
  ["at-least", "kept, or more"],
  ["at-most", "kept, or less"],
] as const;

function ObjectiveFields({ of }: { of?: KnownObjective | undefined }): ReactNode {
  const { statement, description, kind = "objective", owner, dueAt, measure } = of ?? {};
  return (
    <>
      <TextField label="What is to be reached" name="statement" rows={2} defaultValue={statement} required />
      <TextField label="What else there is to say of it" name="description" rows={3} defaultValue={description} />
      <Select
        label="Kind"
        name="kind"
        defaultValue={kind}
        options={OBJECTIVE_KINDS.map((one) => [one, KIND_WORDS[one]] as const)}
      />
      <Field label="Who answers for it" name="owner" hint="A person, an office, a unit." defaultValue={owner} />
      <Field label="By when" name="dueAt" type="date" defaultValue={dayOf(dueAt)} />
      <Field
        label="Measured by"
        name="measure.indicator"
        hint="For example: ships that pass in a day."
        defaultValue={measure?.indicator}
      />
      <div className="columns">
        <Field label="It begins at" name="measure.baseline" type="number" step="any" defaultValue={measure?.baseline} />
        <Field label="It must get to" name="measure.target" type="number" step="any" defaultValue={measure?.target} />
        <Field label="Unit" name="measure.unit" defaultValue={measure?.unit} />
        <Select label="That is" name="measure.keep" defaultValue={measure?.keep ?? ""} options={TARGETS} />
      </div>
    </>
  );
}

interface WriteProps {
  setId: string;
  /** The approved objective that it is to take the place of. */
  instead?: KnownObjective;
  onClose(): void;
}

/** Writes an objective by hand, as a draft. */
export function WriteDialog({ setId, instead, onClose }: WriteProps): ReactNode {
  const navigate = useNavigate();
  const write = useAct("POST /strategic/objectives", {
    tellsRefusal: false,
    says: "It is a draft: put it up for review when it is ready.",
    then({ data }) {
      onClose();
      void navigate(objectiveAddress(data.id));
    },
  });
  const place = (fields: FormFields) =>
    instead
      ? { supersedes: instead.id, compartments: instead.compartments, citations: instead.citations.map(placeOf) }
      : chosenReaders(fields);
  return (
    <Dialog title={instead ? "Write its successor" : "Write an objective"} onClose={onClose}>
      {instead && (
        <p>
          An approved objective is not changed. Its successor begins as a draft with its words; once that is approved,
          it takes the place of this one.
        </p>
      )}
      <Form
        act="Keep as a draft"
        onSubmit={(fields) =>
          write.mutateAsync({ body: { problemSetId: setId, ...writtenIn(fields), ...place(fields) } })
        }
      >
        <ObjectiveFields of={instead} />
        {!instead && <ReadersOf problemSetId={setId} />}
      </Form>
    </Dialog>
  );
}

/** Where words stand, as the API takes it: it looks them up itself. */
export const placeOf = ({ documentId, version, start, end }: KnownObjective["citations"][number]) => ({
  ...{ documentId, version, start, end },
});

/** Changes what an objective says; what is emptied is gone. */
export function ChangeDialog({ objective, onClose }: { objective: KnownObjective; onClose(): void }): ReactNode {
  // As it was when it was opened: what another writes meanwhile is told when it is kept, and not written over.
  const [opened] = useState(objective);
  const change = useAct("PUT /strategic/objectives/{id}", {
    tellsRefusal: false,
    says: "It is changed.",
    then: onClose,
  });
  const emptied = { description: null, owner: null, dueAt: null, measure: null };
  return (
    <Dialog title="Change it" onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={(fields) =>
          unlessStale(
            change.mutateAsync({
              path: { id: opened.id },
              body: { ...emptied, ...writtenIn(fields, opened) },
              options: asOf(opened),
            }),
          )
        }
      >
        <ObjectiveFields of={opened} />
      </Form>
    </Dialog>
  );
}
