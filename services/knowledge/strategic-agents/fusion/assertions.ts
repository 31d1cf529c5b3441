import { upTo } from "../../../../core/text/cutting.ts";
import type { Readings } from "../../../news/verification/client.ts";
import type { FusedReport } from "./reports.ts";

/** Characters of an assertion: fewer state nothing. */
const SHORTEST = 15;
const LONGEST = 400;
/** A heading ends without a stop, and a question asserts nothing. */
const STATES = /[.!…]["'”’»)\]]*$/u;

/** The sentences of a report that assert something, as they stand there. */
export const assertionsOf = ({ text }: Pick<FusedReport, "text">, readings: Readings): string[] =>
  readings
    .of(text)
    .sentences.map((sentence) => sentence.text)
    .filter((said) => said.length >= SHORTEST && said.length <= LONGEST && STATES.test(said));

/** A title of fewer characters states nothing: a document may be called "A". */
const SHORTEST_TITLE = 3;

/** The first that a report asserts; of one that asserts nothing, its first sentence or its title. */
export function leadOf(report: Pick<FusedReport, "title" | "text">, readings: Readings): string {
  const [asserted] = assertionsOf(report, readings);
  if (asserted !== undefined) return asserted;
  const { title, text } = report;
  const said = readings.of(text).sentences.find((sentence) => sentence.text.length >= SHORTEST)?.text;
  return upTo(LONGEST, said ?? (title.length < SHORTEST_TITLE ? `What the report "${title}" says` : title));
}
