import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Section } from "../../parts/page.tsx";
import { idOf, ReviewedClaim, type Review } from "../verification/reviewed-claim.tsx";

const SHOWN = 3;

/** Where sources contradict each other: a reader should know both sides before passing on one. */
export function Disagreements(): ReactNode {
  // Two who contradict each other have a verdict each.
  const query = { verdict: "contradicted" as const, limit: 2 * SHOWN };
  const reviews = useAnswer("GET /verification/claim-reviews", [{ query }]);
  const shown = onceEach(reviews.data?.dataFeedElement ?? []).slice(0, SHOWN);
  return (
    shown.length > 0 && (
      <Section title="Where sources disagree" acts={<Link to="/news/claims?verdict=contradicted">All of them</Link>}>
        <ul className="list" aria-label="Where sources disagree">
          {shown.map((review) => (
            <ReviewedClaim key={idOf(review)} review={review} />
          ))}
        </ul>
      </Section>
    )
  );
}

/** Without those that stand there already as what speaks against another. */
function onceEach(reviews: readonly Review[]): Review[] {
  const said = new Set<string>();
  return reviews.filter(({ claimReviewed, citation = [] }) => {
    if (said.has(claimReviewed)) return false;
    for (const { text } of citation) said.add(text);
    return true;
  });
}
