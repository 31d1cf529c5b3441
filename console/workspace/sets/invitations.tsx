import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { Time } from "../../parts/texts.tsx";
import { acceptedWords } from "./accepted.ts";

type Asked = ListRow<"GET /problem-sets/me/join-requests">;

/** Invitations that name whoever is here; nothing where there are none. */
export function MyInvitations(): ReactNode {
  const invitations = useAnswer("GET /problem-sets/me/invites", [{ query: { limit: 100 } }]);
  const rows = invitations.data?.data ?? [];
  if (!rows.length) return null;
  return (
    <Section title="You are invited">
      <ul className="list">
        {rows.map((row) => (
          <Invited key={row.id} {...row} />
        ))}
      </ul>
    </Section>
  );
}

const OUTCOME: Record<Asked["status"], string> = {
  waiting: "It waits for somebody who manages its members.",
  approved: "You were let in.",
  withdrawn: "The invitation was withdrawn before anybody let you in; ask for a new one.",
  archived: "The set was put into the archive before anybody let you in.",
  interrupted: "It did not reach them; accept the invitation again.",
};
/** What came to nothing is shown for so long. */
const SHOWN_MS = 30 * 86_400_000;

/** Sets that whoever is here asked to join and is not in; nothing where there are none. */
export function MyJoinRequests(): ReactNode {
  const asked = useAnswer("GET /problem-sets/me/join-requests", [{ query: { limit: 100 } }]);
  const rows = (asked.data?.data ?? []).filter(
    ({ status, askedAt }) =>
      status === "waiting" || (status !== "approved" && Date.parse(askedAt) > asked.dataUpdatedAt - SHOWN_MS),
  );
  if (!rows.length) return null;
  return (
    <Section title="You asked to join">
      <ul className="list">
        {rows.map(({ id, name, role, askedAt, status }) => (
          <li key={id}>
            <strong>{name}</strong>, as {role}, <Time at={askedAt} />. {OUTCOME[status]}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Invited({ id, name, role, approval, expiresAt }: ListRow<"GET /problem-sets/me/invites">): ReactNode {
  const navigate = useNavigate();
  const accept = useAct("POST /problem-sets/invite/accept", {
    says: ({ data }) => acceptedWords(data),
    then: ({ data }) => data.status === "member" && void navigate(`/workspace/${data.problemSetId}`),
  });
  return (
    <li className="row between">
      <span>
        To <strong>{name}</strong>, as {role}; it ends <Time at={expiresAt} />.
        {approval && " A manager of its members then lets you in."}
      </span>
      <button
        type="button"
        className="primary"
        aria-label={`Accept the invitation to ${name}`}
        disabled={accept.isPending}
        onClick={() => accept.mutate({ body: { inviteId: id } })}
      >
        Accept
      </button>
    </li>
  );
}
