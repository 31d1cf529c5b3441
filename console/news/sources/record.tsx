import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";

type Fetch = Data<"GET /sources/{id}/fetches">[number];

const TONES = { fetched: "good", unchanged: "plain", failed: "bad" } as const;

/** What one reading brought, in words. */
function came({ outcome, created, updated, error }: Fetch): string {
  if (outcome === "failed") return error ?? "It failed.";
  if (outcome === "unchanged") return "Nothing was new.";
  const parts = [created && many(created, "new article"), updated && many(updated, "changed article")];
  return parts.filter(Boolean).join(", ") || "Nothing was new.";
}

const COLUMNS: readonly Column<Fetch>[] = [
  {
    head: "When",
    cell: ({ at, manual }) => (
      <>
        <Time at={at} />
        {manual && <small className="muted"> (asked for)</small>}
      </>
    ),
  },
  { head: "How", cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{outcome}</Badge> },
  {
    head: "What came",
    cell: (fetch) => (
      <>
        {came(fetch)}
        {fetch.notes.map((note) => (
          <small key={note} className="muted source-note">
            {note}
          </small>
        ))}
      </>
    ),
  },
  { head: "Took", cell: ({ milliseconds }) => `${(milliseconds / 1_000).toFixed(1)} s`, isFigure: true },
];

/** The last readings of a source. */
export function Fetches({ id }: { id: number }): ReactNode {
  const fetches = useAnswer("GET /sources/{id}/fetches", [{ path: { id } }]);
  return (
    <Section title="When it was read">
      <Shown of={fetches}>
        {({ data }) => (
          <Table
            label="Readings, newest first"
            rows={data}
            keyOf={({ at }) => at}
            columns={COLUMNS}
            empty="It was not read yet. A new source is read within a minute."
          />
        )}
      </Shown>
    </Section>
  );
}

export function Figures({ id }: { id: number }): ReactNode {
  const stats = useAnswer("GET /sources/{id}/stats", [{ path: { id } }]);
  return (
    <Section title="What came of it">
      <Shown of={stats}>
        {({ data: { articleCount, lastWeekArticles, verifiedCount, avgConfidence, fetchErrors } }) => (
          <dl className="source-figures">
            <dt>Articles</dt>
            <dd>{articleCount.toLocaleString("en")}</dd>
            <dt>In the last week</dt>
            <dd>{lastWeekArticles.toLocaleString("en")}</dd>
            <dt>Verified</dt>
            <dd>{verifiedCount.toLocaleString("en")}</dd>
            <dt>Confidence on average</dt>
            <dd>{articleCount ? `${Math.round(avgConfidence * 100)} %` : "none yet"}</dd>
            <dt>Failed readings</dt>
            <dd>{fetchErrors.toLocaleString("en")}</dd>
          </dl>
        )}
      </Shown>
    </Section>
  );
}

const sentence = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}.`;

/** Its record: how often others confirmed what it said. */
export function Reliability({ id }: { id: number }): ReactNode {
  const reliability = useAnswer("GET /verification/sources/{sourceId}/reliability", [{ path: { sourceId: id } }]);
  return (
    <Section title="How far it can be relied on">
      <Shown of={reliability}>
        {({ data: { rating, meaning, corroborated, contradicted, reasons } }) => (
          <>
            <p>
              {rating === "F" ? <Badge>not rated yet</Badge> : <strong>{rating} of A to E.</strong>} {sentence(meaning)}
            </p>
            {corroborated + contradicted > 0 && (
              <p>
                Of its claims others confirmed{" "}
                <Link to={`/news/claims?source=${id}&verdict=corroborated`}>{corroborated}</Link> and contradicted{" "}
                <Link to={`/news/claims?source=${id}&verdict=contradicted`}>{contradicted}</Link>.
              </p>
            )}
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{sentence(reason)}</li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Section>
  );
}
