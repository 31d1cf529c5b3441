import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Page, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { CodeDialog } from "./code.tsx";
import { MyInvitations, MyJoinRequests } from "./invitations.tsx";
import { NewSetDialog } from "./new-set.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { HiddenInTraining } from "../../app/hidden-in-training.tsx";

type MySet = ListRow<"GET /problem-sets/me">;
type News = ListRow<"POST /problem-sets/notifications/counts">;

/** One's own problem sets, what is new in each, and the ways to one more. */
export function Sets(): ReactNode {
  const status = useStatus();
  const [asked, setAsked] = useState<"new" | "code">();
  return (
    <Page
      title="Problem sets"
      intro="Places where people work on one problem together: they plan, decide and write in them, each behind its own door."
      acts={
        <>
          <button type="button" onClick={() => setAsked("code")}>
            I have a code
          </button>
          <Link className="button" to="/workspace/scenarios">
            Begin with a scenario
          </Link>
          <button type="button" className="primary" onClick={() => setAsked("new")}>
            Open a problem set
          </button>
        </>
      }
    >
      <MyInvitations />
      <MyJoinRequests />
      <Tabs
        label="Which problem sets"
        of={[
          { to: "/workspace", words: "Active", isHere: status === "active" },
          { to: "/workspace?status=archived", words: "Archived", isHere: status === "archived" },
        ]}
      />
      <SetList />
      {asked === "new" && <NewSetDialog onClose={() => setAsked(undefined)} />}
      {asked === "code" && <CodeDialog onClose={() => setAsked(undefined)} />}
    </Page>
  );
}

function useStatus(): MySet["status"] {
  const [search] = useSearchParams();
  return search.get("status") === "archived" ? "archived" : "active";
}

function SetList(): ReactNode {
  const status = useStatus();
  const sets = useAnswer("GET /problem-sets/me", [{ query: { status, page: usePage(), sort: "-createdAt" } }], {
    keepsShown: true,
  });
  const problemSetIds = sets.data?.data.map(({ id }) => id) ?? [];
  const counts = useAnswer("POST /problem-sets/notifications/counts", [{ body: { problemSetIds } }], {
    enabled: problemSetIds.length > 0,
    keepsShown: true,
  });
  const news = new Map(counts.data?.data.map((one) => [one.problemSetId, one]));
  return (
    <Shown of={sets}>
      {({ data, meta }) => (
        <>
          {data.map(({ id }) => (
            <Followed key={id} problemSetId={id} />
          ))}
          <Table
            label="Problem sets"
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsWith(news)}
            empty={
              <>
                {status === "archived"
                  ? "Nothing of yours is in the archive. A commander archives a set in its settings: it is then read, and changed no more."
                  : "You are in no problem set yet. Open one of your own, begin with a scenario, or accept an invitation."}
                <HiddenInTraining />
              </>
            }
          />
          <Pager meta={meta} />
        </>
      )}
    </Shown>
  );
}

/** Keeps the counts of one set fresh. */
function Followed({ problemSetId }: { problemSetId: string }): null {
  useLive({ problemSetId }, ["activity.item"]);
  return null;
}

const columnsWith = (news: ReadonlyMap<string, News>): readonly Column<MySet>[] => [
  {
    head: "Problem set",
    cell: ({ id, name, description, primary, training }) => (
      <>
        <Link to={`/workspace/${id}`}>{name}</Link> {primary && <Badge tone="info">your primary one</Badge>}{" "}
        {training && <Badge tone="warn">training</Badge>}
        {description && <p className="muted two-lines">{description}</p>}
      </>
    ),
  },
  { head: "Your role", cell: ({ role }) => role },
  { head: "New for you", cell: ({ id }) => <Unseen {...news.get(id)} id={id} /> },
  { head: "Opened", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Unseen({ id, unread, more, latestAt }: Partial<News> & { id: string }): ReactNode {
  if (!unread) return <span className="muted">nothing new</span>;
  return (
    <>
      <Link to={`/workspace/${id}/activity`}>
        {more ? "more than " : ""}
        {many(unread, "event")}
      </Link>
      , <Time at={latestAt} />
    </>
  );
}
