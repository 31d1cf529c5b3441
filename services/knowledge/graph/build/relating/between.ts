import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import { joins, type Relation } from "../../statements/vocabulary.ts";
import { isPlain, isUnreal, type Clauses } from "./tokens.ts";
import type { Found } from "./verbs.ts";

const NOUNS = new Map(
  Object.entries(phrases.between).flatMap(([relation, words]) =>
    words.map((word) => [word, relation as Relation] as const),
  ),
);
const FAR = 6;

/** "a deal between Lufthansa and Cockpit": what there is between two. */
export function* between(clauses: Clauses): Generator<Found> {
  const { tokens } = clauses;
  for (const [at, { text, named }] of tokens.entries()) {
    if (named || text !== "between") continue;
    const pair: number[] = [];
    let hasAnd = false;
    for (let next = at + 1; next < tokens.length && next - at <= FAR * 2 && pair.length < 2; next += 1) {
      if (!isPlain(tokens[next]!.gap)) break;
      if (tokens[next]!.named) pair.push(next);
      if (tokens[next]!.text === "and" && pair.length === 1) hasAnd = true;
    }
    const noun = tokens.slice(Math.max(0, at - FAR), at).findLast((token) => !token.named && NOUNS.has(token.text));
    if (!noun || !hasAnd || pair.length < 2 || isUnreal(clauses, at)) continue;
    const [one, other] = pair.map((which) => tokens[which]!) as [Found["from"], Found["to"]];
    const relation = NOUNS.get(noun.text)!;
    const isFit = joins(relation, one.named!.type, other.named!.type);
    yield { from: one, to: other, relation: isFit ? relation : "related-to", reason: `"${noun.text} between"` };
  }
}
