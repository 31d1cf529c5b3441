import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { Barrier } from "../work/compartments.tsx";
import { OtherSet } from "../work/requests/other-set.tsx";
import { remarkTone } from "./remark-words.ts";

/** What the sets below say about what this one passes on. Nothing where they say nothing. */
export function RemarksBelow(): ReactNode {
  const { set } = useSet();
  const page = usePage();
  const remarks = useAnswer("GET /inheritance/{id}/annotations/parent-view", [
    { path: { id: set.id }, query: { page, sort: "-createdAt" } },
  ]);
  if (remarks.data && !remarks.data.meta.total) return null;
  return (
    <Section title="What the sets below say">
      <Shown of={remarks}>
        {({ data, meta }) => (
          <>
            <ul className="list">
              {data.map(({ id, kind, text, about, createdByName, createdAt, problemSetId, compartments }) => (
                <li key={id}>
                  <Badge tone={remarkTone(kind)}>{kind}</Badge>{" "}
                  {about && (
                    <>
                      on the {about.kind}{" "}
                      {about.kind === "gate" ? (
                        <Link to={`/workspace/${set.id}/gates/${about.sourceId}`}>{about.title}</Link>
                      ) : (
                        <strong>{about.title}</strong>
                      )}
                      :{" "}
                    </>
                  )}
                  <span className="as-written">{text}</span>
                  <small className="muted under">
                    {createdByName && `${createdByName}, `}
                    <OtherSet id={problemSetId} otherwise="a set below" />, <Time at={createdAt} />{" "}
                    <Barrier compartments={compartments} />
                  </small>
                </li>
              ))}
            </ul>
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}
