import { useRef, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { Refusal, type Answer, type ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { many } from "../../parts/texts.tsx";
import { TrustScale } from "../verification/trust.tsx";
import { ArticleRow } from "./article-row.tsx";
import { ArticlesAround } from "./keys/neighbours.tsx";
import { ReadingKeys, useListKeys } from "./keys/reading-keys.tsx";
import { ORDERS, periodOf, queryWords, withFilters, type StreamFilters } from "./filters.ts";
import { snippetPieces } from "./snippet-pieces.ts";

type FoundMeta = Answer<"GET /search">["meta"];
type Hit = ListRow<"GET /search">;
const MOST_COUNTED = 10_000;
const MOST_NARROWINGS = 8;

interface FoundProps {
  filters: StreamFilters;
  now: number;
  /** Of the source that is chosen. */
  sourceName: string | undefined;
}

/** What a search found. */
export function Found({ filters, now, sourceName }: FoundProps): ReactNode {
  const query = {
    q: queryWords(filters.q, sourceName),
    page: usePage(),
    facets: true,
    sort: filters.order,
    ...(filters.domain && { domain: filters.domain }),
    ...periodOf(filters, now),
  };
  const found = useAnswer("GET /search", [{ query }], { keepsShown: true });
  const list = useRef<HTMLUListElement>(null);
  useListKeys(list);
  // What the words lack is said of the words, without the parameter that carries them.
  if (found.error instanceof Refusal && found.error.faults.length)
    return (
      <div className="failure" role="alert">
        {found.error.faults.map(({ message }) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    );
  return (
    <Shown of={found} what="Searching">
      {({ data, meta }) => (
        <>
          <div role="status">
            <p>
              {meta.total === 0 ? "Nothing was found." : `${many(meta.total, "article")} found`}
              {meta.total >= MOST_COUNTED && ", and perhaps more"}
              {/* While what was found before stands here yet, its order is not the one that is asked for. */}
              {meta.total > 0 &&
                !found.isPlaceholderData &&
                `, the ${ORDERS.find(([order]) => order === filters.order)![1]}.`}
              {meta.normalized !== filters.q && meta.normalized && (
                <>
                  {" "}
                  Read as <code>{meta.normalized}</code>.
                </>
              )}
            </p>
            {meta.warnings.map((warning) => (
              <p key={warning} className="muted">
                {warning}
              </p>
            ))}
          </div>
          {meta.total === 0 ? <Instead meta={meta} /> : <Narrower facets={meta.facets} filters={filters} />}
          {data.length > 0 && (
            <ArticlesAround value={data.map(({ id }) => id)}>
              <ul ref={list} className="list" aria-label="Articles found">
                {data.map((hit) => (
                  <HitRow key={hit.id} hit={hit} />
                ))}
              </ul>
            </ArticlesAround>
          )}
          {data.length > 0 && <TrustScale />}
          <Pager meta={{ ...meta, more: meta.total >= MOST_COUNTED }} />
          {data.length > 0 && <ReadingKeys />}
        </>
      )}
    </Shown>
  );
}

const HitRow = ({ hit }: { hit: Hit }): ReactNode => (
  <ArticleRow article={hit} outlet={hit.source}>
    <p className="summary" dir="auto">
      <Snippet>{hit.snippet}</Snippet>
    </p>
    {hit.copies && (
      <details>
        <summary>The same text in {many(hit.copyCount ?? hit.copies.length, "other place")}</summary>
        <ul>
          {hit.copies.map(({ id, source }) => (
            <li key={id}>
              <Link to={`/news/articles/${id}`}>{source}</Link>
            </li>
          ))}
        </ul>
      </details>
    )}
  </ArticleRow>
);

/** Text around the matches, with the matches marked. */
const Snippet = ({ children }: { children: string }): ReactNode =>
  snippetPieces(children).map(({ text, isMatch }, at) => {
    // Pieces of one text have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    return isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
  });

/** What to ask instead of a search that found nothing. */
function Instead({ meta: { suggestion, normalized } }: { meta: FoundMeta }): ReactNode {
  const [search] = useSearchParams();
  const all = <Link to="?">Show all articles</Link>;
  if (!suggestion)
    return (
      <p className="empty">
        Nothing near to it is known either. Try fewer or other words, or a word’s beginning with a star, as in{" "}
        <code>cyber*</code>. {all}
      </p>
    );
  // The same words again: what found nothing were the bounds beside them.
  const bounds: Record<string, string> = suggestion.q === normalized ? { domain: "", when: "", from: "", to: "" } : {};
  return (
    <p className="empty">
      {suggestion.reason}{" "}
      <Link to={`?${withFilters(search, { ...bounds, source: "", q: suggestion.q })}`}>
        Search for {suggestion.q} ({many(suggestion.total, "article")})
      </Link>{" "}
      · {all}
    </p>
  );
}

interface NarrowerProps {
  facets: FoundMeta["facets"];
  filters: StreamFilters;
}

/** How what was found is spread, each share a way to narrow the search. */
function Narrower({ facets, filters: { domain, q } }: NarrowerProps): ReactNode {
  const [search] = useSearchParams();
  if (!facets) return null;
  const to = (changes: Record<string, string>): string => `?${withFilters(search, changes)}`;
  const groups = [
    ["About", facets.domain, (name: string) => to({ domain: name }), Boolean(domain)],
    ["Source", facets.source, (name: string) => to({ q: queryWords(q, name), source: "" }), false],
  ] as const;
  return (
    <nav aria-label="Narrow the search" className="narrower">
      {groups.map(([title, counts, address, isDone]) => {
        const entries = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
        if (isDone || entries.length < 2) return null;
        return (
          <p key={title}>
            <span className="muted">{title}: </span>
            {entries.slice(0, MOST_NARROWINGS).map(([name, count]) => (
              <Link key={name} to={address(name)}>
                {name} <span className="muted">{count}</span>
              </Link>
            ))}
          </p>
        );
      })}
    </nav>
  );
}
