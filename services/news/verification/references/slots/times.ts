import { compareDates, type DateMention } from "../../../../../core/text/statements/dates.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { likeness, themeOf } from "../../../../../core/text/statements/themes.ts";
import type { Pair } from "../alignment.ts";
import { any } from "./figures/slot.ts";
import { once } from "../../../../../core/once.ts";

/** Events that happen once, at one time. */
const ONCE =
  /^(?:begins?|began|begun|starts?|started|ends?|ended|opens?|opened|closes?|closed|tak effect|com into forc|enter into (?:forc|effect)|lands?|landed|arrives?|arrived|launched|expires?|resigned|vote|signed|reopens?|finished|complete|completed|be hold|tak plac)$/;
/** Most words between it and its time. */
const BEHIND = 7;
const CLOCK =
  /\b(?<h>[01]?\d|2[0-3])(?:[:.](?<m>[0-5]\d))?\s?(?<half>[ap])\.?m\b|\b(?<H>[01]?\d|2[0-3]):(?<M>[0-5]\d)\b|\b(?<hh>[01]\d|2[0-3])(?<mm>[0-5]\d) (?:GMT|UTC|hours)\b/i;
const NOON = /\b(?:at|by|before|from|until|since|around|after) (?<noon>noon|midday|midnight)\b/i;
const HOURS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const NAMED = HOURS.join("|");
/** "Half past nine in the evening", "at four on Monday morning". */
const SPOKEN = new RegExp(
  `\\b(?:(?<part>half|quarter|ten|twenty|five|twenty-five)(?: minutes)? (?<side>past|to) |\\b(?:at|by|until|since|from|before|after|around|about|towards) (?:about |around )?)(?<hour>${NAMED}|\\d{1,2})\\b(?! (?:per ?cent|percent|%|people|places|hours|days|minutes|o['’]clock news))(?<rest>[^,;.]{0,28})`,
  "i",
);
const AFTERNOON = /\b(?:in the (?:afternoon|evening)|(?:afternoon|evening)|at night)\b/i;
const MORNING = /\b(?:in the morning|morning|a\.?m|o['’]clock)\b/i;
const PARTS: Readonly<Record<string, number>> = {
  half: 30,
  quarter: 15,
  five: 5,
  ten: 10,
  twenty: 20,
  "twenty-five": 25,
};
const MINUTES_APART = 30;

interface Moment {
  date: DateMention | undefined;
  minutes: number | undefined;
}

function minutesIn(text: string): number | undefined {
  const noon = NOON.exec(text)?.groups?.["noon"];
  if (noon) return noon.toLowerCase() === "midnight" ? 0 : 720;
  const found = CLOCK.exec(text)?.groups;
  if (!found) return spokenIn(text);
  const hour = Number(found["h"] ?? found["H"] ?? found["hh"]);
  const isAfternoon = found["half"]?.toLowerCase() === "p";
  const minutes = Number(found["m"] ?? found["M"] ?? found["mm"] ?? 0);
  return ((found["half"] ? hour % 12 : hour) + (isAfternoon ? 12 : 0)) * 60 + minutes;
}

/** An hour in words, where the half of the day is said, or a part of the hour. */
function spokenIn(text: string): number | undefined {
  const found = SPOKEN.exec(text)?.groups;
  if (!found) return undefined;
  const { part, side, hour, rest = "" } = found;
  const isLate = AFTERNOON.test(rest) && !/\bnight\b/.test(rest);
  if (!part && !isLate && !MORNING.test(rest)) return undefined;
  const named = HOURS.indexOf(hour!.toLowerCase());
  const whole = (named < 0 ? Number(hour) : named + 1) % 12;
  const minutes = part ? PARTS[part.toLowerCase()]! * (side === "to" ? -1 : 1) : 0;
  return (whole + (isLate ? 12 : 0)) * 60 + minutes;
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

/** What happens on one day; `at` names one of several such things: schools open again on another day than the airport. */
interface Dated {
  of: RegExp;
  at?: readonly RegExp[];
}
const DATED: readonly Dated[] = [
  {
    of: any(
      "meets? again\\b",
      "met again\\b",
      "(?:next|new|second|third|further) (?:round|meeting|session|hearing|summit)\\b",
      "resum(?:e|es|ing)\\b",
      "reconven(?:e|es)\\b",
      "return to the table\\b",
      "talks (?:continue|go on)\\b",
    ),
  },
  {
    of: any(
      "(?:strike|walkout|stoppage)\\b[^,;.]{0,40}\\b(?:begins?|starts?|will begin|will start)\\b",
      "(?:stop work|down tools|walk out)\\b",
    ),
  },
  {
    of: any(
      "reopens?\\b",
      "resume\\b",
      "(?:closed|shut) until\\b",
      "back (?:at|in|to) (?:their )?(?:work|school|class\\w*)\\b",
    ),
    at: [
      any("school", "class", "pupil", "lesson"),
      any("airport", "flight", "runway"),
      any("(?:road|bridge|pass|motorway|tunnel)\\b"),
      any("border", "crossing"),
      any("(?:port|harbour|canal|strait)\\b"),
      any("bank", "branch", "exchange", "market"),
      any("(?:plant|factory|reactor|mine)\\b"),
      any("train", "railway", "line", "tram", "metro"),
    ],
  },
];
/** "On Tuesday and not before" denies nothing of Tuesday. */
const NOT_BEFORE = /\bnot (?:before|earlier)\b/;

/** The one day that a sentence names, and what it says happens then. */
const dayIn = once((stated: Statement): { date: DateMention; of: ReadonlySet<RegExp> } | undefined => {
  const { text, dates, negations } = stated;
  if (dates.length !== 1 || (negations.length > 0 && !NOT_BEFORE.test(text))) return undefined;
  const of = DATED.flatMap((one) =>
    one.of.test(text) ? (one.at?.filter((place) => place.test(text)) ?? [one.of]) : [],
  );
  return of.length > 0 ? { date: dates[0]!, of: new Set(of) } : undefined;
});

/** A next meeting, a strike or a reopening on two days. */
export function otherDay(claim: Statement, candidate: Statement): string | undefined {
  const one = dayIn(claim);
  const other = one && dayIn(candidate);
  if (!one || !other || ![...one.of].some((what) => other.of.has(what))) return undefined;
  return compareDates([one.date], [other.date]) === "differ" ? "two days of the same" : undefined;
}

/** What begins, goes on or opens again; a day is told of it, or that it will not be before one. */
const RESUMES: Readonly<Record<string, RegExp>> = {
  meeting: any("meet(?:s|ing)? again\\b", "talks\\b", "negotiations?\\b", "return to the table\\b"),
  school: any("school", "class", "pupil", "lesson"),
  unit: any("on ?line\\b", "restart", "start(?:s|ed)? (?:again|up)\\b", "back (?:in|on)\\b", "reactor\\b", "unit\\b"),
  traffic: any("train", "railway", "line\\b", "flight", "airport", "runway", "road", "bridge", "tunnel", "traffic"),
  vote: any("vote\\b", "election", "ballot", "result"),
  strike: any("strike", "walkout", "stoppage"),
};
const AHEAD = /\b(?:will|(?:is|are) to|plans? to|again|expect(?:s|ed)? to|would|meets?|reopens?|resumes?|open)\b/i;
const BEFORE = /\b(?:before|until|earlier than|sooner than) /g;
const NONE = /\b(?:[Nn]ot|[Nn]o|never|[Nn]one|[Nn]obody|[Nn]either)\b/;
const OF_A_NAME = /^(?:the )?(?:(?:early|late|mid|end of|beginning of|start of)[ -]?)?\p{Lu}/u;
const FAR_BEFORE = 60;
/** Whether a text says "not before" something that has a name, within one clause. */
const saysSoonest = (text: string): boolean =>
  [...text.matchAll(BEFORE)].some(
    ({ index, 0: { length } }) =>
      OF_A_NAME.test(text.slice(index + length)) &&
      NONE.test(
        text
          .slice(Math.max(0, index - FAR_BEFORE), index)
          .split(/[,;.]/)
          .at(-1)!,
      ),
  );

const YEAR_MONTHS = 12;

/**
 * Whether one day stands before another: a weekday before any month, of two weekdays by the week from Monday on, of two
 * months the one that the other follows within half a year.
 */
function isBefore(one: DateMention, other: DateMention): boolean {
  if (one.month === undefined || other.month === undefined)
    return one.month === undefined && one.weekday !== undefined
      ? other.month !== undefined || (other.weekday !== undefined && (one.weekday + 6) % 7 < (other.weekday + 6) % 7)
      : false;
  if (one.month === other.month) return (one.day ?? 0) < (other.day ?? 0);
  return (other.month - one.month + YEAR_MONTHS) % YEAR_MONTHS < YEAR_MONTHS / 2;
}

/** "Not before Thursday", where the other says that it will be on Monday. */
export function notBefore(claim: Statement, candidate: Statement): string | undefined {
  for (const [denying, telling] of [
    [claim, candidate],
    [candidate, claim],
  ] as const) {
    if (denying.dates.length !== 1 || telling.dates.length !== 1 || !saysSoonest(denying.text)) continue;
    if (saysSoonest(telling.text) || !AHEAD.test(telling.text)) continue;
    if (!isBefore(telling.dates[0]!, denying.dates[0]!)) continue;
    const of = Object.keys(RESUMES).find(
      (what) => RESUMES[what]!.test(denying.text) && RESUMES[what]!.test(telling.text),
    );
    if (of) return `not before ${denying.dates[0]!.text}, and ${telling.dates[0]!.text}`;
  }
  return undefined;
}

const HAPPENED: Readonly<Record<string, RegExp>> = {
  impact: /\b(?:collided|collision|impact|touched|rammed|ran into)\b/i,
  landing: /\b(?:touched down|touchdown|landed|feet touched|set down|settled)\b/i,
  blast: /\b(?:explosion|exploded|blast|went off|detonated|blew up)\b/i,
  restored:
    /\b(?:c[ao]me back|up again|(?:was|were|been) restored|back (?:on|in service|online)|reconnected|working again)\b/i,
  truce:
    /\b(?:(?:truce|ceasefire|fire|guns?|fighting)\b[^,;.]{0,40}\b(?:cease|stop|begins?|start|silent|take effect|takes effect|in force)|truce (?:from|at))\b/i,
  "end of a strike":
    /\b(?:strike|walkout|stoppage|wave the trains off)\b[^,;.]{0,60}\b(?:finish|end|over)|\b(?:finish|end)\b[^,;.]{0,30}\b(?:strike|walkout|stoppage)\b/i,
  arrest: /\b(?:(?:was|were) (?:arrested|seized|detained)|arrested (?:him|her|them))\b/i,
  sinking: /\b(?:sank|went down|capsized|keeled over)\b/i,
  collapse: /\b(?:collapsed|gave way|came down|caved in)\b/i,
  launch: /\b(?:lifted off|lift-?off|was launched|blasted off)\b/i,
};
/** "A second blast at 9.40". */
const ANOTHER = /\b(?:second|third|another|later|first|last|after)\b/i;
/** "Did not come back until half past nine". */
const NOT_SOONER = /\bnot\b[^,;.]{0,30}\b(?:until|before|earlier|sooner)\b/i;
const HAPPENED_APART = 15;

const hourIn = once((stated: Statement): { of: readonly string[]; minutes: number } | undefined => {
  const minutes = minutesIn(stated.text);
  const isDenied = stated.negations.length > 0 && !NOT_SOONER.test(stated.text);
  if (minutes === undefined || isDenied || ANOTHER.test(stated.text)) return undefined;
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
