import type { ReactNode } from "react";
import type { ListRow } from "../../../../api/client.ts";
import { useAnswer } from "../../../../api/hooks.ts";
import { Section, Shown } from "../../../../parts/page.tsx";
import { Table, type Column } from "../../../../parts/table.tsx";
import { relationWords } from "../../units/command-words.ts";

type MatrixRow = ListRow<"GET /command/matrix/{missionId}">;
type CommandFunction = keyof MatrixRow["functions"] & string;

/** For each unit, who may do what with it. */
export function AuthorityMatrix({ missionId, at }: { missionId: string; at: string | undefined }): ReactNode {
  const matrix = useAnswer("GET /command/matrix/{missionId}", [{ path: { missionId }, query: { ...(at && { at }) } }]);
  return (
    <Section title="Who may order what">
      <p className="muted">
        For each unit, who holds which function; where nobody is named, the unit itself. Limited authority is for this
        mission, or shared with the unit&apos;s own superior.
      </p>
      <Shown of={matrix}>
        {({ data, meta }) => (
          // What scrolls sideways is reached by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <div className="sideways" tabIndex={0} role="region" aria-label="Table: who may order what">
            <Table
              label="Who may order what"
              rows={data}
              keyOf={({ unitId }) => unitId}
              columns={[{ head: "Unit", cell: ({ name }) => name }, ...meta.functions.map(columnOf)]}
              empty="There is no unit that anybody could command."
            />
          </div>
        )}
      </Shown>
    </Section>
  );
}

const columnOf = (name: CommandFunction): Column<MatrixRow> => ({
  head: name,
  cell: ({ functions }) => <Holders of={functions[name] ?? []} />,
});

const Holders = ({ of: holders }: { of: NonNullable<MatrixRow["functions"][CommandFunction]> }): ReactNode =>
  holders.length === 0 ? (
    <span className="muted">itself</span>
  ) : (
    holders.map(({ relationshipId, superiorName, authority, kind }) => (
      <span key={relationshipId} className="under" title={`The unit is ${relationWords(kind)} ${superiorName}`}>
        {superiorName}
        {authority === "limited" && <small className="muted"> limited</small>}
      </span>
    ))
  );
