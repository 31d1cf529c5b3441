import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { choicesOf, usePeople } from "../../set/known.ts";
import { useSet } from "../../set/use-set.tsx";
import { instantOf } from "../moments.ts";
import { TaskTable } from "./task-table.tsx";

/** Who was asked to do something about a document. */
export function DocumentTasks({ documentId }: { documentId: string }): ReactNode {
  const { maySet } = useSet();
  const [isGiving, setGiving] = useState(false);
  const tasks = useAnswer("GET /strategic/documents/{documentId}/assignments", [
    { path: { documentId }, query: { limit: 50 } },
  ]);
  return (
    <Section
      title="Tasks"
      acts={
        maySet("assignments:give") && (
          <button type="button" onClick={() => setGiving(true)}>
            Give a task
          </button>
        )
      }
    >
      <Shown of={tasks}>
        {({ data }) => <TaskTable tasks={data} isOfOne empty="Nobody was asked to do anything about this document." />}
      </Shown>
      {isGiving && <GiveTask documentId={documentId} onClose={() => setGiving(false)} />}
    </Section>
  );
}

function GiveTask({ documentId, onClose }: { documentId: string; onClose(): void }): ReactNode {
  const { set } = useSet();
  const people = usePeople();
  const give = useAct("POST /strategic/assignments", {
    tellsRefusal: false,
    says: ({ data }) => `${data.assigneeName ?? "They"} was asked: ${data.title}`,
    then: onClose,
  });
  return (
    <Dialog title="Give a task" onClose={onClose}>
      <Form
        act="Give the task"
        onSubmit={({ title = "", description, assigneeId = "", dueAt }) =>
          give.mutateAsync({
            body: {
              problemSetId: set.id,
              subjectKind: "document",
              subjectId: documentId,
              title,
              assigneeId,
              ...(description && { description }),
              ...(dueAt && { dueAt: instantOf(dueAt) }),
            },
          })
        }
      >
        <Field label="What is to be done" name="title" maxLength={300} required />
        <Select label="By whom" name="assigneeId" options={choicesOf(people, ({ userId }) => userId)} />
        <Field label="By when" name="dueAt" type="datetime-local" />
        <TextField label="More on it" name="description" rows={2} />
      </Form>
    </Dialog>
  );
}
