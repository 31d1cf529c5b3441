import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import type { SetCompartment } from "../../app/compartments.tsx";

/** Takes back a dissolution, or the wish for one. */
export function RestoreButton({
  compartment: { id, problemSetId, name, status },
  act,
}: {
  compartment: SetCompartment;
  act: string;
}): ReactNode {
  const restore = useAct("POST /problem-sets/{id}/compartments/{cid}/restore", {
    says: status === "active" ? `${name} stays.` : `${name} is as it was; those who were read in are again.`,
  });
  return (
    <button
      type="button"
      aria-label={`${act}: ${name}`}
      disabled={restore.isPending}
      onClick={() => restore.mutate({ path: { id: problemSetId, cid: id } })}
    >
      {act}
    </button>
  );
}
