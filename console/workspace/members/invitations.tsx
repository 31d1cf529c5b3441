import type { ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { outranks } from "../roles.ts";
import { useSet } from "../set/use-set.tsx";

type Invitation = ListRow<"GET /problem-sets/{id}/invites">;

/** Invitations that are open, and whoever waits to be let in; nothing where there are none. */
export function Invitations(): ReactNode {
  const { set } = useSet();
  const invitations = useAnswer("GET /problem-sets/{id}/invites", [{ path: { id: set.id }, query: { limit: 100 } }]);
  const rows = invitations.data?.data ?? [];
  const waiting = rows.flatMap((invitation) => invitation.waiting.map((person) => ({ invitation, person })));
  return (
    <>
      {waiting.length > 0 && (
        <Section title="They wait to be let in">
          <ul className="list">
            {waiting.map(({ invitation, person }) => (
              <Applicant key={invitation.id + person.userId} invitation={invitation} person={person} />
            ))}
          </ul>
        </Section>
      )}
      {rows.length > 0 && (
        <Section title="Open invitations">
          <Table label="Open invitations" rows={rows} keyOf={({ id }) => id} columns={COLUMNS} empty="" />
        </Section>
      )}
    </>
  );
}

/** The set knows no name of somebody who has not come in yet. */
const shortened = (did: string): string => (did.length > 24 ? `${did.slice(0, 14)}…${did.slice(-6)}` : did);
const whomFor = ({ did, didName }: Invitation): string => (did ? (didName ?? shortened(did)) : "whoever has the code");
const nameOf = (invitation: Invitation): string =>
  invitation.did ? whomFor(invitation) : `${whomFor(invitation)}, as ${invitation.role}`;

const COLUMNS: readonly Column<Invitation>[] = [
  { head: "For", cell: whomFor },
  { head: "As", cell: ({ role }) => role },
  { head: "Used", cell: ({ used, uses }) => `${used} of ${uses}` },
  {
    head: "Then",
    cell: ({ approval, approvedBy }) => (approval && !approvedBy ? "waits to be let in" : "is in at once"),
  },
  { head: "By", cell: ({ createdByName, createdBy }) => createdByName ?? createdBy },
  { head: "Ends", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  { head: "Acts", isAct: true, cell: (invitation) => <InvitationActs invitation={invitation} /> },
];

function InvitationActs({ invitation }: { invitation: Invitation }): ReactNode {
  const { set, maySet } = useSet();
  const { userId } = useWho();
  const path = { id: set.id, inviteId: invitation.id };
  const name = nameOf(invitation);
  const withdraw = useAct("DELETE /problem-sets/{id}/invites/{inviteId}", { says: "The invitation is withdrawn." });
  const approve = useAct("POST /problem-sets/{id}/invites/{inviteId}/approve", {
    says: "Whoever accepts it is in at once from now on.",
  });
  const manages = maySet("members:manage");
  return (
    <span className="row">
      {manages && invitation.approval && !invitation.approvedBy && !outranks(invitation.role, set.role) && (
        <button
          type="button"
          aria-label={`Approve the invitation for ${name}`}
          disabled={approve.isPending}
          onClick={() => approve.mutate({ path, body: {} })}
        >
          Approve
        </button>
      )}
      {(manages || invitation.createdBy === userId) && (
        <button
          type="button"
          aria-label={`Withdraw the invitation for ${name}`}
          disabled={withdraw.isPending}
          onClick={() => withdraw.mutate({ path })}
        >
          Withdraw
        </button>
      )}
    </span>
  );
}

interface Standing {
  invitation: Invitation;
  person: Invitation["waiting"][number];
}

function Applicant({ invitation, person }: Standing): ReactNode {
  const { set, maySet } = useSet();
  const name = person.userName ?? person.did;
  const admit = useAct("POST /problem-sets/{id}/invites/{inviteId}/approve", { says: `${name} is a member now.` });
  return (
    <li className="row between">
      <span>
        <strong>{name}</strong>, as {invitation.role}, since <Time at={person.since} />
      </span>
      {maySet("members:manage") && !outranks(invitation.role, set.role) && (
        <button
          type="button"
          className="primary"
          aria-label={`Let in: ${name}`}
          disabled={admit.isPending}
          onClick={() => admit.mutate({ path: { id: set.id, inviteId: invitation.id }, body: { did: person.did } })}
        >
          Let in
        </button>
      )}
    </li>
  );
}
