import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { BarrierOf, chosenReaders } from "../../app/compartments.tsx";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge } from "../../parts/texts.tsx";
import { HearRegister } from "../resources/area.tsx";
import { inPlace, listedIn, PictureFrame, placeQuery, Readers, type PicturePlace } from "../place.tsx";

type PersonShown = ListRow<"GET /resources/personnel">;
type PersonStatus = PersonShown["status"];
const STATUSES: readonly PersonStatus[] = ["available", "assigned", "on-leave", "unfit", "missing"];
const TONES = { available: "good", assigned: "info", "on-leave": "plain", unfit: "warn", missing: "bad" } as const;

export function Personnel(): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <PictureFrame
      title="Personnel"
      intro="Who is there, what they can do, and whether they are available."
      renderActs={(place) =>
        place.may("personnel:edit") && (
          <>
            <Link className="button" to={`/picture/resources/import${placeQuery(place)}&what=personnel`}>
              Bring in from a file
            </Link>
            <button type="button" className="primary" onClick={() => setAdding(true)}>
              Add a person
            </button>
          </>
        )
      }
    >
      {(place) => (
        <>
          <HearRegister {...place} />
          {place.may("personnel:read") ? (
            <PersonnelList place={place} />
          ) : (
            <p className="empty">Your role does not show you the personnel of {place.name}.</p>
          )}
          {isAdding && <PersonDialog place={place} onClose={() => setAdding(false)} />}
        </>
      )}
    </PictureFrame>
  );
}

interface Acting {
  on: PersonShown;
  how: "change" | "remove";
}

const columnsOf = (
  unitNames: ReadonlyMap<string, string>,
  act: (on: Acting) => void,
): readonly Column<PersonShown>[] => [
  {
    head: "Name",
    cell: ({ name, rank, ...person }) => (
      <>
        {[rank, name].filter(Boolean).join(" ")} <BarrierOf {...person} />
      </>
    ),
  },
  { head: "Does", cell: ({ position }) => position ?? <span className="muted">not said</span> },
  { head: "State", cell: (person) => <Badge tone={TONES[person.status]}>{person.status}</Badge> },
  { head: "Unit", cell: ({ unitId }) => (unitId ? (unitNames.get(unitId) ?? "one you do not see") : "none") },
  { head: "Skills", cell: ({ skills }) => skills.join(", ") || <span className="muted">none said</span> },
  {
    head: "Acts",
    isAct: true,
    cell: (person) => (
      <div className="row">
        <button type="button" aria-label={`Change ${person.name}`} onClick={() => act({ on: person, how: "change" })}>
          Change
        </button>
        <button type="button" aria-label={`Remove ${person.name}`} onClick={() => act({ on: person, how: "remove" })}>
          Remove
        </button>
      </div>
    ),
  },
];

function PersonnelList({ place }: { place: PicturePlace }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const status = search.get("status");
  const [acting, setActing] = useState<Acting>();
  const remove = useAct("DELETE /resources/personnel/{id}", { then: () => setActing(undefined) });
  const query = {
    ...listedIn(place),
    page,
    sort: "name" as const,
    ...(status && { status: status as PersonStatus }),
  };
  const people = useAnswer("GET /resources/personnel", [{ query }], { keepsShown: true });
  const units = useAnswer("GET /command/units", [{ query: { problemSetId: place.problemSetId, limit: 100 } }], {
    enabled: place.problemSetId !== undefined && place.may("command:read"),
  });
  const unitNames = new Map(units.data?.data.map(({ id, name }) => [id, name]));
  const columns = columnsOf(unitNames, setActing);
  return (
    <>
      <Form
        act="Show"
        isInline
        label="Filter personnel"
        onSubmit={(fields) => setSearch({ ...fields, set: search.get("set") ?? "" })}
      >
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...STATUSES]} />
      </Form>
      <Shown of={people}>
        {({ data, meta }) => (
          <>
            <Table
              label="Personnel"
              rows={data}
              keyOf={({ id }) => id}
              columns={place.may("personnel:edit") ? columns : columns.slice(0, -1)}
              empty={status ? "Nobody is in this state." : "Nobody is on the list yet."}
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {acting?.how === "change" && (
        <PersonDialog place={place} before={acting.on} onClose={() => setActing(undefined)} />
      )}
      {acting?.how === "remove" && (
        <Confirm
          title={`Take ${acting.on.name} off the list?`}
          act="Remove"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate({ path: { id: acting.on.id } })}
          onClose={() => setActing(undefined)}
        >
          <p>What the list says of this person is removed.</p>
        </Confirm>
      )}
    </>
  );
}

function PersonDialog({
  place,
  before,
  onClose,
}: {
  place: PicturePlace;
  before?: PersonShown;
  onClose(): void;
}): ReactNode {
  const add = useAct("POST /resources/personnel", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is on the list.`,
    then: onClose,
  });
  const change = useAct("PATCH /resources/personnel/{id}", {
    tellsRefusal: false,
    says: "It is changed.",
    then: onClose,
  });
  function save({ name = "", rank, position, status, skills, ...fields }: FormFields): Promise<unknown> {
    const said = {
      name,
      status: status as PersonStatus,
      skills: (skills ?? "").split(",").flatMap((skill) => skill.trim() || []),
    };
    if (!before)
      return add.mutateAsync({
        body: {
          ...inPlace(place),
          ...chosenReaders(fields),
          ...said,
          ...(rank && { rank }),
          ...(position && { position }),
        },
      });
    return change.mutateAsync({
      path: { id: before.id },
      body: { ...said, rank: rank ?? null, position: position ?? null },
      options: { headers: { "if-match": `"r${before.rev}"` } },
    });
  }
  return (
    <Dialog title={before ? `Change ${before.name}` : "Add a person"} onClose={onClose}>
      <Form act={before ? "Save" : "Add"} onSubmit={save}>
        <Field label="Name" name="name" defaultValue={before?.name ?? ""} required />
        <Field label="Rank" name="rank" defaultValue={before?.rank ?? ""} />
        <Field label="Does" name="position" hint="As driver, surgeon." defaultValue={before?.position ?? ""} />
        <Select label="State" name="status" options={STATUSES} defaultValue={before?.status ?? "available"} />
        <Field
          label="Skills"
          name="skills"
          hint="With commas between."
          defaultValue={before?.skills.join(", ") ?? ""}
        />
        {!before && <Readers place={place} />}
      </Form>
    </Dialog>
  );
}
