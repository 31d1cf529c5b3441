import type { ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { VERDICT_TONES } from "../verification/scales.ts";
import { paragraphs } from "./paragraphs.ts";

type Claim = Data<"GET /verification/claims/{contentId}">["claims"][number];
interface ArticleTextProps {
  article: Data<"GET /articles/{id}">;
  claims: readonly Claim[];
}

/** The text, in which each checked claim leads to what was found out about it. */
export function ArticleText({ article: { content, url, feedTextOnly }, claims }: ArticleTextProps): ReactNode {
  const numbered = claims.map((claim, at) => ({ ...claim, number: at + 1 }));
  if (!content.trim())
    return (
      <article className="card" aria-label="The article">
        <p className="empty">
          Its feed gives a title only. {feedTextOnly}{" "}
          {url && (
            <>
              <a href={url} target="_blank" rel="noopener noreferrer">
                Read it at its outlet
              </a>
              .
            </>
          )}
        </p>
      </article>
    );
  return (
    <article className="card reading" aria-label="The article">
      {paragraphs(content, numbered).map((pieces, at) => (
        // Paragraphs of one text have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={at} dir="auto">
          {pieces.map(({ text, claim }) =>
            claim ? (
              <a key={claim.id} className={`claim ${VERDICT_TONES[claim.status]}`} href={`#claim-${claim.id}`}>
                {text}
                <sup>
                  {claim.number}
                  <span className="visually-hidden">: {claim.status}</span>
                </sup>
              </a>
            ) : (
              text
            ),
          )}
        </p>
      ))}
      {feedTextOnly && <p className="muted">This is what its feed gives of it. {feedTextOnly}</p>}
      {claims.length > 0 && (
        <p className="muted">
          <small>Underlined are the claims that can be checked; their numbers lead to what others say.</small>
        </p>
      )}
    </article>
  );
}
