import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { Copied } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Time } from "../../parts/texts.tsx";

/** What the inviter does next: the code is told this once. */
export function HandOn({
  invitation: { code, role, did, expiresAt },
  name = did,
  onClose,
}: {
  invitation: Data<"POST /problem-sets/{id}/invite">;
  /** Of the one person whom it is for. */
  name: string | undefined;
  onClose(): void;
}): ReactNode {
  return (
    <Dialog title={code ? "Hand this on" : "Invited"} onClose={onClose}>
      {code ? (
        <>
          <p>
            It makes somebody a member, as {role}, until <Time at={expiresAt} />. It is shown this once: copy it now.
          </p>
          <Copied label="Link" text={`${location.origin}/workspace/join#${encodeURIComponent(code)}`} />
          <Copied label="Code" text={code} />
        </>
      ) : (
        <p>
          {name} finds the invitation, as {role}, among their problem sets.
        </p>
      )}
      <footer className="row end">
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </footer>
    </Dialog>
  );
}
