import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { ROLES } from "../roles.ts";
import { useSet } from "./use-set.tsx";

const MOST = 12;

/** Who works here, the highest role first. */
export function People(): ReactNode {
  const { set } = useSet();
  const { userId: me } = useWho();
  const members = useAnswer("GET /problem-sets/{id}/members", [{ path: { id: set.id }, query: { limit: 100 } }]);
  return (
    <Section title="People" acts={<Link to={`/workspace/${set.id}/members`}>All members</Link>}>
      <Shown of={members}>
        {({ data, meta }) => (
          <>
            <ul className="list">
              {data
                .toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))
                .slice(0, MOST)
                .map(({ id, userId, userName, role, status }) => (
                  <li key={id} className="row between">
                    <span>
                      {userName ?? userId}
                      {userId === me && <span className="muted"> (you)</span>}
                    </span>
                    <span className="row">
                      {status === "suspended" && <Badge tone="warn">suspended</Badge>}
                      <Badge>{role}</Badge>
                    </span>
                  </li>
                ))}
            </ul>
            {meta.total > MOST && <p className="muted">{many(meta.total, "member")} in all.</p>}
            {meta.total === 1 && (
              <p className="muted">You are alone here: invite whoever should work on this with you.</p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}
