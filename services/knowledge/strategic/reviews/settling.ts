import { anchorAnew, quoteHolds } from "../../../../core/text/citations.ts";
import type { Edit, WholeText } from "../../documents/client.ts";
import type { Finding } from "./findings.ts";

export const REFUSALS = {
  NOT_FOUND: "The review has no such finding.",
  NO_REPLACEMENT: "It says what is wrong, not what to write instead.",
  VANISHED: "Its words do not stand in the newest version any more, or in several places alike.",
  ACROSS_BLOCKS: "In the newest version its words stand in two paragraphs.",
  OVERLAPS: "Another finding that is taken over changes the same words.",
} as const;
export type SettlingRefusal = keyof typeof REFUSALS;

export interface Planned {
  edits: (Edit & { findingId: string })[];
  failed: { findingId: string; code: SettlingRefusal }[];
}

/** The present place of a finding's words. */
function placeOf({ citation }: Finding, whole: WholeText): { start: number; end: number } | null {
  if (citation.version === whole.version) return quoteHolds(citation, whole.text) ? citation : null;
  return anchorAnew(citation, whole);
}

/**
 * The changes that findings make to a text: each anchored in it, none overlapping; impossible ones are listed by item.
 */
export function plannedChanges(findings: readonly Finding[], wanted: readonly string[], whole: WholeText): Planned {
  const { edits, failed }: Planned = { edits: [], failed: [] };
  const refuse = (findingId: string, code: SettlingRefusal): void => void failed.push({ findingId, code });
  for (const findingId of new Set(wanted)) {
    const finding = findings.find(({ id }) => id === findingId);
    if (!finding) {
      refuse(findingId, "NOT_FOUND");
      continue;
    }
    if (finding.with === undefined) {
      refuse(findingId, "NO_REPLACEMENT");
      continue;
    }
    const place = placeOf(finding, whole);
    if (!place) refuse(findingId, "VANISHED");
    else if (!whole.blocks.some(({ start, end }) => place.start >= start && place.end <= end))
      refuse(findingId, "ACROSS_BLOCKS");
    else if (edits.some(({ start, end }) => place.start < end && start < place.end)) refuse(findingId, "OVERLAPS");
    else edits.push({ findingId, start: place.start, end: place.end, with: finding.with });
  }
  return { edits, failed };
}

/** The findings that a review can apply at once. */
export const replaceable = (findings: readonly Finding[]): string[] =>
  findings.filter((finding) => finding.with !== undefined).map(({ id }) => id);
