import { compareDates, type DateMention } from "../../../../../core/text/statements/dates.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { likeness, themeOf } from "../../../../../core/text/statements/themes.ts";
import type { Pair } from "../alignment.ts";
import { once } from "../../../../../core/once.ts";

/** Events that happen once, at one time. */
const ONCE =
  /^(?:begins?|began|begun|starts?|started|ends?|ended|opens?|opened|closes?|closed|tak effect|com into forc|enter into (?:forc|effect)|lands?|landed|arrives?|arrived|launched|expires?|resigned|vote|signed|reopens?|finished|complete|completed|be hold|tak plac)$/;
/** Most words between it and its time. */
const BEHIND = 7;
const CLOCK =
  /\b(?<h>[01]?\d|2[0-3])(?:[:.](?<m>[0-5]\d))?\s?(?<half>[ap])\.?m\b|\b(?<H>[01]?\d|2[0-3]):(?<M>[0-5]\d)\b/i;
const NOON = /\bat (?<noon>noon|midnight)\b/i;
const MINUTES_APART = 30;

interface Moment {
  date: DateMention | undefined;
  minutes: number | undefined;
}

function minutesIn(text: string): number | undefined {
  const noon = NOON.exec(text)?.groups?.["noon"];
  if (noon) return noon.toLowerCase() === "noon" ? 720 : 0;
  const found = CLOCK.exec(text)?.groups;
  if (!found) return undefined;
  const hour = Number(found["h"] ?? found["H"]);
  const isAfternoon = found["half"]?.toLowerCase() === "p";
  return ((found["half"] ? hour % 12 : hour) + (isAfternoon ? 12 : 0)) * 60 + Number(found["m"] ?? found["M"] ?? 0);
}

/** The time that follows a verb in its clause. */
function momentOf({ words, dates, text, start }: Statement, at: number, length: number): Moment {
  const [from, to] = [words[at]!.end, words[Math.min(words.length - 1, at + length - 1 + BEHIND)]!.end];
  const clause = text.slice(from - start, to - start).split(/[,;:]/)[0]!;
  return {
    date: dates.find((one) => one.start >= from && one.end <= from + clause.length),
    minutes: minutesIn(clause),
  };
}

const isTimed = once(({ dates, negations, text }: Statement) =>
  negations.length === 0 && (dates.length > 0 || minutesIn(text) !== undefined) ? { is: true } : undefined,
);

const AGAIN =
  /\b(?:meets? again|met again|(?:next|new|second|third|further) (?:round|meeting|session|hearing|summit)|resum(?:e|es|ing)|reconven(?:e|es)|return to the table|talks (?:continue|go on))\b/i;

const nextIn = once((stated: Statement): DateMention | undefined => {
  const { text, dates, negations } = stated;
  return dates.length === 1 && negations.length === 0 && AGAIN.test(text) ? dates[0] : undefined;
});

/** Those who talk meet again on one day, or on another. */
export function otherNext(claim: Statement, candidate: Statement): string | undefined {
  const one = nextIn(claim);
  const other = one && nextIn(candidate);
  return one && other && compareDates([one], [other]) === "differ" ? "two days of the next meeting" : undefined;
}

const STARTS =
  /\b(?:strike|walkout|stoppage)\b[^,;.]{0,40}\b(?:begins?|starts?|will begin|will start)\b|\b(?:will |to )?(?:stop work|down tools|walk out)\b/i;
const RESUMES =
  /\b(?:reopens?|will reopen|(?:will )?resume|(?:stay|remain)s? (?:closed|shut) until|closed until|shut until|back (?:at|in|to) (?:their )?(?:work|school|class\w*))\b/i;

/** What opens again: schools do so on another day than the airport. */
const PLACES = [
  /\b(?:school|class|pupil|lesson)/i,
  /\b(?:airport|flight|runway)/i,
  /\b(?:road|bridge|pass|motorway|tunnel)\b/i,
  /\b(?:border|crossing)/i,
  /\b(?:port|harbour|canal|strait)\b/i,
  /\b(?:bank|branch|exchange|market)/i,
  /\b(?:plant|factory|reactor|mine)\b/i,
  /\b(?:train|railway|line|tram|metro)/i,
];

const beginningIn = once((stated: Statement): { of: string; date: DateMention } | undefined => {
  const { text, dates, negations } = stated;
  if (dates.length !== 1 || negations.some(({ cue }) => cue !== "not")) return undefined;
  const place = RESUMES.test(text) ? PLACES.find((one) => one.test(text)) : undefined;
  const of = STARTS.test(text) ? "strike" : place?.source;
  return of === undefined ? undefined : { of, date: dates[0]! };
});

/** A strike that begins, or a place that opens again, on two days. */
export function otherBeginning(claim: Statement, candidate: Statement): string | undefined {
  const one = beginningIn(claim);
  const other = one && beginningIn(candidate);
  if (!one || !other || one.of !== other.of) return undefined;
  return compareDates([one.date], [other.date]) === "differ" ? "two days of one beginning" : undefined;
}

const HAPPENED: Readonly<Record<string, RegExp>> = {
  impact: /\b(?:collided|collision|impact|touched|rammed|ran into)\b/i,
  landing: /\b(?:touched down|touchdown|landed|feet touched|set down|settled)\b/i,
  blast: /\b(?:explosion|exploded|blast|went off|detonated|blew up)\b/i,
  launch: /\b(?:lifted off|lift-?off|was launched|blasted off)\b/i,
};
/** "A second blast at 9.40". */
const ANOTHER = /\b(?:second|third|another|later|again|first|last|after)\b/i;
const HAPPENED_APART = 15;

const hourIn = once((stated: Statement): { of: readonly string[]; minutes: number } | undefined => {
  const minutes = minutesIn(stated.text);
  if (minutes === undefined || stated.negations.length > 0 || ANOTHER.test(stated.text)) return undefined;
  const of = Object.keys(HAPPENED).filter((what) => HAPPENED[what]!.test(stated.text));
  return of.length > 0 ? { of, minutes } : undefined;
});

/** What happened once at two hours of the day. */
export function otherHour(claim: Statement, candidate: Statement): string | undefined {
  const one = hourIn(claim);
  const other = one && hourIn(candidate);
  if (!one || !other || Math.abs(one.minutes - other.minutes) < HAPPENED_APART) return undefined;
  const of = one.of.find((what) => other.of.includes(what));
  return of && `two hours of one ${of}`;
}

/** One event at two different times. */
export function otherTime(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  if (!isTimed(claim) || !isTimed(candidate)) return undefined;
  for (const { claim: one, candidate: other } of pairs) {
    if (one.pole !== other.pole || !ONCE.test(one.word) || !ONCE.test(other.word)) continue;
    const [mine, theirs] = [one.word, other.word].map((word) => word.split(" ").length) as [number, number];
    const [here, there] = [momentOf(claim, one.at, mine), momentOf(candidate, other.at, theirs)];
    const isOtherHour =
      here.minutes !== undefined &&
      there.minutes !== undefined &&
      Math.abs(here.minutes - there.minutes) >= MINUTES_APART;
    const isOtherDay = here.date && there.date && compareDates([here.date], [there.date]) === "differ";
    if (!isOtherHour && !isOtherDay) continue;
    const [what, that] = [themeOf(claim, one.at, mine), themeOf(candidate, other.at, theirs)];
    // "The trial of his wife" is another trial.
    if (likeness(what, that) === "same" && what?.of.size === that?.of.size)
      return `another time of the same: ${one.word}`;
  }
  return undefined;
}
