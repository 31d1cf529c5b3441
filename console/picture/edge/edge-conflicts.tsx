import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Empty, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { inPlace, liesIn, placeQuery, type PicturePlace } from "../place.tsx";
import { fieldInWords, valueInWords } from "./edge-words.ts";

type EdgeConflict = ListRow<"GET /edge-sync/conflicts">;
type ConflictField = EdgeConflict["fields"][number];

/** Whoever may change a record decides on it. */
const EDITS = { resource: "resources:edit", consumable: "resources:edit", sensor: "sensors:edit" } as const;
const PAGES = { resource: "/picture/resources/", sensor: "/picture/sensors/", consumable: undefined } as const;

/** Records that several changed while they did not see one another's change: a person says what holds. */
export function EdgeConflicts({ place }: { place: PicturePlace }): ReactNode {
  const page = usePage();
  const conflicts = useAnswer("GET /edge-sync/conflicts", [{ query: { ...inPlace(place), page } }], {
    keepsShown: true,
  });
  const { problemSetId } = place;
  useLive(problemSetId === undefined ? { topic: "edge-sync" } : { problemSetId }, ["edge-conflict.changed"]);
  return (
    <Shown of={conflicts}>
      {({ data, meta }) => {
        const here = data.filter(liesIn(place));
        return (
          <>
            {here.map((one) => (
              <Conflict key={one.id} of={one} place={place} />
            ))}
            {!here.length && (
              <Empty>Nothing waits: whatever was changed in several places at once has been brought together.</Empty>
            )}
            <Pager meta={meta} />
          </>
        );
      }}
    </Shown>
  );
}

function Conflict({ of: conflict, place }: { of: EdgeConflict; place: PicturePlace }): ReactNode {
  const { entity, recordId, name, since, isDeleted, fields } = conflict;
  const mayDecide = place.may(EDITS[entity]);
  const at = isDeleted ? undefined : PAGES[entity];
  return (
    <article className="stack" aria-label={name}>
      <h3>
        {at ? <Link to={`${at}${recordId}${placeQuery(place)}`}>{name}</Link> : name} <Badge>{entity}</Badge>
      </h3>
      <p className="muted">
        Since <Time at={since} />.{" "}
        {isDeleted
          ? "Somebody removed it who had not seen these changes. It stays removed until it is decided."
          : "Until it is decided, the latest value is shown."}
        {!mayDecide && ` Whoever may change a ${entity} here decides.`}
      </p>
      {fields.map((field) => (
        <Values key={field.field} of={field} conflict={conflict} mayDecide={mayDecide && !isDeleted} />
      ))}
      {isDeleted && mayDecide && <Restoring of={conflict} />}
    </article>
  );
}

interface ValuesProps {
  of: ConflictField;
  conflict: EdgeConflict;
  mayDecide: boolean;
}

function Values({ of: { field, values }, conflict: { id, name, seen }, mayDecide }: ValuesProps): ReactNode {
  const words = fieldInWords(field);
  const decide = useAct("POST /edge-sync/conflicts/{id}/resolve", { says: `${name}: the ${words} is decided.` });
  const holds = (value: unknown): void => decide.mutate({ path: { id }, body: { field, value: value as never, seen } });
  return (
    <Table
      label={`${name}: ${words}`}
      rows={values}
      keyOf={({ dot }) => dot}
      empty="No value is left."
      columns={mayDecide ? [...columnsOf(words), decidingColumn(decide.isPending, holds)] : columnsOf(words)}
    />
  );
}

type FieldValue = ConflictField["values"][number];

const columnsOf = (words: string): readonly Column<FieldValue>[] => [
  { head: words[0]!.toUpperCase() + words.slice(1), cell: ({ value }) => valueInWords(value) },
  {
    head: "Said by",
    cell: ({ node, byName }) =>
      node === null ? <span className="muted">somebody here</span> : byName ? `${node}, of ${byName}` : node,
  },
  { head: "When", cell: ({ at }) => <Time at={at} /> },
];

const decidingColumn = (isBusy: boolean, holds: (value: unknown) => void): Column<FieldValue> => ({
  head: "Acts",
  isAct: true,
  cell: ({ value }) => (
    <button
      type="button"
      aria-label={`This holds: ${valueInWords(value)}`}
      disabled={isBusy}
      onClick={() => holds(value)}
    >
      This holds
    </button>
  ),
});

function Restoring({ of: { id, name, seen } }: { of: EdgeConflict }): ReactNode {
  const decide = useAct("POST /edge-sync/conflicts/{id}/resolve", { says: `${name} is decided.` });
  const keep = (what: "record" | "deleted"): void => decide.mutate({ path: { id }, body: { keep: what, seen } });
  return (
    <p className="row">
      <button
        type="button"
        aria-label={`Bring it back: ${name}`}
        disabled={decide.isPending}
        onClick={() => keep("record")}
      >
        Bring it back
      </button>
      <button
        type="button"
        className="danger"
        aria-label={`Leave it removed: ${name}`}
        disabled={decide.isPending}
        onClick={() => keep("deleted")}
      >
        Leave it removed
      </button>
    </p>
  );
}
