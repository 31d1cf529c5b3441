import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { Empty, Section, Shown } from "../../../parts/page.tsx";
import { Pager, usePage } from "../../../parts/table.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import type { NewsAlert } from "./monitor-words.ts";

const STATES: readonly (readonly [NewsAlert["status"], string, empty: string])[] = [
  ["open", "Open", "No alert is open: nothing that is watched for was in the news, or it was acknowledged."],
  ["acknowledged", "Acknowledged", "No alert is being looked after."],
  [
    "closed",
    "Closed",
    "No alert was closed yet. One on a story closes when its time is over, one on a rate when it is usual again.",
  ],
];

/** What monitors saw; what nobody has acknowledged yet comes first. */
export function Alerts({ setId }: { setId: string }): ReactNode {
  const [search] = useSearchParams();
  const [status, , empty] = STATES.find(([one]) => one === search.get("alerts")) ?? STATES[0]!;
  const query = { problemSetId: setId, status, sort: "-lastAt" as const, page: usePage() };
  const alerts = useAnswer("GET /strategic-agents/threats/alerts", [{ query }], { keepsShown: true });
  const may = useMayIn(setId)("intelligence:acknowledge");
  return (
    <Section title="Alerts">
      <Tabs
        label="Alerts"
        of={STATES.map(([one, words]) => ({ to: `?set=${setId}&alerts=${one}`, words, isHere: one === status }))}
      />
      <Shown of={alerts}>
        {({ data, meta }) => (
          <>
            {!data.length && <Empty>{empty}</Empty>}
            <ul className="list" aria-label="Alerts">
              {data.map((alert) => (
                <Raised key={alert.id} alert={alert} may={may} />
              ))}
            </ul>
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

function Raised({ alert, may }: { alert: NewsAlert; may: boolean }): ReactNode {
  const { title, storyId, monitor, count, firstAt, lastAt, rate, note, status, problemSetId, compartments } = alert;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="story">
      <span>
        {storyId ? (
          <Link to={`/news/articles?${new URLSearchParams({ story: storyId })}`} dir="auto">
            {title}
          </Link>
        ) : (
          title
        )}{" "}
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
        <br />
        <small className="muted">
          {monitor}; {many(count, "article")}, the newest <Time at={lastAt} />
          {firstAt !== lastAt && (
            <>
              , the first <Time at={firstAt} />
            </>
          )}
          {rate && `; an alert from ${Math.ceil(rate.opens)} on, over below ${Math.ceil(rate.clears)}`}
        </small>
        {alert.acknowledgedBy && (
          <>
            <br />
            <small>
              {alert.acknowledgedByName ?? alert.acknowledgedBy} acknowledged it <Time at={alert.acknowledgedAt} />
              {note && `: ${note}`}
            </small>
          </>
        )}
      </span>
      {status === "open" && may ? (
        <button type="button" aria-label={`Acknowledge: ${title}`} onClick={() => setOpen(true)}>
          Acknowledge
        </button>
      ) : (
        <Badge tone={status === "open" ? "bad" : "plain"}>{status}</Badge>
      )}
      {isOpen && <AcknowledgeDialog alert={alert} onClose={() => setOpen(false)} />}
    </li>
  );
}

function AcknowledgeDialog({ alert: { id, title }, onClose }: { alert: NewsAlert; onClose(): void }): ReactNode {
  const acknowledge = useAct("POST /strategic-agents/threats/alerts/{alertId}/acknowledge", {
    tellsRefusal: false,
    says: "Acknowledged: everybody here sees that you know of it.",
    then: onClose,
  });
  return (
    <Dialog title="Acknowledge the alert" onClose={onClose}>
      <p>{title}</p>
      <Form
        act="Acknowledge"
        onSubmit={({ note }) => acknowledge.mutateAsync({ path: { alertId: id }, body: { ...(note && { note }) } })}
      >
        <TextField label="What is done about it" name="note" rows={2} maxLength={2_000} hint="May be left empty." />
      </Form>
    </Dialog>
  );
}
