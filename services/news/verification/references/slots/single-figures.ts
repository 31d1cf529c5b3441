import type { Measure } from "../../../../../core/text/statements/figures/measures.ts";

/** A figure that an event has only one of, and the words that identify it. */
export interface Slot {
  /** Required anywhere in the sentence. */
  said: RegExp;
  /** Required directly before the figure. */
  before?: RegExp;
  /** Marks another figure: anywhere in the sentence, or before the figure alone. */
  not: RegExp;
  notIs?: "before";
  is: (measure: Measure) => boolean;
  /** Of what is ahead, too: what will be cut, or served. */
  ahead?: true;
  /** Counts of a crowd are estimates: the larger is at least so many times the smaller. */
  apart?: number;
}

const any = (...words: string[]): RegExp => new RegExp(`\\b(?:${words.join("|")})`, "i");

const LEAST_OF_MONEY = 1_000;
const isMoney = ({ quantity: { unit, value } }: Measure): boolean =>
  value >= LEAST_OF_MONEY && (/^[A-Z]{3}$/.test(unit) || unit === "count");
const isCurrency = ({ quantity: { unit, value } }: Measure): boolean =>
  value >= LEAST_OF_MONEY && /^[A-Z]{3}$/.test(unit);
const isOfPeople = ({ quantity: { unit, of, value } }: Measure): boolean =>
  unit === "count" && value >= 10 && of.includes("people");
const isCounted =
  (least: number, things: RegExp) =>
  ({ quantity: { unit, of, value } }: Measure): boolean =>
    unit === "count" && value >= least && of.some((thing) => things.test(thing));
const isPercent = ({ quantity: { unit, value } }: Measure): boolean => unit === "percent" && value >= 5 && value <= 100;
const YEAR_S = 31_556_952;
const isTerm = ({ quantity: { unit, value } }: Measure): boolean => unit === "s" && value >= YEAR_S / 12;

/** What is counted of somebody's holdings, by the million. */
const KEPT_OF = /^(?:record|customer|account|user|client|patient|subscriber|passenger|guest|file|people)/;

/**
 * By slot. What grows for days (the dead, the displaced, what has burnt) is none: there the later figure replaces the
 * earlier one.
 */
export const SLOTS: Readonly<Record<string, Slot>> = {
  aboard: {
    said: any(
      "aboard",
      "on board",
      "boarded",
      "embarked",
      "gangway",
      "on the (?:ship|ferry|boat|vessel|plane|jet|aircraft|train|bus|coach|flight)",
      "were travell?ing",
      "(?:ship|ferry|boat|vessel|plane|jet|aircraft|train|bus|coach) (?:had|carried|was carrying)",
    ),
    not: any(
      "rescu",
      "sav(?:ed|ing)",
      "missing",
      "surviv",
      "licen[cs]",
      "allowed",
      "permitted",
      "capacity",
      "bod(?:y|ies)",
      "died",
      "dead",
      "drown",
      "kill",
      "hurt",
      "injur",
      "hospital",
      "brought",
      "pulled",
      "a year",
      "a day",
      "of them are",
      "including",
    ),
    is: isOfPeople,
  },
  step: {
    said: any("rates?", "borrowing costs"),
    before: new RegExp(
      String.raw`\b(?:cut|cuts|lower(?:s|ed)?|slash(?:es|ed)?|rais(?:es|ed)|lift(?:s|ed)?|increas(?:es|ed)|` +
        String.raw`reduc(?:es|ed)|hik(?:es|ed))\b[^;]{0,80}$`,
      "i",
    ),
    not: any(
      "expect",
      "forecast",
      "economists",
      "analysts",
      "wanted",
      "called for",
      "last (?:month|year|time)",
      "previous",
      "neighbour",
    ),
    notIs: "before",
    is: ({ quantity: { unit } }) => unit === "point",
  },
  fine: {
    said: any("fine[ds]?\\b", "(?:ordered|sentenced|told|has|have|had) to pay\\b", "must pay\\b"),
    before: /\b(?:fine[ds]?|pay)\b[^;]{0,40}$/i,
    not: any("ransom", "a (?:month|year|week|day)\\b", "debts?\\b", "costs\\b", "bail\\b", "up to\\b", "each\\b"),
    is: isMoney,
  },
  worth: {
    said: any(
      "haul\\b",
      "loot\\b",
      "booty\\b",
      "stolen\\b",
      "jewels?\\b",
      "damages?\\b",
      "contracts?\\b",
      "villa\\b",
      "painting\\b",
    ),
    before: new RegExp(
      String.raw`\b(?:worth|valued?(?: the \w+)? at|put (?:the )?(?:value|damage)(?: \w+)? at)\s(?:about |` +
        String.raw`some |around |nearly |almost |roughly |an? )?$`,
      "i",
    ),
    not: any("each\\b", "reward\\b", "insured for\\b"),
    is: isMoney,
  },
  attendance: {
    said: any(
      "attendance",
      "spectators",
      "turnstiles",
      "crowd of",
      "(?:sell-?out|record|capacity) crowd",
      "watched by",
      "(?:in|filled|packed) the (?:stadium|stands|arena|ground|hall)",
      "fans (?:watched|saw|packed|filled|came)",
    ),
    not: any(
      "holds",
      "seats",
      "room for",
      "arrest",
      "hurt",
      "injur",
      "kill",
      "on average",
      "season",
      "television",
      "viewers",
      "online",
      "the last\\b",
      "previous",
      "march",
      "protest",
      "demonstrat",
    ),
    is: (measure) => isCounted(500, /^(?:people|spectat|fan|visit|support)/)(measure) || isBareCount(measure),
    apart: 1.05,
  },
  jobs: {
    said: any(
      "(?:cut|cuts|cutting|shed|sheds|shedding|ax(?:e|es|ed|ing)|eliminat\\w+|slash(?:es|ed|ing)?|los(?:e|es|ing)|scrap\\w*) (?:[\\w,]+ ){0,4}(?:jobs?|posts|positions|roles|people|workers|employees|staff)",
      "(?:lay|lays|laid|laying) off",
      "layoffs",
      "redundan",
      "dismiss",
      "get(?:s|ting)? rid of",
      "let(?:s|ting)? go",
      "job (?:cuts|losses)",
      "(?:jobs|posts|positions|roles|people|workers|employees|staff) (?:(?:are|were|is|was|will|would|to|be) ){0,3}(?:cut|eliminated|axed|shed|scrapped|laid off|dismissed)",
      "jobs? (?:will|are to|would) (?:go|be (?:cut|lost))",
    ),
    not: any(
      "employs?\\b",
      "workforce of",
      "headcount of",
      "since",
      "last year",
      "creat",
      "hir(?:e|es|ed|ing)\\b",
      "saved",
      "rescued",
      "of them\\b",
      "including",
    ),
    is: isCounted(20, /^(?:job|post|position|role|people|worker|employee|staff)/),
    ahead: true,
    apart: 1.05,
  },
  turnout: {
    said: any(
      "turnout",
      "electorate",
      "(?:registered|eligible) voters",
      "bothered to vote",
      "cast (?:a|their) (?:ballot|vote)",
      "went to the polls",
      "voter participation",
    ),
    not: any(
      "of the (?:vote|ballot)s?\\b",
      "(?:slips|ballots|votes) (?:had been |were |have been )?(?:counted|processed|tallied)",
      "counted\\b",
      "lead\\b",
      "margin",
      "points?\\b",
      "last (?:time|election|vote)",
      "the last\\b",
      "in (?:19|20)\\d\\d",
      "years ago",
      "previous",
      "in the (?:capital|north|south|east|west|cities|countryside)",
      "by (?:noon|midday|\\d)",
      "among",
    ),
    is: isPercent,
  },
  term: {
    said: any("sentenc", "serve\\b", "jail", "prison", "behind bars", "imprison"),
    before: /\b(?:sentenced|serve|jail(?:ed)?|prison|imprison\w*|behind bars|term|gets?|got|given)\b[^;]{0,60}$/i,
    not: any(
      "demand",
      "sought",
      "seek",
      "prosecut",
      "ask",
      "up to\\b",
      "maximum",
      "could\\b",
      "fac(?:e|es|ed|ing)\\b",
      "suspended",
      "ago\\b",
      "parole",
      "already",
      "cut (?:from|to|by)",
      "reduc",
      "old\\b",
      "after\\b",
      "each",
      "respectively",
      "brother",
      "sister",
      "wife",
      "accomplice",
      "co-defendant",
      "deputy",
    ),
    is: isTerm,
  },
  cost: {
    said: any("cost(?:s|ing)?\\b", "(?:the|its|final|total) bill", "price tag", "dearer", "came to", "budget of"),
    not: any(
      "damage",
      "loss(?:es)?",
      "a (?:year|month|week|day|head|person)\\b",
      "each\\b",
      "original",
      "at first",
      "initial",
      "first (?:put|estimated|planned)",
      "ransom",
      "shares?\\b",
      "saves?\\b",
      "saving",
    ),
    is: isCurrency,
    apart: 1.05,
  },
  ransom: {
    said: /\bransom\b/i,
    before: /\b(?:paid|pays?|handed over|transferred|wired|ransom of|payment of)\b[^;]{0,40}$/i,
    not: any("demand", "ask", "want", "sought", "refus"),
    is: isMoney,
  },
  taken: {
    said: any("stolen", "stole", "leaked", "exposed", "copied", "breach", "data (?:of|on|about)", "taken from"),
    not: any(
      "of them\\b",
      "including",
      "than first\\b",
      "could\\b",
      "may\\b",
      "might\\b",
      "has \\d",
      "serves",
      "offer",
    ),
    is: isCounted(1_000, KEPT_OF),
    apart: 1.1,
  },
  truce: {
    said: any("truce", "ceasefire", "cease-fire", "pause in (?:the )?fighting", "lull"),
    before: /$/,
    not: any("ago\\b", "since", "after\\b", "within", "first\\b", "lasted\\b", "violat", "talks of", "earlier"),
    is: ({ quantity: { unit, value } }) => unit === "s" && value >= 3_600,
    ahead: true,
  },
  hostages: {
    said: any("hostage", "kidnap", "abduct", "captive", "carried off"),
    not: any(
      "freed",
      "releas",
      "killed",
      "escaped",
      "rescu",
      "remaining",
      "still",
      "of them\\b",
      "including",
      "exchange",
      "swap",
    ),
    is: isCounted(2, /^(?:hostage|people|captive|passenger|pupil|student|worker|sailor|crew)/),
  },
  depth: {
    said: any("depth", "deep\\b", "below the surface", "beneath the surface"),
    not: any("water", "snow", "pit\\b", "shaft", "well\\b", "dive", "diving", "wreck", "aftershock", "foreshock"),
    is: ({ quantity: { unit, value } }) => unit === "m" && value >= 1_000,
  },
  bail: {
    said: /\bbail\b/i,
    before: /\bbail (?:of|at|was set at|set at)\s(?:about |some )?$/i,
    not: any("each\\b", "asked for"),
    is: isMoney,
  },
  investment: {
    said: any("invest(?:s|ed|ing|ment)?\\b"),
    before: /\binvest(?:s|ed|ing|ment of)?\s(?:about |some |around |nearly |almost |up to |a further )?$/i,
    not: any("a year\\b", "already", "so far", "since"),
    is: isMoney,
    ahead: true,
    apart: 1.05,
  },
  strikers: {
    said: any("strike", "walk(?:ed|ing|s)? (?:out|off)", "down(?:ed)? tools", "stopped work", "stoppage"),
    not: any("represent", "members of", "employs?", "arrest", "hurt", "kill", "air ?strike", "missile", "struck"),
    is: isCounted(50, /^(?:people|worker|employee|staff|member|driver|docker|nurse|teacher|pilot|miner)/),
    apart: 1.2,
  },
};

function isBareCount({ quantity: { unit, value, of } }: Measure): boolean {
  return value >= 1_000 && (unit === "number" || (unit === "count" && !of.includes("people") && of.length <= 1));
}
