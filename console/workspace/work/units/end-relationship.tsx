import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { useSet } from "../../set/use-set.tsx";

/** Ends that a unit stands under another, from now on: how it was before can still be looked up. */
export function EndRelationship({ id, words }: { id: string; words: string }): ReactNode {
  const { maySet } = useSet();
  const end = useAct("PATCH /command/relationships/{id}", { says: "That is ended." });
  if (!maySet("command:edit")) return null;
  return (
    <ConfirmButton
      words="End"
      label={`End: ${words}`}
      className="link"
      title="End the relationship"
      act="End it"
      run={() => end.mutateAsync({ path: { id }, body: { until: new Date().toISOString() } })}
    >
      <p>{words}. It is so no longer, from now on and in every mission where it held.</p>
    </ConfirmButton>
  );
}
