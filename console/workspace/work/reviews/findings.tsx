import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Form } from "../../../parts/form.tsx";
import { Badge } from "../../../parts/texts.tsx";
import { severityTone, type DocumentReview, type Finding } from "./review-words.ts";

/** What a review found; while it is open, what is ticked is taken over. */
export function Findings({ review, isOpen }: { review: DocumentReview; isOpen: boolean }): ReactNode {
  const take = useAct("POST /strategic/reviews/{reviewId}/accept-partial", {
    tellsRefusal: false,
    says: ({ data }) => (data.madeVersion ? `It made version ${data.madeVersion} of the document.` : "It is settled."),
  });
  const list = (
    <ul className="list" aria-label="Findings">
      {review.findings.map((finding) => (
        <li key={finding.id}>
          <FindingLine finding={finding} review={review} isOpen={isOpen} />
        </li>
      ))}
    </ul>
  );
  if (!isOpen || !review.findings.some(canBeTaken)) return list;
  return (
    <Form
      act="Take over what is ticked"
      onSubmit={(fields) =>
        take.mutateAsync({ path: { reviewId: review.id }, body: { findingIds: Object.keys(fields) } })
      }
    >
      {list}
    </Form>
  );
}

const canBeTaken = (finding: Finding): boolean => finding.with !== undefined;

interface FindingProps {
  finding: Finding;
  review: DocumentReview;
  isOpen: boolean;
}
function FindingLine({ finding, review, isOpen }: FindingProps): ReactNode {
  const { id, severity, message, citation, replace, with: suggestion, method } = finding;
  const refused = review.failed.find(({ findingId }) => findingId === id);
  const text = (
    <>
      {citation.prefix}
      {suggestion === undefined ? (
        <mark>{replace}</mark>
      ) : (
        <>
          <del>{replace}</del> <ins>{suggestion}</ins>
        </>
      )}
      {citation.suffix}
    </>
  );
  return (
    <>
      {isOpen && suggestion !== undefined ? (
        <div className="check">
          <input id={`finding-${id}`} name={id} type="checkbox" defaultChecked />
          <label htmlFor={`finding-${id}`}>{message}</label>
        </div>
      ) : (
        <span>{message}</span>
      )}
      <p className="as-written">{text}</p>
      <p className="row">
        <Badge tone={severityTone(severity)}>{severity}</Badge>
        <small className="muted">
          page {citation.page}, found by {method === "llm" ? "a model" : "a rule"}
          {suggestion === undefined && "; only a person can know what belongs there"}
        </small>
        {review.applied.includes(id) && <Badge tone="good">taken over</Badge>}
        {refused && <small className="fault">{refused.message}</small>}
      </p>
    </>
  );
}
