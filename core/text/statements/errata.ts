import { once } from "../../once.ts";
import { plain } from "../plain.ts";
import { terms } from "../words/terms.ts";
import { numbersIn } from "./numerals.ts";

/** What of a report tells whether it takes another back. */
export interface PublishedReport {
  sourceId: number;
  title: string;
  /** Plain text; may be empty where there is a summary only. */
  text: string;
  summary?: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
}

/** What an outlet takes back by an article: a report of its own, or a part of one. */
export type Erratum = "retraction" | "correction";

/** The word alone is no sign: glaciers retract, and troops are withdrawn. */
const RETRACTION =
  /^(?:retraction|retracted|withdrawn|rétractation|retractación|опровержение)\s*(?:[:.(–—-]|$)|^retraction of (?:\p{L}+ ){1,3}(?:report|article|story)(?!\p{L})|^(?:we|the \p{Lu}\p{L}+) (?:(?:have|has) )?(?:retract|withdr[ae]w)(?:s|ed|n)? (?:our|its|the|a|this) (?:\p{L}+ ){0,2}(?:report|article|story)(?!\p{L})/iu;
const CORRECTION =
  /^(?:corrections?|clarification|erratum|corrigendum|korrektur|berichtigung|richtigstellung|rectificatif|rectificación|corrección|fe de errores|rettifica|errata corrige|rectificatie|исправление)\s*[:.(–—-]/iu;

/** Characters of a text that say whether it takes something back. */
const BEGINNING = 400;

/** What an article takes back, as its title or its first words say; undefined of a report. Asked for many times of each. */
export const erratumOf = once(({ title, text, summary = "" }: PublishedReport): Erratum | undefined => {
  const beginnings = [plain(title), plain((text || summary).slice(0, BEGINNING))];
  if (beginnings.some((words) => RETRACTION.test(words))) return "retraction";
  return beginnings.some((words) => CORRECTION.test(words)) ? "correction" : undefined;
});

const OF_BEFORE =
  /(?<!\p{L})(?:(?:earlier|previous|original|first) (?:report|version|article|story|headline)|misstated|incorrectly|erroneously|wrongly)(?!\p{L})/iu;

/** Which numbers a correction takes back: those of its sentence on the earlier report, and those behind "not". */
export function takenBack(sentences: readonly string[]): { wrong: Set<number>; right: Set<number> } {
  const [wrong, right] = [new Set<number>(), new Set<number>()];
  for (const sentence of sentences) {
    const [first = "", ...rest] = sentence.split(/;|,? (?:not|instead of|rather than) /);
    const isOfBefore = OF_BEFORE.test(first);
    const isTurned = !isOfBefore && sentence.includes(`${first}, not `);
    for (const number of numbersIn(first)) (isOfBefore ? wrong : right).add(number);
    for (const number of rest.flatMap((part) => numbersIn(part))) (isTurned ? wrong : right).add(number);
  }
  return { wrong: new Set([...wrong].filter((number) => !right.has(number))), right };
}

/** So much of an earlier title a retraction repeats that is about that report; where it repeats none, the newest is meant. */
const REPEATED = 0.5;

/** Of the reports of one event those that their own outlet took back later, whole, each with the retraction. */
export function retractions<T extends PublishedReport>(reports: readonly T[]): Map<T, T> {
  const found = new Map<T, T>();
  for (const retraction of reports.filter((report) => erratumOf(report) === "retraction")) {
    const before = reports
      .filter(({ sourceId, publishedAt }) => sourceId === retraction.sourceId && publishedAt < retraction.publishedAt)
      .filter((report) => !erratumOf(report))
      .sort((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1));
    const said = new Set(terms(`${retraction.title} ${retraction.text || (retraction.summary ?? "")}`));
    const named = before.filter(({ title }) => shareIn(said, terms(title)) >= REPEATED);
    for (const report of named.length > 0 ? named : before.slice(0, 1)) found.set(report, retraction);
  }
  return found;
}

const shareIn = (said: ReadonlySet<string>, title: readonly string[]): number =>
  title.length === 0 ? 0 : title.filter((term) => said.has(term)).length / title.length;
