import { useState, type ReactNode } from "react";
import type { Data } from "../../api/client.ts";
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

function Copied({ label, text }: { label: string; text: string }): ReactNode {
  const [told, setTold] = useState("");
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setTold("Copied."),
      () => setTold("The browser does not allow it: mark it and copy it yourself."),
    );
  return (
    <div>
      <div className="row between">
        <h3>{label}</h3>
        <span className="row">
          <span role="status">{told}</span>
          <button type="button" aria-label={`Copy the ${label.toLowerCase()}`} onClick={copy}>
            Copy
          </button>
        </span>
      </div>
      <code className="code">{text}</code>
    </div>
  );
}
