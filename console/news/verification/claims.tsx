import { useEffect, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { Data } from "../../api/client.ts";
import { Empty } from "../../parts/page.tsx";
import { Badge, many } from "../../parts/texts.tsx";
import { Quotes } from "./quotes.tsx";
import { credibilityWords, VERDICT_TONES } from "./scales.ts";

type Claim = Data<"GET /verification/claims/{contentId}">["claims"][number];
type Reference = Data<"GET /verification/cross-reference/content/{contentId}">["references"][number];

interface ClaimsProps {
  claims: readonly Claim[];
  /** Whether they were looked for at all. */
  isExtracted: boolean;
  references: readonly Reference[];
}

/** Each claim with its verdict, and the sentences that bear it out or contradict it. */
export function Claims({ claims, isExtracted, references }: ClaimsProps): ReactNode {
  useArrival(claims.length);
  if (!isExtracted) return <Empty>Its claims were not looked at yet. A check finds them.</Empty>;
  if (!claims.length) return <Empty>It says nothing that could be checked against other reports.</Empty>;
  return (
    <>
      <p className="muted">
        <small>
          Corroborated: independent sources say the same. Contradicted: they say otherwise. Disputed: they say both.
          Unverified: none says enough. Each claim has a figure of the Admiralty code, from 1 (confirmed by other
          sources) to 5 (improbable) and 6 (cannot be judged); each outlet a letter for its own record, from A
          (completely reliable) to E (unreliable) and F (cannot be judged yet, which is no mark against it).
        </small>
      </p>
      <ol className="claims">
        {claims.map((claim) => (
          <OneClaim
            key={claim.id}
            claim={claim}
            references={references.filter(({ claimId }) => claimId === claim.id)}
          />
        ))}
      </ol>
    </>
  );
}

/** Who followed a link to a claim gets there once the claims are. */
function useArrival(count: number): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (count && hash) document.querySelector(`[id="${CSS.escape(hash.slice(1))}"]`)?.scrollIntoView();
    // Later readings of the same claims do not move the page.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [count > 0]);
}

function OneClaim({ claim, references }: { claim: Claim; references: readonly Reference[] }): ReactNode {
  const { status } = claim;
  const of = (stance: Reference["stance"]): Reference[] => references.filter((one) => one.stance === stance);
  const neutral = of("neutral");
  return (
    <li id={`claim-${claim.id}`}>
      <p className="claim-text" dir="auto">
        “{claim.text}”
      </p>
      <p className="row">
        <Badge tone={VERDICT_TONES[status]}>{status}</Badge>
        <span className="muted">
          {claim.checkedAt
            ? `${claim.credibility}: ${credibilityWords(claim.credibility)} · ${weight(claim)}`
            : "not compared with other reports yet"}
        </span>
      </p>
      {claim.supersededBy && (
        <p>
          A later count takes its place:{" "}
          <Link to={`/news/articles/${claim.supersededBy.articleId}`}>
            {claim.supersededBy.text} ({claim.supersededBy.subject})
          </Link>
        </p>
      )}
      <Quotes
        title={status === "unverified" ? "Against it, but not enough to contradict it" : "Contradicted by"}
        tone="bad"
        references={of("contradict")}
      />
      <Quotes
        title={status === "unverified" ? "For it, but not enough to corroborate it" : "Corroborated by"}
        tone="good"
        references={of("support")}
      />
      {neutral.length > 0 && (
        <details>
          <summary>{many(neutral.length, "report")} of the same, neither for it nor against it</summary>
          <Quotes title="Neither for it nor against it" tone="plain" references={neutral} />
        </details>
      )}
    </li>
  );
}

function weight({ independentSources, independentContradictions }: Claim): string {
  if (!independentSources && !independentContradictions) return "no independent source says anything about it";
  return [
    independentSources && `${many(independentSources, "independent source")} for it`,
    independentContradictions && `${independentContradictions} against it`,
  ]
    .filter(Boolean)
    .join(", ");
}
