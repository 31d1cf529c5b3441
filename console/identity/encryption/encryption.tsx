import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { RotateKey } from "../../app/encryption/rotate-key.tsx";
import { DecryptText, EncryptText, type EncryptionKey } from "../../app/encryption/texts.tsx";
import { useMySets } from "../../app/sets.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { AccountPage } from "../frame.tsx";

const COLUMNS: readonly Column<EncryptionKey>[] = [
  { head: "Key", cell: ({ name }) => name },
  { head: "Whose", cell: (key) => <Whose {...key} /> },
  { head: "Version", cell: ({ version }) => version, isFigure: true },
  { head: "Since", cell: ({ rotatedAt, createdAt }) => <Time at={rotatedAt ?? createdAt} /> },
  { head: "Acts", isAct: true, cell: (key) => <RotateKey {...key} /> },
];

function Whose({ problemSetId, compartments = [] }: EncryptionKey): ReactNode {
  const sets = useMySets();
  if (!problemSetId) return "yours alone";
  const name = sets.data?.data.find(({ id }) => id === problemSetId)?.name ?? "a problem set of yours";
  return compartments.length ? `${name}, those read into a compartment` : `the members of ${name}`;
}

/** Named keys that the platform keeps, and what can be done with them here. */
export function Encryption(): ReactNode {
  const [isMaking, setMaking] = useState(false);
  useLive(undefined, ["encryption-key.changed"], undefined, { ops: ["GET /encryption/keys"] });
  const keys = useAnswer("GET /encryption/keys", [{ query: { page: usePage(), sort: "name" } }], { keepsShown: true });
  return (
    <AccountPage
      title="Encryption"
      intro="Texts that only you can read, or the members of a problem set, or somebody whose DID you know: also where they are kept or sent outside."
      acts={
        <button type="button" className="primary" onClick={() => setMaking(true)}>
          Make a key
        </button>
      }
    >
      <Shown of={keys}>
        {({ data, meta }) => (
          <>
            <Table
              label="Keys that you can use"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="You have no key yet. Make one: the platform keeps it, and nobody ever sees it."
            />
            <Pager meta={meta} />
            <div className="columns">
              <EncryptText keys={data} />
              <DecryptText />
            </div>
          </>
        )}
      </Shown>
      {isMaking && <MakeKeyDialog onClose={() => setMaking(false)} />}
    </AccountPage>
  );
}

function MakeKeyDialog({ onClose }: { onClose(): void }): ReactNode {
  const sets = useMySets().data?.data.filter(({ status }) => status === "active") ?? [];
  const make = useAct("POST /encryption/keys", {
    tellsRefusal: false,
    says: ({ data: { name } }) => `The key ${name} is there.`,
    then: onClose,
  });
  return (
    <Dialog title="Make a key" onClose={onClose}>
      <Form
        act="Make the key"
        onSubmit={({ name = "", problemSetId }) =>
          make.mutateAsync({ body: { name, ...(problemSetId && { problemSetId }) } })
        }
      >
        <Field
          label="Name"
          name="name"
          hint="What it is for, such as field-reports: the letters a to z, digits and . _ - alone. It cannot be changed later."
          required
        />
        <Select
          label="Who can use it"
          name="problemSetId"
          hint="Commanders and deputies make the keys of a problem set."
          options={[["", "only I"], ...sets.map(({ id, name }) => [id, `the members of ${name}`] as const)]}
        />
      </Form>
    </Dialog>
  );
}
