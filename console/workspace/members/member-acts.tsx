import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { useSet } from "../set/use-set.tsx";
import { RoleSelect } from "./role-select.tsx";
import type { SetMember, SetRole } from "../roles.ts";

type Asked = "role" | "suspend" | "remove";

/** What a manager of members may do with one of them. */
export function MemberActs({ member }: { member: SetMember }): ReactNode {
  const { set } = useSet();
  const isMe = useWho().userId === member.userId;
  const [asked, setAsked] = useState<Asked>();
  const name = member.userName ?? member.userId;
  const lift = useAct("POST /problem-sets/{id}/members/{memberDid}/unsuspend", {
    says: `${name} is back, with role and compartments as before.`,
  });
  const close = (): void => setAsked(undefined);
  return (
    <span className="row">
      <button type="button" aria-label={`Change role: ${name}`} onClick={() => setAsked("role")}>
        Change role
      </button>
      {member.status === "suspended" && (
        <button
          type="button"
          aria-label={`Lift suspension: ${name}`}
          disabled={lift.isPending}
          onClick={() => lift.mutate({ path: { id: set.id, memberDid: member.did } })}
        >
          Lift suspension
        </button>
      )}
      {member.status === "active" && !isMe && (
        <button type="button" aria-label={`Suspend ${name}`} onClick={() => setAsked("suspend")}>
          Suspend
        </button>
      )}
      {!isMe && (
        <button type="button" className="danger" aria-label={`Remove ${name}`} onClick={() => setAsked("remove")}>
          Remove
        </button>
      )}
      {asked === "role" && <RoleDialog member={member} name={name} onClose={close} />}
      {asked === "suspend" && <SuspendDialog member={member} name={name} onClose={close} />}
      {asked === "remove" && <RemoveDialog member={member} name={name} onClose={close} />}
    </span>
  );
}

interface About {
  member: SetMember;
  name: string;
  onClose(): void;
}

function RoleDialog({ member: { did, role }, name, onClose }: About): ReactNode {
  const { set } = useSet();
  const give = useAct("POST /problem-sets/{id}/members/{memberDid}/role", {
    tellsRefusal: false,
    says: ({ data }) => `${name} is ${data.role} now.`,
    then: onClose,
  });
  return (
    <Dialog title={`Role of ${name}`} onClose={onClose}>
      <Form
        act="Give this role"
        onSubmit={({ role: given }) =>
          give.mutateAsync({ path: { id: set.id, memberDid: did }, body: { role: given as SetRole } })
        }
      >
        <RoleSelect value={role} />
        <p className="muted">In force with their next step. A set always keeps one commander.</p>
      </Form>
    </Dialog>
  );
}

function SuspendDialog({ member: { did }, name, onClose }: About): ReactNode {
  const { set } = useSet();
  const suspend = useAct("POST /problem-sets/{id}/members/{memberDid}/suspend", {
    tellsRefusal: false,
    says: `${name} is suspended.`,
    then: onClose,
  });
  return (
    <Dialog title={`Suspend ${name}?`} onClose={onClose}>
      <p>
        They see nothing of this set at once, in open pages as well. Role and compartments wait until the suspension is
        lifted.
      </p>
      <Form
        act="Suspend"
        onSubmit={({ reason }) =>
          suspend.mutateAsync({ path: { id: set.id, memberDid: did }, body: { ...(reason && { reason }) } })
        }
      >
        <Field label="Reason" name="reason" hint="May be left out. It is kept in the audit log." maxLength={1_000} />
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ member: { did }, name, onClose }: About): ReactNode {
  const { set } = useSet();
  const remove = useAct("DELETE /problem-sets/{id}/members/{memberDid}", { says: `${name} is no longer a member.` });
  return (
    <Confirm
      title={`Remove ${name}?`}
      act="Remove"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: set.id, memberDid: did } }, { onSettled: onClose })}
      onClose={onClose}
    >
      <p>
        They see nothing of this set from now on and leave its missions and compartments. They come back only by a new
        invitation.
      </p>
    </Confirm>
  );
}
