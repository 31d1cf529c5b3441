import { useState, type ReactNode } from "react";
import { useAsOpened } from "../../api/as-opened.ts";
import type { ListRow } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { recheckSession } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { NoMailServer, useReachesNobody } from "./no-mail-server.tsx";
import { nameOf, type AccountRole } from "./roles.ts";
import { RoleSelect } from "./role-select.tsx";

type Account = ListRow<"GET /auth/users">;

/** A new account: a link is mailed to it, unless a password is set here. */
export function MakeAccount({ onClose }: { onClose(): void }): ReactNode {
  const [hasPassword, setHasPassword] = useState(false);
  const reachesNobody = useReachesNobody();
  const make = useAct("POST /auth/users", {
    tellsRefusal: false,
    says: ({ data }) =>
      hasPassword
        ? `${data.email} can sign in with the password.`
        : reachesNobody
          ? `${data.email} has an account. No mail server is set: the letter with their link reached nobody.`
          : `A link is on its way to ${data.email}. It signs in once, within seven days.`,
    then: onClose,
  });
  return (
    <Dialog title="Make an account" onClose={onClose}>
      <Form
        act="Make the account"
        onSubmit={({ email = "", name, role, password }) =>
          make.mutateAsync({
            body: {
              email,
              role: role as AccountRole,
              ...(name && { name }),
              ...(hasPassword && password && { password }),
            },
          })
        }
      >
        <Field label="Email" name="email" type="email" autoComplete="off" required />
        <Field label="Name" name="name" maxLength={120} autoComplete="off" hint="They can change it." />
        <RoleSelect initial="reader" />
        {hasPassword ? (
          <Field
            label="First password"
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={10}
            hint="No letter is sent: tell it to them in person."
            required
          />
        ) : (
          <p className="muted">
            A link is mailed to the address; with it they sign in, and add a passkey.{" "}
            <button type="button" className="link" onClick={() => setHasPassword(true)}>
              Set a password instead
            </button>
            {reachesNobody && <NoMailServer />}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

export function ChangeAccount({ account, onClose }: { account: Account; onClose(): void }): ReactNode {
  const { id, name, role } = account;
  const { options, inTime } = useAsOpened(account.rev);
  const change = useAct("PUT /auth/users/{id}", {
    tellsRefusal: false,
    says: `${nameOf(account)} is changed.`,
    then() {
      // It may be one's own.
      void recheckSession();
      onClose();
    },
  });
  return (
    <Dialog title={`Change ${nameOf(account)}`} onClose={onClose}>
      <Form
        act="Save"
        onSubmit={(fields) =>
          inTime(
            change.mutateAsync({
              options,
              path: { id },
              body: {
                role: fields["role"] as AccountRole,
                ...(fields["name"] && { name: fields["name"] }),
                ...(fields["password"] && { password: fields["password"] }),
              },
            }),
          )
        }
      >
        <Field label="Name" name="name" defaultValue={name} maxLength={120} autoComplete="off" />
        <RoleSelect initial={role} />
        <Field
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={10}
          hint="Only if they cannot get in otherwise: it ends all their sessions. Empty: it stays as it is."
        />
      </Form>
    </Dialog>
  );
}
