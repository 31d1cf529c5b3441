import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { RestoreButton } from "./restore.tsx";
import { useIsReadIn, type SetCompartment } from "../../app/compartments.tsx";
import { readersOf, useCompartments } from "../set/known.ts";

/** Information barriers of the set: those that whoever is here may know of. */
export function Compartments(): ReactNode {
  const { set, maySet } = useSet();
  const [isAdding, setAdding] = useState(false);
  const compartments = useCompartments("active");
  const isReadIn = useIsReadIn();
  const manages = maySet("compartments:manage");
  return (
    <SetPage
      title="Compartments"
      intro="What lies in a compartment is seen by those who are read into it, and by nobody else, whatever their role: for others it does not exist. Nobody reads themself in; another who manages compartments does it."
      acts={
        manages && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Set up a compartment
          </button>
        )
      }
    >
      <Shown of={compartments}>
        {({ data }) => (
          <Table
            label="Compartments"
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsFor(set.id, isReadIn)}
            empty={
              manages
                ? "There is no compartment. Set one up for what only some of you may know, then read people in."
                : "You are read into no compartment. Whether there are any is told to those who are in them, and to those who manage them."
            }
          />
        )}
      </Shown>
      <p>
        <Link to={`/workspace/${set.id}/keys`}>Encryption keys</Link>
        <span className="muted">, for texts that leave the platform and that only those read in are to read</span>
      </p>
      {manages && <Dissolved />}
      {isAdding && <NewCompartment onClose={() => setAdding(false)} />}
    </SetPage>
  );
}

const columnsFor = (
  setId: string,
  isReadIn: (compartment: SetCompartment) => boolean,
): readonly Column<SetCompartment>[] => [
  {
    head: "Compartment",
    cell: ({ id, name, description, closing }) => (
      <>
        <Link to={`/workspace/${setId}/compartments/${id}`}>{name}</Link>{" "}
        {closing && <Badge tone="warn">is to be dissolved</Badge>}
        {description && <p className="muted two-lines">{description}</p>}
      </>
    ),
  },
  {
    head: "Read in",
    cell: (compartment) =>
      readersOf(compartment)
        .map(({ name }) => name)
        .join(", ") || <span className="muted">nobody yet</span>,
  },
  {
    head: "You",
    cell: (compartment) => (isReadIn(compartment) ? <Badge tone="good">read in</Badge> : <Badge>not read in</Badge>),
  },
];

function NewCompartment({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const create = useAct("POST /problem-sets/{id}/compartments", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is set up. Nobody is read in yet.`,
    then: onClose,
  });
  return (
    <Dialog title="Set up a compartment" onClose={onClose}>
      <Form
        act="Set up"
        onSubmit={({ name = "", description }) =>
          create.mutateAsync({ path: { id: set.id }, body: { name, ...(description && { description }) } })
        }
      >
        <Field
          label="Name"
          name="name"
          maxLength={200}
          hint="Those who manage compartments see the name even if they are not read in."
          required
        />
        <TextField label="What is to lie in it" name="description" maxLength={2_000} />
        <p className="muted">Nobody is read in at first, you neither. What lies in it is put there by those who are.</p>
      </Form>
    </Dialog>
  );
}

/** Compartments that came to their end; they can be taken back for thirty days. */
function Dissolved(): ReactNode {
  const dissolved = useCompartments("dissolved");
  const rows = dissolved.data?.data ?? [];
  if (!rows.length) return null;
  return (
    <Section title="Dissolved">
      <Table label="Dissolved compartments" rows={rows} keyOf={({ id }) => id} columns={DISSOLVED} empty="" />
    </Section>
  );
}

const DISSOLVED: readonly Column<SetCompartment>[] = [
  { head: "Compartment", cell: ({ name }) => name },
  {
    head: "What lies in it",
    cell: ({ movedTo }) => (movedTo ? "is open to those of another compartment" : "is closed: nobody sees it"),
  },
  {
    head: "Can be restored until",
    cell: ({ restorableUntil }) => (restorableUntil ? <Time at={restorableUntil} /> : "no longer"),
  },
  {
    head: "Acts",
    isAct: true,
    cell: (compartment) => compartment.restorableUntil && <RestoreButton compartment={compartment} act="Restore" />,
  },
];
