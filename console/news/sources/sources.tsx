import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Page, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { DOMAINS, type NewsDomain } from "../domains.ts";

type Source = ListRow<"GET /sources">;
type Health = Source["health"];

const COLUMNS: readonly Column<Source>[] = [
  { head: "Source", cell: ({ id, name }) => <Link to={`/news/sources/${id}`}>{name}</Link> },
  { head: "About", cell: ({ domain }) => domain },
  {
    head: "Health",
    cell: ({ health, healthNote }) => (
      <>
        <Badge>{health}</Badge> <small className="muted">{healthNote}</small>
      </>
    ),
  },
  { head: "Last read", cell: ({ lastFetch }) => <Time at={lastFetch} /> },
  { head: "Acts", isAct: true, cell: (source) => <Refresh {...source} /> },
];

/** What is followed, how well it can be read, and how to follow more. */
export function Sources(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [isAdding, setAdding] = useState(false);
  const mayCurate = useMay("sources:curate");
  const [q, domain, health] = [search.get("q"), search.get("domain"), search.get("health")];
  const query = {
    page,
    sort: "name" as const,
    ...(q && { q }),
    ...(domain && { domain: domain as NewsDomain }),
    ...(health && { health: health as Health }),
  };
  const sources = useAnswer("GET /sources", [{ query }], { keepsShown: true });
  return (
    <Page
      title="Sources"
      intro="Feeds and sites that are read for you, and how well that goes."
      acts={
        mayCurate && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Follow a source
          </button>
        )
      }
    >
      <Form act="Show" isInline label="Filter sources" onSubmit={(fields) => setSearch(fields)}>
        <Field label="Name or address" name="q" type="search" defaultValue={q ?? ""} />
        <Select label="About" name="domain" defaultValue={domain ?? ""} options={[["", "everything"], ...DOMAINS]} />
        <Select
          label="Health"
          name="health"
          defaultValue={health ?? ""}
          options={[["", "any"], "active", "degraded", "failed"]}
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
                q || domain || health
                  ? "No source fits these filters."
                  : "Nothing is followed yet. Follow a source, and its articles come in within a minute."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isAdding && <FollowDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Refresh({ id, name }: Source): ReactNode {
  const refresh = useAct("POST /sources/{id}/refresh", { says: `${name} is being read.` });
  return (
    <button
      type="button"
      aria-label={`Read now: ${name}`}
      disabled={refresh.isPending}
      onClick={() => refresh.mutate({ path: { id } })}
    >
      Read now
    </button>
  );
}

function FollowDialog({ onClose }: { onClose(): void }): ReactNode {
  const follow = useAct("POST /sources", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is followed. Its articles come in within a minute.`,
    then: onClose,
  });
  return (
    <Dialog title="Follow a source" onClose={onClose}>
      <Form
        act="Follow"
        onSubmit={({ url = "", name = "", domain }) =>
          follow.mutateAsync({ body: { url, name, domain: domain as NewsDomain } })
        }
      >
        <Field
          label="Address"
          name="url"
          type="url"
          hint="Of its feed, or of its site: the feed is then found."
          required
        />
        <Field label="Name" name="name" required />
        <Select label="What it is mostly about" name="domain" options={DOMAINS} />
      </Form>
    </Dialog>
  );
}
