import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Answer } from "../../api/client.ts";

/** What it means for agents that a model answers, does not answer at the moment, or is not there at all. */
export function ModelWords({ meta, data }: Answer<"GET /admin/llm-models">): ReactNode {
  if (!meta.configured)
    return (
      <p className="hint">
        No language model is connected. Agents work all the same, by rules: they take the tool whose words fit the task,
        use only the values that they are given, and quote what they find instead of writing. What is chosen here counts
        as soon as a model is <Link to="/platform/settings/llm">connected</Link>.
      </p>
    );
  if (meta.stale)
    return (
      <p className="hint">
        The provider of the model does not answer at the moment: nobody can say which models it has. Runs wait, and go
        on when it is back.
      </p>
    );
  const current = data.find((one) => one.current);
  return <p className="muted">{current && `Unless another is chosen, it asks ${current.id}.`}</p>;
}
