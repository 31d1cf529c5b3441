import { upTo } from "../../../../core/text/cutting.ts";
import { sentences } from "../../../../core/text/words/sentences.ts";
import type { FusedReport } from "./reports.ts";

/** Characters of an assertion: fewer state nothing. */
const SHORTEST = 15;
const LONGEST = 400;
/** Characters of a report that are read. */
const READ = 8_000;
/** A heading ends without a stop, and a question asserts nothing. */
const STATES = /[.!…]["'”’»)\]]*$/u;

/** The sentences of a report that assert something, as they stand there. */
export const assertionsOf = ({ text }: Pick<FusedReport, "text">): string[] =>
  sentences(text.slice(0, READ))
    .map((sentence) => sentence.text)
    .filter((said) => said.length >= SHORTEST && said.length <= LONGEST && STATES.test(said));

/** A title of fewer characters states nothing: a document may be called "A". */
const SHORTEST_TITLE = 3;

/** The first that a report asserts; of one that asserts nothing, its first sentence or its title. */
export function leadOf(report: Pick<FusedReport, "title" | "text">): string {
  const [asserted] = assertionsOf(report);
  if (asserted !== undefined) return asserted;
  const { title, text } = report;
  const said = sentences(text.slice(0, READ)).find((sentence) => sentence.text.length >= SHORTEST)?.text;
  return upTo(LONGEST, said ?? (title.length < SHORTEST_TITLE ? `What the report "${title}" says` : title));
}
