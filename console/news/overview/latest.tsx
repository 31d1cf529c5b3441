import { useMemo, type ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { headlinesOf, readBriefing, type Headline } from "../briefings/document.ts";
import { CitedArticles, Confidence, Lines } from "../briefings/told.tsx";
import "../briefings/briefings.css";

/** What asks for the newest briefing that is made: its row; where there is none, that is no refusal. */
export const NEWEST = { query: { limit: 1 } };
const MOST = 8;

/** The newest briefing in short: what it says first, and its headlines with how sure they are. */
export function Latest({ hasSources }: { hasSources: boolean }): ReactNode {
  const newest = useAnswer("GET /briefings", [NEWEST]);
  return (
    <Section title="The latest briefing" acts={<Link to="/news/briefings">All briefings</Link>}>
      <Shown of={newest}>
        {({ data: [latest] }) => (latest ? <Briefing id={latest.id} /> : <None hasSources={hasSources} />)}
      </Shown>
    </Section>
  );
}

const None = ({ hasSources }: { hasSources: boolean }): ReactNode => (
  <Empty>
    {!hasSources
      ? "There is nothing to tell of yet: no source is followed, and briefings are made of what sources say."
      : "No briefing was made yet. It takes some seconds: what came in is told in short, each sentence with its source."}
  </Empty>
);

function Briefing({ id }: { id: number }): ReactNode {
  const briefing = useAnswer("GET /briefings/{id}", [{ path: { id } }]);
  return <Shown of={briefing}>{({ data }) => <Told {...data} />}</Shown>;
}

function Told({ id, title, content = "", generatedAt, stats }: Data<"GET /briefings/{id}">): ReactNode {
  const told = useMemo(() => readBriefing(content), [content]);
  const headlines = headlinesOf(told, MOST);
  return (
    <CitedArticles value={told.cited}>
      <h3 className="overview-lead">
        <Link to={`/news/briefings/${id}`}>{title}</Link>
      </h3>
      <p className="muted">
        Made <Time at={generatedAt} />, from {many(stats.articles, "article")} of {many(stats.sources, "source")}
      </p>
      {told.brief && <Lines lines={told.brief.lines} />}
      {headlines.length > 0 && (
        <>
          <h3>Headlines</h3>
          <ul className="list overview-headlines">
            {headlines.map((one) => (
              <HeadlineLine key={`${one.place} ${one.title}`} id={id} {...one} />
            ))}
          </ul>
        </>
      )}
    </CitedArticles>
  );
}

const HeadlineLine = ({ id, place, part, title, trust, isDisputed }: Headline & { id: number }): ReactNode => (
  <li>
    <Link to={`/news/briefings/${id}#${place}`}>{title}</Link>
    <span className="row">
      <small className="muted">{part}</small>
      {isDisputed && <Badge tone="warn">sources disagree</Badge>}
      {trust && <Confidence {...trust} />}
    </span>
  </li>
);
