import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useWho } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";
import { ChangeAccount, MakeAccount } from "./account-forms.tsx";
import { nameOf, ROLES, type AccountRole } from "./roles.ts";

type Account = ListRow<"GET /auth/users">;

const COLUMNS: readonly Column<Account>[] = [
  { head: "Account", cell: (account) => nameOf(account) },
  {
    head: "Address",
    cell: ({ email, claimedEmail }) =>
      email ?? (
        <>
          {claimedEmail ?? "none"} <Badge tone="warn">not confirmed</Badge>
        </>
      ),
  },
  { head: "Role", cell: ({ role }) => ROLES[role] },
  { head: "State", cell: ({ active }) => (active ? <Badge>active</Badge> : <Badge tone="bad">suspended</Badge>) },
  { head: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Acts", isAct: true, cell: (account) => <Acts account={account} /> },
];

/** Everybody's accounts: made, given a role, suspended. */
export function Accounts(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [isMaking, setMaking] = useState(false);
  const [q, role, active] = [search.get("q"), search.get("role"), search.get("active")];
  const accounts = useAnswer(
    "GET /auth/users",
    [
      {
        query: {
          page,
          sort: "email",
          ...(q && { q }),
          ...(role && { role: role as AccountRole }),
          ...(active && { active: active === "true" }),
        },
      },
    ],
    { keepsShown: true },
  );
  return (
    <AdminPage
      title="Accounts"
      intro="Who may sign in, and what they may do outside of problem sets, where other roles count."
      acts={
        <>
          <Link to="/platform/accounts/several" className="button">
            Make several
          </Link>
          <button type="button" className="primary" onClick={() => setMaking(true)}>
            Make an account
          </button>
        </>
      }
    >
      <Form act="Show" isInline label="Filter accounts" onSubmit={(fields) => setSearch(fields)}>
        <Field
          label="Name or address"
          name="q"
          type="search"
          defaultValue={q ?? ""}
          hint="Their beginnings are enough."
        />
        <Select
          label="Role"
          name="role"
          defaultValue={role ?? ""}
          options={[["", "any"], ...(Object.entries(ROLES) as [AccountRole, string][])]}
        />
        <Select
          label="State"
          name="active"
          defaultValue={active ?? ""}
          options={[
            ["", "any"],
            ["true", "active"],
            ["false", "suspended"],
          ]}
        />
      </Form>
      <Shown of={accounts}>
        {({ data, meta }) => (
          <>
            <Table
              label="Accounts"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="No account fits these filters."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isMaking && <MakeAccount onClose={() => setMaking(false)} />}
    </AdminPage>
  );
}

function Acts({ account }: { account: Account }): ReactNode {
  const { userId } = useWho();
  const [asks, setAsks] = useState<"change" | "suspend">();
  const close = (): void => setAsks(undefined);
  const { id, active } = account;
  const name = nameOf(account);
  const set = useAct("PUT /auth/users/{id}", {
    says: active ? `${name} is suspended.` : `${name} may sign in again.`,
    then: close,
  });
  return (
    <span className="row">
      <button type="button" aria-label={`Change: ${name}`} onClick={() => setAsks("change")}>
        Change
      </button>
      {active && id !== userId && (
        <button type="button" aria-label={`Suspend: ${name}`} onClick={() => setAsks("suspend")}>
          Suspend
        </button>
      )}
      {!active && (
        <button
          type="button"
          aria-label={`Let in again: ${name}`}
          disabled={set.isPending}
          onClick={() => set.mutate({ path: { id }, body: { active: true } })}
        >
          Let in again
        </button>
      )}
      {asks === "change" && <ChangeAccount account={account} onClose={close} />}
      {asks === "suspend" && (
        <Confirm
          title={`Suspend ${name}?`}
          act="Suspend"
          isBusy={set.isPending}
          onClose={close}
          onConfirm={() => set.mutate({ path: { id }, body: { active: false } })}
        >
          <p>
            They are signed out everywhere at once, cannot sign in, and their API keys stop working. What they did
            stays. You can let them in again.
          </p>
        </Confirm>
      )}
    </span>
  );
}
