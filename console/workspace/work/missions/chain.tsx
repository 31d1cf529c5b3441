import type { ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { many } from "../../../parts/texts.tsx";

type CommandTree = Data<"GET /command/hierarchy/{missionId}">["roots"][number];

/** Military words for how one unit stands to another. */
const KINDS: Readonly<Record<string, string>> = {
  opcon: "under operational control",
  tacon: "under tactical control",
  adcon: "under administrative control",
};

/** Who commands whom in the mission now: each unit below the one above it. */
export function ChainOfCommand({ missionId }: { missionId: string }): ReactNode {
  const order = useAnswer("GET /command/hierarchy/{missionId}", [{ path: { missionId } }]);
  return (
    <Section title="Chain of command">
      <Shown of={order}>
        {({ data: { roots } }) =>
          roots.length ? (
            <Units of={roots} />
          ) : (
            <p className="empty">No unit of this problem set is known yet, so nobody commands another.</p>
          )
        }
      </Shown>
    </Section>
  );
}

const Units = ({ of: units }: { of: readonly CommandTree[] }): ReactNode => (
  <ul className="tree">
    {units.map(({ unit, by, others, subordinates }) => (
      <li key={unit.id}>
        <strong>{unit.name}</strong>{" "}
        <small className="muted">
          {[
            unit.designation,
            unit.echelon,
            unit.kind,
            unit.strength && many(unit.strength, "person", "people"),
            by && (KINDS[by.kind] ?? by.kind.replaceAll("-", " ")),
          ]
            .filter(Boolean)
            .join(" · ")}
          {others.map(({ kind, superiorName }) => `; ${KINDS[kind] ?? kind.replaceAll("-", " ")} to ${superiorName}`)}
        </small>
        {subordinates.length > 0 && <Units of={subordinates} />}
      </li>
    ))}
  </ul>
);
