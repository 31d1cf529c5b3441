import { polarity } from "../../../../core/text/statements/polarity.ts";
import type { Sentence } from "../../../../core/text/words/sentences.ts";
import type { Relation } from "../statements/vocabulary.ts";
import { acting } from "./relating/acting.ts";
import { between } from "./relating/between.ts";
import { lying } from "./relating/grounds.ts";
import { owning } from "./relating/owning.ts";
import { held, type Topics } from "./relating/roles.ts";
import { clausesOf, isHedged, type Named } from "./relating/tokens.ts";
import { together } from "./relating/together.ts";
import { said, type Found } from "./relating/verbs.ts";

/** That a sentence says of two entities. */
export interface Related {
  from: string;
  to: string;
  relation: Relation;
  confidence: number;
  reason: string;
}

const SAID = 0.75,
  /** Where a word stands for one of the two. */
  MEANT = 0.6,
  HEDGED = 0.45,
  /** That one does something with the other that no relation's words say. */
  VAGUE = 0.4;

/** What one sentence says of the entities that it names, or means by "she" and "the company". */
export function relationsIn(text: string, sentence: Sentence, named: readonly Named[], topicOf?: Topics): Related[] {
  if (named.length === 0 || (named.length < 2 && !topicOf)) return [];
  const clauses = clausesOf(text, sentence, named);
  let negations: ReturnType<typeof polarity>["negations"] | undefined;
  const spoken = sentence.words;
  const isDenied = (word: number) =>
    (negations ??= polarity(text, spoken).negations).some(({ from, to }) => word >= from && word <= to);
  const told = new Map<string, Related>();
  const add = ({ from, to, relation, reason }: Found, most = SAID) => {
    const [one, other] = [from.named!, to.named!];
    if (one.key === other.key) return;
    const meant = [from, to].filter((token) => token.named!.stands);
    const key = `${one.key}\n${relation}\n${other.key}`;
    const confidence = Math.min(most, meant.length > 0 ? MEANT : SAID);
    const words = meant.map(({ start, end }) => `"${text.slice(start, end)}" for a name before it`);
    const known = told.get(key);
    if (known && known.confidence >= confidence) return;
    told.set(key, { from: one.key, to: other.key, relation, confidence, reason: [reason, ...words].join(", ") });
  };
  for (const one of held(clauses, spoken, topicOf)) add(one, one.isUnsure ? HEDGED : SAID);
  if (named.length < 2) return [...told.values()];
  for (const one of said(clauses, spoken))
    if (!isDenied(one.hit.first)) add(one, isHedged(clauses, one.at) ? HEDGED : SAID);
  for (const one of lying(clauses, spoken))
    if (one.at === undefined || !isDenied(clauses.tokenOf.indexOf(one.at))) add(one);
  for (const one of between(clauses)) add(one);
  for (const one of together(clauses, spoken)) if (!isDenied(clauses.tokenOf.indexOf(one.at))) add(one);
  const isTold = ({ from, to }: Found) => known.has(pairOf({ from: from.named!.key, to: to.named!.key }));
  const known = new Set([...told.values()].map(pairOf));
  for (const one of owning(clauses)) if (!isTold(one)) add(one);
  for (const one of acting(clauses)) if (!isDenied(clauses.tokenOf.indexOf(one.at)) && !isTold(one)) add(one, VAGUE);
  return withoutVague([...told.values()]);
}

/** That two are related says nothing beside what they are to each other. */
function withoutVague(all: readonly Related[]): Related[] {
  const told = new Set(all.flatMap((one) => (one.relation === "related-to" ? [] : [pairOf(one)])));
  return all.filter((one) => one.relation !== "related-to" || !told.has(pairOf(one)));
}
const pairOf = ({ from, to }: Pick<Related, "from" | "to">): string => [from, to].sort().join("\n");
