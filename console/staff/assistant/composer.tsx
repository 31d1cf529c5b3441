import { useState, type KeyboardEvent, type ReactNode } from "react";
import { Form, TextField } from "../../parts/form.tsx";
import { useDraftName } from "../../app/session.tsx";
import { useMayIn } from "../../app/sets.ts";
import { type StaffPlace } from "../shared/place.ts";
import { ActDialog } from "./act-dialog.tsx";
import type { Question } from "./conversation.tsx";

/** Enter sends; Shift+Enter begins a line; words that are being composed (Japanese, Chinese) go on. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

interface ComposerProps {
  place: StaffPlace;
  ask(question: Question): Promise<unknown>;
  hasAsked: boolean;
}

export function Composer({ place: { setId }, ask, hasAsked }: ComposerProps): ReactNode {
  const [isActing, setActing] = useState(false);
  const draft = useDraftName(`assistant ${setId ?? ""}`);
  const mayIn = useMayIn(setId);
  return (
    <section className="composer" aria-label="Ask">
      <Form
        act="Ask"
        clears
        draft={draft}
        onSubmit={({ text = "" }) => ask({ text })}
        beside={
          setId !== undefined &&
          mayIn("agents:run") && (
            <button type="button" onClick={() => setActing(true)}>
              Have something done
            </button>
          )
        }
      >
        <TextField
          label={hasAsked ? "Your next question" : "Your question"}
          name="text"
          rows={2}
          maxLength={8_000}
          required
          hint="Enter sends it, Shift and Enter begin a new line."
          onKeyDown={sendOnEnter}
        />
      </Form>
      {isActing && <ActDialog ask={ask} onClose={() => setActing(false)} />}
    </section>
  );
}
