import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Empty, Page, Section, Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { Making } from "./making.tsx";
import { OrderDialog } from "./order.tsx";
import "./briefings.css";
import { Tabs } from "../../parts/tabs.tsx";

type Briefing = ListRow<"GET /briefings">;

const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const spanOf = ({ period: { from, to } }: Briefing): string => dates.formatRange(new Date(from), new Date(to));

const COLUMNS: readonly Column<Briefing>[] = [
  { head: "Briefing", cell: ({ id, title }) => <Link to={`/news/briefings/${id}`}>{title}</Link> },
  { head: "Made", cell: ({ generatedAt }) => <Time at={generatedAt} /> },
  { head: "Of", cell: spanOf },
  {
    head: "Read for it",
    cell: ({ stats }) => `${many(stats.articles, "article")} of ${many(stats.sources, "source")}`,
  },
];
const FAILED: readonly Column<Briefing>[] = [
  { head: "Briefing", cell: ({ id }) => <Link to={`/news/briefings/${id}`}>{`Briefing ${id}: see why`}</Link> },
  { head: "Of", cell: spanOf },
];

/** What was told so far, what is being made, and a way to order more. */
export function Briefings(): ReactNode {
  const [isOrdering, setOrdering] = useState(false);
  const [mayMake, mayAdminister] = [useMay("briefings:make"), useMay("platform:administer")];
  const [search] = useSearchParams();
  const isFailed = search.get("status") === "failed";
  useLive({ topic: "briefings" }, ["briefing.completed", "briefing.failed"]);
  const page = usePage();
  const query = { page, ...(isFailed && { status: "failed" as const }) };
  const briefings = useAnswer("GET /briefings", [{ query }], { keepsShown: true });
  return (
    <Page
      title="Briefings"
      intro="What happened, in short: every statement with the articles that it is taken from."
      acts={
        <>
          {mayAdminister && (
            <Link className="button" to="/news/webhooks">
              Webhook
            </Link>
          )}
          {mayMake && (
            <button type="button" className="primary" onClick={() => setOrdering(true)}>
              Make a briefing
            </button>
          )}
        </>
      }
    >
      <InTheMaking />
      <Tabs
        label="Which briefings"
        of={[
          { to: "?", words: "Made", isHere: !isFailed },
          { to: "?status=failed", words: "Failed", isHere: isFailed },
        ]}
      />
      <Shown of={briefings}>
        {({ data, meta }) => (
          <>
            <Table
              label={isFailed ? "Failed briefings" : "Briefings"}
              rows={data}
              keyOf={({ id }) => id}
              columns={isFailed ? FAILED : COLUMNS}
              empty={isFailed ? "None failed." : <NoneYet mayMake={mayMake} />}
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isOrdering && <OrderDialog onClose={() => setOrdering(false)} />}
    </Page>
  );
}

const NoneYet = ({ mayMake }: { mayMake: boolean }): ReactNode =>
  mayMake
    ? "No briefing was made yet. Make one of what came in during the last days: it takes some seconds."
    : "No briefing was made yet. Analysts make them, and here they can then be read.";

/** Briefings under way; nothing where there are none. */
function InTheMaking(): ReactNode {
  const { data } = useAnswer("GET /briefings", [{ query: { status: "generating" } }]);
  if (!data?.data.length) return null;
  return (
    <Section title="In the making">
      <ul className="list">
        {data.data.map((briefing) => (
          <li key={briefing.id}>
            <Link to={`/news/briefings/${briefing.id}`}>Briefing of {spanOf(briefing)}</Link>
            <Making {...briefing} />
          </li>
        ))}
      </ul>
      <Empty>You may leave this page: the work goes on.</Empty>
    </Section>
  );
}
