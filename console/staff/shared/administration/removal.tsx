import { useState, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Data } from "../../../api/client.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { isUsed, Uses } from "./uses.tsx";

interface RemovalProps {
  name: string;
  /** What uses it, asked for once the question is there. */
  uses: UseQueryResult<{ data: Data<"GET /admin/agents/{agentId}/uses"> }>;
  /** What goes with it, and what stays. */
  children: ReactNode;
  isBusy: boolean;
  onRemove(): void;
  onClose(): void;
}

/** Asks before something is removed for good, and says first what uses it: then it cannot be removed. */
export const Removal = ({ name, uses, children, isBusy, onRemove, onClose }: RemovalProps): ReactNode => (
  <Dialog title={`Remove ${name}?`} onClose={onClose}>
    <div className="stack">
      <Uses of={uses} />
      {!isUsed(uses) && children}
    </div>
    <footer className="row end">
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      {!isUsed(uses) && (
        <button type="button" className="danger" disabled={isBusy} onClick={onRemove}>
          Remove it
        </button>
      )}
    </footer>
  </Dialog>
);

/** A button that opens the question; `children` gets what closes it. */
export function RemoveButton({ children }: { children(close: () => void): ReactNode }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        Remove it
      </button>
      {isAsking && children(() => setAsking(false))}
    </>
  );
}
