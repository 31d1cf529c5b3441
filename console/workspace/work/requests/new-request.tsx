import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import { instantOf } from "../moments.ts";
import { REQUEST_PRIORITIES, type RequestPriority } from "./request-words.ts";

/** Asks the set above for something that this one cannot find out itself. */
export function NewRequest({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const go = useNavigate();
  const send = useAct("POST /inheritance/{id}/rfis", {
    tellsRefusal: false,
    says: "The request is with the set above.",
    then({ data }) {
      onClose();
      void go(`/workspace/${set.id}/rfis/${data.id}`);
    },
  });
  const submit = (fields: FormFields) => {
    const { title = "", question = "", priority, neededBy } = fields;
    return send.mutateAsync({
      path: { id: set.id },
      body: {
        title,
        question,
        priority: priority as RequestPriority,
        ...(neededBy && { neededBy: instantOf(neededBy) }),
        ...chosenReaders(fields),
      },
    });
  };
  return (
    <Dialog title="Ask the set above" onClose={onClose}>
      <Form act="Send the request" onSubmit={submit}>
        <Field label="What it is about" name="title" hint="Bridge at Row Town." maxLength={200} required />
        <TextField
          label="Question"
          name="question"
          hint="What you need to know, and what depends on it."
          maxLength={20_000}
          required
        />
        <div className="columns">
          <Select label="Priority" name="priority" options={REQUEST_PRIORITIES} />
          <Field
            label="Needed by (optional)"
            name="neededBy"
            type="datetime-local"
            hint="Afterwards the answer is of no use."
          />
        </div>
        <ReadersChoice hint="It cannot be changed later, and holds in the set above, too." />
      </Form>
    </Dialog>
  );
}
