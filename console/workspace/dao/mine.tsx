import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMySets } from "../../app/sets.ts";
import { useLive } from "../../live/live.ts";
import { Page, Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { percentWords } from "./amounts.ts";
import { OpenProposals } from "./open-proposals.tsx";
import { BASIS_WORDS } from "./rule-words.ts";
import { daoAddress } from "./use-dao.tsx";
import { HiddenInTraining } from "../../app/hidden-in-training.tsx";
import "./dao.css";

type Row = ListRow<"GET /dao">;

/** The DAOs of all one's problem sets, and what is voted on in them. */
export default function MyDaos(): ReactNode {
  const sets = useMySets();
  const daos = useAnswer("GET /dao", [{ query: { page: usePage(), sort: "name" } }], { keepsShown: true });
  const names = new Map(sets.data?.data.map(({ id, name }) => [id, name]));
  const places = [...new Set(daos.data?.data.map(({ problemSetId }) => problemSetId))];
  return (
    <Page title="Governance" intro="What is decided by vote in your problem sets, and the DAOs that decide it.">
      {places.map((problemSetId) => (
        <Followed key={problemSetId} problemSetId={problemSetId} />
      ))}
      <Shown of={daos}>
        {({ data, meta }) => (
          <>
            {meta.total > 0 && (
              <Section title="Being voted on now">
                <OpenProposals />
              </Section>
            )}
            <Table
              label="DAOs"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsWith(names)}
              empty={
                <>
                  No problem set of yours has a DAO yet. Whoever commands a problem set, stands in for its commander or
                  plans in it can found one there.
                  <HiddenInTraining />
                </>
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** Reads again what the page shows when something happens in a problem set. */
function Followed({ problemSetId }: { problemSetId: string }): null {
  useLive({ problemSetId }, ["activity.item"]);
  return null;
}

const columnsWith = (names: ReadonlyMap<string, string>): readonly Column<Row>[] => [
  {
    head: "DAO",
    cell: (dao) => (
      <>
        <Link to={daoAddress(dao)}>{dao.name}</Link>
        {dao.description && <p className="muted two-lines">{dao.description}</p>}
      </>
    ),
  },
  {
    head: "Problem set",
    cell: ({ problemSetId }) => (
      <Link to={`/workspace/${problemSetId}/dao`}>{names.get(problemSetId) ?? "a problem set"}</Link>
    ),
  },
  { head: "Power", cell: ({ config }) => BASIS_WORDS[config.basis] },
  { head: "Quorum", cell: ({ config }) => percentWords(config.quorumBps), isFigure: true },
  { head: "Founded", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
