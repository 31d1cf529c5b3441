import type { ReactNode } from "react";
import { useAct } from "../../../../api/hooks.ts";

/** Looks for what is wrong with the chain of command: circles, two superiors, units that nobody commands. */
export function CheckChain({ missionId, at }: { missionId: string; at: string | undefined }): ReactNode {
  const check = useAct("POST /command/validate-hierarchy/{missionId}");
  const found = check.data?.data;
  return (
    <>
      <div className="row">
        <button
          type="button"
          disabled={check.isPending}
          onClick={() => check.mutate({ path: { missionId }, query: { ...(at && { at }) } })}
        >
          Check it
        </button>
        {found?.ok && <span role="status">Nothing is wrong with it.</span>}
      </div>
      {found && found.findings.length > 0 && (
        <ul role="status">
          {found.findings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </>
  );
}
