import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import type { ListRow } from "../../../api/client.ts";
import { Confirm } from "../../../parts/dialog.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import { Invitations, InviteToMission, MyInvitation } from "./invitations.tsx";
import { isUnderWay, type Mission } from "./mission-words.ts";

type Participant = ListRow<"GET /missions/{id}/participants">;

const COLUMNS: readonly Column<Participant>[] = [
  { head: "Who", cell: ({ userName, userId }) => userName ?? userId },
  { head: "Part", cell: ({ part }) => (part === "lead" ? "leads it" : part) },
  { head: "Since", cell: ({ joinedAt }) => <Time at={joinedAt} /> },
  { head: "Acts", isAct: true, cell: (participant) => <Dismiss {...participant} /> },
];

/** Who takes part in a mission, and who is asked to. */
export function Participants({ mission }: { mission: Mission }): ReactNode {
  const { maySet } = useSet();
  const [isInviting, setInviting] = useState(false);
  const people = useAnswer("GET /missions/{id}/participants", [
    { path: { id: mission.id }, query: { page: usePage(), limit: 100 } },
  ]);
  const mayInvite = maySet("missions:invite") && isUnderWay(mission);
  return (
    <Section
      title="People"
      acts={
        mayInvite && (
          <button type="button" onClick={() => setInviting(true)}>
            Invite
          </button>
        )
      }
    >
      <MyInvitation mission={mission} />
      <Shown of={people}>
        {({ data, meta }) => (
          <>
            <Table
              label="Who takes part"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Nobody takes part yet."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {mayInvite && <Invitations mission={mission} />}
      {isInviting && <InviteToMission mission={mission} onClose={() => setInviting(false)} />}
    </Section>
  );
}

function Dismiss({ id, missionId, userId, userName }: Participant): ReactNode {
  const { maySet } = useSet();
  const who = useWho();
  const [isAsked, setAsked] = useState(false);
  const isMe = userId === who.userId;
  const close = (): void => setAsked(false);
  const dismiss = useAct("DELETE /missions/{id}/participants/{participantId}", {
    says: isMe ? "You take part no longer." : `${userName ?? "They"} takes part no longer.`,
    then: close,
  });
  if (!maySet(isMe ? "missions:read" : "missions:edit")) return null;
  const verb = isMe ? "Leave" : "Remove";
  return (
    <>
      <button
        type="button"
        aria-label={isMe ? "Leave the mission" : `Remove ${userName}`}
        onClick={() => setAsked(true)}
      >
        {verb}
      </button>
      {isAsked && (
        <Confirm
          title={isMe ? "Leave the mission" : `Remove ${userName ?? userId}`}
          act={verb}
          isBusy={dismiss.isPending}
          onConfirm={() => dismiss.mutate({ path: { id: missionId, participantId: id } })}
          onClose={close}
        >
          <p>{isMe ? "You take" : "They take"} part no longer; another invitation brings them back.</p>
        </Confirm>
      )}
    </>
  );
}
