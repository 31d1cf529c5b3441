import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { Markdown } from "../../../../parts/markdown.tsx";
import { Shown } from "../../../../parts/page.tsx";
import { useCompartments } from "../../../set/known.ts";
import { SetPage, useSet } from "../../../set/use-set.tsx";
import { escaped, kindOfPlan, planMarkdown } from "./plan-markdown.ts";
import { readPlan, type PlanParts } from "./read-plan.ts";

/** A mission's plan as one text, to be read, printed or taken along. */
export function PlanPage(): ReactNode {
  const { missionId = "" } = useParams();
  const plan = useQuery({
    queryKey: ["plan of a mission", missionId],
    queryFn: ({ signal }) => readPlan(missionId, signal),
  });
  return <Shown of={plan}>{(data) => <PlanText plan={data} at={plan.dataUpdatedAt} />}</Shown>;
}

function PlanText({ plan, at }: { plan: PlanParts; at: number }): ReactNode {
  const { set } = useSet();
  const { mission } = plan;
  const compartments = useCompartments("active", mission.compartments.length > 0);
  const named = new Map(compartments.data?.data.map(({ id, name }) => [id, name]));
  const readers = mission.compartments.map((id) => named.get(id) ?? "a compartment");
  const text = planMarkdown(plan, { set: set.name, readers, at: new Date(at).toISOString() });
  const title = `${kindOfPlan(plan)}: ${mission.name}`;
  const whole = `# ${escaped(title)}\n\n${text}\n`;
  const file = useMemo(() => URL.createObjectURL(new Blob([whole], { type: "text/markdown" })), [whole]);
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  return (
    <SetPage
      title={title}
      acts={
        <>
          <Link to={`/workspace/${set.id}/missions/${mission.id}`}>To the mission</Link>
          <a className="button" href={file} download={`${fileName(mission.name)}.md`}>
            Download as Markdown
          </a>
          <button type="button" onClick={() => window.print()}>
            Print, or save as PDF
          </button>
        </>
      }
    >
      <article className="card plan">
        <Markdown>{text}</Markdown>
      </article>
    </SetPage>
  );
}

const fileName = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "plan";
