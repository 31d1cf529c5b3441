import type { ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { useSet } from "./use-set.tsx";

/** What the set above passes on, and whether this set has taken note of it. Nothing where it passes on nothing. */
export function Inherited(): ReactNode {
  const { set, maySet } = useSet();
  const path = { id: set.id };
  const context = useAnswer("GET /inheritance/{id}/inherited-context", [{ path }]);
  const note = useAct("POST /inheritance/{id}/inherited-context/acknowledge", { says: "Noted, in this version." });
  if (context.data && !context.data.data.items.length) return null;
  return (
    <Section title="From the set above">
      <Shown of={context}>
        {({ data: { items, version, acknowledged, changes, truncated } }) => (
          <>
            {changes > 0 || acknowledged !== version ? (
              <div className="row between">
                <span>
                  <Badge tone="warn">new</Badge>{" "}
                  {acknowledged
                    ? `${many(changes, "change")} since you took note.`
                    : "You have not taken note of it yet."}
                </span>
                {maySet("inheritance:read") && (
                  <button
                    type="button"
                    className="primary"
                    disabled={note.isPending}
                    onClick={() => note.mutate({ path, body: { version } })}
                  >
                    Take note
                  </button>
                )}
              </div>
            ) : (
              <p className="muted">You have taken note of all of it.</p>
            )}
            <ul className="list">
              {items.map(({ id, kind, title, text, status, withdrawn }) => (
                <li key={id}>
                  <small className="muted">{kind}</small> <strong>{title}</strong>{" "}
                  {withdrawn ? <Badge>taken back</Badge> : kind === "gate" && <Badge>{status}</Badge>}
                  {text && <p className="muted">{text}</p>}
                </li>
              ))}
            </ul>
            {truncated && <p className="muted">There is more than is shown here.</p>}
          </>
        )}
      </Shown>
    </Section>
  );
}
