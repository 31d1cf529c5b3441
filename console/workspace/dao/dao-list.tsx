import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { Barrier } from "../work/compartments.tsx";
import { percentWords } from "./amounts.ts";
import { FoundDao } from "./founding/found.tsx";
import { OpenProposals } from "./open-proposals.tsx";
import { BASIS_WORDS } from "./rule-words.ts";
import { daoAddress } from "./use-dao.tsx";

type Row = ListRow<"GET /dao">;

/** The DAOs of a problem set, what is voted on in them, and a way to found one. */
export function DaoList(): ReactNode {
  const { set, maySet } = useSet();
  const [isFounding, setFounding] = useState(false);
  const daos = useAnswer("GET /dao", [{ query: { problemSetId: set.id, page: usePage(), sort: "name" } }], {
    keepsShown: true,
  });
  const mayFound = maySet("dao:found");
  return (
    <SetPage
      title="DAOs"
      intro="A DAO decides by the votes of its members. What it passes is executed after a timelock, within what it was allowed."
      acts={
        mayFound && (
          <button type="button" className="primary" onClick={() => setFounding(true)}>
            Found a DAO
          </button>
        )
      }
    >
      <Shown of={daos}>
        {({ data, meta }) => (
          <>
            {meta.total > 0 && (
              <Section title="Being voted on now">
                <OpenProposals problemSetId={set.id} />
              </Section>
            )}
            <Table
              label="DAOs"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                mayFound
                  ? "There is no DAO here yet. Found one where several people should decide something together."
                  : "There is no DAO here yet. Commander, deputies and planners of the problem set can found one."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isFounding && <FoundDao onClose={() => setFounding(false)} />}
    </SetPage>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: "DAO",
    cell: (dao) => (
      <>
        <Link to={daoAddress(dao)}>{dao.name}</Link> <Barrier compartments={dao.compartments} />
        {dao.description && <p className="muted two-lines">{dao.description}</p>}
      </>
    ),
  },
  { head: "Power", cell: ({ config }) => BASIS_WORDS[config.basis] },
  { head: "Quorum", cell: ({ config }) => percentWords(config.quorumBps), isFigure: true },
  { head: "Founded", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
