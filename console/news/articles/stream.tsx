import { useRef, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Empty, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { many, Time } from "../../parts/texts.tsx";
import { TrustScale } from "../verification/trust.tsx";
import { ArticleRow } from "./article-row.tsx";
import { periodOf, trustOf, withFilters, type StreamFilters } from "./filters.ts";
import { useHeld } from "./held.ts";
import { ArticlesAround } from "./keys/neighbours.tsx";
import { ReadingKeys, useListKeys } from "./keys/reading-keys.tsx";

type Listed = ListRow<"GET /articles">;
interface StreamProps {
  filters: StreamFilters;
  /** When the page was opened: moving periods end there. */
  now: number;
  hasSources: boolean;
}

/** Articles as they came in, narrowed by the filters. */
export function Stream({ filters, now, hasSources }: StreamProps): ReactNode {
  const { domain, sourceId, storyId, sort } = filters;
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const query = {
    page,
    sort,
    ...(domain && { domain }),
    ...(sourceId && { sourceId }),
    ...(storyId && { storyId }),
    ...trustOf(filters),
    ...periodOf(filters, now),
  };
  const articles = useAnswer("GET /articles", [{ query }], { keepsShown: true });
  useLive({ topic: "articles" }, ["articles.arrived"], undefined, { ops: ["GET /articles"] });
  const { shown, fresh, show } = useHeld(
    JSON.stringify(query),
    { rows: articles.data?.data ?? [], total: articles.data?.meta.total ?? 0 },
    articles.data !== undefined && !articles.isPlaceholderData,
    page === 1,
  );
  const reports = foldCopies(shown);
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  // The button goes away with what it announced: the focus goes to the list.
  const showAll = (): void => {
    show();
    if (page > 1) setSearch(withFilters(search, {}));
    list.current?.focus();
  };
  return (
    <>
      {storyId && <OneStory rows={shown} />}
      <ActiveList />
      <div role="status" className="new-articles">
        {fresh > 0 && (
          <button type="button" className="primary" onClick={showAll}>
            Show {many(fresh, "new article")}
          </button>
        )}
      </div>
      <Shown of={articles} what="Reading the articles">
        {({ meta }) =>
          shown.length ? (
            <>
              <ArticlesAround value={reports.map(([{ id }]) => id)}>
                <ul ref={list} tabIndex={-1} className="list" aria-label="Articles">
                  {reports.map(([article, ...copies]) => (
                    <Report key={article.id} article={article} copies={copies} isAlone={isAlone(article, shown)} />
                  ))}
                </ul>
              </ArticlesAround>
              <TrustScale />
              <Pager meta={meta} />
              <ReadingKeys />
            </>
          ) : meta.total > 0 ? (
            <>
              <Empty>There is no page {page}.</Empty>
              <Pager meta={meta} />
            </>
          ) : (
            <Nothing hasSources={hasSources} />
          )
        }
      </Shown>
    </>
  );
}

/** While a list narrows the stream for everybody, it is named: somebody else may have activated it. */
function ActiveList(): ReactNode {
  const active = useAnswer("GET /sources/lists/active");
  if (!active.data?.data) return null;
  return (
    <p className="muted">
      Of the sources of the active list “<bdi>{active.data.data.name}</bdi>” alone;{" "}
      <Link to="/news/sources/lists">see the lists</Link>. The search goes through all sources.
    </p>
  );
}

/** Copies of one report stand under the first of them. */
function foldCopies(rows: readonly Listed[]): [Listed, ...Listed[]][] {
  const reports = new Map<string, [Listed, ...Listed[]]>();
  for (const row of rows) {
    const known = reports.get(row.reportId);
    if (known) known.push(row);
    else reports.set(row.reportId, [row]);
  }
  return [...reports.values()];
}

/** No other report of the same event is in sight. */
const isAlone = ({ storyId, reportId }: Listed, all: readonly Listed[]): boolean =>
  !all.some((one) => one.storyId === storyId && one.reportId !== reportId);

interface ReportProps {
  article: Listed;
  copies: readonly Listed[];
  isAlone: boolean;
}

function Report({ article, copies, isAlone: hasNoOther }: ReportProps): ReactNode {
  const [search] = useSearchParams();
  const { source, summary, storyId } = article;
  const isStory = search.has("story");
  return (
    <ArticleRow
      article={article}
      outlet={<Link to={`?${withFilters(search, { source: String(source.id) })}`}>{source.name}</Link>}
    >
      <p className="summary" dir="auto">
        {summary}
      </p>
      {copies.length > 0 && (
        <p className="muted">
          The same text at{" "}
          {copies.map(({ id, source: { name } }, at) => (
            <span key={id}>
              {at > 0 && ", "}
              <Link to={`/news/articles/${id}`}>{name}</Link>
            </span>
          ))}
        </p>
      )}
      {!hasNoOther && !isStory && (
        <p>
          <Link
            to={`?${new URLSearchParams({ story: storyId, sort: "publishedAt" })}`}
            aria-label={`Other reports of this event: ${article.title}`}
          >
            Other reports of this event
          </Link>
        </p>
      )}
    </ArticleRow>
  );
}

/** One event under several headlines. */
function OneStory({ rows }: { rows: readonly Listed[] }): ReactNode {
  const [search] = useSearchParams();
  const outlets = new Set(rows.map(({ source: { name } }) => name));
  const times = rows.map(({ publishedAt }) => publishedAt).toSorted();
  return (
    <p className="card">
      <span>
        Reports of one event, whatever their headlines: {many(foldCopies(rows).length, "report")} by{" "}
        {many(outlets.size, "outlet")}
        {times.length > 0 && (
          <>
            , the first <Time at={times[0]} />
          </>
        )}
        . <Link to={`?${withFilters(search, { story: "", sort: "" })}`}>Show all articles</Link>
      </span>
    </p>
  );
}

function Nothing({ hasSources }: { hasSources: boolean }): ReactNode {
  const [search] = useSearchParams();
  if (search.size)
    return (
      <Empty>
        No article fits these filters. <Link to="?">Show all articles</Link>
      </Empty>
    );
  return (
    <Empty>
      {hasSources
        ? "No article has come in yet. Sources are read every few minutes; a source list that is active shows only its own sources. "
        : "No article has come in, for no source is followed yet. "}
      <Link to="/news/sources">{hasSources ? "See how the sources are read" : "Follow a source"}</Link>
    </Empty>
  );
}
