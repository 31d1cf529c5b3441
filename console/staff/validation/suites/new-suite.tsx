import { useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders, ReadersOf } from "../../../app/compartments.tsx";
import { useMay } from "../../../app/session.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Field, Form, TextField } from "../../../parts/form.tsx";
import { Empty } from "../../../parts/page.tsx";
import { StaffPage } from "../../shared/frame.tsx";
import { useStaffPlace } from "../../shared/place.ts";
import { casesFrom, type DraftCase } from "./drafting.ts";
import { CaseFields } from "./case-fields.tsx";

/** Writes a suite: tasks, and what must hold of the answers. */
export function NewSuite(): ReactNode {
  const place = useStaffPlace();
  const { setId } = place;
  const mayIn = useMayIn(setId)("validation:run");
  const mayAll = useMay("agents:administer");
  return (
    <StaffPage
      title="Write a suite"
      intro="Cases that agents are tried with: a task each, and what must hold of the answer. Nothing is changed when they are tried."
      place={place}
      elsewhere="For agents of every problem set"
    >
      {(setId === undefined ? mayAll : mayIn) ? (
        <div className="draft">
          <Writing key={setId} setId={setId} />
        </div>
      ) : (
        <Empty>
          {setId === undefined
            ? "Choose a problem set: suites for agents of every set are written by administrators."
            : "Your role in this problem set writes no suites: planners and deputies do."}
        </Empty>
      )}
    </StaffPage>
  );
}

const EMPTY: DraftCase = { key: 0, checks: [{ key: 0, kind: "contains" }] };

function Writing({ setId }: { setId: string | undefined }): ReactNode {
  const navigate = useNavigate();
  const [cases, setCases] = useState<readonly DraftCase[]>([EMPTY]);
  const tools = useAnswer("GET /agents/tools", [{ query: { limit: 100 } }], { stays: true });
  const create = useAct("POST /validation/suites", {
    tellsRefusal: false,
    says: ({ data: { name } }) => `The suite ${name} is there: try an agent with it.`,
    then: ({ data }) => void navigate(`/staff/validation/suites/${data.id}`),
  });
  const change = (changed: DraftCase): void => setCases(cases.map((one) => (one.key === changed.key ? changed : one)));
  return (
    <Form
      act="Keep the suite"
      onSubmit={({ name = "", description, ...fields }) =>
        create.mutateAsync({
          body: {
            name,
            ...(setId !== undefined && { problemSetId: setId }),
            ...(description && { description }),
            ...chosenReaders(fields),
            cases: casesFrom(cases, fields),
          },
        })
      }
      beside={
        <>
          <button
            type="button"
            onClick={() => setCases([...cases, { ...EMPTY, key: Math.max(...cases.map(({ key }) => key)) + 1 }])}
          >
            Add a case
          </button>
          <Link to="/staff/validation">Leave it</Link>
        </>
      }
    >
      <Field label="Name" name="name" required maxLength={200} hint="Such as: Reads before it says." />
      <TextField label="What it is for" name="description" rows={2} maxLength={2_000} />
      <ReadersOf problemSetId={setId} hint="Of the suite, and of what comes of it. It cannot be changed later." />
      {cases.map((draft, at) => (
        <CaseFields
          key={draft.key}
          draft={draft}
          at={at}
          tools={tools.data?.data ?? []}
          change={change}
          remove={cases.length > 1 ? () => setCases(cases.filter(({ key }) => key !== draft.key)) : undefined}
        />
      ))}
    </Form>
  );
}
