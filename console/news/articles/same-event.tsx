import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMySets } from "../../app/sets.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { pointsOf } from "../verification/scales.ts";
import { Trust } from "../verification/trust.tsx";

type Told = ListRow<"GET /articles">;
const MOST_SHOWN = 50;

/** One event under several headlines: who else reports it, and where the same text stands. */
export function SameEvent({ article }: { article: Data<"GET /articles/{id}"> }): ReactNode {
  const { id, storyId, reportId, source } = article;
  const hasSets = Boolean(useMySets().data?.data.length);
  const story = useAnswer("GET /articles", [{ query: { storyId, sort: "publishedAt", limit: MOST_SHOWN } }]);
  return (
    <Section
      title="The same event elsewhere"
      acts={
        <Link to={`/news/articles?${new URLSearchParams({ story: storyId, sort: "publishedAt" })}`}>
          In order of time
        </Link>
      }
    >
      <Shown of={story}>
        {({ data }) => {
          const own = data.filter((one) => one.id !== id && one.source.id === source.id);
          const others = data.filter((one) => one.source.id !== source.id);
          const copies = others.filter((one) => one.reportId === reportId);
          const reports = others.filter((one) => one.reportId !== reportId);
          return (
            <>
              {!others.length && <Empty>No other source has told of it yet.</Empty>}
              {reports.length > 0 && <Tellings title="In words of their own" rows={reports} />}
              {copies.length > 0 && <Tellings title="The same text, which counts once" rows={copies} />}
              {hasSets && (
                <p>
                  <Link to={`/knowledge/intelligence/compare?${new URLSearchParams({ story: storyId })}`}>
                    Compare it with your own reports
                  </Link>
                </p>
              )}
              {own.length > 0 && <Tellings title={`More of it from ${source.name}`} rows={own} />}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

const Tellings = ({ title, rows }: { title: string; rows: readonly Told[] }): ReactNode => (
  <div>
    <h3 className="muted">{title}</h3>
    <ul className="list">
      {rows.map((row) => (
        <li key={row.id}>
          <Link to={`/news/articles/${row.id}`} dir="auto">
            {row.title}
          </Link>
          <div className="row between byline">
            <span className="muted">
              <bdi>{row.source.name}</bdi> · <Time at={row.publishedAt} />
            </span>
            <Trust points={pointsOf(row)} of={`Confidence of ${row.source.name}`} />
          </div>
        </li>
      ))}
    </ul>
  </div>
);
