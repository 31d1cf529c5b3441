import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { DOMAINS } from "../domains.ts";

const HOURS = 48;

/** How much came in, by what it is about. */
export function Intake(): ReactNode {
  const stats = useAnswer("GET /articles/stats", [{ query: { hours: HOURS } }]);
  return (
    <Section title="What came in" acts={<Link to="/news/articles">Search them</Link>}>
      <Shown of={stats}>
        {({ data: { total, last24h, byDomain, isFiltered } }) => {
          const most = Math.max(1, ...Object.values(byDomain));
          const ordered = DOMAINS.toSorted((a, b) => byDomain[b] - byDomain[a]);
          return (
            <>
              <p>
                <strong>{many(total, "article")}</strong> in the last two days, {last24h.toLocaleString("en")} of them
                in the last day
              </p>
              {isFiltered && (
                <p className="muted">
                  Of the sources of the active list alone; <Link to="/news/sources/lists">see the lists</Link>
                </p>
              )}
              {total === 0 ? (
                <Empty>Nothing was published in this time by what is followed.</Empty>
              ) : (
                <ul className="overview-bars" aria-label="Articles by domain">
                  {ordered.map((domain) => (
                    <li key={domain}>
                      <Link to={`/news/articles?domain=${domain}`}>{domain}</Link>
                      <meter min={0} max={most} value={byDomain[domain]} aria-label={`Articles about ${domain}`} />
                      <span className="figure">{byDomain[domain].toLocaleString("en")}</span>
                    </li>
                  ))}
                </ul>
              )}
            </>
          );
        }}
      </Shown>
    </Section>
  );
}
