import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer, useLinked } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Empty, Page, Shown } from "../../parts/page.tsx";
import { many, Progress } from "../../parts/texts.tsx";
import { idOf, ReviewedClaim, VERDICTS, type Review, type ReviewVerdict } from "./reviewed-claim.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useUndertaking } from "./undertaking.ts";

const A_PAGE = 25;

/** Address of these claims. */
function claimsAt(source: number | undefined, verdict?: ReviewVerdict): string {
  const query = new URLSearchParams({ ...(source && { source: String(source) }), ...(verdict && { verdict }) });
  return query.size ? `/news/claims?${query}` : "/news/claims";
}

/** Claims on which other sources gave a verdict, of all articles: what was contradicted is what a reader must know. */
export function CheckedClaims(): ReactNode {
  const [search] = useSearchParams();
  const wanted = VERDICTS.find((one) => one === search.get("verdict"));
  const may = useMay("articles:verify");
  const sourceId = Number(search.get("source")) || undefined;
  const source = useAnswer("GET /sources/{id}", [{ path: { id: sourceId ?? 0 } }], { enabled: Boolean(sourceId) });
  const cursor = search.get("cursor") ?? undefined;
  const query = { limit: A_PAGE, ...(wanted && { verdict: wanted }), ...(sourceId && { sourceId }) };
  const reviews = useLinked("GET /verification/claim-reviews", { query: { ...query, ...(cursor && { cursor }) } });
  return (
    <Page
      title="Claims that were checked"
      intro="What articles claim, and what independent sources say about it, the newest verdicts first."
      acts={<Link to="/news/articles">Articles</Link>}
    >
      {source.data && (
        <p>
          Only those of <Link to={`/news/sources/${sourceId}`}>{source.data.data.name}</Link>.{" "}
          <Link to={claimsAt(undefined, wanted)}>Those of all sources</Link>
        </p>
      )}
      <Tabs
        label="Verdicts"
        of={[
          { to: claimsAt(sourceId), words: "All", isHere: !wanted },
          ...VERDICTS.map((verdict) => ({
            to: claimsAt(sourceId, verdict),
            words: verdict.charAt(0).toUpperCase() + verdict.slice(1),
            isHere: verdict === wanted,
          })),
        ]}
      />
      {may && !sourceId && <Comparing />}
      <Shown of={reviews} what="Reading the verdicts">
        {({ answer: { dataFeedElement }, next }) => (
          <>
            <Reviews reviews={dataFeedElement} isLater={cursor !== undefined} wanted={wanted} sourceId={sourceId} />
            <Paging newest={claimsAt(sourceId, wanted)} isLater={cursor !== undefined} next={next} />
          </>
        )}
      </Shown>
    </Page>
  );
}

interface PagingProps {
  /** Where the newest of these claims are. */
  newest: string;
  isLater: boolean;
  next: string | null;
}

/** From page to page: the address keeps which claims they are, and where in them the page begins. */
function Paging({ newest, isLater, next }: PagingProps): ReactNode {
  const { pathname, search } = new URL(newest, location.origin);
  const older = new URLSearchParams(search);
  if (next) older.set("cursor", next);
  if (!next && !isLater) return null;
  return (
    <nav className="row" aria-label="Pages">
      {isLater && <Link to={newest}>The newest</Link>}
      {next ? (
        <Link to={`${pathname}?${older}`}>Older ones</Link>
      ) : (
        <span className="muted">There are no older ones.</span>
      )}
    </nav>
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

interface ReviewsProps {
  reviews: readonly Review[];
  /** Not the newest. */
  isLater: boolean;
  wanted: ReviewVerdict | undefined;
  sourceId: number | undefined;
}

function Reviews({ reviews, isLater, wanted, sourceId }: ReviewsProps): ReactNode {
  // Articles that were removed take their claims with them, also in the midst of the list.
  if (!reviews.length && isLater) return <Empty>Nothing is left of the claims that stood here.</Empty>;
  if (!reviews.length)
    return wanted || sourceId ? (
      <Empty>
        No claim {sourceId ? "of this source " : ""}
        {wanted ? `is ${wanted}` : "has a verdict yet"}. <Link to="/news/claims">To all verdicts</Link>
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
