import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import { lazily } from "../../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../../core/text/words/phrases.ts";
import type { Word } from "../../../../../core/text/words/words.ts";
import { joins, type Relation } from "../../statements/vocabulary.ts";
import { isCalling } from "../typing/cues.ts";
import { endingAt, firstOf, groupOf, subjectOf } from "./subjects.ts";
import {
  COORDINATORS,
  isAdjective,
  isAdverb,
  isArticle,
  isAuxiliary,
  isBreak,
  isComma,
  isPlain,
  isPreposition,
  isSubordinator,
  isUnreal,
  RELATIVES,
  type Clauses,
} from "./tokens.ts";
import type { Found } from "./verbs.ts";

const index = lazily(() => phraseIndex(phrases.roles));

/** An office, a kinship or a tie that somebody has to something. */
interface Role {
  relation: Relation;
  first: number;
  last: number;
}
interface Body {
  at: number;
  /** "head of purchasing at X" leads no X. */
  isPart: boolean;
  isBefore: boolean;
}

const LINKS = new Set(["of", "at", "for", "to", "in", "with", "from"]);
const LESSER = new Set(["deputy", "vice", "assistant", "associate", "junior"]);
const FAR = 8;

const isKin = (relation: Relation): boolean => relation === "related-to";

function bodyBehind({ tokens, text }: Clauses, { last, relation }: Role): Body | undefined {
  let link = -1;
  let isPart = false;
  for (let at = last + 1; at < tokens.length && at - last <= FAR; at += 1) {
    const token = tokens[at]!;
    if (!isPlain(token.gap)) return undefined;
    if (token.named) {
      if (link < 0) return undefined;
      const next = tokens[at + 1];
      if (isAdjective(text, token) && next && isPlain(next.gap) && !isPreposition(next)) continue;
      if (!token.whose || !next || !isPlain(next.gap) || next.named) return { at, isPart, isBefore: false };
      // "a brother of the city's deputy mayor, Jan Holub"
      const other = tokens.findIndex(({ named }, which) => named && which > at && which - at <= 6);
      const isApposed =
        other > 0 && tokens.slice(at + 1, other).every((one) => isPlain(one.gap) && !isPreposition(one));
      if (isApposed && isKin(relation)) return { at: other, isPart, isBefore: false };
      return isKin(relation) ? undefined : { at, isPart: true, isBefore: false };
    }
    if (LINKS.has(token.text)) {
      if (link >= 0) isPart = true;
      link = at;
    } else if (isPreposition(token) || isAuxiliary(token) || isSubordinator(token) || RELATIVES.has(token.text))
      return undefined;
    else if (link < 0 || COORDINATORS.has(token.text)) {
      if (token.text !== "and") return undefined;
    }
  }
  return undefined;
}

/** "Northland's foreign minister", "its chief executive", "the Polish minister", "Westgrid spokeswoman Mary Feeney". */
function bodyBefore({ tokens, text }: Clauses, { first, last }: Role): Body | undefined {
  for (let at = first - 1; at >= 0 && first - at <= FAR / 2; at -= 1) {
    const token = tokens[at]!;
    if (!isPlain(tokens[at + 1]!.gap)) return undefined;
    if (token.named) {
      const isAdjunct = at === first - 1 && tokens[last + 1]?.named?.type === "person";
      return token.whose || isAdjective(text, token) || isAdjunct ? { at, isPart: false, isBefore: true } : undefined;
    }
    if (isPreposition(token) || isAuxiliary(token) || isArticle(token) || COORDINATORS.has(token.text))
      return undefined;
  }
  return undefined;
}

const isOld = (text: string): boolean => /^\d{1,3}$/.test(text);

/** Where, behind "director for Africa" and a comma, the name may stand. */
function pastItsField({ tokens }: Clauses, from: number): number {
  if (!tokens[from] || !LINKS.has(tokens[from]!.text) || !isPlain(tokens[from]!.gap)) return from;
  for (let at = from + 1; at < tokens.length && at - from <= REACH; at += 1) {
    if (isBreak(tokens[at]!.gap)) return from;
    if (isComma(tokens[at]!.gap)) return at;
    if (isAuxiliary(tokens[at]!) || isSubordinator(tokens[at]!)) return from;
  }
  return from;
}
const REACH = 5;

const COPULAS = new Set(["is", "was", "remains"]);

function holderBehind({ tokens }: Clauses, from: number): number {
  let isApposed = false;
  for (let at = from; at < tokens.length && at - from <= (isApposed ? 4 : 3); at += 1) {
    const token = tokens[at]!;
    if (isBreak(token.gap) || (isComma(token.gap) && at > from)) return -1;
    if (token.named) return at;
    // "its chairman is Otto Kranz", "its largest shareholder, the pension fund Arva"
    const isOpening = at === from && ((isComma(token.gap) && isArticle(token)) || COPULAS.has(token.text));
    if (isOpening) isApposed = true;
    else if (!isCalling(token.text) && !(isApposed && !isPreposition(token) && !isAuxiliary(token))) return -1;
  }
  return -1;
}

const MAKING = /^(?:name[ds]?|appoint(?:ed|s)?|elect(?:ed|s)?|confirm(?:ed|s)?|ma[dk]es?|chose|chosen|hired?)$/;
const BECOMING = /^(?:became|becomes?|remain(?:s|ed)?|as|called|stays?|stayed)$/;

function holderBefore(clauses: Clauses, { first }: Role, body: Body | undefined): number {
  const { tokens } = clauses;
  const edge = body?.isBefore ? body.at : first;
  let at = edge - 1;
  for (; at >= 0 && first - at <= FAR; at -= 1) {
    const token = tokens[at]!;
    const gap = tokens[at + 1]!.gap;
    if (isBreak(gap) && !/^ (?:[(—–-]|- )/.test(gap)) return -1;
    if (isComma(gap) || isBreak(gap)) {
      if (at + 1 > edge) return -1;
      // "Ockley, 51, a bookkeeper at"
      const named = isOld(token.text) && at > 0 ? at - 1 : at;
      return tokens[named]!.named ? named : endingAt(clauses, named);
    }
    if (token.named && at < edge) return MAKING.test(tokens[at - 1]?.text ?? "") ? at : -1;
    if (isAuxiliary(token) || MAKING.test(token.text) || BECOMING.test(token.text)) {
      if (at + 1 > edge || isUnreal(clauses, at)) return -1;
      const own = subjectOf(clauses, at);
      return own >= 0 || token.text !== "as" ? own : firstOf(clauses, at);
    }
    if (RELATIVES.has(token.text) || (body?.isBefore && edge - at > 2)) return -1;
    if (token.text !== "as" && isAdverb(token)) continue;
    if (COORDINATORS.has(token.text) || isPreposition(token) || isSubordinator(token)) {
      if (!/^(?:of|and|until)$/.test(token.text)) return -1;
    }
  }
  return -1;
}

/** Whom or what the body belongs to, where it stands behind the holder: "President Petrov of Northland". */
function bodyBehindHolder({ tokens }: Clauses, holder: number): Body | undefined {
  const link = tokens[holder + 1];
  if (!link || !/^(?:of|from)$/.test(link.text) || !isPlain(link.gap)) return undefined;
  const at = holder + (tokens[holder + 2]?.text === "the" ? 3 : 2);
  return tokens[at]?.named && isPlain(tokens[at]!.gap) ? { at, isPart: false, isBefore: false } : undefined;
}

const DIPLOMATS = /^(?:ambassador|envoy)$/;

function relationOf({ tokens }: Clauses, role: Role, body: Body): Relation {
  const { relation, first, last } = role;
  if (relation === "leads" && (body.isPart || LESSER.has(tokens[first - 1]?.text ?? ""))) return "works-for";
  if (DIPLOMATS.test(tokens[last]!.text) && tokens[last + 1]?.text === "to") return "related-to";
  return relation;
}

/** Which of those that may have a role has it. */
function holderOf(clauses: Clauses, role: Role, body: Body | undefined): number[] {
  const from = (body && !body.isBefore ? body.at : role.last) + 1;
  const after = holderBehind(clauses, body?.isBefore ? pastItsField(clauses, from) : from);
  const before = holderBefore(clauses, role, body);
  const isRight = after >= 0 && isPlain(clauses.tokens[from]!.gap);
  return (body?.isBefore || isRight ? [after, before] : [before, after]).filter((at) => at >= 0);
}

/** Roles in a sentence, the longest where some stand in one place. */
function rolesIn({ text, tokens, tokenOf }: Clauses, spoken: readonly Word[]): Role[] {
  const hits = index().find(text, spoken);
  return hits
    .filter(
      ({ first, last }) =>
        // "chief engineer", "deputy mayor": the first word of two is of the second.
        hits.every((other) => other.first !== last + 1 || !isPlain(tokens[tokenOf[other.first]!]!.gap)) &&
        hits.every((other) => other.last - other.first <= last - first || other.first > last || other.last < first),
    )
    .map(({ label, first, last }) => ({
      relation: label as Relation,
      first: tokenOf[first]!,
      last: tokenOf[last]!,
    }))
    .filter(({ first, last }) => !tokens[first]!.named && !tokens[last]!.named);
}

/** Whom a title without its body leads or works for, where the text makes that plain. */
export type Topics = (role: string, until: number) => Clauses["tokens"][number]["named"] | undefined;

/** What offices, kinships and ties say. */
export function* held(clauses: Clauses, spoken: readonly Word[], topicOf?: Topics): Generator<Found> {
  const { text, tokens } = clauses;
  for (const role of rolesIn(clauses, spoken)) {
    const own = bodyBefore(clauses, role) ?? bodyBehind(clauses, role);
    const reason = `"${text.slice(tokens[role.first]!.start, tokens[role.last]!.end)}"`;
    for (const at of holderOf(clauses, role, own)) {
      const body = own ?? bodyBehindHolder(clauses, at);
      if (!body) {
        // "the militia's spokesman": whose is said, though not by a name.
        const isOthers = tokens.slice(Math.max(0, role.first - 2), role.first).some(({ whose }) => whose);
        if (isOthers || LINKS.has(tokens[role.last + 1]?.text ?? "")) continue;
        const topic = topicOf?.(tokens[role.last]!.text, tokens[role.first]!.start);
        const holder = tokens[at]!;
        if (topic && holder.named!.key !== topic.key && joins(role.relation, holder.named!.type, topic.type)) {
          const { stands: _stands, ...named } = topic;
          const to = { ...holder, named };
          yield {
            from: holder,
            to,
            relation: role.relation,
            reason: `${reason}, and no other is meant`,
            isUnsure: true,
          };
          break;
        }
        continue;
      }
      const relation = relationOf(clauses, role, body);
      const [holder, one] = [tokens[at]!.named!, tokens[body.at]!.named!];
      if (holder.key === one.key || !joins(relation, holder.type, one.type)) continue;
      for (const other of body.isBefore ? [tokens[body.at]!] : groupOf(clauses, body.at, 1))
        if (joins(relation, holder.type, other.named!.type)) yield { from: tokens[at]!, to: other, relation, reason };
      break;
    }
  }
}
