import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Progress } from "../../parts/texts.tsx";

interface ExtractionStep {
  jobId: string;
  status?: string;
  done?: number;
  total?: number;
  /** What there is to say of its language. */
  notice?: string;
}

/** Has a document read for objectives; they come into the list as they are found. */
export function Extract({ setId }: { setId: string }): ReactNode {
  const [step, setStep] = useState<ExtractionStep>();
  const documents = useAnswer("GET /documents", [
    { query: { problemSetId: setId, status: "ready", sort: "-createdAt", limit: 100 } },
  ]);
  const begin = useAct("POST /strategic/documents/{documentId}/extract", {
    tellsRefusal: false,
    then: ({ data }) => setStep({ jobId: data.jobId, ...(data.notice && { notice: data.notice }) }),
  });
  useLive(undefined, ["job.changed"], (_event, { data }) => {
    setStep((now) =>
      now && now.jobId === data.id ? { ...now, status: data.status, done: data.done, total: data.total } : now,
    );
  });
  const isOver = step?.status === "completed" || step?.status === "failed";
  return (
    <Section title="Find objectives in a document">
      <Shown of={documents}>
        {({ data }) =>
          data.length ? (
            <Form
              act="Find objectives"
              isInline
              label="Find objectives in a document"
              onSubmit={({ document = "" }) => begin.mutateAsync({ path: { documentId: document } })}
            >
              <Select label="Document" name="document" options={data.map(({ id, title }) => [id, title] as const)} />
            </Form>
          ) : (
            <Empty>
              No document can be read yet. <Link to={`/workspace/${setId}/documents`}>Add a plan</Link> first.
            </Empty>
          )
        }
      </Shown>
      {step && !isOver && (
        <Progress
          label="The document is being read for objectives"
          {...(step.done !== undefined && { done: step.done })}
          {...(step.total !== undefined && { total: step.total })}
        />
      )}
      {step?.status === "completed" && (
        <p role="status">It was read; what was found is in the list above. {step.notice}</p>
      )}
      {step?.status === "failed" && <p className="failure">It could not be read for objectives. Try again later.</p>}
    </Section>
  );
}
