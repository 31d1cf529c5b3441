import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import { lazily } from "../../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import { joins, type Relation } from "../../statements/vocabulary.ts";
import { formsOf } from "./forms.ts";
import { groupOf, subjectOf } from "./subjects.ts";
import { isUnreal, type Clauses } from "./tokens.ts";
import type { Found } from "./verbs.ts";

const index = lazily(() =>
  phraseIndex(
    Object.fromEntries(
      Object.entries(phrases.reciprocal).map(([relation, verbs]) => [
        relation,
        verbs.flatMap((verb) => formsOf(verb).map(([written]) => written)),
      ]),
    ),
  ),
);

/** "Karsland and Ostria signed", "the Alliance and the Guild run the strike jointly": what two do with each other. */
export function* together(clauses: Clauses, spoken: readonly Word[]): Generator<Found & { at: number }> {
  const { text, tokens, tokenOf } = clauses;
  for (const hit of index().find(text, spoken)) {
    const [first, last] = [tokenOf[hit.first]!, tokenOf[hit.last]!];
    if (tokens[first]!.named || isUnreal(clauses, first)) continue;
    const subject = subjectOf(clauses, first);
    if (subject < 0) continue;
    const [one, other, ...more] = groupOf(clauses, subject, -1);
    // What two do to a third they need not do together; of many nobody knows who with whom.
    if (!one || !other || more.length > 0) continue;
    const relation = hit.label as Relation;
    const object = tokens[last + 1];
    if (relation !== "cooperates-with" && object?.named) continue;
    const fits = joins(relation, one.named!.type, other.named!.type);
    const reason = `"${text.slice(tokens[first]!.start, tokens[last]!.end)}", both`;
    if (fits) yield { from: other, to: one, relation, reason, at: first };
  }
}
