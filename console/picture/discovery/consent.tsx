import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";

/** The text that a person accepts before devices are looked for from somewhere. */
export function Consent({
  origin,
  version,
  hash,
  text,
  says,
  onAccepted,
  onClose,
}: {
  origin: string;
  version: string;
  hash: string;
  text: string;
  /** Told once it is accepted. */
  says: string;
  onAccepted?(): void;
  onClose(): void;
}): ReactNode {
  const accept = useAct("POST /discovery/legal-consent", { says, ...(onAccepted && { then: onAccepted }) });
  return (
    <Dialog title={`Legal text, version ${version}`} onClose={onClose}>
      <div className="prose legal">{text}</div>
      <footer className="row end">
        <button type="button" onClick={onClose}>
          Not now
        </button>
        <button
          type="button"
          className="primary"
          disabled={accept.isPending}
          onClick={() => accept.mutate({ body: { origin, version, hash } })}
        >
          I accept this
        </button>
      </footer>
    </Dialog>
  );
}
