import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { Form, Select } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Pager, usePage } from "../../../parts/table.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { TaskTable } from "./task-table.tsx";
import { TASK_STATUSES } from "./task-words.ts";

/** What somebody was asked to do about documents and what came of them: one's own first. */
export function TaskList(): ReactNode {
  const { set } = useSet();
  const { userId } = useWho();
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const isAll = search.get("whose") === "all";
  const status = TASK_STATUSES.find(([name]) => name === search.get("status"))?.[0];
  const tasks = useAnswer(
    "GET /strategic/assignments",
    [
      {
        query: {
          problemSetId: set.id,
          page,
          sort: "dueAt",
          ...(!isAll && { assigneeId: userId }),
          ...(status && { status }),
        },
      },
    ],
    { keepsShown: true },
  );
  return (
    <SetPage
      title="Tasks"
      intro="What you, or others, were asked to do about the documents of this problem set."
      acts={<Link to={`/workspace/${set.id}/documents`}>All documents</Link>}
    >
      <Form act="Show" isInline label="Filter tasks" onSubmit={(fields) => setSearch(fields)}>
        <Select
          label="Whose"
          name="whose"
          defaultValue={isAll ? "all" : ""}
          options={[
            ["", "mine"],
            ["all", "everybody's"],
          ]}
        />
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...TASK_STATUSES]} />
      </Form>
      <Shown of={tasks}>
        {({ data, meta }) => (
          <>
            <TaskTable
              tasks={data}
              empty={
                status
                  ? "No task is in this state."
                  : isAll
                    ? "Nobody was asked to do anything yet. A task is given on the page of a document."
                    : "Nothing waits for you here."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </SetPage>
  );
}
