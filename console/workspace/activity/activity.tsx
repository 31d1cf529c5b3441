import { useEffect, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { ask } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Empty, Shown } from "../../parts/page.tsx";
import { choicesOf } from "../set/known.ts";
import { SetPage, useSet } from "../set/use-set.tsx";
import { Feed } from "./feed.tsx";
import { KIND_OPTIONS, SPANS, type ActivityKind } from "./kinds.ts";

const HOUR_MS = 3_600_000;
const ROWS = 50;

/** All that happened in a set, as far as its reader may know of it; new events come in by themselves. */
export function ActivityPage(): ReactNode {
  const { set } = useSet();
  const [search, setSearch] = useSearchParams();
  const [kind, by, hours, since, cursor] = ["kind", "by", "hours", "since", "cursor"].map(
    (name) => search.get(name) ?? "",
  );
  const query = {
    limit: ROWS,
    ...(kind && { kind: kind as ActivityKind }),
    ...(by && { by }),
    ...(since && { since }),
    ...(cursor && { cursor }),
  };
  const items = useAnswer("GET /problem-sets/{id}/activity", [{ path: { id: set.id }, query }], { keepsShown: true });
  useSeen(set.id, items.data?.data[0]?.at);
  return (
    <SetPage
      title="Activity"
      intro="What happened here, the newest first. What happened in a compartment is told to those who are read into it, and to nobody else."
      acts={
        <Link className="button" to={`/workspace/${set.id}/activity/following`}>
          What you are told of
        </Link>
      }
    >
      <ActivityFilter
        kind={kind}
        by={by}
        hours={hours}
        onShow={(fields) => setSearch({ ...fields, ...sinceOf(fields) })}
      />
      <Shown of={items}>
        {({ data, meta }) => (
          <section className="card" aria-label="Events">
            {data.length ? <Feed items={data} /> : <Nothing isFiltered={Boolean(kind || by || hours)} />}
            <nav className="row" aria-label="Pages">
              {cursor && <Link to={`?${without(search)}`}>To the newest</Link>}
              {meta.next && <Link to={`?${without(search, meta.next)}`}>Older</Link>}
            </nav>
          </section>
        )}
      </Shown>
    </SetPage>
  );
}

/** The address names the moment itself, so that whoever is sent it sees the same. */
const sinceOf = ({ hours }: Record<string, string>): { since?: string } =>
  hours ? { since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString() } : {};

/** The address with another place in the list. */
function without(search: URLSearchParams, cursor?: string): string {
  const changed = new URLSearchParams(search);
  changed.delete("cursor");
  if (cursor) changed.set("cursor", cursor);
  return String(changed);
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }): ReactNode => (
  <Empty>
    {isFiltered
      ? "Nothing that you may know of fits these filters."
      : "Nothing has happened yet that you may know of. Whatever people do here appears in this place."}
  </Empty>
);

/** What was shown counts as seen, in the list of one's sets as well. */
function useSeen(id: string, newest: string | undefined): void {
  useEffect(() => {
    // A mark that cannot be made is made at the next look.
    if (newest) void ask("PUT /problem-sets/{id}/activity/read", { path: { id }, body: {} }).catch(() => {});
  }, [id, newest]);
}

interface Filter {
  kind: string | undefined;
  by: string | undefined;
  hours: string | undefined;
  onShow(fields: Record<string, string>): void;
}

function ActivityFilter({ kind, by, hours, onShow }: Filter): ReactNode {
  const { set } = useSet();
  const people = useAnswer("GET /accounts/people", [{ query: { problemSetId: set.id, limit: 100 } }]);
  const known = people.data?.data ?? [];
  // Shown once the names are there: a form that is made anew for them forgets what was chosen meanwhile.
  if (people.isPending) return null;
  return (
    <Form act="Show" isInline label="Filter the activity" onSubmit={onShow}>
      <Select label="What" name="kind" defaultValue={kind} options={[["", "everything"], ...KIND_OPTIONS]} />
      <Select
        label="Who"
        name="by"
        defaultValue={by}
        options={[["", "anybody"], ...choicesOf(known, ({ userId }) => userId)]}
      />
      <Select label="Within" name="hours" defaultValue={hours} options={SPANS} />
    </Form>
  );
}
