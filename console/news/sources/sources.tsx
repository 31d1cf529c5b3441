import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { addressOf, type ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Page, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";
import { FollowDialog } from "./follow.tsx";
import "./sources.css";

type Source = ListRow<"GET /sources">;
type Health = Source["health"];

/** New sources are read within seconds, and nothing tells of it. */
const LOOK_MS = 3_000;

const COLUMNS: readonly Column<Source>[] = [
  { head: "Source", cell: ({ id, name }) => <Link to={`/news/sources/${id}`}>{name}</Link> },
  { head: "About", cell: ({ domain }) => domain },
  { head: "Health", cell: (source) => <SourceHealth {...source} /> },
  { head: "Last read", cell: ({ lastFetch }) => <Time at={lastFetch} /> },
  { head: "Articles", cell: ({ articleCount }) => articleCount, isFigure: true },
  { head: "Acts", isAct: true, cell: (source) => source.active && <Refresh {...source} /> },
];

/** How well a source can be read, in words; why it cannot, where that is so. */
export function SourceHealth({
  active,
  health,
  healthNote,
  lastError,
}: Pick<Source, "active" | "health" | "healthNote" | "lastError">): ReactNode {
  if (!active)
    return (
      <>
        <Badge>paused</Badge> <small className="muted">It is not read, and keeps its articles.</small>
      </>
    );
  return (
    <>
      <Badge>{health}</Badge> <small className="muted">{lastError ?? healthNote}</small>
    </>
  );
}

/** What is followed, how well it can be read, and how to follow more. */
export function Sources(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const mayCurate = useMay("sources:curate");
  const [q, domain, health, active] = ["q", "domain", "health", "active"].map((name) => search.get(name));
  const query = {
    page,
    sort: "name" as const,
    ...(q && { q }),
    ...(domain && { domain: domain as NewsDomain }),
    ...(health && { health: health as Health }),
    ...(active && { active: active === "true" }),
  };
  const sources = useAnswer("GET /sources", [{ query }], {
    keepsShown: true,
    every: (answer) => Boolean(answer?.data.some((one) => one.active && !one.lastFetch)) && LOOK_MS,
  });
  useLive({ topic: "articles" }, ["articles.arrived"], undefined, { ops: ["GET /sources"] });
  return (
    <Page
      title="Sources"
      intro="Feeds and sites that are read for you, and how well that goes."
      acts={<Acts mayCurate={mayCurate} />}
    >
      <Form act="Show" isInline label="Filter sources" onSubmit={(fields) => setSearch(fields)}>
        <Field label="Name" name="q" type="search" defaultValue={q ?? ""} />
        <Select label="About" name="domain" defaultValue={domain ?? ""} options={[["", "everything"], ...DOMAINS]} />
        <Select
          label="Health"
          name="health"
          defaultValue={health ?? ""}
          options={[["", "any"], "active", "degraded", "failed"]}
        />
        <Select
          label="Read or paused"
          name="active"
          defaultValue={active ?? ""}
          options={[
            ["", "both"],
            ["true", "read"],
            ["false", "paused"],
          ]}
        />
      </Form>
      <Shown of={sources}>
        {({ data, meta }) => (
          <>
            <Table
              label="Sources"
              rows={data}
              keyOf={({ id }) => id}
              columns={mayCurate ? COLUMNS : COLUMNS.slice(0, -1)}
              empty={
                q || domain || health || active ? "No source fits these filters." : <NoneYet mayCurate={mayCurate} />
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Page>
  );
}

const NoneYet = ({ mayCurate }: { mayCurate: boolean }): ReactNode =>
  mayCurate ? (
    <>
      Nothing is followed yet. Follow a source, and its articles come in within a minute; or{" "}
      <Link to="/news/sources/import">follow many at once</Link>: there is a list to start with.
    </>
  ) : (
    "Nothing is followed yet. Analysts follow sources, and here you then see how well they can be read."
  );

function Acts({ mayCurate }: { mayCurate: boolean }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Link className="button" to="/news/sources/lists">
        Lists
      </Link>
      <a className="button" href={addressOf("GET /sources/opml")} download="sources.opml">
        Export (OPML)
      </a>
      {mayCurate && (
        <>
          <Link className="button" to="/news/sources/import">
            Follow many
          </Link>
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Follow a source
          </button>
        </>
      )}
      {isAdding && <FollowDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** Reads a source at once, and tells what came of it. */
export function Refresh({ id, name }: Pick<Source, "id" | "name">): ReactNode {
  const refresh = useAct("POST /sources/{id}/refresh", { says: ({ data }) => `${name}: ${data.message}` });
  return (
    <button
      type="button"
      aria-label={`Read now: ${name}`}
      disabled={refresh.isPending}
      onClick={() => refresh.mutate({ path: { id } })}
    >
      {refresh.isPending ? "Reading…" : "Read now"}
    </button>
  );
}
