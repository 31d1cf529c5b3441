import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";

type Change = ListRow<"GET /inheritance/{id}/inherited-context/changelog">;
const ROWS = 50;

/** How what the set above passes on became what it is; asked for only when somebody looks. */
export function InheritedChanges(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What changed, and when</summary>
      {isOpen && <Changes />}
    </details>
  );
}

function Changes(): ReactNode {
  const { set } = useSet();
  const changes = useAnswer("GET /inheritance/{id}/inherited-context/changelog", [
    { path: { id: set.id }, query: { limit: ROWS } },
  ]);
  return (
    <Shown of={changes}>
      {({ data, meta }) => (
        <>
          <ul className="list">
            {data.map((change) => (
              <li key={change.id}>
                <ChangeLine change={change} />
              </li>
            ))}
          </ul>
          {meta.next && <p className="muted">The last {ROWS} changes.</p>}
        </>
      )}
    </Shown>
  );
}

const ACT_WORDS: Readonly<Record<Change["act"], string>> = {
  added: "laid down",
  changed: "changed",
  withdrawn: "taken back",
};

const ChangeLine = ({ change: { kind, title, act, fields, createdAt } }: { change: Change }): ReactNode => (
  <>
    <Badge>{ACT_WORDS[act]}</Badge> <small className="muted">{kind}</small> <strong>{title}</strong>{" "}
    <small className="muted">
      <Time at={createdAt} />
    </small>
    {act === "changed" &&
      fields.map(({ field, before, after }) => (
        <p key={field} className="muted as-written">
          {field}: “{before}” became “{after}”
        </p>
      ))}
  </>
);
