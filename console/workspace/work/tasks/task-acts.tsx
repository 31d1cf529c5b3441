import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { Confirm, Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { Task } from "./task-words.ts";

type TaskMove = "accepted" | "done" | "declined";
const VERBS: Readonly<Record<TaskMove, string>> = { accepted: "Take on", done: "It is done", declined: "Decline" };
/** What comes next, by state. */
const MOVES: Readonly<Record<Task["status"], readonly TaskMove[]>> = {
  open: ["accepted", "declined"],
  accepted: ["done", "declined"],
  done: [],
  declined: [],
};

/** Whoever has a task says how it stands; whoever gave it, or manages them, takes it back. */
export function TaskActs({ task }: { task: Task }): ReactNode {
  const { userId } = useWho();
  const { set, maySet } = useSet();
  const [asked, setAsked] = useState<TaskMove | "take back">();
  const move = useAct("PATCH /strategic/assignments/{id}", { says: "The task is yours." });
  if (set.status === "archived") return null;
  const close = (): void => setAsked(undefined);
  const moves = task.assigneeId === userId ? MOVES[task.status] : [];
  const isOthers = task.createdBy === userId || (task.assigneeId !== userId && maySet("assignments:manage"));
  const mayTakeBack = task.status !== "done" && isOthers;
  return (
    <div className="row">
      {moves.map((to) => (
        <button
          key={to}
          type="button"
          aria-label={`${VERBS[to]}: ${task.title}`}
          disabled={move.isPending}
          onClick={() =>
            to === "accepted" ? move.mutate({ path: { id: task.id }, body: { status: to } }) : setAsked(to)
          }
        >
          {VERBS[to]}
        </button>
      ))}
      {mayTakeBack && (
        <button type="button" aria-label={`Take back: ${task.title}`} onClick={() => setAsked("take back")}>
          Take back
        </button>
      )}
      {asked === "take back" && <TakeBack task={task} onClose={close} />}
      {asked && asked !== "take back" && <AnswerTask task={task} to={asked} onClose={close} />}
    </div>
  );
}

function TakeBack({ task, onClose }: { task: Task; onClose(): void }): ReactNode {
  const remove = useAct("DELETE /strategic/assignments/{id}", { says: "The task is taken back.", then: onClose });
  return (
    <Confirm
      title={`Take back: ${task.title}`}
      act="Take back"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: task.id } })}
      onClose={onClose}
    >
      <p>{task.assigneeName ?? "Whoever has it"} is not asked any more, and the task is gone.</p>
    </Confirm>
  );
}

function AnswerTask({ task, to, onClose }: { task: Task; to: TaskMove; onClose(): void }): ReactNode {
  const move = useAct("PATCH /strategic/assignments/{id}", {
    tellsRefusal: false,
    says: to === "done" ? "The task is done." : "The task is declined.",
    then: onClose,
  });
  return (
    <Dialog title={`${VERBS[to]}: ${task.title}`} onClose={onClose}>
      <Form
        act={VERBS[to]}
        onSubmit={({ note }) =>
          move.mutateAsync({ path: { id: task.id }, body: { status: to, ...(note && { note }) } })
        }
      >
        <TextField label={to === "done" ? "What came of it (optional)" : "Why not (optional)"} name="note" rows={2} />
      </Form>
    </Dialog>
  );
}
