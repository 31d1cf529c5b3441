import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { scopesInWords } from "../../identity/keys/scopes.ts";
import { stateOf } from "../../identity/keys/state.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Shown } from "../../parts/page.tsx";
import { Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";

type Key = ListRow<"GET /admin/api-keys">;
const LIMIT = 50;

const COLUMNS: readonly Column<Key>[] = [
  {
    head: "Key",
    cell: ({ name, keyPrefix }) => (
      <>
        {name} <code className="muted">{keyPrefix}…</code>
      </>
    ),
  },
  { head: "Of", cell: ({ userId, userName }) => <Link to={`?userId=${userId}`}>{userName ?? userId}</Link> },
  { head: "What it may do", cell: ({ scopes }) => scopesInWords(scopes).replace("that you may", "that they may") },
  {
    head: "State",
    cell: (key) => <Badge tone={stateOf(key) === "works" ? "good" : "bad"}>{stateOf(key)}</Badge>,
  },
  { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { head: "Acts", isAct: true, cell: (key) => <Acts of={key} /> },
];

/** The API keys of everybody: one that is misused is switched off, or removed. */
export function EverybodysKeys(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const userId = search.get("userId");
  const keys = useAnswer("GET /admin/api-keys", [{ query: { page, limit: LIMIT, ...(userId && { userId }) } }], {
    keepsShown: true,
  });
  const turn = (to: number): void => setSearch({ ...Object.fromEntries(search), page: String(to) });
  return (
    <AdminPage title="API keys" intro="Keys of everybody, by which programs act for them. Nobody can read a key here.">
      {userId && (
        <p>
          Of one account only. <Link to="/platform/keys">Show all</Link>
        </p>
      )}
      <Shown of={keys}>
        {({ data }) => (
          <>
            <Table
              label="API keys"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Nobody has made a key."
            />
            <nav className="row" aria-label="Pages">
              {page > 1 && (
                <button type="button" onClick={() => turn(page - 1)}>
                  Earlier
                </button>
              )}
              {data.length === LIMIT && (
                <button type="button" onClick={() => turn(page + 1)}>
                  Later
                </button>
              )}
            </nav>
          </>
        )}
      </Shown>
    </AdminPage>
  );
}

function Acts({ of: { id, name, isActive } }: { of: Key }): ReactNode {
  const set = useAct("PUT /admin/api-keys/{id}", { says: isActive ? `${name} is off.` : `${name} works again.` });
  const remove = useAct("DELETE /admin/api-keys/{id}", { says: `${name} is removed.` });
  const verb = isActive ? "Switch off" : "Switch on";
  return (
    <span className="row">
      <button
        type="button"
        aria-label={`${verb}: ${name}`}
        disabled={set.isPending}
        onClick={() => set.mutate({ path: { id }, body: { isActive: !isActive } })}
      >
        {verb}
      </button>
      <ConfirmButton
        words="Remove"
        label={`Remove: ${name}`}
        title={`Remove ${name}?`}
        run={() => remove.mutateAsync({ path: { id } })}
      >
        <p>Programs that use it are refused from now on, and its owner must make another. This cannot be taken back.</p>
      </ConfirmButton>
    </span>
  );
}
