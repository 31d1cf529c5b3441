import type { ReactNode } from "react";
import { Badge } from "../../parts/texts.tsx";
import { pointsIn, type DesignField, type DesignPart, type DesignPoint } from "./sections.ts";

type Besides = NonNullable<DesignField["points"]>;

/** The conditions of the approach, which lines and measures refer to. */
export const conditionsIn = (sections: readonly DesignPart[]): readonly DesignPoint[] => {
  const approach = sections.find(({ section }) => section === "approach");
  return (approach && pointsIn(approach, "conditions")) ?? [];
};

interface PointsProps {
  points: readonly DesignPoint[];
  beside: Besides;
  sections: readonly DesignPart[];
}

/** Points with what is said of each. */
export function PointList({ points, beside, sections }: PointsProps): ReactNode {
  const names = new Map(conditionsIn(sections).map(({ id, statement }) => [id, statement]));
  return (
    <ul>
      {points.map((point) => (
        <li key={point.id ?? point.statement} dir="auto">
          {point.statement}
          {beside.map((one) => (
            <More key={one.name} point={point} beside={one} names={names} />
          ))}
        </li>
      ))}
    </ul>
  );
}

interface MoreProps {
  point: DesignPoint;
  beside: Besides[number];
  names: ReadonlyMap<string | undefined, string>;
}

function More({ point, beside: { name, label, kind }, names }: MoreProps): ReactNode {
  const said = point[name];
  if (said === undefined || said === false || (Array.isArray(said) && !said.length)) return null;
  if (kind === "check") return <Badge tone="warn">{label}</Badge>;
  if (kind === "conditions" || kind === "condition") {
    const ids = [said].flat() as string[];
    return <Below label={label}>{ids.map((id) => names.get(id) ?? "a condition that is gone").join("; ")}</Below>;
  }
  if (kind === "text") return <Below label={label}>{String(said)}</Below>;
  return (
    <>
      {" "}
      <Badge tone={said === "must-not" ? "bad" : "info"}>
        {kind.find(([one]) => one === said)?.[1] ?? String(said)}
      </Badge>
    </>
  );
}

const Below = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <>
    <br />
    <small className="muted">
      {label}: {children}
    </small>
  </>
);
