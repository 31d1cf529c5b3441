import { useState, type ReactNode } from "react";
import { useAnswer } from "../../../../api/hooks.ts";
import { Section, Shown } from "../../../../parts/page.tsx";
import { many } from "../../../../parts/texts.tsx";
import { useSet } from "../../../set/use-set.tsx";
import { CheckChain } from "./check-chain.tsx";
import { relationWords, unitsIn, type CommandTree } from "../../units/command-words.ts";
import { EndRelationship } from "../../units/end-relationship.tsx";
import { NewUnit } from "../../units/unit-form.tsx";
import { PutUnder } from "./put-under.tsx";

/** Who commands whom in the mission, now or at another moment: each unit below the one above it. */
export function ChainOfCommand({ missionId, at }: { missionId: string; at?: string | undefined }): ReactNode {
  const { maySet } = useSet();
  const [asked, setAsked] = useState<"unit" | "under">();
  const order = useAnswer("GET /command/hierarchy/{missionId}", [
    { path: { missionId }, query: { ...(at && { at }) } },
  ]);
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
              <Units of={roots} isNow={!at} />
              <CheckChain key={at} missionId={missionId} at={at} />
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

interface UnitsProps {
  of: readonly CommandTree[];
  above?: string;
  isNow: boolean;
}
const Units = ({ of: units, above, isNow }: UnitsProps): ReactNode => (
  <ul className="chain">
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
          {by && isNow && (
            <EndRelationship id={by.relationshipId} words={`${unit.name} is ${relationWords(by.kind)} ${above}`} />
          )}
        </div>
        {subordinates.length > 0 && <Units of={subordinates} above={unit.name} isNow={isNow} />}
      </li>
    ))}
  </ul>
);
