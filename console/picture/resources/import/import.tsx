import { useRef, useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { wordsOf, useAct } from "../../../api/hooks.ts";
import { Select } from "../../../parts/form.tsx";
import { Empty, Section } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { many, Progress } from "../../../parts/texts.tsx";
import { inPlace, PictureFrame, placeQuery, Readers, type PicturePlace } from "../../place.tsx";
import { refusalWords, rowsFileOf, rowText, type ImportedRows, type RowsFile } from "./table-file.ts";

/** What can be brought in as a table, and the columns that it may have. */
const KINDS = {
  resources: {
    words: "resources",
    op: "POST /resources/bulk-import",
    may: "resources:edit",
    to: "/picture/resources",
    columns: "externalId, name, kind, serial, description, capabilities, readiness, latitude, longitude",
    example:
      "externalId;name;kind;capabilities;latitude;longitude\nT-7;Truck 7;vehicle;logistics.supply.fuel;49.10;17.21",
  },
  personnel: {
    words: "people",
    op: "POST /resources/personnel/bulk-import",
    may: "personnel:edit",
    to: "/picture/personnel",
    columns: "externalId, name, rank, position, status, skills, email, phone, note",
    example: "externalId;name;position;skills\nP-7;Ada Moreau;driver;first aid | crane",
  },
} as const;
type Kind = keyof typeof KINDS;
const isKind = (asked: string | null): asked is Kind => asked !== null && Object.hasOwn(KINDS, asked);

/** Brings many resources or people in from a file: tried first, so that nothing half right is written unseen. */
export const ImportPage = (): ReactNode => (
  <PictureFrame
    title="Bring in from a file"
    intro="A table (CSV) or JSON, of up to 10,000 rows. It is tried first: nothing is written until you say so."
  >
    {(place) => <Importing key={place.problemSetId} place={place} />}
  </PictureFrame>
);

function Importing({ place }: { place: PicturePlace }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const allowed = (Object.keys(KINDS) as Kind[]).filter((one) => place.may(KINDS[one].may));
  const asked = search.get("what");
  const kind = isKind(asked) && allowed.includes(asked) ? asked : allowed[0];
  if (!kind) return <Empty>Your role here brings nothing in. Planners and deputies do.</Empty>;
  return (
    <>
      <Select
        label="What it lists"
        name="what"
        value={kind}
        options={allowed.map((one) => [one, KINDS[one].words] as const)}
        onChange={({ currentTarget: { value } }) => {
          search.set("what", value);
          setSearch(search, { replace: true });
        }}
      />
      <OfKind key={kind} kind={kind} place={place} />
    </>
  );
}

interface Tried {
  file: RowsFile;
  outcome: ImportedRows;
}

function OfKind({ kind, place }: { kind: Kind; place: PicturePlace }): ReactNode {
  const { op, words, columns, example, to } = KINDS[kind];
  const readers = useRef<HTMLDivElement>(null);
  const [tried, setTried] = useState<Tried>();
  const [fault, setFault] = useState<string>();
  const bring = useAct(op, { tellsRefusal: false });

  async function send(file: RowsFile, dryRun: boolean): Promise<void> {
    setFault(undefined);
    const compartment = readers.current?.querySelector("select")?.value;
    const query = { ...inPlace(place), dryRun, ...(compartment && { compartments: [compartment] }) };
    try {
      const { data } = await bring.mutateAsync(
        file.table
          ? // The file stands in the place of the body.
            ({ query, options: { file: file.table } } as unknown as Parameters<typeof bring.mutateAsync>[0])
          : { query, body: { rows: file.rows ?? [] } },
      );
      setTried({ file, outcome: data });
    } catch (error) {
      setTried(undefined);
      setFault(wordsOf(error));
    }
  }
  async function choose(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      await send(await rowsFileOf(file), true);
    } catch (error) {
      setFault(wordsOf(error));
    }
  }
  return (
    <>
      <Section title="The file">
        <p>
          Its first line names the columns: <code>{columns}</code>. Only <code>name</code> is needed. A row whose{" "}
          <code>externalId</code> is here already changes what is here; the others are added.
        </p>
        <pre className="table-example">{example}</pre>
        <div ref={readers}>
          <Readers place={place} />
        </div>
        <FileField isBusy={bring.isPending} onFile={(file) => void choose(file)} />
        {bring.isPending && <Progress label="The rows are looked through" />}
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
      </Section>
      {tried && (
        <Outcome
          tried={tried}
          words={words}
          isBusy={bring.isPending}
          onImport={() => void send(tried.file, false)}
          list={<Link to={`${to}${placeQuery(place)}`}>To the list</Link>}
        />
      )}
    </>
  );
}

const FileField = ({ isBusy, onFile }: { isBusy: boolean; onFile(file: File | undefined): void }): ReactNode => (
  <div className="field">
    <label htmlFor="rows-file">File</label>
    <input
      id="rows-file"
      type="file"
      accept=".csv,.tsv,.txt,.json,text/csv,application/json"
      disabled={isBusy}
      onChange={({ target }) => {
        onFile(target.files?.[0]);
        // So that the same file, mended, can be chosen again.
        target.value = "";
      }}
    />
  </div>
);

interface OutcomeProps {
  tried: Tried;
  words: string;
  isBusy: boolean;
  onImport(): void;
  list: ReactNode;
}

/** What would be done, or was, and what was refused, row by row. */
function Outcome({ tried: { file, outcome }, words, isBusy, onImport, list }: OutcomeProps): ReactNode {
  const { dryRun, created, updated, failed } = outcome;
  const count = created.length + updated.length;
  return (
    <Section title={dryRun ? `What would come of ${file.name}` : `What came of ${file.name}`} acts={!dryRun && list}>
      <p role="status">
        {dryRun ? "It would add" : "It added"} {created.length.toLocaleString("en")} and {dryRun ? "change" : "changed"}{" "}
        {updated.length.toLocaleString("en")} {words}.{" "}
        {failed.length > 0
          ? `${many(failed.length, "row")} ${dryRun ? "would not be taken" : `${failed.length === 1 ? "was" : "were"} not taken`}:`
          : "No row is refused."}
      </p>
      {failed.length > 0 && (
        <Table
          label="Rows that are refused"
          rows={failed}
          keyOf={({ index }) => index}
          columns={columnsOf(file)}
          empty=""
        />
      )}
      {dryRun &&
        (count > 0 ? (
          <p className="row">
            <button type="button" className="primary" disabled={isBusy} onClick={onImport}>
              Bring in {many(count, "row")}
            </button>
            {failed.length > 0 && (
              <span className="muted">The others are left out: mend them, and choose the file again.</span>
            )}
          </p>
        ) : (
          <p className="muted">Nothing can be brought in: mend the file, and choose it again.</p>
        ))}
    </Section>
  );
}

const columnsOf = (file: RowsFile): readonly Column<ImportedRows["failed"][number]>[] => [
  { head: "Row", cell: ({ index }) => `${(index + 1).toLocaleString("en")}` },
  { head: "Column", cell: ({ path }) => path ?? "" },
  { head: "Why", cell: refusalWords },
  {
    head: "It says",
    cell: (row) => <code>{rowText(file, row)}</code>,
  },
];
