import { useState, type ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { useAct, wordsOf } from "../../api/hooks.ts";
import { proveFirst } from "../../api/proof.ts";
import { readAgain } from "../../api/queries.ts";
import { registerPasskey } from "../../app/passkeys.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { notify } from "../../parts/notices.tsx";
import { Section } from "../../parts/page.tsx";
import { deviceOf } from "./device.ts";
import { Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";

type Passkey = Data<"GET /auth/authenticators">["passkeys"][number];

const COLUMNS: readonly Column<Passkey>[] = [
  { head: "Passkey", cell: ({ name }) => name },
  {
    head: "Kept",
    cell: ({ synced, backedUp }) =>
      backedUp ? "on your devices, in step" : synced ? "on one device, may be copied to others" : "on one device alone",
  },
  { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  { head: "Made", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Acts", isAct: true, cell: (passkey) => <Acts passkey={passkey} /> },
];

/** The passkeys of the account: added on this device, given names, removed. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }): ReactNode {
  const [isBusy, setBusy] = useState(false);
  async function add(): Promise<void> {
    setBusy(true);
    try {
      await proveFirst(() => registerPasskey({ passkeyName: deviceOf(navigator.userAgent) }));
      notify("The passkey is registered: from now on it lets you in.");
    } catch (error) {
      notify(wordsOf(error), "bad");
    } finally {
      setBusy(false);
      void readAgain();
    }
  }
  return (
    <Section
      title="Passkeys"
      acts={
        <button type="button" className="primary" disabled={isBusy} onClick={() => void add()}>
          Add a passkey
        </button>
      }
    >
      <Table
        label="Passkeys"
        rows={passkeys}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty="You have no passkey yet. With one you sign in by your finger, your face or the PIN of this device, and nobody can guess or steal it."
      />
    </Section>
  );
}

function Acts({ passkey: { id, name } }: { passkey: Passkey }): ReactNode {
  const [asks, setAsks] = useState<"rename" | "remove">();
  const close = (): void => setAsks(undefined);
  const rename = useAct("PATCH /auth/passkeys/{id}", { tellsRefusal: false, then: close });
  const remove = useAct("DELETE /auth/passkeys/{id}", { says: `${name} is removed.`, then: close });
  return (
    <span className="row">
      <button type="button" aria-label={`Rename: ${name}`} onClick={() => setAsks("rename")}>
        Rename
      </button>
      <button type="button" aria-label={`Remove: ${name}`} onClick={() => setAsks("remove")}>
        Remove
      </button>
      {asks === "rename" && (
        <Dialog title="Rename the passkey" onClose={close}>
          <Form
            act="Rename"
            onSubmit={(fields) => rename.mutateAsync({ path: { id }, body: { name: fields["name"] ?? "" } })}
          >
            <Field
              label="Name"
              name="name"
              defaultValue={name}
              maxLength={120}
              required
              hint="Such as the device it is on."
            />
          </Form>
        </Dialog>
      )}
      {asks === "remove" && (
        <Confirm
          title={`Remove ${name}?`}
          act="Remove"
          isBusy={remove.isPending}
          onClose={close}
          onConfirm={() => remove.mutate({ path: { id } })}
        >
          <p>It no longer lets you in, and sessions that were begun with it end: this one too, if it was.</p>
          <p>Your device may still offer it. Delete it there as well.</p>
        </Confirm>
      )}
    </span>
  );
}
