import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";

const SHOWN = 20;

/** The newest of what a source brought. */
export function Material({ id, name }: { id: string; name: string }): ReactNode {
  const items = useAnswer("GET /admin/osint-sources/{id}/items", [{ path: { id }, query: { limit: SHOWN } }]);
  return (
    <Section title={`Material of ${name}`} acts={<Link to="/platform/osint">Close</Link>}>
      <Shown of={items}>
        {({ data }) =>
          data.length ? (
            <ul className="list">
              {data.map(({ id: key, title, url, publishedAt, text }) => (
                <li key={key}>
                  {url ? (
                    <a href={url} rel="noreferrer">
                      {title}
                    </a>
                  ) : (
                    title
                  )}{" "}
                  <small className="muted">{publishedAt && <Time at={publishedAt} />}</small>
                  <p>{text.slice(0, 280)}</p>
                </li>
              ))}
            </ul>
          ) : (
            <p className="empty">It has brought nothing yet.</p>
          )
        }
      </Shown>
    </Section>
  );
}
