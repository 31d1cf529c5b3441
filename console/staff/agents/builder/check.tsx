import type { ReactNode } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { Empty, Loading, Section } from "../../../parts/page.tsx";
import { Badge } from "../../../parts/texts.tsx";
import type { Enrolment } from "./draft.ts";
import { placeOf, said, type Checked, type DraftFinding } from "./findings.tsx";
import { Prompt } from "./prompt.tsx";

/** What is wrong with the draft, what its model would be told, and the making of it. */
export function CheckStep({ body, checked }: { body: Enrolment; checked: Checked }): ReactNode {
  const navigate = useNavigate();
  const make = useAct("POST /admin/agents", {
    says: ({ data }) => `${data.name} is there. Try it now: a rehearsal changes nothing.`,
    then: ({ data }) => void navigate(`/staff/agents/${data.id}?try=yes`),
  });
  const { findings, hasErrors, isCurrent } = checked;
  return (
    <>
      <Section title="What the platform says of it">
        {!isCurrent && <Loading what="Looking" />}
        {isCurrent && !findings.length && <Empty>Nothing is wrong with it.</Empty>}
        <ul className="list">
          {findings.map((one) => (
            <Found key={one.path + one.message} finding={one} />
          ))}
        </ul>
        <div className="row">
          <button
            type="button"
            className="primary"
            disabled={hasErrors || !isCurrent || make.isPending}
            onClick={() => make.mutate({ body })}
          >
            Make it
          </button>
          {hasErrors && <span className="muted">Mend first what is wrong.</span>}
        </div>
      </Section>
      {!hasErrors && isCurrent && <Prompt body={body} />}
    </>
  );
}

function Found({ finding }: { finding: DraftFinding }): ReactNode {
  const [label, step] = placeOf(finding);
  const [search] = useSearchParams();
  return (
    <li>
      <Badge tone={finding.level === "error" ? "bad" : "warn"}>{finding.level === "error" ? "wrong" : "look"}</Badge>{" "}
      <Link to={{ pathname: `/staff/agents/new/${step}`, search: search.toString() }}>{label}</Link>: {said(finding)}
    </li>
  );
}
