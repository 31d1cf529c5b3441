import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";

/** Where the report stands. */
export const IMPORT = "/news/sources/import";
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
/** So many at once fail for one reason. */
const MANY = 3;
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

/** Feeds in folders whose names are no domains. */
const lacksDomain = ({ code }: Pick<Result["failed"][number], "code">): boolean => code === "DOMAIN_MISSING";

const refused = ({ index, name, url, code, message }: Result["failed"][number]): Line => ({
  key: `entry ${index}`,
  name: [name, url].filter(Boolean).join(", ") || `Entry ${index + 1}`,
  state: "refused",
  words: lacksDomain({ code }) ? "Its folder does not say what it is about." : message,
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
  const of = (state: Line["state"]): number => lines.filter((line) => line.state === state).length;
  const isRead = watched > 0 && of("read") + of("unreadable") >= watched;
  return (
    <Section title="What became of the list">
      <p role="status">
        {many(created.length, "new source is", "new sources are")} followed
        {failed.length > 0 && `; ${many(failed.length, "feed was", "feeds were")} not taken`}.
      </p>
      <Undecided feeds={failed.filter(lacksDomain)} />
      {watched > 0 && !isRead && (
        <Progress
          label="Read for the first time (you may leave this page)"
          done={of("read") + of("unreadable")}
          total={watched}
        />
      )}
      {isRead && <FirstRead read={of("read")} unreadable={of("unreadable")} />}
      <Table label="Feeds of the list" rows={lines} keyOf={({ key }) => key} columns={COLUMNS} empty="It was empty." />
    </Section>
  );
}

/** Folders of other readers are called as one likes: what their feeds are about is asked for here. */
function Undecided({ feeds }: { feeds: Result["failed"] }): ReactNode {
  const goTo = useNavigate();
  const follow = useAct("POST /sources/bulk", {
    tellsRefusal: false,
    then: ({ data }) => goTo(IMPORT, { state: data }),
  });
  if (!feeds.length) return null;
  return (
    <Form
      act={`Follow ${many(feeds.length, "feed")}`}
      label="Feeds without a domain"
      onSubmit={({ domain }) =>
        follow.mutateAsync({
          body: { sources: feeds.map(({ name, url }) => ({ name: name ?? url, url, domain: domain as NewsDomain })) },
        })
      }
    >
      <p>
        {many(feeds.length, "feed stands", "feeds stand")} in a folder that is not named after a domain. Say what they
        are mostly about, and they are followed; each can be changed on its page.
      </p>
      <Select label="They are mostly about" name="domain" options={DOMAINS} />
    </Form>
  );
}

/** What came of the first reading of all of them, and what to do next. */
const FirstRead = ({ read, unreadable }: { read: number; unreadable: number }): ReactNode => (
  <p>
    {read > 0 && (
      <>
        Articles came from {many(read, "source")}: <Link to="/news">see what they say</Link>.{" "}
      </>
    )}
    {unreadable > 0 && `${many(unreadable, "source")} could not be read yet, as told below. `}
    {unreadable > MANY && read === 0 && "Perhaps this platform cannot reach the internet: ask whoever runs it."}
  </p>
);
