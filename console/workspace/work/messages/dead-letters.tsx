import type { ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Payload } from "./message-line.tsx";

type DeadMessage = ListRow<"GET /messages/dead-letters">;

/** Messages of this person's subscriptions that were delivered as often as may be, and never acknowledged. */
export function DeadLetters(): ReactNode {
  const { set } = useSet();
  const page = usePage();
  const letters = useAnswer("GET /messages/dead-letters", [{ query: { page } }]);
  return (
    <SetPage
      title="Undelivered messages"
      intro="They came to you several times and were never acknowledged, in this and your other problem sets. Only you see them."
      acts={<Link to={`/workspace/${set.id}/messages`}>To the channels</Link>}
    >
      <Shown of={letters}>
        {({ data, meta }) => (
          <>
            <Table
              label="Undelivered messages"
              rows={data}
              keyOf={({ channelId, id }) => `${channelId} ${id}`}
              columns={COLUMNS}
              empty="Nothing: every message that came to you was acknowledged, or still may be."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </SetPage>
  );
}

const COLUMNS: readonly Column<DeadMessage>[] = [
  { head: "Channel", cell: ({ channel }) => channel },
  { head: "Message", cell: ({ message }) => <Payload message={message} /> },
  { head: "From", cell: ({ message }) => message.createdByName ?? message.source },
  { head: "Deliveries", isFigure: true, cell: ({ deliveries }) => deliveries },
  { head: "Given up", cell: ({ at }) => <Time at={at} /> },
  { head: "Acts", isAct: true, cell: (letter) => <Settle {...letter} /> },
];

function Settle({ id, channel, message }: DeadMessage): ReactNode {
  const again = useAct("POST /messages/dead-letters/{id}/redeliver", { says: "It is delivered again." });
  const settle = useAct("POST /messages/{messageId}/acknowledge", { says: "It is settled." });
  const name = `message ${message.sequence} of ${channel}`;
  return (
    <div className="row">
      <button
        type="button"
        aria-label={`Deliver again: ${name}`}
        disabled={again.isPending}
        onClick={() => again.mutate({ path: { id } })}
      >
        Deliver again
      </button>
      <button
        type="button"
        aria-label={`Mark as read: ${name}`}
        disabled={settle.isPending}
        onClick={() => settle.mutate({ path: { messageId: id }, body: {} })}
      >
        Mark as read
      </button>
    </div>
  );
}
