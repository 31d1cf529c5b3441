import { useState, type ReactNode } from "react";
import { useAnswer } from "../../../../api/hooks.ts";
import { Section, Shown } from "../../../../parts/page.tsx";
import { many } from "../../../../parts/texts.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { CheckChain } from "./check-chain.tsx";
import { relationWords, unitsIn, type CommandTree } from "./command-words.ts";
import { EndRelationship } from "./end-relationship.tsx";
import { NewUnit } from "./new-unit.tsx";
import { PutUnder } from "./put-under.tsx";

/** Who commands whom in the mission now: each unit below the one above it. */
export function ChainOfCommand({ missionId }: { missionId: string }): ReactNode {
  const { maySet } = useSet();
  const [asked, setAsked] = useState<"unit" | "under">();
  const order = useAnswer("GET /command/hierarchy/{missionId}", [{ path: { missionId } }]);
  const units = unitsIn(order.data?.data.roots ?? []);
  const close = (): void => setAsked(undefined);
  return (
    <Section
      title="Chain of command"
      acts={
        maySet("command:edit") && (
          <>
            <button type="button" onClick={() => setAsked("unit")}>
              Add a unit
            </button>
            {units.length > 1 && (
              <button type="button" onClick={() => setAsked("under")}>
                Put a unit under another
              </button>
            )}
          </>
        )
      }
    >
      <Shown of={order}>
        {({ data: { roots } }) =>
          roots.length ? (
            <>
              <Units of={roots} />
              <CheckChain missionId={missionId} />
            </>
          ) : (
            <p className="empty">No unit of this problem set is known yet, so nobody commands another.</p>
          )
        }
      </Shown>
      {asked === "unit" && <NewUnit onClose={close} />}
      {asked === "under" && <PutUnder missionId={missionId} units={units} onClose={close} />}
    </Section>
  );
}

const Units = ({ of: units, above }: { of: readonly CommandTree[]; above?: string }): ReactNode => (
  <ul className="tree">
    {units.map(({ unit, by, others, subordinates }) => (
      <li key={unit.id}>
        <div className="row between steady">
          <span>
            <strong>{unit.name}</strong>{" "}
            <small className="muted">
              {[
                unit.designation,
                unit.echelon,
                unit.kind,
                unit.strength && many(unit.strength, "person", "people"),
                by && `${relationWords(by.kind)} ${above}`,
                ...others.map(({ kind, superiorName }) => `${relationWords(kind)} ${superiorName}`),
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </span>
          {by && (
            <EndRelationship id={by.relationshipId} words={`${unit.name} is ${relationWords(by.kind)} ${above}`} />
          )}
        </div>
        {subordinates.length > 0 && <Units of={subordinates} above={unit.name} />}
      </li>
    ))}
  </ul>
);
