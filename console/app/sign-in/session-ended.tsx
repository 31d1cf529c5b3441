import type { ReactNode } from "react";
import { Dialog } from "../../parts/dialog.tsx";
import { cameBack, sessionChanged, type Who } from "../session.tsx";
import { useRecheckOnReturn, Ways } from "./ways.tsx";
import "./sign-in.css";

/** Over the page that somebody was on when their session ended: it stays as it is until they are back. */
export function SessionEnded({ who }: { who: Who }): ReactNode {
  useRecheckOnReturn();
  return (
    <Dialog title="Your session has ended" onClose={() => void sessionChanged()}>
      <div className="stack ways">
        <p>
          Sign in again as {who.name} to go on: the page behind this stays as you left it. Closing this leaves the page.
        </p>
        <Ways email={who.user?.email} then={cameBack} />
      </div>
    </Dialog>
  );
}
