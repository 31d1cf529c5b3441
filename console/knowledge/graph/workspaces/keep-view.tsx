import { useState, type ReactNode } from "react";
import { useMayIn } from "../../../app/sets.ts";
import { WorkspaceDialog } from "./workspace-dialog.tsx";
import type { WorkspacePart } from "./workspace-words.ts";

interface KeepViewProps {
  setId: string;
  documentId: string | null;
  kind: string | null;
}

/** Keeps what the graph shows now as a workspace. */
export function KeepView({ setId, documentId, kind }: KeepViewProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (!useMayIn(setId)("graph:edit")) return null;
  const begins = {
    documentIds: documentId ? [documentId] : [],
    types: kind ? [kind as WorkspacePart["types"][number]] : [],
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Keep this view
      </button>
      {isOpen && <WorkspaceDialog setId={setId} begins={begins} onClose={() => setOpen(false)} />}
    </>
  );
}
