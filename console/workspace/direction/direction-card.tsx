import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";

const ORDER = ["intent", "objective", "constraint"];

/** What was laid down, intent first, and what the set above passes on. */
export function DirectionCard(): ReactNode {
  const { set } = useSet();
  const directions = useAnswer("GET /inheritance/directions", [
    { query: { problemSetId: set.id, sort: "createdAt", limit: 100 } },
  ]);
  return (
    <Section title="Direction" acts={<Link to={`/workspace/${set.id}/direction`}>Details</Link>}>
      <FromAbove />
      <Shown of={directions}>
        {({ data }) =>
          data.length ? (
            <ul className="list">
              {data
                .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
                .map(({ id, kind, title }) => (
                  <li key={id}>
                    <small className="muted">{kind}</small> {title}
                  </li>
                ))}
            </ul>
          ) : (
            <Empty>No intent, objective or constraint is laid down here.</Empty>
          )
        }
      </Shown>
    </Section>
  );
}

/** Nothing where the set above passes on nothing, or there is none. */
function FromAbove(): ReactNode {
  const { set } = useSet();
  const context = useAnswer("GET /inheritance/{id}/inherited-context", [{ path: { id: set.id } }]);
  const { items = [], version, acknowledged } = context.data?.data ?? {};
  if (!items.length) return null;
  return (
    <p className="row">
      <Link to={`/workspace/${set.id}/direction`}>{many(items.length, "direction")} from the set above</Link>
      {acknowledged !== version && <Badge tone="warn">new to you</Badge>}
    </p>
  );
}
