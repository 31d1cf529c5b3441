import { stem } from "../../../../core/text/words/stem.ts";
import { words, type Word } from "../../../../core/text/words/words.ts";
import { nameTerms, terms, termsOf } from "../../../../core/text/words/terms.ts";
import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { figuresIn, type Figure } from "../figures/figures.ts";

/**
 * A sentence taken apart as far as two of them can be compared: what about, which figures, said or denied, up or down.
 */
export interface Assertion {
  text: string;
  /** Content stems without the words that only turn the meaning round. */
  about: ReadonlySet<string>;
  quantities: readonly Figure[];
  /** Every number in it, in digits or words. */
  numbers: ReadonlySet<number>;
  /** What it denies: the content stems behind each negation, nearest first, at most three. */
  denials: readonly (readonly string[])[];
  /** The content stems that are written with a capital inside the sentence. */
  names: ReadonlySet<string>;
  /** Axis → which end of it the sentence speaks of; absent where it names neither or both. */
  directions: ReadonlyMap<string, "up" | "down">;
}

const NEGATION = new RegExp(
  [
    "\\b(?:not|no|never|none|nobody|neither|nor|without|cannot|ruled out)\\b",
    "n['’]t\\b",
    "\\b(?:den(?:y|ies|ied|ying)|refut(?:es?|ed|ing)|dismiss(?:es|ed|ing)?)\\b",
  ].join("|"),
  "gi",
);
const NEGATION_STEMS = new Set("deny denied denying refute refuted dismiss dismissed rule".split(" ").map(stem));
const DENIED_STEMS = 3;

/** The scope of a negation, roughly: what stands behind it up to the end of the clause. */
const denialsIn = (text: string): string[][] =>
  Array.from(text.matchAll(NEGATION), (match) => {
    const clause = text.slice(match.index + match[0].length).split(/[,;:.!?–—"“”]/, 1)[0]!;
    return terms(clause).slice(0, DENIED_STEMS);
  }).filter((denied) => denied.length > 0);

const list = (forms: string): ReadonlySet<string> => new Set(forms.split(/\s+/));
const AXES: Record<string, { up: ReadonlySet<string>; down: ReadonlySet<string> }> = {
  level: {
    up: list(`rise rises rose risen rising increase increases increased climb climbs climbed grow grows grew growth gain gains gained
      surge surged jump jumped higher expanded`),
    down: list(`fall falls fell fallen falling decrease decreased decline declines declined drop drops dropped slide slid slump slumped
      shrank plunge plunged lower contracted`),
  },
  consent: {
    up: list(
      "approve approved approves accept accepted accepts agree agreed agrees back backed backs ratified " +
        "ratify endorsed support supported supports",
    ),
    down: list(
      "reject rejected rejects refuse refused refuses oppose opposed opposes block blocked blocks vetoed veto",
    ),
  },
  passage: {
    up: list("open opened opens reopen reopened reopens resume resumed resumes restored"),
    down: list("close closed closes shut suspend suspended suspends halt halted halts"),
  },
};
const AXIS_STEMS = new Set(
  Object.values(AXES)
    .flatMap(({ up, down }) => [...up, ...down])
    .map(stem),
);

function directionsOf(spoken: readonly Word[]): Map<string, "up" | "down"> {
  const found = new Map<string, "up" | "down">();
  for (const [axis, { up, down }] of Object.entries(AXES)) {
    const [rises, falls] = [spoken.some(({ text }) => up.has(text)), spoken.some(({ text }) => down.has(text))];
    if (rises !== falls) found.set(axis, rises ? "up" : "down");
  }
  return found;
}

export function assertionOf(text: string): Assertion {
  const spoken = words(text);
  return {
    text,
    about: new Set(termsOf(spoken).filter((term) => !NEGATION_STEMS.has(term) && !AXIS_STEMS.has(term))),
    quantities: figuresIn(text, spoken),
    numbers: new Set(numbersIn(text, spoken)),
    denials: denialsIn(text),
    names: nameTerms(text),
    directions: directionsOf(spoken),
  };
}

function sharedTerms(a: Assertion, b: Assertion): number {
  let count = 0;
  for (const term of a.about) if (b.about.has(term)) count++;
  return count;
}

/** Overlap coefficient 0..1: how much of the shorter sentence's content the other has too. */
const overlap = (a: Assertion, b: Assertion): number =>
  sharedTerms(a, b) / Math.max(1, Math.min(a.about.size, b.about.size));

/**
 * Whether one sentence denies what the other asserts: the other has the word denied and shares half its content, or it
 * has two of the words denied ("no indication of a deliberate act": "a deliberate act"), and does not deny them itself.
 */
export function denies(a: Assertion, b: Assertion): boolean {
  return a.denials.some((denied) => {
    const asserted = denied.filter((term) => b.about.has(term) && !b.denials.some((own) => own.includes(term)));
    // Names alone are no statement: "nobody elected Henrik Aas" denies nothing that Henrik Aas says.
    if (asserted.every((term) => a.names.has(term))) return false;
    return (
      asserted.length >= 2 ||
      (asserted[0] !== undefined && asserted[0] === denied[0] && sharedTerms(a, b) >= 2 && overlap(a, b) >= 0.5)
    );
  });
}

/**
 * Whether a sentence can be cited for what another says: it has every number of it, and denies or turns round nothing.
 */
export const supports = (other: Assertion, statement: Assertion): boolean =>
  Array.from(statement.numbers).every((number) => other.numbers.has(number)) &&
  statement.denials.length === other.denials.length &&
  Array.from(statement.directions).every(([axis, end]) => (other.directions.get(axis) ?? end) === end);
