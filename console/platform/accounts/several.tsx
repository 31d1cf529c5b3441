import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Form, TextField } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";
import { NoMailServer, useReachesNobody } from "./no-mail-server.tsx";
import { readPasted, type PastedAccount } from "./pasted.ts";
import { RoleSelect } from "./role-select.tsx";
import { nameOf, type AccountRole } from "./roles.ts";

type Result = Data<"POST /auth/users/bulk">;
/** So many the API takes at once. */
const MOST = 200;

/** Accounts for a whole organisation, from a list of addresses. */
export function SeveralAccounts(): ReactNode {
  const reachesNobody = useReachesNobody();
  const [result, setResult] = useState<Result>();
  return (
    <AdminPage
      title="Make several accounts"
      intro="Each address is mailed a link, with which its owner signs in once, within seven days, and adds a passkey."
    >
      {reachesNobody && (
        <p className="failure">
          <NoMailServer />
        </p>
      )}
      {result && <Report of={result} />}
      <Section title="Addresses">
        <Pasted onMade={setResult} />
      </Section>
    </AdminPage>
  );
}

function Pasted({ onMade }: { onMade(result: Result): void }): ReactNode {
  const [text, setText] = useState("");
  const [done, setDone] = useState<number>();
  const make = useAct("POST /auth/users/bulk", { tellsRefusal: false });
  const { accounts, left } = readPasted(text);

  async function makeAll(role: AccountRole): Promise<void> {
    const all: Result = { created: [], failed: [] };
    try {
      for (let at = 0; at < accounts.length; at += MOST) {
        setDone(at);
        const part = accounts.slice(at, at + MOST).map((one) => ({ ...one, role }));
        const { data } = await make.mutateAsync({ body: { accounts: part } });
        all.created.push(...data.created);
        all.failed.push(...data.failed.map((one) => ({ ...one, index: one.index + at })));
      }
      setText("");
    } finally {
      setDone(undefined);
      if (all.created.length + all.failed.length) onMade(all);
    }
  }

  return (
    <Form
      act={accounts.length > 1 ? `Make ${accounts.length} accounts` : "Make the accounts"}
      onSubmit={({ role }) => makeAll(role as AccountRole)}
    >
      <TextField
        label="Addresses"
        name="accounts"
        rows={10}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        hint="As they come out of a mail program or a table: ada@example.org, or Ada Lovelace <ada@example.org>."
        required
      />
      <p className="muted" role="status">
        {wordsOf(accounts, left)}
      </p>
      <RoleSelect initial="reader" />
      {done !== undefined && <Progress label="The accounts are made" done={done} total={accounts.length} />}
    </Form>
  );
}

const SHOWN_LINES = 3;

function wordsOf(accounts: readonly PastedAccount[], left: readonly string[]): string {
  if (!accounts.length && !left.length) return "No address yet.";
  const named = accounts.filter(({ name }) => name).length;
  const lines = left.slice(0, SHOWN_LINES).map((line) => `"${line.slice(0, 60)}"`);
  return [
    `${many(accounts.length, "address", "addresses")}, ${named} with a name.`,
    left.length > 0 &&
      `${many(left.length, "line has", "lines have")} none, and ${left.length === 1 ? "is" : "are"} left out: ${lines.join(", ")}${left.length > SHOWN_LINES ? ", …" : ""}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

interface Line {
  key: string;
  who: string;
  why?: string;
}

const COLUMNS: readonly Column<Line>[] = [
  { head: "Account", cell: ({ who }) => who },
  {
    head: "What became of it",
    cell: ({ why }) => (
      <>
        <Badge tone={why ? "bad" : "good"}>{why ? "not made" : "made"}</Badge> {why}
      </>
    ),
  },
];

/** What became of each address: those that were not taken first. */
function Report({ of: { created, failed } }: { of: Result }): ReactNode {
  const lines: Line[] = [
    ...failed.map(({ index, email, message }) => ({
      key: `entry ${index}`,
      who: email ?? `Entry ${index + 1}`,
      why: message,
    })),
    ...created.map((account) => ({
      key: account.id,
      who: account.name ? `${nameOf(account)}, ${account.email}` : nameOf(account),
    })),
  ];
  return (
    <Section title="What became of the list">
      <p role="status">
        {many(created.length, "account is", "accounts are")} made
        {failed.length > 0 && `; ${many(failed.length, "address was", "addresses were")} not taken`}.{" "}
        <Link to="/platform/accounts">See all accounts</Link>
      </p>
      <Table
        label="Accounts of the list"
        rows={lines}
        keyOf={({ key }) => key}
        columns={COLUMNS}
        empty="It was empty."
      />
    </Section>
  );
}
