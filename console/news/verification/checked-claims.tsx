import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { Answer } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Empty, Page, Shown } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";
import { VERDICT_TONES } from "./scales.ts";
import "./verification.css";
import { Tabs } from "../../parts/tabs.tsx";

type Review = Answer<"GET /verification/claim-reviews">["dataFeedElement"][number];
/** Verdicts have a day, and no hour. */
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const MOST_SHOWN = 100;
const SHOWN = ["contradicted", "disputed", "corroborated"] as const;
type ReviewVerdict = (typeof SHOWN)[number];

const verdictOf = ({ reviewRating }: Review): ReviewVerdict =>
  reviewRating.alternateName.toLowerCase() as ReviewVerdict;
const idOf = (review: Review): string => review["@id"].split("/").at(-2) ?? review["@id"];

/** Claims on which other sources gave a verdict, of all articles: what was contradicted is what a reader must know. */
export function CheckedClaims(): ReactNode {
  const [search] = useSearchParams();
  const wanted = SHOWN.find((one) => one === search.get("verdict"));
  const reviews = useAnswer("GET /verification/claim-reviews", [{ query: { limit: MOST_SHOWN } }]);
  return (
    <Page
      title="Claims that were checked"
      intro="What articles claim, and what independent sources say about it; the newest verdicts first."
      acts={<Link to="/news/articles">Articles</Link>}
    >
      <Tabs
        label="Verdicts"
        of={[
          { to: "/news/claims", words: "All", isHere: !wanted },
          ...SHOWN.map((verdict) => ({
            to: `/news/claims?verdict=${verdict}`,
            words: verdict.charAt(0).toUpperCase() + verdict.slice(1),
            isHere: verdict === wanted,
          })),
        ]}
      />
      <Shown of={reviews} what="Reading the verdicts">
        {({ dataFeedElement }) => <Reviews reviews={dataFeedElement} wanted={wanted} />}
      </Shown>
    </Page>
  );
}

function Reviews({ reviews, wanted }: { reviews: readonly Review[]; wanted: ReviewVerdict | undefined }): ReactNode {
  const shown = wanted ? reviews.filter((review) => verdictOf(review) === wanted) : reviews;
  if (!reviews.length)
    return (
      <Empty>
        No claim has a verdict yet. Open an article and check it: its claims are then compared with other reports.{" "}
        <Link to="/news/articles">To the articles</Link>
      </Empty>
    );
  if (!shown.length) return <Empty>None of the newest {reviews.length} verdicts is of this kind.</Empty>;
  return (
    <ul className="list" aria-label="Claims">
      {shown.map((review) => (
        <ReviewedClaim key={idOf(review)} review={review} />
      ))}
    </ul>
  );
}

function ReviewedClaim({ review }: { review: Review }): ReactNode {
  const { claimReviewed, itemReviewed, reviewRating, datePublished } = review;
  const verdict = verdictOf(review);
  const { headline, url, identifier } = itemReviewed.appearance;
  return (
    <li>
      <p className="claim-text">“{claimReviewed}”</p>
      <p className="row">
        <Badge tone={VERDICT_TONES[verdict]}>{verdict}</Badge>
        <span>{reviewRating.ratingExplanation}</span>
        <span className="muted">
          <time dateTime={datePublished}>{DAY.format(new Date(datePublished))}</time>
        </span>
      </p>
      <p className="byline">
        {itemReviewed.author.name}: <Link to={`/news/articles/${identifier}#claim-${idOf(review)}`}>{headline}</Link>{" "}
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={`The original of ${headline} (opens another site)`}
        >
          ↗
        </a>
      </p>
    </li>
  );
}
