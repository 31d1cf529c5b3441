import { plain } from "../../../core/text/plain.ts";
import { numbersIn } from "../../../core/text/statements/numerals.ts";
import type { BriefingArticle } from "../articles/client.ts";

/** What an outlet takes back by an article: a report of its own, or a part of one. */
export type Erratum = "retraction" | "correction";

const RETRACTION =
  /^(?:retraction|retracted|withdrawn|rétractation|retractación|опровержение)(?!\p{L})|^(?:we|the \p{Lu}\p{L}+) (?:(?:have|has) )?(?:retract|withdr[ae]w)(?:s|ed|n)? (?:our|its|the|a|this) (?:\p{L}+ ){0,2}(?:report|article|story)(?!\p{L})/iu;
const CORRECTION =
  /^(?:corrections?|clarification|erratum|corrigendum|korrektur|berichtigung|richtigstellung|rectificatif|rectificación|corrección|fe de errores|rettifica|errata corrige|rectificatie|исправление)\s*[:.(–—-]/iu;

/** What an article takes back, as its title or its first words say; undefined of a report. */
export function erratumOf({ title, text, summary }: BriefingArticle): Erratum | undefined {
  const beginnings = [plain(title), plain((text || summary).slice(0, 400))];
  if (beginnings.some((words) => RETRACTION.test(words))) return "retraction";
  return beginnings.some((words) => CORRECTION.test(words)) ? "correction" : undefined;
}

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

/** Of the articles of a story those that their own outlet took back later, whole. */
export function retracted(articles: readonly BriefingArticle[]): Set<BriefingArticle> {
  const retractions = articles.filter((article) => erratumOf(article) === "retraction");
  return new Set(
    articles.filter((article) =>
      retractions.some((later) => later.sourceId === article.sourceId && later.publishedAt > article.publishedAt),
    ),
  );
}
