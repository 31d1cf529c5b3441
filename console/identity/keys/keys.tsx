import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { Empty, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { AccountPage } from "../frame.tsx";
import { NewKey } from "./new-key.tsx";
import { scopesInWords } from "./scopes.ts";
import { Secret } from "./secret.tsx";
import { stateOf } from "./state.ts";

type Key = ListRow<"GET /keys">;
const MOST_KEYS = 20;

const COLUMNS: readonly Column<Key>[] = [
  {
    head: "Key",
    cell: ({ name, keyPrefix }) => (
      <>
        {name} <code className="muted">{keyPrefix}…</code>
      </>
    ),
  },
  { head: "What it may do", cell: ({ scopes }) => scopesInWords(scopes) },
  { head: "State", cell: (key) => <Badge>{stateOf(key)}</Badge> },
  { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  {
    head: "Ends",
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : <span className="muted">not by itself</span>),
  },
  { head: "Acts", isAct: true, cell: (key) => <Acts of={key} /> },
];

/** API keys: what they may do, when they were used, and their ends. */
export function Keys(): ReactNode {
  const keys = useAnswer("GET /keys");
  const [isMaking, setMaking] = useState(false);
  return (
    <AccountPage
      title="API keys"
      intro="A key lets a program act for you, within what you allow it. It never can do more than you."
      acts={
        <button type="button" className="primary" onClick={() => setMaking(true)}>
          Make a key
        </button>
      }
    >
      <Shown of={keys}>
        {({ data }) => (
          <>
            <Table
              label="API keys"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="You have no keys. Make one for each program, so that you can end one without the others."
            />
            <Empty>
              {data.length} of at most {MOST_KEYS} keys. A program sends its key as the header <code>X-API-Key</code>;
              the <a href="/api/docs">API description</a> says what it can ask. Unless your platform sets it otherwise,
              a key may ask 100 times a minute; the headers <code>X-RateLimit-*</code> of each answer say how much is
              left.
            </Empty>
          </>
        )}
      </Shown>
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
    </AccountPage>
  );
}

function Acts({ of: key }: { of: Key }): ReactNode {
  const { id, name } = key;
  const [isRenewing, setRenewing] = useState(false);
  const revoke = useAct("DELETE /keys/{id}", { says: `${name} is revoked.` });
  return (
    <span className="row">
      {stateOf(key) === "works" && (
        <button type="button" aria-label={`Renew: ${name}`} onClick={() => setRenewing(true)}>
          Renew
        </button>
      )}
      <ConfirmButton
        words="Revoke"
        label={`Revoke: ${name}`}
        title={`Revoke ${name}?`}
        run={() => revoke.mutateAsync({ path: { id } })}
      >
        <p>Programs that use it are refused from now on. This cannot be taken back; you can make another key.</p>
      </ConfirmButton>
      {isRenewing && <Renew id={id} name={name} onClose={() => setRenewing(false)} />}
    </span>
  );
}

const GRACE = [
  ["60", "one hour"],
  ["1440", "one day"],
  ["10080", "one week"],
  ["0", "not at all: it may be known to others"],
] as const;

function Renew({ id, name, onClose }: { id: string; name: string; onClose(): void }): ReactNode {
  const renew = useAct("POST /keys/{id}/reroll", { tellsRefusal: false });
  return (
    <Dialog title={`Renew ${name}`} onClose={onClose}>
      {renew.data ? (
        <Secret secret={renew.data.data.key} onClose={onClose} />
      ) : (
        <Form
          act="Renew"
          onSubmit={({ grace }) => renew.mutateAsync({ path: { id }, body: { graceMinutes: Number(grace) } })}
        >
          <p>The key gets a new secret, with the same name and scopes.</p>
          <Select label="The old secret goes on working for" name="grace" options={GRACE} />
        </Form>
      )}
    </Dialog>
  );
}
