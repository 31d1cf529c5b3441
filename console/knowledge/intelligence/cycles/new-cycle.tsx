import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Check, Field, Form, Select, TextField } from "../../../parts/form.tsx";
import { Empty, Section } from "../../../parts/page.tsx";
import { INTELLIGENCE, IntelligencePage } from "../area.tsx";
import { linesOf } from "../words.ts";
import { PHASES, SPANS, type CyclePhase } from "./cycle-words.ts";

type StopsAfter = Exclude<CyclePhase, "dissemination">;

/** A question, and from what it is to be answered. */
export const NewCycle = (): ReactNode => (
  <IntelligencePage title="Ask a question" intro="What the news and your documents say of it is put together for you.">
    {({ id }) => <AskForm setId={id} />}
  </IntelligencePage>
);

function AskForm({ setId }: { setId: string }): ReactNode {
  const may = useMayIn(setId)("intelligence:fuse");
  const navigate = useNavigate();
  const begin = useAct("POST /strategic-agents/cycle", {
    tellsRefusal: false,
    then: ({ data: { id } }) => void navigate(`${INTELLIGENCE}/cycles/${id}`),
  });
  if (!may) return <Empty>Your role here asks no questions: analysts, planners and deputies do.</Empty>;
  return (
    <Section title="The question">
      <Form
        act="Begin"
        onSubmit={(fields, form) => {
          const given = new FormData(form);
          return begin.mutateAsync({
            body: {
              problemSetId: setId,
              ...chosenReaders(fields),
              direction: {
                question: fields["direction.question"] ?? "",
                ...(fields["direction.hypothesis"] && { hypothesis: fields["direction.hypothesis"] }),
                queries: linesOf(fields["direction.queries"]),
                documentIds: given.getAll("direction.documentIds").map(String),
                hours: Number(fields["direction.hours"]),
                stories: Number(fields["direction.stories"]),
                excluded: [],
              },
              checkpoints: given.getAll("checkpoints").map((one) => String(one) as StopsAfter),
              patienceHours: Number(fields["patienceHours"]),
            },
          });
        }}
      >
        <Field label="Question" name="direction.question" hint="Such as: Will the Orvane dam hold?" required />
        <Field
          label="Statement that is judged"
          name="direction.hypothesis"
          hint="Such as: The Orvane dam holds. Left empty: what the reports themselves assert."
        />
        <TextField
          label="Searches in the news"
          name="direction.queries"
          rows={3}
          spellCheck={false}
          hint="A line for each, as in the search of the news: dam (breach | crack)."
        />
        <div className="columns">
          <Select label="News of" name="direction.hours" defaultValue="168" options={SPANS} />
          <Field
            label="Stories that are compared, at most"
            name="direction.stories"
            type="number"
            min={1}
            max={20}
            defaultValue={10}
          />
        </div>
        <SetDocuments setId={setId} />
        <fieldset>
          <legend>It waits for a person after</legend>
          {PHASES.filter(([phase]) => phase !== "dissemination").map(([phase, words, what]) => (
            <Check
              key={phase}
              label={words}
              name="checkpoints"
              value={phase}
              hint={what}
              defaultChecked={phase === "processing" || phase === "analysis"}
            />
          ))}
        </fieldset>
        <Field
          label="And stops by itself without an answer after so many hours"
          name="patienceHours"
          type="number"
          min={1}
          max={720}
          defaultValue={72}
        />
        <ReadersOf problemSetId={setId} hint="Of the question and what comes of it. It cannot be changed later." />
      </Form>
    </Section>
  );
}

/** The newest documents whose text is there: weighed beside the news. */
function SetDocuments({ setId }: { setId: string }): ReactNode {
  const query = { problemSetId: setId, status: "ready" as const, sort: "-createdAt" as const, limit: 20 };
  const documents = useAnswer("GET /documents", [{ query }]);
  if (!documents.data?.data.length)
    return (
      <p className="muted">
        Documents of this set would be weighed too; <Link to={`/workspace/${setId}/documents`}>none is there yet</Link>.
      </p>
    );
  return (
    <fieldset>
      <legend>Documents that are weighed too</legend>
      {documents.data.data.map(({ id, title }) => (
        <Check key={id} label={title} name="direction.documentIds" value={id} />
      ))}
    </fieldset>
  );
}
