import { useState, type ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";
import { Confirm } from "../../../../parts/dialog.tsx";
import { useSet } from "../../../set/use-set.tsx";

/** Ends that a unit stands under another. */
export function EndRelationship({ id, words }: { id: string; words: string }): ReactNode {
  const { maySet } = useSet();
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const end = useAct("DELETE /command/relationships/{id}", { says: "That is ended.", then: close });
  if (!maySet("command:edit")) return null;
  return (
    <>
      <button type="button" className="link" aria-label={`End: ${words}`} onClick={() => setAsked(true)}>
        End
      </button>
      {isAsked && (
        <Confirm
          title="End the relationship"
          act="End it"
          isBusy={end.isPending}
          onConfirm={() => end.mutate({ path: { id } })}
          onClose={close}
        >
          <p>{words}. It is so no longer, from now on and in every mission where it held.</p>
        </Confirm>
      )}
    </>
  );
}
