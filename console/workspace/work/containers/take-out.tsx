import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";

interface TakeOutProps {
  documentId: string;
  containerId: string;
  /** What is seen to go: the document of a container, or the container of a document. */
  what: string;
}

/** Takes a document out of a container; the document stays. */
export function TakeOut({ documentId, containerId, what }: TakeOutProps): ReactNode {
  const takeOut = useAct("DELETE /strategic/documents/{documentId}/containers/{containerId}", {
    says: `“${what}” is taken out.`,
  });
  return (
    <button
      type="button"
      aria-label={`Take out: ${what}`}
      disabled={takeOut.isPending}
      onClick={() => takeOut.mutate({ path: { documentId, containerId } })}
    >
      Take out
    </button>
  );
}
