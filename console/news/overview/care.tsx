import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { SourceHealth } from "../sources/sources.tsx";

const MOST = 5;

/** Sources that cannot be read well, and why; nothing where all can. */
export function Care(): ReactNode {
  const failed = useAnswer("GET /sources", [{ query: { health: "failed", active: true, limit: MOST } }]);
  const degraded = useAnswer("GET /sources", [{ query: { health: "degraded", active: true, limit: MOST } }]);
  const total = (failed.data?.meta.total ?? 0) + (degraded.data?.meta.total ?? 0);
  if (!total) return null;
  const shown = [...(failed.data?.data ?? []), ...(degraded.data?.data ?? [])].slice(0, MOST);
  return (
    <Section
      title="Sources that need care"
      acts={
        <>
          <Link to="/news/sources?health=failed">Failed</Link>
          <Link to="/news/sources?health=degraded">Degraded</Link>
        </>
      }
    >
      <ul className="list">
        {shown.map((source) => (
          <li key={source.id}>
            <Link to={`/news/sources/${source.id}`}>{source.name}</Link> <SourceHealth {...source} />{" "}
            <small className="muted">
              Last tried <Time at={source.lastFetch} />
            </small>
          </li>
        ))}
      </ul>
      {total > shown.length && <p className="muted">{many(total, "source needs", "sources need")} care in all.</p>}
    </Section>
  );
}
