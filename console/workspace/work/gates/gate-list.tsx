import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { NewGate } from "./gate-form.tsx";
import { decidingRoles, either, GATE_STATUSES, type Gate, type GateStatus } from "./gate-words.ts";
import { Deadline } from "./deadline.tsx";
import { GATE_VIEWS, useGates } from "./use-gates.ts";

const gateLink = ({ problemSetId, id, name }: Gate): ReactNode => (
  <Link to={`/workspace/${problemSetId}/gates/${id}`}>{name}</Link>
);

/** Decisions that hold the work back: first those that wait for this person, then all of them. */
export function GateList(): ReactNode {
  const { set, maySet } = useSet();
  const [isAdding, setAdding] = useState(false);
  return (
    <SetPage
      title="Gates"
      intro="A gate holds a step of the work back until somebody else than its author has approved it."
      acts={
        maySet("gates:create") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Add a gate
          </button>
        )
      }
    >
      {maySet("gates:decide") && <ForMe />}
      <AllGates key={set.id} />
      {isAdding && <NewGate onClose={() => setAdding(false)} />}
    </SetPage>
  );
}

/** What waits for a decision that this person may make. */
function ForMe(): ReactNode {
  const { set } = useSet();
  const { userId } = useWho();
  const waiting = useAnswer("GET /gates/{problemSetId}", [
    { path: { problemSetId: set.id }, query: { status: "submitted", sort: "deadline", limit: 50 } },
  ]);
  const mine = waiting.data?.data.filter(
    ({ approvers, submittedBy }) => submittedBy !== userId && (!approvers || approvers.includes(set.role)),
  );
  if (!mine?.length) return null;
  return (
    <Section title={`Waiting for your decision: ${mine.length}`}>
      <ul className="list">
        {mine.map((gate) => (
          <li key={gate.id} className="row between">
            <span>
              {gateLink(gate)}{" "}
              <small className="muted">
                submitted by {gate.submittedByName ?? gate.submittedBy}
                {gate.decisions.at(-1)?.note && `: “${gate.decisions.at(-1)!.note}”`}
              </small>
            </span>
            <Deadline of={gate} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AllGates(): ReactNode {
  const { set } = useSet();
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const asked = (name: string): string | undefined => search.get(name) ?? undefined;
  const [tab, status] = [asked("tab"), asked("status") as GateStatus | undefined];
  const view = GATE_VIEWS.find(([name]) => name === asked("view"))?.[0] ?? "";
  const [place, setPlace] = useState<string>(view);
  const gates = useGates({ problemSetId: set.id, view, tab, status, page });
  const roles = useAnswer("GET /problem-sets/{id}/roles", [{ path: { id: set.id } }], { stays: true });
  return (
    <>
      <Form act="Show" isInline label="Filter gates" onSubmit={(fields) => setSearch(fields)}>
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...GATE_STATUSES]} />
        <Select
          label="Where"
          name="view"
          value={place}
          options={GATE_VIEWS}
          onChange={({ currentTarget }) => setPlace(currentTarget.value)}
        />
        {/* The API tells topics apart within one set alone. */}
        {place === "" && <Field label="Topic" name="tab" defaultValue={tab ?? ""} placeholder="any, as: orders" />}
      </Form>
      <Shown of={gates}>
        {({ data, meta }) => (
          <>
            <Table
              label="Gates"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsFor((gate) => either(decidingRoles(gate, roles.data?.data ?? [])))}
              empty={
                tab || status || view
                  ? "No gate fits these filters."
                  : "There is no gate yet. Add one where somebody must look before the work goes on: before an order goes out, say."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}

const columnsFor = (deciders: (gate: Gate) => string): readonly Column<Gate>[] => [
  { head: "Gate", cell: (gate) => gateLink(gate) },
  {
    head: "State",
    cell: ({ status, compartments }) => (
      <span className="row">
        <Badge>{status}</Badge>
        <Barrier compartments={compartments} />
      </span>
    ),
  },
  { head: "Decide by", cell: (gate) => <Deadline of={gate} /> },
  { head: "Who decides", cell: deciders },
  { head: "Topic", cell: ({ tab }) => tab },
  {
    head: "Force",
    cell: ({ enforcement }) => (enforcement === "hard" ? "stops the work" : "warns only"),
  },
];
