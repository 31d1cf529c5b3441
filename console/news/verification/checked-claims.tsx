import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { Answer } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Empty, Page, Shown } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { VERDICT_TONES } from "./scales.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { useUndertaking } from "./undertaking.ts";
import "./verification.css";

type Review = Answer<"GET /verification/claim-reviews">["dataFeedElement"][number];
type Quotation = NonNullable<Review["citation"]>[number];
/** Verdicts have a day, and no hour. */
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const MOST_SHOWN = 50;
const SHOWN = ["contradicted", "disputed", "corroborated"] as const;
type ReviewVerdict = (typeof SHOWN)[number];

const verdictOf = ({ reviewRating }: Review): ReviewVerdict =>
  reviewRating.alternateName.toLowerCase() as ReviewVerdict;
const idOf = (review: Review): string => review["@id"].split("/").at(-2) ?? review["@id"];

/** Claims on which other sources gave a verdict, of all articles: what was contradicted is what a reader must know. */
export function CheckedClaims(): ReactNode {
  const [search] = useSearchParams();
  const wanted = SHOWN.find((one) => one === search.get("verdict"));
  const may = useMay("articles:verify");
  const query = { limit: MOST_SHOWN, ...(wanted && { verdict: wanted }) };
  const reviews = useAnswer("GET /verification/claim-reviews", [{ query }]);
  return (
    <Page
      title="Claims that were checked"
      intro={`What articles claim, and what independent sources say about it; the newest ${MOST_SHOWN} verdicts.`}
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
      {may && <Comparing />}
      <Shown of={reviews} what="Reading the verdicts">
        {({ dataFeedElement }) => <Reviews reviews={dataFeedElement} wanted={wanted} />}
      </Shown>
    </Page>
  );
}

const AT_A_TIME = 50;

/** Has the newest articles compared with each other: a verdict needs no one to open them first. */
function Comparing(): ReactNode {
  const { start, news } = useUndertaking("POST /verification/cross-reference/batch", {
    says: ({ processed, failed, more }) =>
      [
        processed ? `${many(processed, "article")} compared.` : "All articles were compared before.",
        failed > 0 && `${many(failed, "article")} could not be: open them to see why.`,
        more && "There are more: go on when you like.",
      ]
        .filter(Boolean)
        .join(" "),
    ends: "The newest articles are compared.",
  });
  if (news)
    return (
      <Progress
        label="Comparing the claims of articles"
        {...(news.total && { done: news.done ?? 0, total: news.total })}
      />
    );
  return (
    <p className="row">
      <button type="button" onClick={() => start({ query: { limit: AT_A_TIME } })}>
        Compare the newest articles
      </button>
      <small className="muted">Up to {AT_A_TIME} that were not compared with other reports yet.</small>
    </p>
  );
}

function Reviews({ reviews, wanted }: { reviews: readonly Review[]; wanted: ReviewVerdict | undefined }): ReactNode {
  if (!reviews.length)
    return wanted ? (
      <Empty>
        No claim is {wanted}. <Link to="/news/claims">To all verdicts</Link>
      </Empty>
    ) : (
      <Empty>
        No claim has a verdict yet. Verdicts come when several outlets report one event, and their claims are compared.{" "}
        <Link to="/news/articles">To the articles</Link>
      </Empty>
    );
  return (
    <ul className="list" aria-label="Claims">
      {reviews.map((review) => (
        <ReviewedClaim key={idOf(review)} review={review} />
      ))}
    </ul>
  );
}

/** The claim on one side, what others say of it on the other. */
function ReviewedClaim({ review }: { review: Review }): ReactNode {
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
        <h2>{title}</h2>
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
