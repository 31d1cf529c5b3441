import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { Refusal } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { NotFound } from "../../app/shell.tsx";
import { Check, Field, Form, Select, TextField } from "../../parts/form.tsx";
import { Empty, Loading, Section, Shown } from "../../parts/page.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { conditionsIn } from "./points.tsx";
import {
  changeFrom,
  DESIGN_PARTS,
  isPartName,
  pointsIn,
  textIn,
  type DesignField,
  type DesignPart,
  type DesignPartName,
  type DesignPoint,
} from "./sections.ts";

/** Writes one part of the design. */
export function WritePart(): ReactNode {
  const { set, maySet } = useSet();
  const { part = "" } = useParams();
  const design = useAnswer("GET /design/{problemSetId}", [{ path: { problemSetId: set.id } }]);
  // What was read for an earlier page may be old by now, and is not written over.
  const [isFresh, setFresh] = useState(false);
  if (!isFresh && design.data !== undefined && !design.isFetching) setFresh(true);
  if (!isPartName(part)) return <NotFound />;
  const { title, about } = DESIGN_PARTS[part];
  return (
    <SetPage title={title} intro={about} acts={<Link to={`/workspace/${set.id}/design`}>The whole design</Link>}>
      {maySet("design:edit") ? (
        <Shown of={design}>
          {({ data: { sections } }) => (isFresh ? <Writing key={part} name={part} sections={sections} /> : <Loading />)}
        </Shown>
      ) : (
        <Empty>Your role here reads the design: analysts, planners and deputies write it.</Empty>
      )}
    </SetPage>
  );
}

/** A point that is being written; `key` keeps its fields together while others go. */
interface Row {
  key: number;
  point?: DesignPoint;
}
type Rows = Readonly<Record<string, readonly Row[]>>;

const rowsOf = (part: DesignPart, fields: readonly DesignField[]): Rows =>
  Object.fromEntries(
    fields.flatMap(({ name, points }) =>
      points ? [[name, (pointsIn(part, name) ?? []).map((point, key) => ({ key, point }))]] : [],
    ),
  );

interface WritingProps {
  name: DesignPartName;
  sections: readonly DesignPart[];
}

function Writing({ name, sections }: WritingProps): ReactNode {
  const { set } = useSet();
  const go = useNavigate();
  const { fields } = DESIGN_PARTS[name];
  // As it was when it was opened: what another writes meanwhile is told when it is kept, and not written over.
  const [part] = useState(() => sections.find(({ section }) => section === name)!);
  const [rows, setRows] = useState<Rows>(() => rowsOf(part, fields));
  const keep = useAct("PATCH /design/{problemSetId}/{section}", {
    tellsRefusal: false,
    says: "Kept.",
    then: () => void go(`/workspace/${set.id}/design`),
  });
  return (
    <Section title={DESIGN_PARTS[name].title}>
      <Form
        act="Keep"
        beside={<Link to={`/workspace/${set.id}/design`}>Leave it</Link>}
        onSubmit={(said, form) =>
          unlessStale(
            keep.mutateAsync({
              path: { problemSetId: set.id, section: name },
              body: changeFrom(
                name,
                said,
                new FormData(form),
                Object.fromEntries(Object.entries(rows).map(([field, all]) => [field, all.length])),
              ),
              options: { headers: { "if-match": `"r${part.rev}"` } },
            }),
          )
        }
      >
        {fields.map((field) =>
          field.points ? (
            <PointFields
              key={field.name}
              field={field}
              rows={rows[field.name]!}
              conditions={conditionsIn(sections)}
              change={(changed) => setRows({ ...rows, [field.name]: changed })}
            />
          ) : (
            <TextField
              key={field.name}
              {...field}
              rows={4}
              defaultValue={textIn(part, field.name)}
              maxLength={10_000}
            />
          ),
        )}
      </Form>
    </Section>
  );
}

/** What another wrote meanwhile is not written over. */
const unlessStale = (kept: Promise<unknown>): Promise<unknown> =>
  kept.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== "STALE") throw error;
    throw new Error(
      "Somebody changed this part since you opened it. Copy what you wrote, leave it, and write it into what stands there now.",
    );
  });

interface PointFieldsProps {
  field: DesignField;
  rows: readonly Row[];
  conditions: readonly DesignPoint[];
  change(rows: readonly Row[]): void;
}

function PointFields({ field, rows, conditions, change }: PointFieldsProps): ReactNode {
  const { name, label, hint, mayBeNone } = field;
  const add = (): void => change([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1 }]);
  return (
    <fieldset>
      <legend>{label}</legend>
      {hint && <small className="muted">{hint}</small>}
      {!rows.length && (
        <p className="muted">{mayBeNone ? "Kept so, it says that there are none." : "None is written yet."}</p>
      )}
      {rows.map((row, at) => (
        <PointField
          key={row.key}
          field={field}
          point={row.point}
          path={`${name}.${at}`}
          title={`${label}, ${at + 1}`}
          conditions={conditions}
          remove={() => change(rows.filter((one) => one !== row))}
        />
      ))}
      <div>
        <button type="button" aria-label={`Add one: ${label}`} onClick={add}>
          Add one
        </button>
      </div>
    </fieldset>
  );
}

interface PointFieldProps {
  field: DesignField;
  point: DesignPoint | undefined;
  path: string;
  title: string;
  conditions: readonly DesignPoint[];
  remove(): void;
}

function PointField({ field, point, path, title, conditions, remove }: PointFieldProps): ReactNode {
  return (
    <div className="point">
      {point?.id && <input type="hidden" name={`${path}.id`} value={point.id} />}
      <Field label={title} name={`${path}.statement`} defaultValue={point?.statement} maxLength={2_000} required />
      {field.points!.map((beside) => (
        <BesideField
          key={beside.name}
          beside={beside}
          name={`${path}.${beside.name}`}
          said={point?.[beside.name]}
          title={title}
          conditions={conditions}
        />
      ))}
      <div>
        <button type="button" aria-label={`Remove: ${title}`} onClick={remove}>
          Remove
        </button>
      </div>
    </div>
  );
}

interface BesideProps {
  beside: NonNullable<DesignField["points"]>[number];
  name: string;
  said: unknown;
  title: string;
  conditions: readonly DesignPoint[];
}

function BesideField({ beside: { label, kind }, name, said, title, conditions }: BesideProps): ReactNode {
  const words = conditions.map(({ id = "", statement }) => [id, statement] as const);
  if (kind === "text")
    return <TextField label={label} name={name} rows={2} defaultValue={said as string | undefined} />;
  if (kind === "check") return <Check label={label} name={name} defaultChecked={said === true} />;
  if (kind === "condition")
    return (
      <Select
        label={label}
        name={name}
        defaultValue={(said as string | undefined) ?? ""}
        options={[["", "none in particular"], ...words]}
      />
    );
  if (kind !== "conditions")
    return <Select label={label} name={name} defaultValue={said as string | undefined} options={kind} />;
  if (!words.length) return <p className="muted">Keep the conditions first; then say which of them it achieves.</p>;
  return (
    <fieldset>
      <legend>
        {label}
        <span className="visually-hidden">: {title}</span>
      </legend>
      {words.map(([id, statement]) => (
        <Check
          key={id}
          label={statement}
          name={name}
          value={id}
          defaultChecked={((said as string[] | undefined) ?? []).includes(id)}
        />
      ))}
    </fieldset>
  );
}
