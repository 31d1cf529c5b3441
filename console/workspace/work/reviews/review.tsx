import { useState, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, TextField } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Progress, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { Findings } from "./findings.tsx";
import { REVIEW_STANDING, type DocumentReview } from "./review-words.ts";

const LOOK_MS = 1_500;

/** One review of a document: what it found, and what of it is taken over. */
export function ReviewPage(): ReactNode {
  const { reviewId = "" } = useParams();
  const review = useAnswer("GET /strategic/reviews/{reviewId}", [{ path: { reviewId } }], {
    every: (answer) => (answer?.data.status === "running" ? LOOK_MS : false),
  });
  return <Shown of={review}>{({ data }) => <Review review={data} />}</Shown>;
}

function Review({ review }: { review: DocumentReview }): ReactNode {
  const { set, maySet } = useSet();
  const [isRejecting, setRejecting] = useState(false);
  const { documentId, status, findings, version } = review;
  const document = useAnswer("GET /documents/{documentId}", [{ path: { documentId } }]);
  const isOpen = status === "open" && maySet("documents:settle");
  return (
    <SetPage
      title={`Review of ${document.data?.data.title ?? "a document"}`}
      intro="Findings in its words. What is taken over makes one new version; the reviewed one stays."
      acts={
        <>
          <Link to={`/workspace/${set.id}/documents/${documentId}?version=${version}`}>To the document</Link>
          {isOpen && (
            <button type="button" className="danger" onClick={() => setRejecting(true)}>
              Reject the review
            </button>
          )}
        </>
      }
    >
      <Standing review={review} />
      {status !== "running" && (
        <Section title={many(findings.length, "finding")}>
          {findings.length ? (
            <Findings review={review} isOpen={isOpen} />
          ) : (
            <p className="empty">Nothing in its words was found to be vague or left open.</p>
          )}
          {status === "open" && !isOpen && (
            <p className="muted">Somebody of a higher role decides what is taken over.</p>
          )}
        </Section>
      )}
      {isRejecting && <RejectReview review={review} onClose={() => setRejecting(false)} />}
    </SetPage>
  );
}

function Standing({ review }: { review: DocumentReview }): ReactNode {
  const { set } = useSet();
  const { status, version, byName, by, createdAt, decidedBy, decidedByName, decidedAt, reason, failure } = review;
  const { madeVersion, documentId, compartments } = review;
  if (status === "running") return <Progress label="The text is being read" />;
  return (
    <>
      <p className="row">
        <Badge>{status}</Badge>
        <span>{REVIEW_STANDING[status]}</span>
        <small className="muted">
          version {version}, asked for by {byName ?? by}, <Time at={createdAt} />
        </small>
        <Barrier compartments={compartments} />
      </p>
      {failure && <p>{failure.message}</p>}
      {decidedBy && (
        <p>
          Decided by {decidedByName ?? decidedBy}, <Time at={decidedAt} />
          {reason && `: ${reason}`}.{" "}
          {madeVersion && (
            <Link to={`/workspace/${set.id}/documents/${documentId}?version=${madeVersion}`}>
              It made version {madeVersion}.
            </Link>
          )}
        </p>
      )}
    </>
  );
}

function RejectReview({ review, onClose }: { review: DocumentReview; onClose(): void }): ReactNode {
  const reject = useAct("POST /strategic/reviews/{reviewId}/reject", {
    tellsRefusal: false,
    says: "The review is rejected; the document stays as it is.",
    then: onClose,
  });
  return (
    <Dialog title="Reject the review" onClose={onClose}>
      <p>The document stays as it is. Its text can be reviewed again.</p>
      <Form
        act="Reject"
        onSubmit={({ reason }) =>
          reject.mutateAsync({ path: { reviewId: review.id }, body: { ...(reason && { reason }) } })
        }
      >
        <TextField label="Why (optional)" name="reason" rows={2} />
      </Form>
    </Dialog>
  );
}
