import { useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf, chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, TextField } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { inPlace, listedIn, placeQuery, Readers, type PicturePlace } from "../../place.tsx";
import { ResourcesFrame } from "../area.tsx";

type GroupShown = ListRow<"GET /resources/groups">;

/** Resources that go together, as a column or a team. */
export function Groups(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <ResourcesFrame
      title="Groups of resources"
      intro="What goes together, as a column, a team with its vehicles, or the equipment of a bridge."
      renderActs={(place) =>
        place.may("resources:edit") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Make a group
          </button>
        )
      }
    >
      {(place) => (
        <>
          <GroupList place={place} />
          {isAdding && <GroupDialog place={place} onClose={() => setAdding(false)} />}
        </>
      )}
    </ResourcesFrame>
  );
}

function GroupList({ place }: { place: PicturePlace }): ReactNode {
  const query = { ...listedIn(place), page: usePage(), sort: "name" as const };
  const groups = useAnswer("GET /resources/groups", [{ query }], { keepsShown: true });
  return (
    <Section title="Groups">
      <Shown of={groups}>
        {({ data, meta }) => (
          <>
            <Table
              label="Groups"
              rows={data}
              keyOf={({ id }) => id}
              columns={columnsIn(place)}
              empty={
                place.may("resources:edit")
                  ? "There is no group yet. Make one, and add the resources that go together."
                  : "There is no group yet. Planners and deputies make them."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const columnsIn = (place: PicturePlace): readonly Column<GroupShown>[] => [
  {
    head: "Group",
    cell: ({ id, name, ...group }) => (
      <>
        <Link to={`/picture/resources/groups/${id}${placeQuery(place)}`}>{name}</Link> <BarrierOf {...group} />
      </>
    ),
  },
  { head: "What it is", cell: ({ description }) => description ?? "" },
  { head: "Made by", cell: ({ createdBy, createdByName }) => createdByName ?? createdBy },
  { head: "Made", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function GroupDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const go = useNavigate();
  const make = useAct("POST /resources/groups", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is there: add what belongs to it.`,
    then: ({ data }) => void go(`/picture/resources/groups/${data.id}${placeQuery(place)}`),
  });
  return (
    <Dialog title="Make a group" onClose={onClose}>
      <Form
        act="Make it"
        onSubmit={({ name = "", description, ...fields }) =>
          make.mutateAsync({
            body: { ...inPlace(place), ...chosenReaders(fields), name, ...(description && { description }) },
          })
        }
      >
        <Field label="Name" name="name" maxLength={200} hint="It cannot be changed later." required />
        <TextField label="What it is" name="description" rows={2} />
        <Readers place={place} />
      </Form>
    </Dialog>
  );
}
