import { isAbjad } from "../words/spelling/latin.ts";
import { designationTokens } from "./designations.ts";
import { organisationTokens } from "./organisations.ts";
import { tokenOf, WEIGHTS, type NamePart } from "./parts.ts";
import { personTokens } from "./persons.ts";

/** `designation`: what a unit, place, facility, vehicle, sensor or resource is called. */
export type NameKind = "person" | "organisation" | "designation";

const BODIES = new Set(["organisation", "group", "country", "event", "document", "fact", "theme", "other"]);
/** As which names those of entities and records of a kind are compared: persons, bodies and the like, or things. */
export const nameKindOf = (kind: string | undefined): NameKind =>
  kind === "person" ? "person" : BODIES.has(kind ?? "") ? "organisation" : "designation";

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
  /** "Mr" and "Mrs". */
  address?: string;
  /** Formations with their numbers: "1st platoon, 2nd company" is not "2nd platoon, 1st company". */
  numbered?: ReadonlyMap<number, string>;
  /** Where it says two names, in brackets or with a stroke between them: each of these. */
  also?: readonly PreparedName[];
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

/**
 * "Dnipro (formerly Dnipropetrovsk)", "SESU / DSNS": the names that are said. A body in brackets is a branch, so that what
 * stands before them is not its name.
 */
function namesIn(raw: string, kind: NameKind): string[] {
  const inside = [...raw.matchAll(/[([]([^()[\]]*)[)\]]/g)].map(([, text]) => text!.replace(FORMERLY, ""));
  const outside = raw.replace(/[([][^()[\]]*[)\]]/g, " ").split(" / ");
  const isBranch = kind === "organisation" && outside.length === 1;
  return [...(isBranch ? [] : outside), ...inside].map((name) => name.trim()).filter((name) => name !== "");
}
const FORMERLY = /^(?:formerly|previously|ex|also|aka|a\.?k\.?a\.?|now|near|alias|or)\b[\s:]*/i;
const hasTwo = (raw: string): boolean => /[([]| \/ /.test(raw);

/** One that names something: not a kind or a mark alone. */
const isTelling = ({ tokens }: PreparedName): boolean =>
  tokens.some(({ weight, isMark }) => weight >= WEIGHTS.part && !isMark);

/** @param raw as written; with other names of it in brackets, or behind a stroke with a space on both sides. */
export function prepareName(raw: string, kind: NameKind): PreparedName {
  const whole = prepareOne(raw, kind);
  if (kind === "person" || !hasTwo(raw)) return whole;
  const also = namesIn(raw, kind)
    .map((name) => prepareOne(name, kind))
    .filter(isTelling);
  return also.length ? { ...whole, also } : whole;
}

function prepareOne(raw: string, kind: NameKind): PreparedName {
  const { tokens, ...told } = partsOf(raw, kind);
  const kept = isAbjad(raw) ? tokens.slice(0, MOST_TOKENS).flatMap(withoutVowels) : tokens.slice(0, MOST_TOKENS);
  const key = kept
    .filter(({ weight }) => weight > WEIGHTS.particle)
    .map(({ text }) => text)
    .sort()
    .join(" ");
  return { kind, tokens: kept, key, ...told };
}
