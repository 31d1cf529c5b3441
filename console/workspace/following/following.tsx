import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { FollowDialog } from "./follow-dialog.tsx";
import { CHANNELS, DIGESTS, wordsOfKinds } from "./choices.ts";

type Subscription = ListRow<"GET /problem-sets/{id}/subscriptions">;
type Notice = ListRow<"GET /problem-sets/{id}/notifications">;

/** What somebody wants to be told of here, how, and what they were told in the app. */
export function Following(): ReactNode {
  const { maySet } = useSet();
  const [isAdding, setAdding] = useState(false);
  useLive(undefined, ["notification.new"]);
  return (
    <SetPage
      title="What you are told of"
      intro="Choose what is brought to you, here, by mail or to a program of yours. Nobody else sees your choice."
      acts={
        maySet("activity:subscribe") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            Follow something
          </button>
        )
      }
    >
      <Subscriptions />
      <Notices />
      {isAdding && <FollowDialog onClose={() => setAdding(false)} />}
    </SetPage>
  );
}

function Subscriptions(): ReactNode {
  const { set, maySet } = useSet();
  const subscriptions = useAnswer(
    "GET /problem-sets/{id}/subscriptions",
    [{ path: { id: set.id }, query: { limit: 50 } }],
    { enabled: maySet("activity:read") },
  );
  return (
    <Section title="You follow">
      <Shown of={subscriptions}>
        {({ data }) => (
          <Table
            label="What you follow"
            rows={data}
            keyOf={({ id }) => id}
            columns={COLUMNS}
            empty={
              maySet("activity:subscribe")
                ? "Nothing yet. Follow the gates, for instance, and you are told when one is to be decided."
                : "Nothing. Your role reads the activity, and is not told of it."
            }
          />
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<Subscription>[] = [
  {
    head: "What",
    cell: ({ kinds, filter }) => `${wordsOfKinds(kinds)}${filter?.text ? `, with the words "${filter.text}"` : ""}`,
  },
  { head: "Where", cell: ({ channel, url }) => (url ? <code>{url}</code> : wordsIn(CHANNELS, channel)) },
  { head: "When", cell: ({ digest }) => wordsIn(DIGESTS, digest) },
  { head: "State", cell: ({ active }) => <Badge tone={active ? "good" : "plain"}>{active ? "on" : "paused"}</Badge> },
  { head: "Acts", isAct: true, cell: (subscription) => <SubscriptionActs {...subscription} /> },
];
const wordsIn = (pairs: readonly (readonly [string, string])[], value: string): string =>
  pairs.find(([one]) => one === value)?.[1] ?? value;

function SubscriptionActs({ id: subId, problemSetId, active, kinds }: Subscription): ReactNode {
  const path = { id: problemSetId, subId };
  const change = useAct("PATCH /problem-sets/{id}/subscriptions/{subId}");
  const remove = useAct("DELETE /problem-sets/{id}/subscriptions/{subId}", {
    says: "You are not told of it any more.",
  });
  const what = wordsOfKinds(kinds);
  return (
    <span className="row">
      <button
        type="button"
        aria-label={`${active ? "Pause" : "Resume"}: ${what}`}
        disabled={change.isPending}
        onClick={() => change.mutate({ path, body: { active: !active } })}
      >
        {active ? "Pause" : "Resume"}
      </button>
      <button
        type="button"
        aria-label={`Remove: ${what}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ path })}
      >
        Remove
      </button>
    </span>
  );
}

function Notices(): ReactNode {
  const { set } = useSet();
  const notices = useAnswer(
    "GET /problem-sets/{id}/notifications",
    [{ path: { id: set.id }, query: { page: usePage() } }],
    { keepsShown: true },
  );
  return (
    <Section title="You were told">
      <Shown of={notices}>
        {({ data, meta }) => (
          <>
            {data.length ? (
              <ul className="list">
                {data.map((one) => (
                  <NoticeEntry key={one.id} {...one} />
                ))}
              </ul>
            ) : (
              <Empty>Nothing yet.</Empty>
            )}
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

function NoticeEntry({ id, problemSetId, summary, at, read }: Notice): ReactNode {
  const mark = useAct("PUT /problem-sets/{id}/notifications/{notificationId}/read");
  return (
    <li className="entry">
      <span>
        {read ? summary : <strong>{summary}</strong>}{" "}
        <small className="muted">
          <Time at={at} />
        </small>
      </span>
      {!read && (
        <button
          type="button"
          aria-label={`Mark as read: ${summary}`}
          disabled={mark.isPending}
          onClick={() => mark.mutate({ path: { id: problemSetId, notificationId: id } })}
        >
          Mark as read
        </button>
      )}
    </li>
  );
}
