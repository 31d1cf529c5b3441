/** What is given up: by its outlet a figure for a later one, or a whole report; by a person what they do not stand by. */
import { once } from "../../../../../core/once.ts";
import { erratumOf, takenBack } from "../../../../../core/text/statements/speech/errata.ts";
import { numbersIn } from "../../../../../core/text/statements/figures/numerals.ts";
import { sentences } from "../../../../../core/text/words/sentences.ts";
import { isRejected, reportOf, type Content, type Succession } from "../../../articles/client.ts";
import type { StoredClaim } from "../../claims/claim.ts";
import { RETRACTED, SINCE } from "./conclusion.ts";
import type { Candidate, Reference, SupersededBy } from "../cross-reference.ts";

/** Smaller numbers count too many different things. */
const PARTICULAR = 20;

/** The later figure that replaces one of the claim's: by its own outlet or agency, or by anybody for the same count. */
export function replacing(
  { quantities }: StoredClaim,
  { id }: Content,
  replaced: readonly Succession[],
): SupersededBy | null {
  const found = replaced.find(
    ({ earlier, later }) =>
      later.articleId !== id &&
      quantities.some(({ value }) => value === earlier.value && (earlier.articleId === id || value >= PARTICULAR)) &&
      !quantities.some(({ value }) => value === later.value),
  );
  return found ? { ...found.later, subject: found.subject } : null;
}

/** A reference made neutral, with the reason. */
const unsaid = (reference: Reference, why: string): Reference => ({
  ...reference,
  stance: "neutral",
  score: 0,
  reasons: [why],
});

/** A figure that its outlet gave up contradicts nothing. */
export const withoutReplaced = (said: readonly Reference[], replaced: readonly Succession[]): Reference[] =>
  said.map((reference) => {
    const given = replaced.find(
      ({ earlier }) =>
        reference.stance === "contradict" &&
        earlier.articleId === reference.articleId &&
        reference.reasons[0]?.endsWith(`against ${earlier.text}`),
    );
    return given ? unsaid(reference, `its ${given.earlier.text} was ${given.later.text} later`) : reference;
  });

/** A retracted report confirms and contradicts nothing, nor does an article that quotes what it retracts. */
export const withoutRetracted = (
  said: readonly Reference[],
  retracted: ReadonlyMap<number, Content>,
  read: ReadonlyMap<number, Content>,
): Reference[] =>
  said.map((reference) => {
    if (reference.stance === "neutral") return reference;
    if (retracted.has(reference.articleId)) return unsaid(reference, "its own outlet retracted it later");
    const article = read.get(reference.articleId);
    return article && erratumOf(article) === "retraction" ? unsaid(reference, "it takes a report back") : reference;
  });

/** What an outlet put right by a later article: its numbers that were wrong, by the id of each report before. */
export const correctedIn = once((story: readonly Content[]): ReadonlyMap<number, Correction> => {
  const found = new Map<number, Correction>();
  for (const by of story.filter((one) => erratumOf(one) === "correction")) {
    const { wrong } = takenBack(sentences(by.text).map(({ text }) => text));
    if (wrong.size === 0) continue;
    for (const one of story)
      if (one.sourceId === by.sourceId && one.publishedAt < by.publishedAt && !erratumOf(one))
        found.set(one.id, { by, wrong });
  }
  return found;
});

interface Correction {
  by: Content;
  wrong: ReadonlySet<number>;
}

const tells = (text: string, { wrong }: Correction): boolean => numbersIn(text).some((number) => wrong.has(number));

/** The outlet's correction of a claim's own figure. */
export const correctionOf = ({ text }: StoredClaim, own: Correction | undefined): Content | undefined =>
  own && tells(text, own) ? own.by : undefined;

/** A figure that its outlet put right confirms and contradicts nothing. */
export const withoutCorrected = (said: readonly Reference[], corrected: ReadonlyMap<number, Correction>): Reference[] =>
  said.map((reference) => {
    const own = reference.stance === "neutral" ? undefined : corrected.get(reference.articleId);
    return own && tells(reference.evidence.text, own)
      ? unsaid(reference, "its own outlet corrected its figure later")
      : reference;
  });

/** What a person rejected settles nothing, and overtakes nothing; what it would have is shown with the reason. */
export const withoutRejected = (said: readonly Reference[]): Reference[] =>
  said.map((reference) =>
    reference.stance === "neutral" && !reference.reasons[0]?.startsWith(SINCE)
      ? reference
      : unsaid(reference, "a person did not verify it"),
  );

/** Whether others tell of an article's event in words of their own, and a person rejected each. */
export function isLeftAlone(story: readonly Content[], content: Content): boolean {
  const others = story.filter((one) => one.sourceId !== content.sourceId && reportOf(one) !== reportOf(content));
  return others.length > 0 && others.every(isRejected);
}

/** The first sentence of a retraction ends within this many characters. */
const BEGINNING = 600;

/** The sentence by which an outlet retracts a report, or corrects it, as a contradiction of its claims. */
export function retractionOf({ text, title, ...candidate }: Candidate, reason = RETRACTED): Reference {
  const [first] = sentences(text.slice(0, BEGINNING));
  return {
    ...candidate,
    stance: "contradict",
    score: 100,
    evidence: first
      ? { text: first.text, start: first.start, end: first.end }
      : { text: title ?? "", start: 0, end: 0 },
    reasons: [reason],
    independent: false,
    method: "heuristic",
  };
}
