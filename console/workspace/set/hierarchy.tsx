import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { useSet } from "./use-set.tsx";

type Kin = Data<"GET /problem-sets/{id}/hierarchy">["below"][number];

/** Where a set stands among others: those above it, and the tree below it. */
export function Hierarchy(): ReactNode {
  const { set } = useSet();
  const kin = useAnswer("GET /problem-sets/{id}/hierarchy", [{ path: { id: set.id } }]);
  return (
    <Section title="Above and below">
      <Shown of={kin}>
        {({ data: { above, below } }) => (
          <>
            {above.length || below.length ? (
              <Line above={above.toReversed()} below={below} />
            ) : (
              <p className="empty">
                It stands alone, as far as you can see. A set above passes its direction on; sets below take it up.
              </p>
            )}
            <p className="muted">Only sets that you are a member of are shown.</p>
          </>
        )}
      </Shown>
    </Section>
  );
}

/** From the highest set down to this one, each within the one above. */
function Line({ above: [top, ...rest], below }: { above: readonly Kin[]; below: readonly Kin[] }): ReactNode {
  const { set } = useSet();
  return (
    <ul className="lineage">
      <li>
        {top ? (
          <>
            <Link to={`/workspace/${top.id}`}>{top.name}</Link>
            <Line above={rest} below={below} />
          </>
        ) : (
          <>
            <strong>{set.name}</strong>
            <Branch of={set.id} among={below} />
          </>
        )}
      </li>
    </ul>
  );
}

function Branch({ of: parentId, among }: { of: string; among: readonly Kin[] }): ReactNode {
  const children = among.filter((one) => one.parentId === parentId);
  if (!children.length) return null;
  return (
    <ul className="lineage">
      {children.map(({ id, name, status }) => (
        <li key={id}>
          <Link to={`/workspace/${id}`}>{name}</Link> {status === "archived" && <Badge>archived</Badge>}
          <Branch of={id} among={among} />
        </li>
      ))}
    </ul>
  );
}
