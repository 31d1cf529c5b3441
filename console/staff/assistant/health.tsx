import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";

/** Says when no model answers, and what the assistant can do then; silent while one does. */
export function Health(): ReactNode {
  const { data } = useAnswer("GET /assistant/health", [], { stays: true });
  const mayConfigure = useMay("platform:administer");
  if (!data || (data.data.status === "ok" && data.data.model !== null)) return null;
  const { status, model, reason } = data.data;
  if (status === "down")
    return (
      <p className="hint" role="status">
        The assistant does not work at the moment. Questions are kept, and answered as soon as it does.
      </p>
    );
  if (model !== null)
    return (
      <p className="hint" role="status">
        The language model does not answer at the moment{reason ? ` (${reason})` : ""}. Until it does, answers are
        sentences quoted from what you may read.
      </p>
    );
  return (
    <p className="hint">
      No language model is connected. The assistant still answers: with sentences quoted from what you may read, and
      with how things are done here. In a problem set it proposes acts whose values you give it. An administrator can
      connect a model
      {mayConfigure ? (
        <>
          : see <Link to="/platform/settings/llm">Administration</Link>
        </>
      ) : (
        ""
      )}
      .
    </p>
  );
}
