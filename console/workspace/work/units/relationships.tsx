import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import { relationWords, type RelationshipRow } from "./command-words.ts";
import { EndRelationship } from "./end-relationship.tsx";

const ROWS = 100;

/** How the units of a set stand to each other: now, in times gone by, and in times to come. */
export function Relationships(): ReactNode {
  const { set, maySet } = useSet();
  const relationships = useAnswer("GET /command/relationships", [
    { query: { problemSetId: set.id, sort: "-createdAt", limit: ROWS } },
  ]);
  return (
    <Section title="How they stand to each other">
      <Shown of={relationships}>
        {({ data, meta }) => (
          <>
            <Table
              label="How units stand to each other"
              rows={data}
              keyOf={({ id }) => id}
              columns={maySet("command:edit") ? [...COLUMNS, ACTS] : COLUMNS}
              empty="No unit stands under another. A mission's chain of command is where that is said."
            />
            {meta.total > data.length && <p className="muted">The last {ROWS} of them.</p>}
          </>
        )}
      </Shown>
    </Section>
  );
}

const wordsOf = ({ subordinateName, kind, superiorName }: RelationshipRow): string =>
  `${subordinateName ?? "a removed unit"} is ${relationWords(kind)} ${superiorName ?? "a removed unit"}`;

type Validity = "ended" | "to come" | "in force";
function validityOf({ from, until }: RelationshipRow): Validity {
  const now = Date.now();
  if (until && Date.parse(until) <= now) return "ended";
  return from && Date.parse(from) > now ? "to come" : "in force";
}

const COLUMNS: readonly Column<RelationshipRow>[] = [
  { head: "What is so", cell: wordsOf },
  { head: "Where", cell: (one) => <Where of={one} /> },
  {
    head: "State",
    cell: (one) => {
      const validity = validityOf(one);
      return <Badge tone={validity === "in force" ? "good" : "plain"}>{validity}</Badge>;
    },
  },
  { head: "From", cell: ({ from }) => (from ? <Time at={from} /> : <span className="muted">always</span>) },
  { head: "Until", cell: ({ until }) => (until ? <Time at={until} /> : <span className="muted">no end set</span>) },
];
const ACTS: Column<RelationshipRow> = { head: "Acts", isAct: true, cell: (one) => <RelationshipActs of={one} /> };

function Where({ of: { missionId, problemSetId } }: { of: RelationshipRow }): ReactNode {
  return missionId ? (
    <Link to={`/workspace/${problemSetId}/missions/${missionId}/command`}>in one mission</Link>
  ) : (
    "in every mission"
  );
}

function RelationshipActs({ of: one }: { of: RelationshipRow }): ReactNode {
  const remove = useAct("DELETE /command/relationships/{id}", { says: "It is removed, as if it had never been so." });
  const words = wordsOf(one);
  return (
    <span className="row">
      {validityOf(one) === "in force" && <EndRelationship id={one.id} words={words} />}
      <ConfirmButton
        words="Remove"
        label={`Remove: ${words}`}
        className="link"
        title="Remove the relationship"
        run={() => remove.mutateAsync({ path: { id: one.id } })}
      >
        <p>{words}. Removed, it was never so, at no time; end it where it was so until now.</p>
      </ConfirmButton>
    </span>
  );
}
