import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Page } from "../../parts/page.tsx";
import { filtersOf } from "./filters.ts";
import { FilterForm } from "./filter-form.tsx";
import { Found } from "./found.tsx";
import { Stream } from "./stream.tsx";
import "./articles.css";

/** The stream of articles, and the search in it: words make it a search. */
export function Articles(): ReactNode {
  const [search] = useSearchParams();
  const filters = filtersOf(search);
  const [now] = useState(() => Date.now());
  const sources = useAnswer("GET /sources", [{ query: { limit: 100, sort: "name" } }]);
  const listed = sources.data?.data ?? [];
  const isListed = listed.some(({ id }) => id === filters.sourceId);
  const other = useAnswer("GET /sources/{id}", [{ path: { id: filters.sourceId ?? 0 } }], {
    enabled: filters.sourceId !== undefined && sources.data !== undefined && !isListed,
  });
  const known = other.data && !isListed ? [other.data.data, ...listed] : listed;
  const source = known.find(({ id }) => id === filters.sourceId);
  const isSearch = filters.q !== "";
  const isNamed = filters.sourceId === undefined || source !== undefined || sources.isError || other.isError;
  return (
    <Page
      title={isSearch ? `Search: ${filters.q}` : "Articles"}
      intro="Everything your sources published, with how far each report can be trusted."
      acts={<Link to="/news/claims">Claims that were checked</Link>}
    >
      <FilterForm filters={filters} sources={known} />
      {!isSearch && <Stream filters={filters} now={now} hasSources={sources.data ? listed.length > 0 : true} />}
      {isSearch && isNamed && <Found filters={filters} now={now} sourceName={source?.name} />}
    </Page>
  );
}
