import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Badge, Time } from "../../parts/texts.tsx";
import { CLASS_WORDS, spelled } from "../shared/words.ts";

/** What the assistant may do here without asking, as the person agreed to; silent where that is nothing. */
export function Trust({ setId }: { setId: string }): ReactNode {
  const { data } = useAnswer("GET /assistant/trust-preferences", [{ query: { limit: 100 } }]);
  const withdraw = useAct("DELETE /assistant/trust-preferences/{preferenceId}", {
    says: "From now on the assistant asks you again.",
  });
  const trusted = data?.data.filter(({ problemSetId }) => problemSetId === setId) ?? [];
  if (!trusted.length) return null;
  return (
    <section className="card" aria-label="Done without asking you">
      <h2>Done without asking you</h2>
      <ul className="list">
        {trusted.map(({ id, tool, class: kind, expiresAt, holds }) => (
          <li key={id} className="row between">
            <span>
              <strong>{spelled(tool)}</strong>{" "}
              <span className="muted">
                {CLASS_WORDS[kind]}, ends <Time at={expiresAt} />
              </span>{" "}
              {!holds && <Badge tone="plain">holds no longer</Badge>}
            </span>
            <button
              type="button"
              aria-label={`Ask me again: ${spelled(tool)}`}
              onClick={() => withdraw.mutate({ path: { preferenceId: id } })}
            >
              Ask me again
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
