import type { ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";

type Did = ListRow<"GET /identity/dids">;

const ORIGINS: Record<Did["origin"], string> = {
  minted: "made here; the platform keeps its key",
  proved: "brought along: you proved that you hold its key",
  prf: "made by a passkey of yours",
  account: "your blockchain account",
};

const COLUMNS: readonly Column<Did>[] = [
  { head: "Identifier", cell: ({ did }) => <code>{did}</code> },
  { head: "From", cell: ({ origin }) => ORIGINS[origin] },
  { head: "State", cell: ({ status }) => <Badge>{status}</Badge> },
  { head: "Made", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Acts", isAct: true, cell: (did) => did.status === "active" && <Deactivate did={did} /> },
];

/** The identifiers of a person that others can look up. */
export function Dids({ dids }: { dids: readonly Did[] }): ReactNode {
  const mayHold = useMay("identity:hold");
  const make = useAct("POST /identity/did/create", { says: "You have another identifier." });
  return (
    <Section
      title="Your identifiers"
      acts={
        mayHold && (
          <button type="button" disabled={make.isPending} onClick={() => make.mutate({ body: { method: "key" } })}>
            Make another identifier
          </button>
        )
      }
    >
      <p className="muted">
        A decentralized identifier (DID) names you beyond this platform: whoever knows it can check what you signed, and
        invite you by it. It tells nothing else of you.
      </p>
      <Table
        label="Identifiers"
        rows={dids}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty="You have none yet. One is made when you first join a problem set, or now."
      />
    </Section>
  );
}

function Deactivate({ did: { did } }: { did: Did }): ReactNode {
  const deactivate = useAct("POST /identity/did/deactivate", { says: "The identifier is deactivated." });
  return (
    <ConfirmButton
      words="Deactivate"
      label={`Deactivate: ${did}`}
      title="Deactivate this identifier for good?"
      run={() => deactivate.mutateAsync({ body: { did } })}
    >
      <p>Credentials about it no longer help you, and nobody can invite you by it. This cannot be undone.</p>
    </ConfirmButton>
  );
}
