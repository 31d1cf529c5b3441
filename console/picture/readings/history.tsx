import { useState, type ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import type { Data, ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { BarrierOf } from "../../app/compartments.tsx";
import { Empty, Page, PageOf, Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { placeQuery, usePlace } from "../place.tsx";
import { sparkOf, valueInWords } from "./spark.ts";

type WholeResource = Data<"GET /resources/{id}">;
type SeriesInterval = ListRow<"GET /resources/{id}/telemetry/{key}/aggregates">;
type SingleReading = ListRow<"GET /resources/{id}/telemetry/{key}">;

const HOUR_S = 3_600;
/** How far one looks back, and in how long parts it is summed up. */
const SPANS: Readonly<Record<string, { words: string; seconds: number; interval: number }>> = {
  hour: { words: "Last hour", seconds: HOUR_S, interval: 300 },
  day: { words: "Last day", seconds: 24 * HOUR_S, interval: HOUR_S },
  week: { words: "Last week", seconds: 168 * HOUR_S, interval: 6 * HOUR_S },
  month: { words: "Last 30 days", seconds: 720 * HOUR_S, interval: 24 * HOUR_S },
};
const LOOK_MS = 15_000;
const [WIDTH, HEIGHT] = [800, 160];
const ROWS = 50;

/** What a resource measured over time. */
export function SeriesHistory(): ReactNode {
  const { id = "", key = "" } = useParams();
  const resource = useAnswer("GET /resources/{id}", [{ path: { id } }]);
  return (
    <PageOf of={resource} title="Readings" back={<Link to="/picture/resources">All resources</Link>}>
      {({ data }) => <HistoryOf resource={data} name={key} />}
    </PageOf>
  );
}

function HistoryOf({ resource, name }: { resource: WholeResource; name: string }): ReactNode {
  const { id, name: title, problemSetId, series } = resource;
  const { place } = usePlace(problemSetId);
  const [search] = useSearchParams();
  const chosen = search.get("span") ?? "day";
  const span = SPANS[chosen] ?? SPANS["day"]!;
  // It begins where it did when the page was opened: a moving address would be another question each time.
  const [opened] = useState(() => Date.now());
  const from = new Date(opened - span.seconds * 1_000).toISOString();
  const declared = series.find(({ key }) => key === name);
  const asked = { resourceId: id, name, from, ...(declared?.unit && { unit: declared.unit }) };
  return (
    <Page title={`${name} of ${title}`}>
      <p>
        <Link to={`/picture/resources/${id}${placeQuery(place)}`}>{title}</Link> <BarrierOf {...resource} />
      </p>
      <Tabs
        label="How far back"
        of={Object.entries(SPANS).map(([key, { words }]) => ({
          to: { search: `${placeQuery(place)}&span=${key}` },
          words,
          isHere: SPANS[key] === span,
        }))}
      />
      {(declared?.type ?? "number") === "number" && (
        <>
          <Course {...asked} />
          <Intervals {...asked} interval={span.interval} />
        </>
      )}
      <Singles {...asked} />
    </Page>
  );
}

interface Asked {
  resourceId: string;
  name: string;
  from: string;
  unit?: string;
}

function Course({ resourceId, name, from, unit }: Asked): ReactNode {
  const drawn = useAnswer(
    "GET /resources/{id}/telemetry/{key}/points",
    [{ path: { id: resourceId, key: name }, query: { from, points: 400 } }],
    { every: LOOK_MS },
  );
  return (
    <Section title="How it went">
      <Shown of={drawn}>
        {({ data: { segments, count } }) => {
          const spark = sparkOf(segments, WIDTH, HEIGHT);
          if (!spark) return <Empty>Nothing was measured in this time.</Empty>;
          const say = (value: number): string => valueInWords(value, unit);
          return (
            <figure className="spark series-course">
              <svg viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`} preserveAspectRatio="none" aria-hidden="true">
                <path d={spark.path} vectorEffect="non-scaling-stroke" />
              </svg>
              <figcaption className="muted">
                {many(count, "reading")}, from {say(spark.first)} to {say(spark.last)}, lowest {say(spark.lowest)},
                highest {say(spark.highest)}
                {segments.length > 1 && `, ${many(segments.length - 1, "gap")}`}
              </figcaption>
            </figure>
          );
        }}
      </Shown>
    </Section>
  );
}

function Intervals({ resourceId, name, from, unit, interval }: Asked & { interval: number }): ReactNode {
  const sums = useAnswer(
    "GET /resources/{id}/telemetry/{key}/aggregates",
    [{ path: { id: resourceId, key: name }, query: { from, intervalSeconds: interval, weighted: true } }],
    { every: LOOK_MS },
  );
  return (
    <Section title="Summed up">
      <Shown of={sums}>
        {({ data }) => (
          <Table
            label="Summed up"
            rows={data.toReversed()}
            keyOf={({ from: begins }) => begins}
            columns={intervalColumns(unit)}
            empty="Nothing was measured in this time."
          />
        )}
      </Shown>
    </Section>
  );
}

const intervalColumns = (unit: string | undefined): readonly Column<SeriesInterval>[] => [
  { head: "From", cell: ({ from }) => <Time at={from} /> },
  { head: "Readings", isFigure: true, cell: ({ count }) => count.toLocaleString("en") },
  { head: "On average", isFigure: true, cell: ({ avg }) => valueInWords(avg, unit) },
  { head: "Lowest", isFigure: true, cell: ({ min }) => valueInWords(min, unit) },
  { head: "Highest", isFigure: true, cell: ({ max }) => valueInWords(max, unit) },
  { head: "Last", isFigure: true, cell: ({ last }) => valueInWords(last, unit) },
];

function Singles({ resourceId, name, from, unit }: Asked): ReactNode {
  const [search] = useSearchParams();
  const cursor = search.get("cursor");
  const query = { from, limit: ROWS, ...(cursor && { cursor }) };
  const readings = useAnswer("GET /resources/{id}/telemetry/{key}", [{ path: { id: resourceId, key: name }, query }], {
    keepsShown: true,
    every: cursor ? false : LOOK_MS,
  });
  const to = (next?: string): string => {
    const changed = new URLSearchParams(search);
    changed.delete("cursor");
    if (next) changed.set("cursor", next);
    return `?${changed}`;
  };
  return (
    <Section title="Single readings">
      <Shown of={readings}>
        {({ data, meta }) => (
          <>
            <Table
              label="Single readings"
              rows={data}
              keyOf={({ at }) => at}
              columns={singleColumns(unit)}
              empty="Nothing was measured in this time."
            />
            <nav className="row" aria-label="Pages">
              {cursor && <Link to={to()}>To the newest</Link>}
              {meta.next && <Link to={to(meta.next)}>Older</Link>}
            </nav>
          </>
        )}
      </Shown>
    </Section>
  );
}

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const singleColumns = (unit: string | undefined): readonly Column<SingleReading>[] => [
  { head: "When", cell: ({ at }) => <time dateTime={at}>{exact.format(new Date(at))}</time> },
  { head: "Value", isFigure: true, cell: ({ value }) => valueInWords(value, unit) },
];
