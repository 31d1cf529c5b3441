import { useEffect, useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Field, Form } from "../../parts/form.tsx";
import { Page, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { ParentSelect } from "./new-set.tsx";
import { WhatIsInside } from "./scenario-parts.tsx";

/** How parts of a package are called, one of each. */
const PARTS: Readonly<Record<string, string>> = {
  compartments: "compartment",
  positions: "staff position",
  directions: "direction",
  missions: "mission",
  units: "unit",
  relationships: "command relationship",
  gates: "gate",
  daos: "voting body",
  materials: "document or resource",
};
const countOf = (part: string, count: number): string =>
  part === "materials" ? `${count} documents and resources` : many(count, PARTS[part] ?? part);

/** The packages that ship with the platform, to choose from. */
export function Scenarios(): ReactNode {
  const scenarios = useAnswer("GET /problem-sets/scenarios");
  return (
    <Page
      title="Begin with a scenario"
      intro="A scenario opens a problem set that is already set up: positions, missions, gates, units, documents. You change all of it afterwards."
    >
      <Shown of={scenarios}>
        {({ data }) => (
          <div className="columns">
            {data.map(({ id, name, summary, tags, parts }) => (
              <Section key={id} title={name}>
                <p>{summary}</p>
                <p className="row">
                  {tags.map((tag) => (
                    <Badge key={tag}>{tag}</Badge>
                  ))}
                </p>
                <p className="muted">
                  {Object.entries(parts)
                    .map(([part, count]) => countOf(part, count))
                    .join(", ")}
                  .
                </p>
                <p>
                  <Link className="button" to={`/workspace/scenarios/${id}`} aria-label={`Look inside: ${name}`}>
                    Look inside
                  </Link>
                </p>
              </Section>
            ))}
          </div>
        )}
      </Shown>
    </Page>
  );
}

/** One package: all that it brings, before it is opened. */
export function ScenarioPage(): ReactNode {
  const { scenarioId = "" } = useParams();
  const scenario = useAnswer("GET /problem-sets/scenarios/{scenarioId}", [{ path: { scenarioId } }]);
  return (
    <Shown of={scenario}>
      {({ data }) => (
        <Page title={data.name} of="Scenarios" intro={data.summary}>
          <OpenScenario scenario={data} />
          <WhatIsInside {...data} />
        </Page>
      )}
    </Shown>
  );
}

type Opened = Data<"POST /problem-sets/from-scenario">;

function OpenScenario({ scenario }: { scenario: Data<"GET /problem-sets/scenarios/{scenarioId}"> }): ReactNode {
  const navigate = useNavigate();
  const [job, setJob] = useState<string>();
  const open = useAct("POST /problem-sets/from-scenario", {
    tellsRefusal: false,
    then({ data }: { data: Opened }) {
      if ("made" in data) void navigate(`/workspace/${data.problemSetId}`);
      else setJob(data.job);
    },
  });
  return (
    <Section title="Open it">
      {open.isPending || job ? (
        <Building name={scenario.name} {...(job && { job })} />
      ) : (
        <Form
          act="Open the problem set"
          onSubmit={({ name, parentId }) =>
            open.mutateAsync({
              body: { scenarioId: scenario.id, ...(name && { name }), ...(parentId && { parentId }) },
            })
          }
        >
          <Field label="Name" name="name" defaultValue={scenario.set.name} maxLength={200} />
          <ParentSelect />
          <p className="muted">
            You become its commander. Nobody is read into its compartments, you neither: somebody else reads you in.
          </p>
        </Form>
      )}
    </Section>
  );
}

/** A set under way. It goes on where nobody watches; then it stands among one's own sets. */
function Building({ name, job }: { name: string; job?: string }): ReactNode {
  const navigate = useNavigate();
  const at = useAnswer("GET /problem-sets/scenario-builds/{job}", [{ path: { job: job ?? "" } }], {
    enabled: Boolean(job),
  });
  useLive(undefined, ["job.changed"]);
  const { status, done, total, result, error } = at.data?.data ?? {};
  useEffect(() => {
    if (result) void navigate(`/workspace/${result.problemSetId}`);
  }, [result, navigate]);
  if (status === "failed") return <p className="fault">It could not be built: {error ?? "the reason is not known"}.</p>;
  return (
    <>
      <Progress label={`Setting up ${name}`} {...(total && { done: done ?? 0, total })} />
      <p className="muted">You can leave this page: it goes on, and then stands among your problem sets.</p>
    </>
  );
}
