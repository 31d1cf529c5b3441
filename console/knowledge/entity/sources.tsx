import { useState, type ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import type { StatementSeen } from "../vocabulary.ts";
import { Origin, type Titles } from "./origin.tsx";

const METHODS: Readonly<Record<StatementSeen["method"], string>> = {
  heuristic: "found by rules",
  llm: "suggested by the language model, and in the text",
  manual: "entered by hand",
};

/** When it held, where its source says so. */
function Held({ validFrom, validTo }: StatementSeen): ReactNode {
  if (!validFrom && !validTo) return null;
  return (
    <>
      ; held{" "}
      {validFrom && (
        <>
          from <Time at={validFrom} />{" "}
        </>
      )}
      {validTo && (
        <>
          until <Time at={validTo} />
        </>
      )}
    </>
  );
}

/** One statement with its words. */
const Source = ({ said, setId, titles }: { said: StatementSeen; setId: string; titles: Titles }): ReactNode => (
  <li>
    <Origin origin={said.origin} setId={setId} titles={titles} />
    <small className="muted">
      {METHODS[said.method]}
      {said.reason && ` (${said.reason})`}, {Math.round(said.confidence * 100)} % sure
      {said.times > 1 && `, said ${said.times} times`}; <Time at={said.observedAt} />
      <Held {...said} />
    </small>
  </li>
);

interface SourcesProps {
  said: readonly StatementSeen[];
  setId: string;
  titles: Titles;
  /** How many are open to see; the rest opens on demand. */
  first?: number;
}

/** The statements that something rests on. */
export function SourceList({ said, setId, titles, first = 1 }: SourcesProps): ReactNode {
  const [shown, rest] = [said.slice(0, first), said.slice(first)];
  return (
    <>
      {shown.length > 0 && (
        <ul className="sources">
          {shown.map((one) => (
            <Source key={one.id} said={one} setId={setId} titles={titles} />
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <details>
          <summary>{many(rest.length, shown.length ? "more source" : "source")}</summary>
          <ul className="sources">
            {rest.map((one) => (
              <Source key={one.id} said={one} setId={setId} titles={titles} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface AskedSources {
  entityId: string;
  relationId: string;
  setId: string;
  titles: Titles;
}

/** The sources of one relation, asked for when somebody opens them. */
export function SourcesOf({ entityId, relationId, setId, titles }: AskedSources): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const asked = useAnswer("GET /graph/statements", [{ query: { entityId, relationId, limit: 100 } }], {
    enabled: isOpen,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Sources</summary>
      {isOpen && (
        <Shown of={asked}>
          {({ data }) => <SourceList said={data} setId={setId} titles={titles} first={data.length} />}
        </Shown>
      )}
    </details>
  );
}
