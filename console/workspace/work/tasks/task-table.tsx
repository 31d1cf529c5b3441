import type { ReactNode } from "react";
import { Link } from "react-router";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { Barrier } from "../compartments.tsx";
import { TaskActs } from "./task-acts.tsx";
import { subjectAddress, taskWords, type Task } from "./task-words.ts";

const TONES = { open: "warn", accepted: "info", done: "good", declined: "bad" } as const;

const WHAT: Column<Task> = {
  head: "Task",
  cell: ({ title, description, note, ended }) => (
    <>
      {title}
      {description && <small className="muted under">{description}</small>}
      {note && <small className="muted under">Answer: {note}</small>}
      {ended && <small className="muted under">Whoever had it does not see what it is about any more.</small>}
    </>
  ),
};
const ABOUT: Column<Task> = {
  head: "About",
  cell: (task) => {
    const address = subjectAddress(task);
    return address ? <Link to={address}>its document</Link> : `an ${task.subjectKind}`.replace(/^an (?![aeiou])/, "a ");
  },
};
const REST: readonly Column<Task>[] = [
  {
    head: "State",
    cell: ({ status, overdue, compartments }) => (
      <span className="row">
        <Badge tone={TONES[status]}>{taskWords(status)}</Badge>
        {overdue && <Badge tone="bad">overdue</Badge>}
        <Barrier compartments={compartments} />
      </span>
    ),
  },
  { head: "By", cell: ({ dueAt }) => (dueAt ? <Time at={dueAt} /> : <span className="muted">no deadline</span>) },
  { head: "Who", cell: ({ assigneeName, assigneeId }) => assigneeName ?? assigneeId },
  { head: "Given by", cell: ({ createdByName, createdBy }) => createdByName ?? createdBy },
  { head: "Acts", isAct: true, cell: (task) => <TaskActs task={task} /> },
];

interface TaskTableProps {
  tasks: readonly Task[];
  empty: ReactNode;
  /** On the page of what they are about. */
  isOfOne?: boolean;
}
export const TaskTable = ({ tasks, empty, isOfOne = false }: TaskTableProps): ReactNode => (
  <Table
    label="Tasks"
    rows={tasks}
    keyOf={({ id }) => id}
    columns={[WHAT, ...(isOfOne ? [] : [ABOUT]), ...REST]}
    empty={empty}
  />
);
