import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Answer } from "../../api/client.ts";
import { Badge, many } from "../../parts/texts.tsx";
import { VERDICT_TONES } from "./scales.ts";
import "./verification.css";

export type Review = Answer<"GET /verification/claim-reviews">["dataFeedElement"][number];
type Quotation = NonNullable<Review["citation"]>[number];
export const VERDICTS = ["contradicted", "disputed", "corroborated"] as const;
export type ReviewVerdict = (typeof VERDICTS)[number];
/** Verdicts have a day, and no hour. */
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

const verdictOf = ({ reviewRating }: Review): ReviewVerdict =>
  reviewRating.alternateName.toLowerCase() as ReviewVerdict;
export const idOf = (review: Review): string => review["@id"].split("/").at(-2) ?? review["@id"];

/** The claim on one side, what others say of it on the other. */
export function ReviewedClaim({ review }: { review: Review }): ReactNode {
  const { claimReviewed, itemReviewed, datePublished, citation = [] } = review;
  const verdict = verdictOf(review);
  const { headline, url, identifier } = itemReviewed.appearance;
  const of = (keywords: Quotation["keywords"]): Quotation[] => citation.filter((one) => one.keywords === keywords);
  return (
    <li className="reviewed">
      <div>
        <p className="claim-text" dir="auto">
          “{claimReviewed}”
        </p>
        <p className="row">
          <Badge tone={VERDICT_TONES[verdict]}>{verdict}</Badge>
          <span className="muted">
            <time dateTime={datePublished}>{DAY.format(new Date(datePublished))}</time>
          </span>
        </p>
        <p className="byline">
          {itemReviewed.author.name}: <Link to={`/news/articles/${identifier}#claim-${idOf(review)}`}>{headline}</Link>{" "}
          <Original title={headline} url={url} />
        </p>
      </div>
      <div>
        <Said title="Contradicted by" tone="bad" quotations={of("contradicts")} />
        <Said title="Corroborated by" tone="good" quotations={of("supports")} />
        {!citation.length && <p className="muted">The articles that this rests on were removed since.</p>}
      </div>
    </li>
  );
}

interface SaidProps {
  title: string;
  tone: "good" | "bad";
  quotations: readonly Quotation[];
}
const AT_ONCE = 2;

/** The first sentences of others at once, and the rest on demand. */
function Said({ title, tone, quotations }: SaidProps): ReactNode {
  const rest = quotations.slice(AT_ONCE);
  return (
    quotations.length > 0 && (
      <div className={`quotes ${tone}`}>
        <p className="stance">{title}</p>
        <Sentences quotations={quotations.slice(0, AT_ONCE)} />
        {rest.length > 0 && (
          <details>
            <summary>{many(rest.length, "more report")}</summary>
            <Sentences quotations={rest} />
          </details>
        )}
      </div>
    )
  );
}

const Sentences = ({ quotations }: { quotations: readonly Quotation[] }): ReactNode => (
  <ul>
    {quotations.map(({ text, isPartOf: { identifier, headline, publisher, url } }) => (
      <li key={identifier}>
        <blockquote dir="auto">“{text}”</blockquote>
        <p className="byline">
          {publisher.name}: <Link to={`/news/articles/${identifier}`}>{headline}</Link>{" "}
          <Original title={headline} url={url} />
        </p>
      </li>
    ))}
  </ul>
);

const Original = ({ title, url }: { title: string; url: string }): ReactNode => (
  <a href={url} target="_blank" rel="noopener noreferrer" aria-label={`The original of ${title} (opens another site)`}>
    ↗
  </a>
);
