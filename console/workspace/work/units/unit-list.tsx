import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import type { UnitRow } from "./command-words.ts";
import { Relationships } from "./relationships.tsx";
import { ChangeUnit, NewUnit } from "./unit-form.tsx";

/** The units of a problem set, and how they stand to each other in its missions. */
export function UnitList(): ReactNode {
  const { set, maySet } = useSet();
  const [asked, setAsked] = useState<UnitRow | "new">();
  const units = useAnswer(
    "GET /command/units",
    [{ query: { problemSetId: set.id, sort: "name", page: usePage(), limit: 50 } }],
    { keepsShown: true },
  );
  const mayEdit = maySet("command:edit");
  return (
    <SetPage
      title="Units"
      intro="Who is there to be commanded. How a unit stands to another is said in a mission, or for all of them."
      acts={
        mayEdit && (
          <button type="button" className="primary" onClick={() => setAsked("new")}>
            Add a unit
          </button>
        )
      }
    >
      <Shown of={units}>
        {({ data, meta }) => (
          <>
            <Table
              label="Units"
              rows={data}
              keyOf={({ id }) => id}
              columns={mayEdit ? [...COLUMNS, actsWith(setAsked)] : COLUMNS}
              empty="There is no unit yet. Add those that take part in the missions of this set."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      <Relationships />
      {asked === "new" && <NewUnit onClose={() => setAsked(undefined)} />}
      {asked && asked !== "new" && <ChangeUnit unit={asked} onClose={() => setAsked(undefined)} />}
    </SetPage>
  );
}

const COLUMNS: readonly Column<UnitRow>[] = [
  {
    head: "Unit",
    cell: ({ name, designation, compartments }) => (
      <span className="row">
        {name}
        {designation && <small className="muted">{designation}</small>}
        <Barrier compartments={compartments} />
      </span>
    ),
  },
  { head: "Size", cell: ({ echelon }) => echelon },
  { head: "What it is", cell: ({ kind }) => kind ?? <span className="muted">not said</span> },
  { head: "People", isFigure: true, cell: ({ strength }) => strength?.toLocaleString("en") ?? "–" },
];

const actsWith = (onChange: (unit: UnitRow) => void): Column<UnitRow> => ({
  head: "Acts",
  isAct: true,
  cell: (unit) => (
    <span className="row">
      <button type="button" aria-label={`Change ${unit.name}`} onClick={() => onChange(unit)}>
        Change
      </button>
      <RemoveUnit unit={unit} />
    </span>
  ),
});

function RemoveUnit({ unit: { id, name } }: { unit: UnitRow }): ReactNode {
  const remove = useAct("DELETE /command/units/{id}", { says: `${name} is removed.` });
  return (
    <ConfirmButton
      words="Remove"
      label={`Remove ${name}`}
      className="danger"
      title={`Remove ${name}?`}
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>
        It stands in no chain of command any more. How it stood to others is kept, and found when a chain is checked.
      </p>
    </ConfirmButton>
  );
}
