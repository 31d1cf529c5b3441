import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { placeQuery, type PicturePlace } from "../place.tsx";

const SHOWN = 5;

/** What raised an alarm last, of all resources of a problem set; nothing where none did. */
export function LatelyRaised({ problemSetId, place }: { problemSetId: string; place: PicturePlace }): ReactNode {
  const { data } = useAnswer("GET /problem-sets/{id}/activity", [
    { path: { id: problemSetId }, query: { kind: "threshold.raised", limit: SHOWN } },
  ]);
  if (!data?.data.length) return null;
  return (
    <Section title="Alarms raised lately">
      <ul className="list">
        {data.data.map(({ id, summary, at, subject }) => (
          <li key={id} className="row between">
            <span>
              {subject ? <Link to={`/picture/resources/${subject.id}${placeQuery(place)}`}>{summary}</Link> : summary}
            </span>
            <small className="muted">
              <Time at={at} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}
