import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { Data } from "../../api/client.ts";
import { Refusal } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Failure, Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { Named } from "./named.tsx";

type BuildDone = Data<"GET /graph/graph/build/{documentId}">;

interface ReadInProps {
  documentId: string;
  setId: string;
  mayBuild: boolean;
}

/** How a document is read into the graph, and what came of it. It goes on when the page is left. */
export function ReadIn({ documentId, setId, mayBuild }: ReadInProps): ReactNode {
  const begins = (useLocation().state as { begins?: boolean } | null)?.begins === true;
  const document = useAnswer("GET /documents/{documentId}", [{ path: { documentId } }]);
  const build = useAnswer("GET /graph/graph/build/{documentId}", [{ path: { documentId } }]);
  const begin = useAct("POST /graph/graph/build/{documentId}");
  const begun = useRef(false);
  const status = document.data?.data.status;
  const known = build.data?.data;
  const isNew = build.error instanceof Refusal && build.error.status === 404;
  const start = (): void => {
    begun.current = true;
    begin.mutate({ path: { documentId } });
  };
  useEffect(() => {
    // Whoever just put the report in wants it read; whoever opens the address later is asked.
    if (begins && status === "ready" && isNew && !begun.current) start();
  });
  return (
    <Section title={document.data?.data.title ?? "The report"} acts={<Link to={`?set=${setId}`}>Close</Link>}>
      <Shown of={document}>
        {({ data: { status: now, versions } }) => (
          <>
            {(now === "received" || now === "reading") && <Progress label="The text is being read out of the file" />}
            {now === "unreadable" && (
              <p className="failure">It cannot be read: {versions.at(-1)?.explanation ?? "the file is damaged."}</p>
            )}
            {now === "withdrawn" && <p className="empty">It was withdrawn, and what it said with it.</p>}
            {now === "ready" && !known && (begin.isPending || begin.data) && <Reading jobId={begin.data?.data.jobId} />}
            {now === "ready" && isNew && !begin.isPending && !begin.data && (
              <p className="row">
                <span>It is not read into the graph yet.</span>
                {mayBuild && (
                  <button type="button" className="primary" onClick={start}>
                    Read it into the graph
                  </button>
                )}
              </p>
            )}
            {build.error && !isNew && <Failure error={build.error} />}
            {known && <Outcome build={known} setId={setId} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

/** The job that reads, as it goes on. */
function Reading({ jobId }: { jobId: string | undefined }): ReactNode {
  const [step, setStep] = useState<{ done?: number; total?: number }>({});
  useLive(undefined, ["job.changed"], (_event, { data }) => {
    if (data.id === jobId) setStep({ done: data.done, total: data.total });
  });
  return <Progress label="Names and relations are being looked for" {...step} />;
}

const METHODS = { heuristic: "by rules", llm: "by rules and the language model" } as const;

function Outcome({ build, setId }: { build: BuildDone; setId: string }): ReactNode {
  const { status, entities = 0, relations = 0, leftOut, failure, jobId, method, documentId = "" } = build;
  if (status === "running") return <Reading jobId={jobId} />;
  if (status === "failed") return <p className="failure">It could not be read into the graph: {failure}</p>;
  return (
    <>
      <p>
        <Badge tone="good">in the graph</Badge> {many(entities, "entity", "entities")} and {many(relations, "relation")}{" "}
        were found{method && ` ${METHODS[method]}`}.{" "}
        <Link to={`/knowledge?set=${setId}&document=${documentId}`}>Show them as a picture</Link>
      </p>
      <Named documentId={documentId} setId={setId} />
      <LeftOut left={leftOut} />
    </>
  );
}

/** What looked like a name and is not in the graph, with why: so that nobody misses it without a word. */
function LeftOut({ left }: { left: BuildDone["leftOut"] }): ReactNode {
  if (!left.length) return null;
  return (
    <details>
      <summary>{many(left.length, "word")} looked like names and were left out</summary>
      <ul>
        {left.map(({ text, why, start }) => (
          <li key={start}>
            “{text}”: {why}
          </li>
        ))}
      </ul>
    </details>
  );
}
