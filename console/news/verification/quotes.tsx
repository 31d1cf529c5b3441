import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { Time } from "../../parts/texts.tsx";

type Reference = Data<"GET /verification/cross-reference/content/{contentId}">["references"][number];
interface QuotesProps {
  title: string;
  tone: "good" | "bad" | "plain";
  references: readonly Reference[];
}

/** The sentences of other reports that a verdict rests on, with who says them and where. */
export const Quotes = ({ title, tone, references }: QuotesProps): ReactNode =>
  references.length > 0 && (
    <div className={`quotes ${tone}`}>
      <h3>{title}</h3>
      <ul>
        {references.map((reference) => (
          <li key={reference.articleId}>
            <Quote {...reference} />
          </li>
        ))}
      </ul>
    </div>
  );

function Quote(reference: Reference): ReactNode {
  const { evidence, sourceName, reliability, reliabilityMeaning, articleId, articleTitle, articleUrl } = reference;
  return (
    <>
      <blockquote dir="auto">“{evidence.text}”</blockquote>
      <p className="byline">
        <span title={reliabilityMeaning}>
          {sourceName} ({reliability}, {reliabilityMeaning})
        </span>
        {" · "}
        {articleTitle ? (
          <>
            <Link to={`/news/articles/${articleId}`}>{articleTitle}</Link>
            {articleUrl && (
              <>
                {" "}
                <a
                  href={articleUrl}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={`The original of ${articleTitle} (opens another site)`}
                >
                  ↗
                </a>
              </>
            )}
          </>
        ) : (
          "the article was removed since"
        )}
        {" · "}
        <Time at={reference.publishedAt} />
      </p>
      <p className="byline muted">
        {[
          ...reference.reasons,
          ...(reference.independent ? [] : ["not independent of this report, so that it does not count"]),
          ...(reference.method === "llm" ? ["read by the language model"] : []),
        ].join("; ")}
      </p>
    </>
  );
}
