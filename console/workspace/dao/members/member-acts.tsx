import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Form, Select } from "../../../parts/form.tsx";
import type { DaoMember, DaoRole } from "../dao-types.ts";
import { useDao } from "../use-dao.tsx";
import { TokensField } from "./enrol.tsx";

interface ActsProps {
  member: DaoMember;
  roles: readonly DaoRole[];
}

/** What whoever governs the DAO may do with an enrolled member. */
export function MemberActs({ member, roles }: ActsProps): ReactNode {
  const { dao } = useDao();
  const [asked, setAsked] = useState<"tokens" | "grant" | "revoke">();
  const name = member.userName ?? member.userId;
  const path = { daoId: dao.id, account: member.userId };
  const remove = useAct("DELETE /dao/{daoId}/members/{account}", { says: `${name} is enrolled no more.` });
  const held = roles.filter(({ id }) => member.roles.includes(id));
  const others = roles.filter(({ id }) => !member.roles.includes(id));
  const close = (): void => setAsked(undefined);
  return (
    <span className="row">
      <button type="button" aria-label={`Set tokens: ${name}`} onClick={() => setAsked("tokens")}>
        Set tokens
      </button>
      {others.length > 0 && (
        <button type="button" aria-label={`Give a role: ${name}`} onClick={() => setAsked("grant")}>
          Give a role
        </button>
      )}
      {held.length > 0 && (
        <button type="button" aria-label={`Take a role: ${name}`} onClick={() => setAsked("revoke")}>
          Take a role
        </button>
      )}
      <ConfirmButton
        words="Remove"
        label={`Remove ${name}`}
        className="danger"
        title={`Remove ${name} from the DAO?`}
        run={() => remove.mutateAsync({ path })}
      >
        <p>
          Their roles, tokens and address in the DAO go.{" "}
          {dao.config.electorate === "listed"
            ? "They have no vote in what opens from now on."
            : "As a member of the problem set they still vote, where each member has one vote."}
        </p>
      </ConfirmButton>
      {asked === "tokens" && <SetTokens member={member} name={name} onClose={close} />}
      {asked === "grant" && <GiveRole member={member} name={name} roles={others} onClose={close} />}
      {asked === "revoke" && <TakeRole member={member} name={name} roles={held} onClose={close} />}
    </span>
  );
}

interface About {
  member: DaoMember;
  name: string;
  onClose(): void;
}

function SetTokens({ member, name, onClose }: About): ReactNode {
  const put = useAct("PUT /dao/{daoId}/members/{account}", {
    tellsRefusal: false,
    says: ({ data }) => `${name} holds ${data.tokens} tokens.`,
    then: onClose,
  });
  return (
    <Dialog title={`Tokens of ${name}`} onClose={onClose}>
      <Form
        act="Set"
        onSubmit={({ tokens = "0" }) =>
          put.mutateAsync({ path: { daoId: member.daoId, account: member.userId }, body: { tokens } })
        }
      >
        <TokensField now={member.tokens} />
      </Form>
    </Dialog>
  );
}

const RoleChoice = ({ roles }: { roles: readonly DaoRole[] }): ReactNode => (
  <Select label="Role" name="roleId" options={roles.map(({ id, name }) => [id, name] as const)} />
);

function GiveRole({ member, name, roles, onClose }: About & { roles: readonly DaoRole[] }): ReactNode {
  const grant = useAct("POST /dao/{daoId}/members/{account}/roles", {
    tellsRefusal: false,
    says: `${name} has the role.`,
    then: onClose,
  });
  return (
    <Dialog title={`Give ${name} a role`} onClose={onClose}>
      <Form
        act="Give"
        onSubmit={({ roleId = "" }) =>
          grant.mutateAsync({ path: { daoId: member.daoId, account: member.userId }, body: { roleId } })
        }
      >
        <RoleChoice roles={roles} />
      </Form>
    </Dialog>
  );
}

function TakeRole({ member, name, roles, onClose }: About & { roles: readonly DaoRole[] }): ReactNode {
  const revoke = useAct("DELETE /dao/{daoId}/members/{account}/roles/{roleId}", {
    tellsRefusal: false,
    says: `${name} has the role no more.`,
    then: onClose,
  });
  return (
    <Dialog title={`Take a role from ${name}`} onClose={onClose}>
      <Form
        act="Take"
        onSubmit={({ roleId = "" }) =>
          revoke.mutateAsync({ path: { daoId: member.daoId, account: member.userId, roleId } })
        }
      >
        <RoleChoice roles={roles} />
      </Form>
    </Dialog>
  );
}
