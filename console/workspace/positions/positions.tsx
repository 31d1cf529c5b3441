import { useState, type ReactNode } from "react";
import { useAsOpened } from "../../api/as-opened.ts";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { choicesOf, usePeople } from "../set/known.ts";
import { useSet } from "../set/use-set.tsx";

type StaffPosition = ListRow<"GET /problem-sets/{id}/positions">;

/** Posts of the staff, whoever holds them: a role says what somebody may do, a position what they are there for. */
export function Positions(): ReactNode {
  const { set, maySet } = useSet();
  const [isAdding, setAdding] = useState(false);
  const manages = maySet("positions:manage");
  const positions = useAnswer("GET /problem-sets/{id}/positions", [
    { path: { id: set.id }, query: { sort: "title", limit: 100 } },
  ]);
  return (
    <Section
      title="Staff positions"
      acts={
        manages && (
          <button type="button" onClick={() => setAdding(true)}>
            Add a position
          </button>
        )
      }
    >
      <Shown of={positions}>
        {({ data }) => (
          <Table
            label="Staff positions"
            rows={data}
            keyOf={({ id }) => id}
            columns={manages ? [...COLUMNS, ACTS] : COLUMNS}
            empty="There are none. A position says what somebody is there for: operations officer, press, logistics."
          />
        )}
      </Shown>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

const COLUMNS: readonly Column<StaffPosition>[] = [
  {
    head: "Position",
    cell: ({ title, abbreviation, description }) => (
      <>
        {title} {abbreviation && <span className="muted">{abbreviation}</span>}
        {description && <p className="muted two-lines">{description}</p>}
      </>
    ),
  },
  {
    head: "Held by",
    cell: ({ holderDid, holderName }) =>
      holderDid ? (
        <span className="whole">{holderName ?? holderDid}</span>
      ) : (
        <span className="muted whole">vacant</span>
      ),
  },
  { head: "Leads in", cell: ({ phases }) => phasesOf(phases, "lead") || <span className="muted">no phase</span> },
];
const ACTS: Column<StaffPosition> = {
  head: "Acts",
  isAct: true,
  cell: (position) => <PositionActs position={position} />,
};

/** Phases of the decision process in which a position has this part. */
const phasesOf = (phases: StaffPosition["phases"], part: "lead"): string =>
  phases
    .filter((one) => one.part === part)
    .map(({ phase }) => phase.replaceAll("-", " "))
    .join(", ");

function PositionActs({ position }: { position: StaffPosition }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" aria-label={`Change ${position.title}`} onClick={() => setAsked(true)}>
        Change
      </button>
      {isAsked && <ChangeDialog position={position} onClose={() => setAsked(false)} />}
    </>
  );
}

/** What was left empty is absent in a new position, and cleared in one that there was. */
const given = ({ title = "", abbreviation, description, holderDid }: FormFields) => ({
  title,
  ...(abbreviation && { abbreviation }),
  ...(description && { description }),
  ...(holderDid && { holderDid }),
});

function AddDialog({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const add = useAct("POST /problem-sets/{id}/positions", {
    tellsRefusal: false,
    says: ({ data }) => `${data.title} is added.`,
    then: onClose,
  });
  return (
    <Dialog title="Add a position" onClose={onClose}>
      <Form act="Add" onSubmit={(fields) => add.mutateAsync({ path: { id: set.id }, body: given(fields) })}>
        <PositionFields />
      </Form>
    </Dialog>
  );
}

function ChangeDialog({ position, onClose }: { position: StaffPosition; onClose(): void }): ReactNode {
  const [isRemoving, setRemoving] = useState(false);
  const { id: positionId, problemSetId, title } = position;
  const path = { id: problemSetId, positionId };
  const { options, inTime } = useAsOpened(position.rev);
  const change = useAct("PATCH /problem-sets/{id}/positions/{positionId}", {
    tellsRefusal: false,
    says: "Kept.",
    then: onClose,
  });
  const remove = useAct("DELETE /problem-sets/{id}/positions/{positionId}", { says: `${title} is removed.` });
  if (isRemoving)
    return (
      <Confirm
        title={`Remove ${title}?`}
        act="Remove"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ path }, { onSettled: onClose })}
        onClose={onClose}
      >
        <p>Whoever holds it stays a member.</p>
      </Confirm>
    );
  const cleared = { abbreviation: null, description: null, holderDid: null };
  return (
    <Dialog title={`Change ${title}`} onClose={onClose}>
      <Form
        act="Keep"
        onSubmit={(fields) => inTime(change.mutateAsync({ path, body: { ...cleared, ...given(fields) }, options }))}
        beside={
          <button type="button" className="danger" onClick={() => setRemoving(true)}>
            Remove it
          </button>
        }
      >
        <PositionFields {...position} />
      </Form>
    </Dialog>
  );
}

function PositionFields({ title, abbreviation, description, holderDid }: Partial<StaffPosition>): ReactNode {
  const people = usePeople();
  return (
    <>
      <Field label="Title" name="title" defaultValue={title} required />
      <Field label="In short" name="abbreviation" defaultValue={abbreviation} placeholder="S3" />
      <TextField label="What it is there for" name="description" defaultValue={description} rows={2} />
      <Select
        label="Held by"
        name="holderDid"
        defaultValue={holderDid ?? ""}
        options={[["", "nobody yet"], ...choicesOf(people, ({ did }) => did)]}
      />
    </>
  );
}
