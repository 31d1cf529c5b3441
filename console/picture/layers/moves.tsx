import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import type { PicturePlace } from "../place.tsx";
import type { WholeLayer } from "./layer-page.tsx";

type LayerState = WholeLayer["state"];

interface Step {
  from: LayerState;
  to: LayerState;
  words: string;
  permit: string;
  says: string;
}
/** The way of a layer; the COP is left by recall alone. */
const STEPS: readonly Step[] = [
  { from: "draft", to: "review", words: "Send to review", permit: "cop:draft", says: "It waits for a review." },
  { from: "review", to: "published", words: "Approve", permit: "cop:review", says: "It is published." },
  { from: "review", to: "draft", words: "Send back", permit: "cop:review", says: "It is a draft again." },
  {
    from: "published",
    to: "cop",
    words: "Put on the COP",
    permit: "cop:publish",
    says: "It is on the map of everybody.",
  },
  { from: "published", to: "review", words: "Review again", permit: "cop:review", says: "It is in review again." },
];

/** The next steps that this person may take, and why one is missing. */
export function Moves({ layer, place }: { layer: WholeLayer; place: PicturePlace }): ReactNode {
  const { userId } = useWho();
  const [isRecalling, setRecalling] = useState(false);
  const move = useAct("POST /cop/layers/{id}/transition");
  const { id, state, specBy, version, kind, features } = layer;
  const isOwn = specBy === userId;
  const isEmpty = version === 0 || (kind === "drawn" && features === 0);
  const steps = STEPS.filter(
    ({ from, to, permit }) =>
      from === state && place.may(permit) && !(to === "published" && isOwn) && !(to === "review" && isEmpty),
  );
  return (
    <>
      {state === "review" && isOwn && <p className="muted">You wrote this version: somebody else approves it.</p>}
      {state === "draft" && isEmpty && <p className="muted">It is empty: draw something first.</p>}
      <div className="row">
        {steps.map(({ to, words }) => (
          <button
            key={to}
            type="button"
            className={to === "cop" || to === "published" ? "primary" : undefined}
            disabled={move.isPending}
            onClick={() => move.mutate({ path: { id }, body: { to, ...(to === "published" && { version }) } })}
          >
            {words}
          </button>
        ))}
        {state === "cop" && place.may("cop:publish") && (
          <button type="button" onClick={() => setRecalling(true)}>
            Recall from the COP
          </button>
        )}
      </div>
      {isRecalling && <Recall {...layer} onClose={() => setRecalling(false)} />}
    </>
  );
}

function Recall({ id, name, onClose }: WholeLayer & { onClose(): void }): ReactNode {
  const recall = useAct("POST /cop/layers/{id}/recall", {
    tellsRefusal: false,
    says: `“${name}” is in review again.`,
    then: onClose,
  });
  return (
    <Dialog title={`Recall “${name}” from the COP`} onClose={onClose}>
      <p>It goes from the map of everybody, and back to review.</p>
      <Form act="Recall" onSubmit={({ reason = "" }) => recall.mutateAsync({ path: { id }, body: { reason } })}>
        <TextField label="Why" name="reason" minLength={3} required />
      </Form>
    </Dialog>
  );
}
