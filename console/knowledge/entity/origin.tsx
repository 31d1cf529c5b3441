import type { ReactNode } from "react";
import { Link } from "react-router";
import { Time } from "../../parts/texts.tsx";
import type { StatementSeen } from "../vocabulary.ts";

type StatementOrigin = StatementSeen["origin"];

/** Titles of documents by their ids. */
export type Titles = (documentId: string) => string;

/** The words that a statement comes from, or whoever said so, with the way there. */
export function Origin({
  origin,
  setId,
  titles,
}: {
  origin: StatementOrigin;
  setId: string;
  titles: Titles;
}): ReactNode {
  if (origin.kind === "document") {
    const { documentId, page, version, quote, prefix, suffix } = origin.citation;
    return (
      <blockquote>
        <span>…{prefix}</span>
        <mark>{quote}</mark>
        <span>{suffix}…</span>
        <cite>
          <Link to={`/workspace/${setId}/documents/${documentId}?version=${version}&page=${page}`}>
            {titles(documentId)}
          </Link>
          , page {page}
          {version > 1 && `, version ${version}`}
        </cite>
      </blockquote>
    );
  }
  if (origin.kind === "article")
    return (
      <blockquote>
        <mark>{origin.quote}</mark>
        <cite>
          <Link to={`/news/articles/${origin.articleId}`}>{origin.title}</Link>, {origin.source},{" "}
          <Time at={origin.publishedAt} />
        </cite>
      </blockquote>
    );
  if (origin.kind === "event")
    return (
      <blockquote>
        <mark>{origin.quote}</mark>
        <cite>
          an event written down in <Link to={`/knowledge/events?set=${setId}`}>Events</Link>
        </cite>
      </blockquote>
    );
  if (origin.kind === "person")
    return (
      <blockquote>
        {origin.note ?? "No note was left."}
        <cite>said by {origin.userName ?? origin.userId}</cite>
      </blockquote>
    );
  return (
    <blockquote>
      Brought in from elsewhere (STIX), as <code>{origin.object}</code>
    </blockquote>
  );
}
