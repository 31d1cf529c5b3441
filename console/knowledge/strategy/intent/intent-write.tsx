import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Form, TextField } from "../../../parts/form.tsx";
import { many } from "../../../parts/texts.tsx";
import type { IntentShown } from "./intent.tsx";
import { asOf, unlessStale } from "../stale.ts";
import type { KnownObjective } from "../tree.ts";
import { placeOf } from "../write.tsx";

/** What an intent says, and the words of documents that it rests on. */
export type IntentSaid = Pick<IntentShown, "purpose" | "keyTasks" | "endState" | "citations">;

interface WriteIntentProps {
  objective: KnownObjective;
  /** The one that is changed; absent for the first. */
  intent?: IntentShown;
  /** What the form begins with. */
  said: IntentSaid;
  mayApprove: boolean;
  onClose(): void;
}

/** Writes an intent; where there is one, its next version. */
export function WriteIntent({ objective, intent, said, mayApprove, onClose }: WriteIntentProps): ReactNode {
  // As it was when it was opened: what another writes meanwhile is told when it is kept, and not written over.
  const [opened] = useState(intent);
  const options = { tellsRefusal: false, says: "The intent is kept.", then: onClose };
  const write = useAct("POST /strategic/objectives/{id}/intent", options);
  const change = useAct("PUT /strategic/intent/{intentId}", options);
  return (
    <Dialog title={opened ? "Change the intent" : "Write the intent"} onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={({ purpose = "", keyTasks = "", endState = "", approved }) => {
          const body = {
            ...{ purpose, keyTasks: linesOf(keyTasks), endState, citations: said.citations.map(placeOf) },
            status: approved ? ("approved" as const) : ("draft" as const),
          };
          return opened
            ? unlessStale(change.mutateAsync({ path: { intentId: opened.id }, body, options: asOf(opened) }))
            : write.mutateAsync({ path: { id: objective.id }, body });
        }}
      >
        <TextField label="Purpose" name="purpose" hint="Why it is done." defaultValue={said.purpose} required />
        <TextField
          label="Key tasks"
          name="keyTasks"
          hint="What must be done, whatever else changes: a line for each."
          rows={5}
          defaultValue={said.keyTasks.join("\n")}
          required
        />
        <TextField
          label="End state"
          name="endState"
          hint="How it is when it is done."
          defaultValue={said.endState}
          required
        />
        {said.citations.length > 0 && (
          <p className="muted">{many(said.citations.length, "passage")} of documents are cited with it.</p>
        )}
        {mayApprove && (
          <Check
            label="Approve it"
            name="approved"
            hint="It goes down to the problem sets below with its objective; only the commander changes it then."
            defaultChecked={opened?.status === "approved"}
          />
        )}
      </Form>
    </Dialog>
  );
}

export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
