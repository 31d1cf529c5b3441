import { once } from "../../../once.ts";
import { lexicon } from "../../lexicon.ts";
import { plain } from "../../plain.ts";
import { RecentTexts } from "../../words/remembered.ts";
import { terms } from "../../words/terms.ts";
import { numbersIn } from "../figures/numerals.ts";

/** The parts of a report that show whether it retracts or corrects another. */
export interface PublishedReport {
  sourceId: number;
  /** The outlet's name, as it calls itself in its texts. */
  sourceName?: string;
  title: string;
  /** Plain text; empty where only a summary is known. */
  text: string;
  summary?: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
}

/** What an outlet corrects by an article: a whole report of its own, or a detail. */
export type Erratum = "retraction" | "correction";

/** Headings of corrections; a word alone is no sign: markets correct, and prisons do. */
const CORRECTION = new RegExp(`^(?:bc-[^,]+, )?(?:a )?(?:${lexicon.errata.corrections.join("|")})(?!\\p{L})`, "iu");
/** Headings that also stand above other articles. */
const AMENDMENT = new RegExp(
  [`^(?:${lexicon.errata.amendments.join("|")})(?!\\p{L})`, ...lexicon.errata.amending].join("|"),
  "iu",
);
/** "Correction: Strike story", "Correction to our report": enough without reading the text. */
const CORRECTION_OF =
  /^(?:corrections?|clarification) ?(?:\(.*\)$|(?:to|on|of) our |[:–—-] .*(?<!\p{L})(?:story|report|article|headline|caption|name)$)/iu;

/** Words for the outlet's own publications. */
const OF_ITS_OWN = lexicon.errata.ofItsOwn.map((form) => new RegExp(form, "iu"));
const isOfItsOwn = (text: string): boolean => OF_ITS_OWN.some((form) => form.test(text));
/** Words for the author of the error. */
const ERRED = new RegExp(`(?<!\\p{L})(?:${lexicon.errata.erred.join("|")})`, "iu");
/** "400, not 4,000". */
const TURNED =
  /(?:,| and|;| et| y| e|, а) (?:not|non|no|nicht|не) (?:[\p{L}’']+ ){0,2}(?:\p{N}|[“"])|rather than|instead of/iu;

/** Wire services put corrections in brackets before the text. */
const BRACKETED =
  /^\((?:correct(?:s|ed|ing)|(?:this|the) [^()]{0,40}?(?:story|article|report) [^()]{0,40}?(?:has been|was|is) corrected)(?!\p{L})/iu;
/** "In an article on Tuesday, we said …": a text that begins so is a correction. */
const OPENING =
  /^in (?:an?|our|the) (?:[\p{L}\p{N}.-]+ ){0,3}(?:article|story|report)(?: published)? (?:on|in|of|about) [^.]{0,60}?(?:, (?:we|the (?:news)?paper) |erroneously|incorrectly|misstated)/iu;

/** "Due to an error, our report misidentified …", "not 9.4 per cent as incorrectly stated in an article on Monday". */
const MISREPORTED =
  /^(?:(?:owing|due) to [^.,]{1,80}, (?:our|an?|the) (?:[\p{L}\p{N}.-]+ ){0,2}(?:article|story|report)(?!\p{L})|.{1,120}? as (?:incorrectly|wrongly|erroneously) (?:stated|reported|said|given) in (?:an?|our|the) (?:[\p{L}-]+ ){0,2}(?:article|story|report)(?!\p{L}))/iu;

const PIECE =
  "(?:reports?|articles?|story|stories|coverage|interview|documentary|programme|program|film|episode|podcast|essay|post|investigation|column)(?!\\p{L})";
const HEADED = new RegExp(
  `^(?:${lexicon.errata.headed.join("|")})\\s*(?:[:.(–—-]|$)|^(?:mandatory )?kill\\s*[:(–—-]`,
  "iu",
);
/** An outlet withdraws a whole article of its own. */
const WITHDRAWS = [
  `(?<!\\p{L})the ${PIECE}(?:, [^.,]{1,80},)? (?:has been|was) retracted(?!\\p{L})`,
  `(?<!\\p{L})(?:can no longer stand (?:behind|by) (?:the|this|our)|no longer stands? (?:behind|by) (?:the|this|our)|ha(?:s|ve) taken down this|i['’]?m (?:pulling|taking down) (?:this|the|my)|am withdrawing this) (?:\\p{L}+ ){0,2}(?:report|article|story|essay|post|piece|documentary|investigation)(?!\\p{L})`,
  `(?<!\\p{L})(?:we have unpublished our|we have withdrawn our) ${PIECE}`,
  `(?<!\\p{L})the ${PIECE} (?:[\\p{L}\\d'‘’,“”-]{1,20} ){0,12}(?:is|are) withdrawn(?!\\p{L})`,
  `(?<!\\p{L})story we (?:aired|published|ran|told you) [^.]{0,60}was not true`,
  `^retraction of our (?:\\p{L}+ ){0,3}${PIECE}`,
  `(?<!\\p{L})we (?:(?:have|hereby|are) )?(?:retract|withdraw|withdrew)(?:s|ed|n|ing)? (?:(?:our|the|this) (?:\\p{L}+ ){0,2}${PIECE}|it(?!\\p{L}))`,
  `(?<!\\p{L})this (?:\\p{L}+ ){0,1}${PIECE} (?:has been|was|is) (?:retracted|withdrawn)`,
  "(?:ziehen|nehmen) (?:wir )?unseren? [^.]{3,80} zurück|nous retirons notre|retiramos (?:nuestr|a nossa|o nosso)|ritiriamo (?:il|l|la) nostr",
  `(?:kill the story|please kill|story [^.]{0,60}should not be used)`,
].map((form) => new RegExp(form, "iu"));
const withdraws = (text: string): boolean => WITHDRAWS.some((form) => form.test(text));
/** In the outlet's own first person, and in nobody's quotation, it may stand behind what it was about. */
const OWN_WORD =
  /(?:^|[.!?] )(?:We (?:now accept that there was no truth|retract (?:the|this|our) (?:report|article|story)|withdraw its (?:allegations|claims))|I no longer stand (?:behind|by) (?:it|any of it)|I['’]m pulling this (?:post|piece|article))/u;

/** "Retraction: …" above a report of its own, not another's. */
const OF_A_PIECE = new RegExp(`(?<!\\p{L})(?:${lexicon.errata.ofAPiece.join("|")})(?!\\p{L})`, "iu");

/** What an outlet says of its own earlier words, in a note at an article or in a correction. */
const NOTES = lexicon.errata.notes.map((form) => new RegExp(form, "iu"));

/**
 * Whether a sentence takes back or puts right what the same article said before: "An earlier version of this article
 * said 2.5 million." What it repeats is claimed by nobody.
 */
export const takesBack = (sentence: string): boolean => NOTES.some((form) => form.test(sentence));

/** The first characters of a text, which show whether it is a correction. */
const BEGINNING = 400;

/**
 * What an article corrects, by its title or its first words; undefined for a report. Cached, since it is needed often.
 */
export const erratumOf = once((report: PublishedReport): Erratum | undefined => {
  const title = plain(report.title);
  const text = plain((report.text || (report.summary ?? "")).slice(0, BEGINNING));
  if (isRetraction(title, text, report.sourceName)) return "retraction";
  return isCorrection(title, text) ? "correction" : undefined;
});

function isRetraction(title: string, text: string, outlet: string | undefined): boolean {
  const beginnings = [title, text];
  if (beginnings.some((words) => HEADED.test(words)) && (!text || OF_A_PIECE.test(text))) return true;
  const [first] = text.split(/(?<=[.!?]) /);
  if (withdraws(title) || (withdraws(text) && (withdraws(first!) || AMENDMENT.test(title)))) return true;
  if (OWN_WORD.test(text)) return true;
  return outlet !== undefined && beginnings.some((words) => withdrawnBy(outlet).test(words));
}

const OUTLETS_CHARACTERS = 20_000;
const outlets = new RecentTexts<RegExp>(OUTLETS_CHARACTERS);
/** "The Courier withdraws its report": only the outlet's own word counts; ministries have reports as well. */
const withdrawnBy = (outlet: string): RegExp =>
  outlets.of(outlet, () => {
    const names = [outlet, outlet.split(" ").at(-1)!].map((name) => name.replace(/[^\p{L}\p{N} ]/gu, "."));
    return new RegExp(
      `^(?:the )?(?:${names.join("|")}) (?:on \\p{L}+ )?(?:(?:have|has|is|are) )?(?:retract|withdr[ae]w)(?:s|ed|n|ing)? ` +
        `(?:our|its|the|a|this|two|three|four|five|several|all) (?:\\p{L}+ ){0,2}${PIECE}`,
      "iu",
    );
  });

function isCorrection(title: string, text: string): boolean {
  if ([BRACKETED, OPENING, MISREPORTED].some((sign) => sign.test(text)) || CORRECTION_OF.test(title)) return true;
  const [heading] = [title, text].filter((words) => CORRECTION.test(words));
  const speaksOfItself = isOfItsOwn(text) || ERRED.test(text);
  if (heading !== undefined)
    return (
      speaksOfItself ||
      (TURNED.test(text) && isWhole(heading)) ||
      (/^[^:–—-]+(?:[:–—-]|$)/u.test(heading) && isWhole(heading) && !MUSING.test(heading))
    );
  return AMENDMENT.test(title) && isOfItsOwn(text);
}

/** "Correction", "Correction: fever trial", but not a text about corrections. */
const isWhole = (heading: string): boolean =>
  /^(?:[:.(–—-]|$|\d{1,2} \p{Lu}\p{L}{2,8}$|\p{Lu}\p{L}{2,8}\.? \d{1,2}$)/u.test(
    heading.replace(CORRECTION, "").trim(),
  );
/** Texts about corrections of other kinds ask, explain or judge. */
const MUSING = new RegExp(`[?]|(?<!\\p{L})(?:${lexicon.errata.musing.join("|")})(?!\\p{L})`, "iu");

const OF_BEFORE = new RegExp(`(?<!\\p{L})(?:${lexicon.errata.ofBefore.join("|")})(?!\\p{L})`, "iu");
/** A number contrasted with another: "not 4,000", "rather than 0.5 points". */
const AGAINST =
  /;|,? \(?(?:and |but )?(?:not|instead of|rather than|sted)(?:, as [^,.]{1,40},)? (?=(?:[\p{L}]+ ){0,2}[\p{L}-]*[$€£¥]?\p{N}|(?:\p{L}+ ){0,1}(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?!\p{L}))/iu;
/** Days and places of publication are no figures of a report. */
const WHERE_AND_WHEN = new RegExp(`(?<!\\p{L})(?:${lexicon.errata.whereAndWhen.join("|")})(?!\\p{L})`, "giu");

/**
 * The numbers that a correction replaces: those of its sentence about the earlier report, and those contrasted with
 * others.
 */
export function takenBack(sentences: readonly string[]): { wrong: Set<number>; right: Set<number> } {
  const [wrong, right] = [new Set<number>(), new Set<number>()];
  for (const sentence of sentences.map((one) => one.replace(WHERE_AND_WHEN, ""))) {
    const [first = "", ...rest] = sentence.split(AGAINST);
    const numbers = numbersIn(first);
    // "Did not cut 900 jobs" contrasts nothing.
    const isTurned = rest.length > 0 && numbers.length > 0 && !sentence.startsWith(`${first};`);
    const isOfBefore = OF_BEFORE.test(first);
    for (const number of numbers) (isOfBefore ? wrong : right).add(number);
    for (const part of rest)
      for (const number of numbersIn(part))
        (!isOfBefore && (isTurned || OF_BEFORE.test(part)) ? wrong : right).add(number);
  }
  return { wrong: new Set([...wrong].filter((number) => !right.has(number))), right };
}

/**
 * A retraction that repeats this share of an earlier title is about that report; without such a title, the newest is
 * meant.
 */
const REPEATED = 0.5;

/** The reports of one event that their own outlet retracted later, each with its retraction. */
export function retractions<T extends PublishedReport>(reports: readonly T[]): Map<T, T> {
  const found = new Map<T, T>();
  for (const retraction of reports.filter((report) => erratumOf(report) === "retraction")) {
    const before = reports
      .filter(({ sourceId, publishedAt }) => sourceId === retraction.sourceId && publishedAt < retraction.publishedAt)
      .filter((report) => !erratumOf(report))
      .sort((one, other) => (one.publishedAt < other.publishedAt ? 1 : -1));
    const said = new Set(terms(`${retraction.title} ${retraction.text || (retraction.summary ?? "")}`));
    const named = before.filter(({ title }) => shareIn(said, terms(title)) >= REPEATED);
    for (const report of named.length > 0 ? named : before.slice(0, 1)) found.set(report, retraction);
  }
  return found;
}

const shareIn = (said: ReadonlySet<string>, title: readonly string[]): number =>
  title.length === 0 ? 0 : title.filter((term) => said.has(term)).length / title.length;
