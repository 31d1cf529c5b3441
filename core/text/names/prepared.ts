import { isAbjad } from "../words/spelling/latin.ts";
import { designationTokens } from "./designations.ts";
import { organisationTokens } from "./organisations.ts";
import { tokenOf, WEIGHTS, type NamePart } from "./parts.ts";
import { personTokens } from "./persons.ts";

/** `designation`: what a unit, place, facility, vehicle, sensor or resource is called. */
export type NameKind = "person" | "organisation" | "designation";

/** A name made ready to be compared. */
export interface PreparedName {
  kind: NameKind;
  tokens: readonly NamePart[];
  /** Kinds of its legal forms, in order: "limited", "stock". */
  forms: readonly string[];
  /** The same for the same words in any order. */
  key: string;
  /** Its initials, without and with those of its legal forms: "plo", "cnoo" and "cnooc". */
  acronyms: readonly string[];
  /** Of a unit, how large the smallest formation is that its name holds: a company's battalion is not the company. */
  formation?: number;
  /** "Jr." and "Sr.". */
  generation?: string;
}

/** "alrashd": the article is a word of its own elsewhere. */
function withoutVowels(token: NamePart): NamePart[] {
  const hasArticle = token.text.startsWith("al") && token.text.length > 4;
  const own = { ...tokenOf(hasArticle ? token.text.slice(2) : token.text, token.weight), isAbjad: true };
  return hasArticle ? [tokenOf("al", WEIGHTS.particle), own] : [own];
}

/** Bounds what a comparison costs: longer names are compared by their first words. */
const MOST_TOKENS = 12;

function partsOf(raw: string, kind: NameKind): Omit<PreparedName, "kind" | "key"> {
  if (kind === "person") return { ...personTokens(raw), forms: [], acronyms: [] };
  return kind === "designation" ? { ...designationTokens(raw), forms: [] } : organisationTokens(raw);
}

export function prepareName(raw: string, kind: NameKind): PreparedName {
  const { tokens, ...told } = partsOf(raw, kind);
  const kept = isAbjad(raw) ? tokens.slice(0, MOST_TOKENS).flatMap(withoutVowels) : tokens.slice(0, MOST_TOKENS);
  const key = kept
    .filter(({ weight }) => weight > WEIGHTS.particle)
    .map(({ text }) => text)
    .sort()
    .join(" ");
  return { kind, tokens: kept, key, ...told };
}
