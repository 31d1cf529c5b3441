import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, TextField } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { PageOfSet } from "../area.tsx";
import { useMayIn } from "../../app/sets.ts";
import { entityAddress } from "../vocabulary.ts";
import { byDay } from "./days.ts";

type KnownEvent = ListRow<"GET /graph/osint/events">;

/** What happened, the newest first. */
export const Events = (): ReactNode => (
  <PageOfSet
    title="Events"
    intro="What happened, as the news tells it or as you wrote it down, the newest first."
    acts={Record}
  >
    {({ id }) => <Timeline setId={id} />}
  </PageOfSet>
);

function Timeline({ setId }: { setId: string }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const [from, to] = [search.get("from"), search.get("to")];
  useLive({ problemSetId: setId }, ["graph.changed"]);
  const query = {
    ...{ problemSetId: setId, page, limit: 50 },
    ...(from && { from: `${from}T00:00:00.000Z` }),
    ...(to && { to: `${to}T23:59:59.999Z` }),
  };
  const events = useAnswer("GET /graph/osint/events", [{ query }], { keepsShown: true });
  return (
    <>
      <Form
        act="Show"
        isInline
        label="Filter events"
        onSubmit={(fields) => setSearch({ ...(search.get("set") && { set: setId }), ...fields })}
      >
        <Field label="From" name="from" type="date" defaultValue={from ?? ""} />
        <Field label="To" name="to" type="date" defaultValue={to ?? ""} />
      </Form>
      <Shown of={events}>
        {({ data, meta }) => (
          <>
            {!data.length && (
              <Empty>
                {from || to ? "Nothing happened then, as far as is known." : "No event is known yet."}{" "}
                <Link to={`/knowledge/feed?set=${setId}`}>Read stories of the news in</Link>, or write one down.
              </Empty>
            )}
            {byDay(data).map(([day, all]) => (
              <Section key={day} title={day}>
                <ol className="timeline">
                  {all.map((event) => (
                    <Happened key={event.id} event={event} />
                  ))}
                </ol>
              </Section>
            ))}
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}

const ORIGINS: Readonly<Record<KnownEvent["origin"], string>> = {
  story: "from the news",
  source: "from an open source",
  manual: "written down",
};

function Happened({ event }: { event: KnownEvent }): ReactNode {
  const { title, description, occurredAt, place, storyId, credibility, entityId, origin, createdByName } = event;
  const articles = storyId ? `/news/articles?story=${storyId}` : undefined;
  return (
    <li>
      <h3>
        <Link to={entityAddress(entityId)}>{title}</Link>
      </h3>
      {description && <p>{description}</p>}
      <small className="muted">
        <Time at={occurredAt} />
        {place && `, ${place}`}; {articles ? <Link to={articles}>{ORIGINS[origin]}</Link> : ORIGINS[origin]}
        {origin === "manual" && createdByName && ` by ${createdByName}`}
        {credibility !== undefined && `; credibility ${credibility} of 6 (1 is confirmed)`}
        {event.articleIds.length > 0 && `; ${many(event.articleIds.length, "article")}`}
      </small>
    </li>
  );
}

function Record({ setId }: { setId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const may = useMayIn(setId)("events:record");
  if (!may) return null;
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        Write an event down
      </button>
      {isOpen && <RecordDialog setId={setId} onClose={() => setOpen(false)} />}
    </>
  );
}

function RecordDialog({ setId, onClose }: { setId: string; onClose(): void }): ReactNode {
  const record = useAct("POST /graph/osint/events", {
    tellsRefusal: false,
    says: ({ data }) => `“${data.title}” is written down; what it names joins the graph in a moment.`,
    then: onClose,
  });
  return (
    <Dialog title="Write an event down" onClose={onClose}>
      <Form
        act="Write down"
        onSubmit={({ title, description, place, when }) =>
          record.mutateAsync({
            body: {
              problemSetId: setId,
              ...(title && { title }),
              ...(description && { description }),
              ...(place && { place }),
              ...(when && { occurredAt: new Date(when).toISOString() }),
            },
          })
        }
      >
        <Field label="What happened" name="title" hint="One sentence." required />
        <TextField
          label="More about it"
          name="description"
          hint="Names in it become part of the graph, with these words as their source."
        />
        <Field label="When" name="when" type="datetime-local" hint="Left empty: now." />
        <Field label="Where" name="place" />
      </Form>
    </Dialog>
  );
}
