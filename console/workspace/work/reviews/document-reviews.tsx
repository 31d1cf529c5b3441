import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { DocumentShown } from "../documents/document-words.ts";
import { REVIEW_STANDING } from "./review-words.ts";

const ROWS = 20;

/** The reviews of a document's wording: what is vague, contradicts itself or waits to be filled in. */
export function DocumentReviews({ document: { id, status } }: { document: DocumentShown }): ReactNode {
  const { set, maySet } = useSet();
  const go = useNavigate();
  const reviews = useAnswer("GET /strategic/documents/{documentId}/reviews", [
    { path: { documentId: id }, query: { sort: "-createdAt", limit: ROWS } },
  ]);
  const begin = useAct("POST /strategic/documents/{documentId}/review", {
    says: ({ data }) => data.notice ?? "The review has begun.",
    then: ({ data }) => void go(`/workspace/${set.id}/reviews/${data.reviewId}`),
  });
  return (
    <Section
      title="Reviews"
      acts={
        maySet("documents:review") &&
        status === "ready" && (
          <button
            type="button"
            disabled={begin.isPending}
            onClick={() => begin.mutate({ path: { documentId: id }, body: {} })}
          >
            Review the text
          </button>
        )
      }
    >
      <Shown of={reviews}>
        {({ data, meta }) =>
          data.length ? (
            <>
              <ul className="list">
                {data.map((review) => (
                  <li key={review.id} className="row between">
                    <span>
                      <Link to={`/workspace/${set.id}/reviews/${review.id}`}>Of version {review.version}</Link>{" "}
                      <small className="muted">
                        {REVIEW_STANDING[review.status]} Asked for by {review.byName ?? review.by},{" "}
                        <Time at={review.createdAt} />
                      </small>
                    </span>
                    <Badge>{review.status}</Badge>
                  </li>
                ))}
              </ul>
              {meta.total > ROWS && <p className="muted">The last {ROWS} of them.</p>}
            </>
          ) : (
            <p className="empty">
              Nobody has had it reviewed. A review finds what is vague or left open, and suggests other words.
            </p>
          )
        }
      </Shown>
    </Section>
  );
}
