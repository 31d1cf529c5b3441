import type { Data, ListRow } from "../../../api/client.ts";

export type ReviewRow = ListRow<"GET /strategic/documents/{documentId}/reviews">;
export type DocumentReview = Data<"GET /strategic/reviews/{reviewId}">;
export type Finding = DocumentReview["findings"][number];

/** How a review stands, and what has to happen next. */
export const REVIEW_STANDING: Readonly<Record<ReviewRow["status"], string>> = {
  running: "The text is being read.",
  open: "Somebody is to decide what of it is taken over.",
  accepted: "What could be taken over was.",
  partially_accepted: "A part of it was taken over.",
  rejected: "Nothing of it was taken over.",
  superseded: "It is of an older version of the document.",
  failed: "It came to no end.",
};

const SEVERITY_TONES = { high: "bad", medium: "warn", low: "plain" } as const;
export const severityTone = (severity: Finding["severity"]): "bad" | "warn" | "plain" => SEVERITY_TONES[severity];
