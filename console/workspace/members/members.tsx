import { useState, type ReactNode } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useOwnDids } from "../../app/own-dids.ts";
import { useWho } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { outranks, ROLE_WORDS, ROLES, type SetMember, type SetRole } from "../roles.ts";
import { Positions } from "../positions/positions.tsx";
import { endOf, usePeople } from "../set/known.ts";
import { SetPage, useSet } from "../set/use-set.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite.tsx";
import { MemberActs } from "./member-acts.tsx";

/** Who belongs to the set and as what, who is invited, who waits to be let in. */
export function Members(): ReactNode {
  const { set, maySet } = useSet();
  const [asked, setAsked] = useState<"invite" | "leave">();
  return (
    <SetPage
      title="Members"
      intro="Who works on this, and as what. A role says what somebody may do; no role opens a compartment."
      acts={
        <>
          {set.status === "active" && (
            <button type="button" onClick={() => setAsked("leave")}>
              Leave this problem set
            </button>
          )}
          {maySet("members:invite") && (
            <button type="button" className="primary" onClick={() => setAsked("invite")}>
              Invite somebody
            </button>
          )}
        </>
      }
    >
      {maySet("members:invite") && <Invitations />}
      <MemberList />
      <Positions />
      <Section title="What the roles are for">
        <dl>
          {ROLES.map((role) => (
            <RoleWords key={role} role={role} />
          ))}
        </dl>
      </Section>
      {asked === "invite" && <InviteDialog onClose={() => setAsked(undefined)} />}
      {asked === "leave" && <LeaveDialog onClose={() => setAsked(undefined)} />}
    </SetPage>
  );
}

const RoleWords = ({ role }: { role: SetRole }): ReactNode => (
  <>
    <dt>{role}</dt>
    <dd>{ROLE_WORDS[role]}</dd>
  </>
);

const COLUMNS: readonly Column<SetMember>[] = [
  { head: "Person", cell: (member) => <Named {...member} /> },
  { head: "Role", cell: ({ role }) => role },
  { head: "State", cell: ({ status }) => <Badge>{status}</Badge> },
  { head: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
const ACTS: Column<SetMember> = { head: "Acts", isAct: true, cell: (member) => <Acts member={member} /> };

function Named({ userId, userName, did }: SetMember): ReactNode {
  const isMe = useWho().userId === userId;
  const isOneOfSeveral = usePeople().filter((one) => one.userName === userName).length > 1;
  return (
    <>
      {userName ?? userId}
      {isOneOfSeveral && <span className="muted"> {endOf(did)}</span>}
      {isMe && <span className="muted"> (you)</span>}
    </>
  );
}

/** Nobody acts on somebody above themselves. */
const Acts = ({ member }: { member: SetMember }): ReactNode =>
  outranks(member.role, useSet().set.role) ? null : <MemberActs member={member} />;

/** Filters are of use from so many members on. */
const MANY = 12;

function MemberList(): ReactNode {
  const { set, maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const [role, status] = [search.get("role"), search.get("status")];
  const query = {
    page: usePage(),
    limit: 50,
    ...(role && { role: role as SetRole }),
    ...(status && { status: status as SetMember["status"] }),
  };
  const members = useAnswer("GET /problem-sets/{id}/members", [{ path: { id: set.id }, query }], { keepsShown: true });
  const columns = maySet("members:manage") ? [...COLUMNS, ACTS] : COLUMNS;
  return (
    <Shown of={members}>
      {({ data, meta }) => (
        <Section title={many(meta.total, "member")}>
          {(meta.total > MANY || role || status) && (
            <Form act="Show" isInline label="Filter the members" onSubmit={(fields) => setSearch(fields)}>
              <Select label="Role" name="role" defaultValue={role ?? ""} options={[["", "any"], ...ROLES]} />
              <Select
                label="State"
                name="status"
                defaultValue={status ?? ""}
                options={[["", "any"], "active", "suspended"]}
              />
            </Form>
          )}
          <Table
            label="Members"
            rows={data}
            keyOf={({ id }) => id}
            columns={columns}
            empty="No member fits these filters."
          />
          <Pager meta={meta} />
        </Section>
      )}
    </Shown>
  );
}

function LeaveDialog({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  // A member is found by any DID that is theirs.
  const did = useOwnDids()?.[0];
  const navigate = useNavigate();
  const leave = useAct("DELETE /problem-sets/{id}/members/{memberDid}", {
    says: `You have left ${set.name}.`,
    then: () => void navigate("/workspace"),
  });
  return (
    <Confirm
      title={`Leave ${set.name}?`}
      act="Leave"
      isBusy={leave.isPending || !did}
      onConfirm={() => did && leave.mutate({ path: { id: set.id, memberDid: did } }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>You see nothing of it from then on, and come back only by a new invitation. What you did here stays.</p>
      {set.role === "commander" && <p>The last commander cannot leave: give the role to somebody first.</p>}
    </Confirm>
  );
}
