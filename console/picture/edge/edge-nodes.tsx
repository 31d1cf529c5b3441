import type { ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useMySets } from "../../app/sets.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";

type EdgeNode = ListRow<"GET /edge-sync/nodes">;
const MOST = 100;

/** The devices that carry the picture along: one's own, or everybody's for their administrators. */
export function EdgeNodes(): ReactNode {
  const isEverybodys = useMay("edge-sync:administer");
  const nodes = useAnswer("GET /edge-sync/nodes", [{ query: { limit: MOST, sort: "-updatedAt" } }]);
  const sets = useMySets();
  const names = new Map(sets.data?.data.map(({ id, name }) => [id, name]));
  return (
    <>
      <Shown of={nodes}>
        {({ data }) => (
          <Table
            label="Edge nodes"
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsOf(names, isEverybodys)}
            empty="No device carries the picture along yet."
          />
        )}
      </Shown>
      <p className="muted">
        A device enrols itself at its first start: <code>npm run edge -- --hub {location.origin} --data ./node</code>,
        with your token. What it still has to send is shown on the device itself.
      </p>
    </>
  );
}

const columnsOf = (names: ReadonlyMap<string, string>, isEverybodys: boolean): readonly Column<EdgeNode>[] => [
  { head: "Node", cell: ({ name, did }) => <span title={did}>{name}</span> },
  ...(isEverybodys ? [{ head: "Of", cell: ({ userName, userId }: EdgeNode) => userName ?? userId }] : []),
  {
    head: "State",
    cell: ({ status, mode }) => (
      <>
        <Badge>{status}</Badge> {mode === "training" && <Badge tone="warn">training</Badge>}
      </>
    ),
  },
  {
    head: "Carries",
    cell: ({ problemSetIds }) =>
      problemSetIds
        ? problemSetIds.map((id) => names.get(id) ?? "a problem set that you do not see").join(", ")
        : "all that its person sees",
  },
  { head: "Last synchronised", cell: ({ syncedAt }) => <Time at={syncedAt} /> },
  { head: "Changes taken", isFigure: true, cell: ({ lastSeq }) => lastSeq.toLocaleString("en") },
  { head: "Acts", isAct: true, cell: (node) => node.status === "active" && <Revoke node={node} /> },
];

function Revoke({ node: { id, name } }: { node: EdgeNode }): ReactNode {
  const revoke = useAct("DELETE /edge-sync/nodes/{id}", { says: `${name} is revoked.` });
  return (
    <ConfirmButton
      words="Revoke"
      label={`Revoke: ${name}`}
      className="danger"
      title={`Revoke ${name}?`}
      run={() => revoke.mutateAsync({ path: { id } })}
    >
      <p>
        From now on nothing is taken from it and nothing sent to it, for good. What it has not sent yet stays on it
        alone. If it was lost, also end its key among the API keys of its person.
      </p>
    </ConfirmButton>
  );
}
