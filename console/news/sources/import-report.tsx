import { skipToken, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { queries } from "../../api/queries.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";

/** Where the report stands. */
const IMPORT = "/news/sources/import";
export type ImportResult = Data<"POST /sources/opml">;
/** The last list and what became of it. */
interface Imported {
  result: ImportResult;
  /** The document, where it was one: feeds that lack a domain are taken from it again, with all that it says of them. */
  opml?: string;
}
const IMPORTED = ["what became of the list"];

/**
 * The last list of this person in this tab. Not in the browser's history, where it would outlast them: it goes with all
 * that is shown to them.
 */
export const useImported = (): Imported | undefined =>
  useQuery<Imported>({ queryKey: IMPORTED, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity }).data;

/** Keeps what became of a list, and goes where it is told. */
export function useTellImported(): (imported: Imported) => void {
  const goTo = useNavigate();
  return (imported) => {
    queries.setQueryData(IMPORTED, imported);
    void goTo(IMPORT);
  };
}

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

function followed({ id, name }: ImportResult["created"][number], source: Source | undefined): Line {
  const line = { key: `source ${id}`, id, name };
  if (!source?.lastFetch) return { ...line, state: "waiting", words: "" };
  if (source.lastError) return { ...line, state: "unreadable", words: `${source.lastError} It is tried again.` };
  return { ...line, state: "read", words: many(source.articleCount, "article") };
}

/** Feeds in folders whose names are no domains. */
const lacksDomain = ({ code }: Pick<ImportResult["failed"][number], "code">): boolean => code === "DOMAIN_MISSING";

const refused = ({ index, name, url, code, message }: ImportResult["failed"][number]): Line => ({
  key: `entry ${index}`,
  name: [name, url].filter(Boolean).join(", ") || `Entry ${index + 1}`,
  state: "refused",
  words: lacksDomain({ code }) ? "Its folder does not say what it is about." : message,
});

/** What became of each feed of a list: those that need a look first. */
export function ImportReport({ result: { created, failed }, opml }: Imported): ReactNode {
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
      {opml && <Undecided opml={opml} feeds={failed.filter(lacksDomain)} />}
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

/**
 * Folders of other readers are called as one likes: what their feeds are about is asked for here. The document is taken
 * again, so that what it says of each (in full text, paused) holds; of the others nothing is told twice.
 */
function Undecided({ opml, feeds }: { opml: string; feeds: ImportResult["failed"] }): ReactNode {
  const tell = useTellImported();
  const asked = new Set(feeds.map(({ index }) => index));
  const follow = useAct("POST /sources/opml", {
    tellsRefusal: false,
    then: ({ data: { created, failed } }) =>
      tell({ result: { created, failed: failed.filter(({ index }) => asked.has(index)) }, opml }),
  });
  if (!feeds.length) return null;
  return (
    <Form
      act={`Follow ${many(feeds.length, "feed")}`}
      label="Feeds without a domain"
      onSubmit={({ domain }) =>
        follow.mutateAsync({
          query: { domain: domain as NewsDomain },
          options: { file: new Blob([opml], { type: "text/x-opml" }) },
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
