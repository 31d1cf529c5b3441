import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { Mission } from "./mission-words.ts";

interface CourseMove {
  act: "activate" | "complete" | "archive" | "reopen" | "restore";
  verb: string;
  does: string;
  says: string;
  field?: "outcome" | "reason";
  label?: string;
}
const ARCHIVE: CourseMove = {
  act: "archive",
  verb: "Archive",
  does: "It is read, not changed, from then on. It can be taken out of the archive, as a draft.",
  says: "The mission is archived.",
};
/** What can be done next, by state. */
const MOVES: Readonly<Record<Mission["status"], readonly CourseMove[]>> = {
  draft: [
    {
      act: "activate",
      verb: "Put into force",
      does: "It is under way from then on.",
      says: "The mission is under way.",
    },
    ARCHIVE,
  ],
  active: [
    {
      act: "complete",
      verb: "Complete",
      does: "It is over, with its outcome on record.",
      says: "The mission is completed.",
      field: "outcome",
      label: "Outcome",
    },
  ],
  completed: [
    {
      act: "reopen",
      verb: "Take up again",
      does: "It is under way again; the outcome recorded so far is taken back.",
      says: "The mission is under way again.",
      field: "reason",
      label: "Why",
    },
    ARCHIVE,
  ],
  archived: [
    {
      act: "restore",
      verb: "Take out of the archive",
      does: "It is a draft again.",
      says: "The mission is a draft again.",
    },
  ],
};

/** What may be done with a mission as a whole. */
export function MissionCourse({ mission }: { mission: Mission }): ReactNode {
  const { maySet } = useSet();
  const [asked, setAsked] = useState<CourseMove>();
  if (!maySet("missions:edit")) return null;
  return (
    <div className="row">
      {MOVES[mission.status].map((move, at) => (
        <button
          key={move.act}
          type="button"
          className={at === 0 ? "primary" : undefined}
          onClick={() => setAsked(move)}
        >
          {move.verb}
        </button>
      ))}
      {asked && <MoveDialog mission={mission} move={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

interface MoveProps {
  mission: Mission;
  move: CourseMove;
  onClose(): void;
}
function MoveDialog({ mission, move: { act, verb, does, says, field, label }, onClose }: MoveProps): ReactNode {
  // All of them take the mission's id; one takes an outcome, one a reason.
  const moved = useAct(`POST /missions/{id}/${act}` as "POST /missions/{id}/complete", {
    tellsRefusal: false,
    says,
    then: onClose,
  });
  return (
    <Dialog title={`${verb}: ${mission.name}`} onClose={onClose}>
      <p>{does}</p>
      <Form
        act={verb}
        onSubmit={(fields) =>
          moved.mutateAsync({
            path: { id: mission.id },
            ...(field && { body: fields[field] ? { [field]: fields[field] } : {} }),
          })
        }
      >
        {field && label && <TextField label={`${label} (optional)`} name={field} />}
      </Form>
    </Dialog>
  );
}
