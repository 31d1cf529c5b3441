import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { AccountPage } from "../frame.tsx";
import { Subscriptions } from "./subscriptions.tsx";
import { HiddenInTraining } from "../../app/hidden-in-training.tsx";

type MySet = ListRow<"GET /problem-sets/me">;
type Notice = ListRow<"GET /problem-sets/{id}/notifications">;
type Count = ListRow<"POST /problem-sets/notifications/counts">;
const MOST_SETS = 100;

/** What happened that a person asked to be told of, and what they are told of, in each problem set. */
export function Notifications(): ReactNode {
  const [search] = useSearchParams();
  const sets = useAnswer("GET /problem-sets/me", [{ query: { limit: MOST_SETS, status: "active", sort: "name" } }]);
  useLive(undefined, ["notification.new"]);
  return (
    <AccountPage
      title="Notifications"
      intro="You are told of what happens in your problem sets: here, by mail, or at an address of your own."
    >
      <Shown of={sets}>
        {({ data }) => {
          const chosen = data.find(({ id }) => id === search.get("set")) ?? (data.length === 1 ? data[0] : undefined);
          return (
            <>
              <Sets sets={data} chosen={chosen?.id} />
              {chosen && <Unread key={chosen.id} set={chosen} />}
              {chosen && <Subscriptions key={`of ${chosen.id}`} set={chosen} />}
            </>
          );
        }}
      </Shown>
      <p className="muted">
        Letters about your account itself (a passkey was added, a link to sign in) are always sent, to your confirmed
        address.
      </p>
    </AccountPage>
  );
}

const columnsOf = (counts: ReadonlyMap<string, Count>, chosen: string | undefined): readonly Column<MySet>[] => [
  {
    head: "Problem set",
    cell: ({ id, name }) => (
      <Link to={`?set=${id}`} aria-current={id === chosen ? "true" : undefined}>
        {name}
      </Link>
    ),
  },
  { head: "New since you looked", isFigure: true, cell: ({ id }) => newInWords(counts.get(id)) },
  { head: "The newest of it", cell: ({ id }) => <Newest of={counts.get(id)} /> },
];
const newInWords = (of: Count | undefined): string => (of ? `${of.unread}${of.more ? " or more" : ""}` : "…");

const Newest = ({ of }: { of: Count | undefined }): ReactNode =>
  of?.latestAt ? <Time at={of.latestAt} /> : <span className="muted">nothing</span>;

function Sets({ sets, chosen }: { sets: readonly MySet[]; chosen: string | undefined }): ReactNode {
  const counts = useCounts(sets.map(({ id }) => id));
  return (
    <Section title="In which problem set">
      <Table
        label="Problem sets"
        rows={sets}
        keyOf={({ id }) => id}
        columns={columnsOf(counts, chosen)}
        empty={
          <>
            You are in no problem set. Once you are, you choose here what you are told of.
            <HiddenInTraining />
          </>
        }
      />
    </Section>
  );
}

/** Counts of all sets come in one answer. */
function useCounts(problemSetIds: readonly string[]): ReadonlyMap<string, Count> {
  const counts = useAnswer(
    "POST /problem-sets/notifications/counts",
    [{ body: { problemSetIds: [...problemSetIds] } }],
    {
      enabled: problemSetIds.length > 0,
    },
  );
  return new Map(counts.data?.data.map((one) => [one.problemSetId, one]));
}

function Unread({ set: { id, name } }: { set: MySet }): ReactNode {
  const notices = useAnswer("GET /problem-sets/{id}/notifications", [
    { path: { id }, query: { read: false, limit: 50 } },
  ]);
  return (
    <Section title={`Unread in ${name}`}>
      <Shown of={notices}>
        {({ data }) =>
          data.length ? (
            <ul className="list">
              {data.map((notice) => (
                <NoticeRow key={notice.id} set={id} notice={notice} />
              ))}
            </ul>
          ) : (
            <p className="empty">You have read everything.</p>
          )
        }
      </Shown>
    </Section>
  );
}

function NoticeRow({ set, notice }: { set: string; notice: Notice }): ReactNode {
  const read = useAct("PUT /problem-sets/{id}/notifications/{notificationId}/read");
  return (
    <li className="row between">
      <span>
        {notice.summary}{" "}
        <small className="muted">
          <Time at={notice.at} />
        </small>{" "}
        {notice.status === "simulated" && <Badge tone="warn">simulated</Badge>}
      </span>
      <button
        type="button"
        aria-label={`Mark as read: ${notice.summary}`}
        disabled={read.isPending}
        onClick={() => read.mutate({ path: { id: set, notificationId: notice.id } })}
      >
        Mark as read
      </button>
    </li>
  );
}
