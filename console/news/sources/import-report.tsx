import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";

type Result = Data<"POST /sources/opml">;
type Source = ListRow<"GET /sources">;
interface Line {
  key: string;
  name: string;
  /** Absent where it is not followed. */
  id?: number;
  state: "refused" | "unreadable" | "waiting" | "read";
  words: string;
}

const LOOK_MS = 3_000;
/** So many of a list are looked after; the others are read as well. */
const MOST = 100;
const STATES = {
  refused: ["bad", "not taken"],
  unreadable: ["warn", "cannot be read yet"],
  waiting: ["info", "waits to be read"],
  read: ["good", "followed"],
} as const;
const ORDER = Object.keys(STATES);

const COLUMNS: readonly Column<Line>[] = [
  { head: "Feed", cell: ({ name, id }) => (id === undefined ? name : <Link to={`/news/sources/${id}`}>{name}</Link>) },
  {
    head: "State",
    cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
  },
  { head: "What came, or why not", cell: ({ words }) => words },
];

function followed({ id, name }: Result["created"][number], source: Source | undefined): Line {
  const line = { key: `source ${id}`, id, name };
  if (!source?.lastFetch) return { ...line, state: "waiting", words: "" };
  if (source.lastError) return { ...line, state: "unreadable", words: `${source.lastError} It is tried again.` };
  return { ...line, state: "read", words: many(source.articleCount, "article") };
}

const refused = ({ index, name, url, message }: Result["failed"][number]): Line => ({
  key: `entry ${index}`,
  name: [name, url].filter(Boolean).join(", ") || `Entry ${index + 1}`,
  state: "refused",
  words: message,
});

/** What became of each feed of a list: those that need a look first. */
export function ImportReport({ created, failed }: Result): ReactNode {
  const ids = new Set(created.map(({ id }) => id));
  const isWaiting = (rows: readonly Source[]): boolean =>
    rows.some(({ id, active, lastFetch }) => ids.has(id) && active && !lastFetch);
  const newest = useAnswer("GET /sources", [{ query: { sort: "-createdAt", limit: MOST } }], {
    enabled: created.length > 0,
    every: (answer) => (!answer || isWaiting(answer.data)) && LOOK_MS,
  });
  const known = new Map(newest.data?.data.map((one) => [one.id, one]));
  const lines = [...failed.map(refused), ...created.map((one) => followed(one, known.get(one.id)))].sort(
    (a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state),
  );
  const watched = Math.min(created.length, MOST);
  const read = lines.filter(({ state }) => state === "read" || state === "unreadable").length;
  return (
    <Section title="What became of the list">
      <p role="status">
        {many(created.length, "new source is", "new sources are")} followed
        {failed.length > 0 && `; ${many(failed.length, "feed was", "feeds were")} not taken`}.
      </p>
      {watched > 0 && read < watched && (
        <Progress label="Read for the first time (you may leave this page)" done={read} total={watched} />
      )}
      <Table label="Feeds of the list" rows={lines} keyOf={({ key }) => key} columns={COLUMNS} empty="It was empty." />
    </Section>
  );
}
