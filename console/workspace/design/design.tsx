import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Share, Time } from "../../parts/texts.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { DesignAnalysis } from "./analysis.tsx";
import { Handoff } from "./handoff.tsx";
import { PointList } from "./points.tsx";
import { DESIGN_PARTS, PART_NAMES, pointsIn, textIn, type DesignPart, type DesignPartName } from "./sections.ts";

type Status = Data<"GET /design/{problemSetId}/status">;

/** What a set makes of its problem before it plans: part by part, until planning can take it over. */
export function DesignPage(): ReactNode {
  const { set } = useSet();
  useLive({ problemSetId: set.id }, ["design.changed"]);
  const given = [{ path: { problemSetId: set.id } }] as const;
  const design = useAnswer("GET /design/{problemSetId}", [...given]);
  const status = useAnswer("GET /design/{problemSetId}/status", [...given]);
  return (
    <SetPage
      title="Design"
      intro="How you understand the problem, and the approach to it, before anything is planned. Every member reads it."
    >
      <Shown of={design}>
        {({ data: { sections } }) => (
          <>
            {status.data && <Complete status={status.data.data} />}
            <div className="beside">
              <div className="stack">
                {PART_NAMES.map((name) => (
                  <Part
                    key={name}
                    part={sections.find(({ section }) => section === name)!}
                    sections={sections}
                    missing={status.data?.data.sections.find(({ section }) => section === name)?.missing ?? []}
                  />
                ))}
              </div>
              <div className="stack">
                <Handoff />
                <DesignAnalysis />
              </div>
            </div>
          </>
        )}
      </Shown>
    </SetPage>
  );
}

function Complete({ status: { sections, complete } }: { status: Status }): ReactNode {
  const done = sections.filter((one) => one.complete).length;
  return (
    <p className="row">
      <Share of={done / sections.length} label="Parts that are complete" />
      <span>{complete ? "Every part is complete." : `${done} of ${sections.length} parts are complete.`}</span>
    </p>
  );
}

interface PartProps {
  part: DesignPart;
  sections: readonly DesignPart[];
  missing: Status["missing"];
}

function Part({ part, sections, missing }: PartProps): ReactNode {
  const { set, maySet } = useSet();
  const { title, about, fields } = DESIGN_PARTS[part.section];
  return (
    <Section
      title={title}
      acts={
        maySet("design:edit") && (
          <Link className="button" to={`/workspace/${set.id}/design/${part.section}`} aria-label={`Write: ${title}`}>
            Write
          </Link>
        )
      }
    >
      <p className="muted">{about}</p>
      {fields.map((field) => (
        <Said key={field.name} part={part} sections={sections} {...field} />
      ))}
      {missing.length > 0 && (
        <ul className="lacking">
          {missing.map(({ field, message }) => (
            <li key={field}>{message}</li>
          ))}
        </ul>
      )}
      {part.updatedAt && (
        <small className="muted">
          {part.updatedByName ?? part.updatedBy}, <Time at={part.updatedAt} />
        </small>
      )}
    </Section>
  );
}

interface SaidProps {
  part: DesignPart;
  sections: readonly DesignPart[];
  name: string;
  label: string;
  points?: (typeof DESIGN_PARTS)[DesignPartName]["fields"][number]["points"];
}

/** One field; what nobody has written yet is told as lacking, below. */
function Said({ part, sections, name, label, points }: SaidProps): ReactNode {
  const all = points && pointsIn(part, name);
  const text = points ? undefined : textIn(part, name);
  if (all === undefined && text === undefined) return null;
  return (
    <div>
      <h3>{label}</h3>
      {text !== undefined && (
        <p className="design-text" dir="auto">
          {text}
        </p>
      )}
      {all && (all.length ? <PointList points={all} beside={points} sections={sections} /> : <p>There are none.</p>)}
    </div>
  );
}
