import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { DESIGN_PARTS } from "./sections.ts";

type Package = Data<"GET /design/{problemSetId}/handoff">;
const MOST = 12;

/** What would go over to planning now, and what stands in its way. */
export function Handoff(): ReactNode {
  const { set, maySet } = useSet();
  const handoff = useAnswer("GET /design/{problemSetId}/handoff", [{ path: { problemSetId: set.id } }]);
  return (
    <Section title="Over to planning">
      <Shown of={handoff}>
        {({ data }) => (
          <>
            <p>
              {data.last ? (
                <>
                  Handed over {data.last.number === 1 ? "once" : `${data.last.number} times`}, last by{" "}
                  {data.last.byName ?? data.last.by}, <Time at={data.last.at} />.
                </>
              ) : (
                "It was not handed over yet."
              )}
            </p>
            <Hindered package={data} />
            <Changes package={data} />
            {data.ready && data.differences.length > 0 && maySet("design:hand-off") && <HandOver package={data} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

function Hindered({ package: { missing, gates } }: { package: Package }): ReactNode {
  const { set } = useSet();
  return (
    <>
      {missing.length > 0 && <p>{many(missing.length, "thing is", "things are")} still to be written.</p>}
      {gates.map(({ id, name, status }) => (
        <p key={id}>
          The gate <Link to={`/workspace/${set.id}/gates/${id}`}>{name}</Link> stands before it: <Badge>{status}</Badge>
        </p>
      ))}
    </>
  );
}

const CHANGES = { added: "new", removed: "gone", changed: "reworded" } as const;

/** What planning would get that it does not have. */
function Changes({ package: { last, differences } }: { package: Package }): ReactNode {
  if (!last) return null;
  if (!differences.length) return <p className="muted">Planning has all that stands here.</p>;
  return (
    <details>
      <summary>{many(differences.length, "change")} since</summary>
      <ul>
        {differences.slice(0, MOST).map(({ section, field, item, change, before, after }) => (
          <li key={`${section} ${field} ${item ?? ""}`}>
            {DESIGN_PARTS[section].title}: {CHANGES[change]}: {wordsOf(after ?? before)}
          </li>
        ))}
      </ul>
      {differences.length > MOST && <p className="muted">And {differences.length - MOST} more.</p>}
    </details>
  );
}

/** What a field said, as far as it is words. */
function wordsOf(said: unknown): string {
  if (typeof said === "string") return said;
  if (Array.isArray(said)) return said.map(wordsOf).join("; ") || "none";
  return typeof said === "object" && said !== null && "statement" in said ? String(said.statement) : "none";
}

/** Of what was read: where somebody changed it meanwhile, nothing goes over. */
function HandOver({ package: { hash } }: { package: Package }): ReactNode {
  const { set } = useSet();
  const push = useAct("POST /design/{problemSetId}/push-handoff", {
    says: "Planning has it: its assumptions and constraints are in every running decision process.",
  });
  return (
    <ConfirmButton
      words="Hand it over"
      className="primary"
      title="Hand the design over to planning?"
      run={() => push.mutateAsync({ path: { problemSetId: set.id }, body: { hash } })}
    >
      <p>
        Its assumptions and constraints are added to every running decision process of this problem set, and to later
        ones. An open assumption that stands here no longer is withdrawn there.
      </p>
    </ConfirmButton>
  );
}
