import { once } from "../../once.ts";
import { plain } from "../plain.ts";
import { terms } from "../words/terms.ts";
import { numbersIn } from "./numerals.ts";

/** What of a report tells whether it takes another back. */
export interface PublishedReport {
  sourceId: number;
  /** Of the outlet, as it calls itself in what it publishes. */
  sourceName?: string;
  title: string;
  /** Plain text; may be empty where there is a summary only. */
  text: string;
  summary?: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
}

/** What an outlet takes back by an article: a report of its own, or a part of one. */
export type Erratum = "retraction" | "correction";

/** Headings under which papers take back a detail; each word alone is no sign: markets correct, and prisons do. */
const CORRECTION =
  /^(?:bc-[^,]+, )?(?:a )?(?:corrections?(?: and (?:clarification|apology)s?| notice)?|clarifications?|correc(?:ted|ts)|erratum|errata|corrigendum|korrektur|berichtigung|richtigstellung|rectificatif|rectificación|corrección|correção|retificação|fe de err(?:ores|atas)|rettifica|errata corrige|rectificatie|correctie|errámos|erramos|исправление|تصحيح|تصويب)(?!\p{L})/iu;
/** Headings that stand over much else as well. */
const AMENDMENT =
  /^(?:amendment|apology|for the record|setting the record straight|editor[’']s note|readers[’'] editor|we got it wrong|in eigener sache|mise au point|précision|precisazione|aclaración|уточнение|поправка)(?!\p{L})|^re-?file\s*(?:[:–—-]|$)|^what we got wrong|^(?:anmerkung|hinweis) der redaktion|(?:[:–—-] | )(?:a|an) correction$/iu;
/** "Correction: Strike story", "Correction to our report": whatever the text says. */
const CORRECTION_OF =
  /^(?:corrections?|clarification) ?(?:\(.*\)$|(?:to|on|of) our |[:–—-] .*(?<!\p{L})(?:story|report|article|headline|caption|name)$)/iu;

/** An outlet speaks of what it published itself. */
const OF_ITS_OWN = new RegExp(
  [
    "(?<!\\p{L})(?:our|this|its|the newspaper's|the paper's) (?:\\p{L}+ ){0,2}(?:report|story|article|headline|caption|timeline|edition|coverage|newspaper)(?!\\p{L})",
    "(?<!\\p{L})we (?:\\p{L}+ly )?(?:said|say|reported|wrote|told|published|gave|named|called|printed|apologi[sz]e|regret)(?!\\p{L})",
    "(?<!\\p{L})(?:earlier|previous|original|first) (?:report|version|article|story|headline)(?!\\p{L})",
    "(?<!\\p{L})\\p{Lu}\\p{L}+day['’]s (?:\\p{L}+ ){0,2}(?:paper|edition|report|story|article|review|column|crossword)|yesterday['’]s (?:paper|edition|report|story|article|review|column)|(?<!\\p{L})page \\d",
    "(?<!\\p{L})(?:an?|the) (?:[\\p{L}-]+ ){0,2}(?:article|story|report|caption|headline|profile|photo caption|obituary|graphic) (?:published )?(?:on|in|about|of|for)(?!\\p{L})",
    "(?<!\\p{L})in (?:unserem|unserer|einer früheren|der ausgabe|dem artikel|ons|notre|nostro|nell['’])|(?<!\\p{L})wie (?:wir|gestern|am \\p{L}+|berichtet)|notre (?:article|édition|titre)|par erreur|nous avons (?:écrit|publié|annoncé)",
    "nuestr[oa] (?:noticia|titular|artículo|edición)|se publicó|por error|(?:como )?informamos|publicad[ao]|nell['’](?:articolo|edizione)|come (?:riportato|scritto)|abbiamo scritto|(?:do|ao contrário do que|como) (?:publicado|publicámos|noticiámos)",
    "в (?:заметке|статье|материале|сообщении от)|мы (?:\\p{L}+ )?(?:сообщили|написали)|خبرنا|ورد في",
  ].join("|"),
  "iu",
);
/** Whoever erred. */
const ERRED =
  /(?<!\p{L})(?:misstated|misspelled|misspelt|misidentified|incorrectly|erroneously|wrongly|regrets? the error|has been corrected|apologi[sz]es to|was (?:printed|published|given) )/iu;
/** "400, not 4,000". */
const TURNED =
  /(?:,| and|;| et| y| e|, а) (?:not|non|no|nicht|не) (?:[\p{L}’']+ ){0,2}(?:\p{N}|[“"])|rather than|instead of/iu;

/** Wire services say in brackets, before the text, what they changed in it. */
const BRACKETED =
  /^\((?:correct(?:s|ed|ing)|(?:this|the) [^()]{0,40}?(?:story|article|report) [^()]{0,40}?(?:has been|was|is) corrected)(?!\p{L})/iu;
/** "In an article on Tuesday, we said …": what begins so takes something back. */
const OPENING =
  /^in (?:an?|our|the) (?:[\p{L}\p{N}.-]+ ){0,3}(?:article|story|report)(?: published)? (?:on|in|of|about) [^.]{0,60}?(?:, (?:we|the (?:news)?paper) |erroneously|incorrectly|misstated)/iu;

const PIECE = "(?:report|article|story|coverage|interview)(?!\\p{L})";
const HEADED =
  /^(?:retraction|retracted|withdrawn|story withdrawn|rétractation|retractación|ritrattazione|retratação|опровержение)\s*(?:[:.(–—-]|$)|^(?:mandatory )?kill\s*[:(–—-]/iu;
/** An outlet withdraws a whole piece of its own. */
const WITHDRAWS = new RegExp(
  [
    `^retraction of our (?:\\p{L}+ ){0,3}${PIECE}`,
    `(?<!\\p{L})we (?:(?:have|hereby|are) )?(?:retract|withdraw|withdrew)(?:s|ed|n|ing)? (?:(?:our|the|this) (?:\\p{L}+ ){0,2}${PIECE}|it(?!\\p{L}))`,
    `(?<!\\p{L})this (?:\\p{L}+ ){0,1}${PIECE} (?:has been|was|is) (?:retracted|withdrawn)`,
    "(?:ziehen|nehmen) (?:wir )?unseren? [^.]{3,80} zurück|nous retirons notre|retiramos (?:nuestr|a nossa|o nosso)|ritiriamo (?:il|l|la) nostr",
    `(?:kill the story|please kill|story [^.]{0,60}should not be used)`,
  ].join("|"),
  "iu",
);
/** "Retraction: …" over a report of its own, and no other's. */
const OF_A_PIECE =
  /(?<!\p{L})(?:report|article|story|error|forged|genuine|coverage|retracts?|retract|сообщение|artículo|noticia)(?!\p{L})/iu;

/** Characters of a text that say whether it takes something back. */
const BEGINNING = 400;

/** What an article takes back, as its title or its first words say; undefined of a report. Asked for many times of each. */
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
  if (WITHDRAWS.test(title) || (WITHDRAWS.test(text) && (WITHDRAWS.test(first!) || AMENDMENT.test(title)))) return true;
  return outlet !== undefined && beginnings.some((words) => withdrawnBy(outlet).test(words));
}

/** "The Courier withdraws its report": only the outlet's own word counts, a ministry has reports as well. */
const withdrawnBy = (outlet: string): RegExp => {
  const names = [outlet, outlet.split(" ").at(-1)!].map((name) => name.replace(/[^\p{L}\p{N} ]/gu, "."));
  return new RegExp(
    `^(?:the )?(?:${names.join("|")}) (?:on \\p{L}+ )?(?:(?:have|has) )?(?:retract|withdr[ae]w)(?:s|ed|n)? (?:our|its|the|a|this) (?:\\p{L}+ ){0,2}${PIECE}`,
    "iu",
  );
};

function isCorrection(title: string, text: string): boolean {
  if (BRACKETED.test(text) || OPENING.test(text) || CORRECTION_OF.test(title)) return true;
  const speaksOfItself = [OF_ITS_OWN, ERRED, TURNED].some((sign) => sign.test(text));
  const [heading] = [title, text].filter((words) => CORRECTION.test(words));
  if (heading !== undefined)
    return speaksOfItself || (/^[^:–—-]+(?:[:–—-]|$)/u.test(heading) && isWhole(heading) && !MUSING.test(heading));
  return AMENDMENT.test(title) && OF_ITS_OWN.test(text);
}

/** "Correction", "Correction: fever trial", and no words about one. */
const isWhole = (heading: string): boolean => /^[:.(–—-]|^$/u.test(heading.replace(CORRECTION, "").trim());
/** Words on corrections of other kinds ask, explain or judge. */
const MUSING =
  /[?]|(?<!\p{L})(?:why|how|what|or|an?|the|is|are|has|have|warum|wie|was|die|der|das|pourquoi|comment|le|la|por qué|cómo|perché|come|как|почему)(?!\p{L})/iu;

const OF_BEFORE =
  /(?<!\p{L})(?:(?:earlier|previous|original|first) (?:report|version|article|story|headline)|misstated|incorrectly|erroneously|wrongly|we (?:said|reported|wrote|told|gave|published|put)|our (?:report|story|article|headline|caption)|(?:an?|the|in) (?:[\p{L}-]+ )?(?:article|story|stories|report) (?:published )?(?:here )?(?:on|in|about)|given in our)(?!\p{L})/iu;
/** Where a number is set against another one: "not 4,000", "rather than 0.5 points". */
const AGAINST =
  /;|,? (?:and |but )?(?:not|instead of|rather than) (?=(?:[\p{L}]+ ){0,2}[\p{L}-]*\p{N}|(?:\p{L}+ ){0,1}(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?!\p{L}))/iu;
/** Days and places in a paper are no figures of a report. */
const WHERE_AND_WHEN =
  /(?<!\p{L})(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)\p{L}*\.? \d{1,2}(?!\d)(?:, \d{4})?|\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:page|paragraph|column)s? (?:\d+|one|two|three|four|five)|(?:first|second|third|fourth|fifth) paragraph)(?!\p{L})/giu;

/** Which numbers a correction takes back: those of its sentence on the earlier report, and those that it sets others against. */
export function takenBack(sentences: readonly string[]): { wrong: Set<number>; right: Set<number> } {
  const [wrong, right] = [new Set<number>(), new Set<number>()];
  for (const sentence of sentences.map((one) => one.replace(WHERE_AND_WHEN, ""))) {
    const [first = "", ...rest] = sentence.split(AGAINST);
    const numbers = numbersIn(first);
    // "Did not cut 900 jobs" sets nothing against anything.
    const isTurned = rest.length > 0 && numbers.length > 0 && !sentence.startsWith(`${first};`);
    const isOfBefore = OF_BEFORE.test(first);
    for (const number of numbers) (isOfBefore ? wrong : right).add(number);
    for (const number of rest.flatMap((part) => numbersIn(part))) (isTurned && !isOfBefore ? wrong : right).add(number);
  }
  return { wrong: new Set([...wrong].filter((number) => !right.has(number))), right };
}

/** So much of an earlier title a retraction repeats that is about that report; where it repeats none, the newest is meant. */
const REPEATED = 0.5;

/** Of the reports of one event those that their own outlet took back later, whole, each with the retraction. */
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
