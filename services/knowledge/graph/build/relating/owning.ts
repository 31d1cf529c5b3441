import type { EntityType, Relation } from "../../statements/vocabulary.ts";
import { isAdjective, isArticle, isPlain, type Clauses } from "./tokens.ts";
import type { Found } from "./verbs.ts";

const BODIES = new Set<EntityType>(["organisation", "unit", "group"]);
const THINGS = new Set<EntityType>(["facility", "equipment"]);

/** What "Y's X" says: which of the two stands to the other, and how. */
function having(owner: EntityType, one: EntityType): [relation: Relation, isOwner: boolean] {
  if (THINGS.has(one)) return owner === "place" ? ["located-in", false] : ["owns", true];
  if (BODIES.has(one) && owner === "place") return ["located-in", false];
  if (BODIES.has(one) && (BODIES.has(owner) || owner === "country")) return ["part-of", false];
  if (one === "place" && (owner === "country" || owner === "place")) return ["located-in", false];
  return ["related-to", false];
}

/** What "X of Y" says, where X is a name by itself. */
function being(one: EntityType, of: EntityType): Relation | undefined {
  if (one === "person") return BODIES.has(of) || of === "facility" ? "works-for" : "related-to";
  if (one === "place" || (one === "organisation" && !BODIES.has(of))) return of === "person" ? undefined : "located-in";
  if (BODIES.has(one)) return BODIES.has(of) || of === "country" ? "part-of" : undefined;
  return undefined;
}

/** "Northland's Joyce Cherono", "its Cerro Pardo Mine", "Tom Ashby of Oxford Archaeology". */
export function* owning(clauses: Clauses): Generator<Found> {
  const { tokens, text } = clauses;
  for (const [at, token] of tokens.entries()) {
    const [own, next] = [token.named, tokens[at + 1]];
    if (!own || !next) continue;
    if (token.whose && next.named && isPlain(next.gap) && !next.named.stands) {
      const [relation, isOwner] = having(own.type, next.named.type);
      const [from, to] = isOwner ? [token, next] : [next, token];
      if (own.type !== "other" && next.named.type !== "other") yield { from, to, relation, reason: "whose it is" };
    }
    if (token.whose || own.stands || !/^(?:of|from|with)$/.test(next.text) || !isPlain(next.gap)) continue;
    const of = tokens[at + (tokens[at + 2] && isArticle(tokens[at + 2]!) ? 3 : 2)];
    if (!of?.named || !isPlain(of.gap) || isAdjective(text, of) || (of.whose && own.type !== "person")) continue;
    if (next.text !== "of" && own.type !== "person") continue;
    const relation = being(own.type, of.named.type);
    if (relation && !(next.text === "with" && relation === "related-to"))
      yield { from: token, to: of, relation, reason: `"${next.text}"` };
  }
}
