import { isWord, KNOWN_TERMS, placeOf } from "../../../core/text/words/vectors.ts";
import { regularStem, stem } from "../../../core/text/words/stem.ts";
import { isFunctionWord, isStopWord } from "../../../core/text/words/stop-words.ts";
import { isContractedNot, words, type Word } from "../../../core/text/words/words.ts";
import { toldIn, type Told } from "./concepts.ts";

/** What a question asks for. */
export type Wanted =
  | "number"
  | "money"
  | "time"
  | "duration"
  | "frequency"
  | "person"
  | "place"
  | "reason"
  | "means"
  | "name"
  | "state"
  | "thing"
  | "all";

/** A word of a question that a record must speak of. */
export interface AskedTerm extends Told {
  written: string;
  weight: number;
  /** A name: what a record says without it is said of something else. */
  isName: boolean;
  /** Whether the question is about this: what is counted, of what kind something is, what somebody does. */
  isHead: boolean;
  /** Whether it or the term before it may be spoken of: "closed or restricted". */
  isOr: boolean;
}

export interface Asked {
  wanted: Wanted;
  terms: readonly AskedTerm[];
  /** Of what a number is asked. */
  counted: readonly Told[];
  /** How something is measured whose size is asked: "how deep". */
  measured: string | undefined;
  /** What is called by its place in a row: "the second borehole". */
  ordinal: { key: string; number: number } | undefined;
  /** Asks for what has happened, not for what is planned or expected. */
  isDone: boolean;
  /** Asks for how things stand at the end of what is told. */
  isNow: boolean;
  /** Its words, folded. */
  said: readonly string[];
  /** Asks for more than one thing. */
  isMany: boolean;
}

const MEASURE = /\bhow (much|big|large|high|tall|deep|far|old|heavy|wide|fast|strong|hot|cold|thick)\b/;

const FORMS: readonly [Wanted, RegExp][] = [
  ["frequency", /\bhow (?:often|frequently|regularly)\b/],
  ["duration", /\bhow (?:long|soon)\b|\bfor how long\b|\b(?:until|since|till) when\b/],
  [
    "money",
    /\bhow (?:expensive|costly)\b|\bhow much\b.*\b(?:costs?|pay|paid|earn|price|charged?|money|spent|worth)\b|\bwhat\b.*\b(?:price|costs?|fee|rent|salary)\b/,
  ],
  [
    "number",
    /\bhow (?:many|much|big|large|high|tall|deep|far|old|heavy|wide|fast|strong|hot|cold|thick|full|severe|serious|small|low)\b/,
  ],
  [
    "number",
    /^(?:what (?:is|was|are|were) the )?(?:current |latest |exact |total )*(?:number|amount|quantity|total|count|capacity|size|percentage|share|level|height|depth|speed|temperature|weight) of\b/,
  ],
  ["number", /\b(?:death toll|toll|headcount|body count|capacity|turnout|attendance|head count|casualty figures?)\b/],
  ["name", /\bname of\b|['’]s name\b|\bwhat\b.*\b(?:called|named)\b|\bwho (?:exactly )?is the name\b/],
  [
    "person",
    /\b(?:who|whom|whose|by whom)\b|\bwhich (?:person|official|officer|body|agency|company|unit|team|organi[sz]ation)\b|\bin charge\b/,
  ],
  [
    "reason",
    /\b(?:why|how come|what for)\b|\b(?:what (?:caused|led to|made|is the reason|was the reason)|for what reason|reasons? (?:for|of|why))\b|\bwhat (?:is|was) the (?:cause|reason)\b/,
  ],
  ["time", /\b(?:when|what time|which day|what day|what date|which date|by when|which hour|eta|deadline)\b/],
  ["place", /\b(?:where|whereabouts|what place|which place|location of|where to|where from)\b/],
  ["means", /\bhow\b/],
];
/** What is known of something, as a whole. */
const ABOUT =
  /\b(?:what (?:do we|do you|is|has been|have we) (?:know|known|got|heard|reported|said)|tell me|anything (?:on|about|known|new)|what about|what['’]?s new|news (?:of|on|about)|status of|update on|details? (?:of|on|about)|information (?:on|about)|all about|everything (?:on|about)|what happened|what is happening|how are things|situation (?:at|in|on))\b/;
const MANY =
  /\b(?:list|name all|all the|what all|what kinds? of|what (?:sort|types?) of|which of the|any of the)\b|\b(?:what|which) (?:\w+ ){0,2}\w{2,}s (?:are|were|have|do|did|must|can|will|should|remain|need|came|was not)\b|(?<!\b(?:where|when|who|how|why|what)) and (?:what|when|where|who|how|why|which)\b/;
const SINGULAR_S = /\b(?:what|which) (?:is|was|has|does|boss|class|process|address|business|access|bus|gas|illness)\b/;
const YES_NO =
  /^(?:so |and |but )?(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|couldn|won|wouldn)\b/;
const NOW =
  /\b(?:now|currently|current|at present|at the moment|right now|at this (?:moment|time|point)|presently|today|as of now|latest|newest|most recent|still|by now|so far|these days|in the end|finally|eventually|nowadays)\b/;

const DONE = /\b(?:did|was|were|has|have|had|actually|really|ever|in fact|already)\b/;
const PLANNING =
  /\b(?:plan|plans|planned|planning|forecast|expected|supposed|should|will|would|intend|intended|going to|due|scheduled|must|may)\b/;

/** Words that only frame a question. */
const FRAME: ReadonlySet<string> = new Set(
  (
    "know known tell currently current present presently moment please anybody anyone anything something somebody " +
    "someone everybody everyone actually really ever exactly still yet already now latest newest eventually finally " +
    "thing things stuff kind kinds sort sorts type types lot lots many much often long soon far name names question " +
    "let list give show say said says happen happens happened happening mean means wonder hello hi thanks " +
    "like timing come get got going go goes went quite rather perhaps maybe else detail details information info update " +
    "status situation regarding concerning about thus such"
  ).split(" "),
);
/** Words of little meaning of their own: what is asked is in their objects. */
const LIGHT: ReadonlySet<string> = new Set(
  (
    "take takes took taken make makes made put puts use uses used using need needs needed look looks looked looking " +
    "keep keeps kept hold holds held bring brings brought run runs ran running work works worked working turn turns " +
    "turned time times place places people person persons folk folks man men way ways part parts number numbers amount " +
    "total big large high deep heavy old wide far end start new last first second third next day days do done handle " +
    "find found see seen think thought deal deals set sets stand stands stay stays remain remains left leave leaves " +
    "call called calls send sent sends serve serves supposed able possible expected role state response effort one ones whole big main " +
    "available exist exists"
  ).split(" "),
);

/** What stands before a number that is a bound: "before 30 November". */
const BOUND: ReadonlySet<string> = new Set(
  "before after by since until between over under above below than least most within".split(" "),
);
const LIGHT_WEIGHT = 0.25;
const NAME_WEIGHT = 1.2;
const LEAST_WEIGHT = 0.6;
const LEAST_HEAD = 0.7;

/** How much a word says: common ones little. */
function weightOf({ text }: Word): number {
  const place = placeOf(stem(text));
  if (place < 0) return 1;
  return LEAST_WEIGHT + (1 - LEAST_WEIGHT) * (Math.log(place + 2) / Math.log(KNOWN_TERMS)) ** 2;
}

/** Names of earlier questions give way to new ones; what else those were about counts less. */
const EARLIER = 0.5;
const ANEW = /^(?:and |but |so )?(?:(?:what|how) about|and)\b/i;

/** Reads what a question asks, and for what; `said` is its end without the questions that it goes on from. */
export function asked(question: string, said: string = question): Asked {
  const before = question.endsWith(said) ? question.slice(0, question.length - said.length).trim() : "";
  if (!before) return read(question);
  const [own, earlier] = [read(said), read(before)];
  const hasName = own.terms.some(({ isName }) => isName);
  const kept = earlier.terms.filter(
    ({ isName, key }) => !(isName && hasName) && !own.terms.some((one) => one.key === key),
  );
  if (ANEW.test(said) && own.terms.length < 2)
    return { ...earlier, terms: [...own.terms, ...kept], isNow: own.isNow || earlier.isNow };
  const lighter = kept.map((one) => ({ ...one, weight: one.weight * EARLIER, isHead: false, isOr: false }));
  return { ...own, terms: [...own.terms, ...lighter] };
}

function read(question: string): Asked {
  const spoken = words(question);
  const said = question.toLowerCase().replaceAll("’", "'").trim();
  const counted = countedIn(spoken);
  const wanted = wantedOf(said);
  const isMany = wanted === "all" || (MANY.test(said) && !SINGULAR_S.test(said));
  const told = toldIn(spoken);
  const phrases = told.filter((one) => one.last > one.first && one.groups.length && !EMPTY.has(one.key));
  const heads = new Set([...counted.map(({ first }) => first), ...headOf(spoken)]);
  const terms: AskedTerm[] = [];
  for (const one of told) {
    const word = spoken[one.first]!;
    const isPhrase = one.last > one.first;
    const isCovered = phrases.some((other) => other !== one && other.first <= one.first && other.last >= one.last);
    if (isCovered || isContracted(question, spoken, one)) continue;
    if (isPhrase && EMPTY.has(one.key)) continue;
    const isName = !isPhrase && isNamed(word, one.first, spoken);
    if (!isPhrase && !isName && (isFunctionWord(word.text) || FRAME.has(word.text) || word.text.length < 2)) continue;
    if (!isPhrase && !isName && !one.groups.length && isStopWord(word.text)) continue;
    const isNumber = /^\d/.test(word.text);
    if (isNumber && BOUND.has(spoken[one.first - 1]?.text ?? "")) continue;
    const weight = isName
      ? NAME_WEIGHT
      : isNumber
        ? 1
        : LIGHT.has(word.text) && !isPhrase
          ? LIGHT_WEIGHT
          : isPhrase
            ? 0.9
            : weightOf(word);
    const isHead = heads.has(one.first);
    const parts = isPhrase ? partsOf(one, told, spoken) : [];
    const isOr = terms.length > 0 && spoken[one.first - 1]?.text === "or";
    terms.push({
      ...one,
      written: question.slice(word.start, spoken[one.last]!.end),
      ...(parts.length && { parts }),
      weight: isHead ? Math.max(LEAST_HEAD, weight) : weight,
      isName,
      isHead,
      isOr,
    });
  }
  const isNow = NOW.test(said);
  const isDone = !PLANNING.test(said) && (isNow || DONE.test(said));
  return {
    wanted,
    terms,
    counted,
    measured: MEASURE.exec(said)?.[1],
    ordinal: ordinalIn(spoken),
    isNow,
    isDone,
    isMany,
    said: spoken.map(({ text }) => text),
  };
}

/** The form that is named first; of those that begin together, the one that stands first in the list. */
function wantedOf(said: string): Wanted {
  if (ABOUT.test(said)) return "all";
  if (YES_NO.test(said) && !KNOWING.test(said)) return "state";
  let first: Wanted = "thing";
  let from = Infinity;
  for (const [wanted, form] of FORMS) {
    const at = form.exec(said)?.index ?? Infinity;
    if (at < from) [first, from] = [wanted, at];
  }
  return first;
}
/** "Do we know when" asks when. */
const KNOWING = /^(?:do|does|did|can|could|is|has) .{0,30}\b(?:know|known|tell|say|said|clear|find out)\b/;

/** What is counted: the words after "how many", up to what is said of them. */
function countedIn(spoken: readonly Word[]): Told[] {
  const how = spoken.findIndex(
    ({ text }, at) => (text === "many" || text === "much") && spoken[at - 1]?.text === "how",
  );
  if (how < 0) return [];
  let from = how + 1;
  while (
    ["of", "the", "more", "other", "our", "their", "those", "these", "different"].includes(spoken[from]?.text ?? "")
  )
    from += 1;
  let to = from;
  while (to < spoken.length && to - from < 3 && !isFunctionWord(spoken[to]!.text)) to += 1;
  return toldIn(spoken.slice(from, to)).map((one) => ({ ...one, first: one.first + from, last: one.last + from }));
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
function ordinalIn(spoken: readonly Word[]): Asked["ordinal"] {
  const at = spoken.findIndex(({ text }) => ORDINALS.includes(text));
  const noun = spoken[at + 1];
  if (at < 0 || !noun || isFunctionWord(noun.text)) return undefined;
  return { key: regularStem(noun.text), number: ORDINALS.indexOf(spoken[at]!.text) + 1 };
}

/** The words of a phrase that have content. */
const partsOf = ({ first, last }: Told, told: readonly Told[], spoken: readonly Word[]): readonly Told[] =>
  told.filter(
    (one) =>
      one.first === one.last && one.first >= first && one.last <= last && !isFunctionWord(spoken[one.first]!.text),
  );

/** What is asked about: the noun after "which", what "who" does, what something is the so-and-so of. */
function headOf(spoken: readonly Word[]): number[] {
  const at = spoken.findIndex(({ text }) => HEADED.has(text));
  if (at < 0) return [];
  const by = spoken[at]!.text;
  const isPassed = ({ text }: Word): boolean => isFunctionWord(text) || FRAME.has(text);
  const content = (from: number): number[] => {
    let to = from;
    while (spoken[to] && !isPassed(spoken[to]!)) to += 1;
    return Array.from({ length: to - from }, (_, n) => from + n).filter((n) => !GENERAL.has(spoken[n]!.text));
  };
  if (by === "how" && !MEASURED.has(spoken[at + 1]?.text ?? "")) return [];
  if (by === "what" && BE.has(spoken[at + 1]?.text ?? "")) return spoken[at + 2]?.text === "the" ? content(at + 3) : [];
  let next = at + (by === "how" ? 2 : 1);
  if (by === "how" || by === "who") while (spoken[next] && isPassed(spoken[next]!)) next += 1;
  return content(next).slice(0, 1);
}
const BE: ReadonlySet<string> = new Set(["is", "are", "was", "were", "s"]);
const HEADED: ReadonlySet<string> = new Set(["which", "what", "who", "how"]);
const MEASURED: ReadonlySet<string> = new Set(
  "big large high tall deep far old heavy wide fast strong hot cold thick full severe serious small low".split(" "),
);
/** Heads that say only what kind of answer is wanted. */
const GENERAL: ReadonlySet<string> = new Set(
  "time times day days date hour way ways place places reason cause number amount total count latest current exact now next last first".split(
    " ",
  ),
);

/** Phrases of which what is asked is in their objects. */
const EMPTY: ReadonlySet<string> = new Set([
  "know about",
  "know of",
  "go on",
  "deal with",
  "do with",
  "look like",
  "come from",
]);

/** The verb of a contracted negation: the "won" of "won't". */
const isContracted = (question: string, spoken: readonly Word[], { last }: Told): boolean => {
  const next = spoken[last + 1];
  return next !== undefined && isContractedNot(question, next) && spoken[last]!.text.length < 7;
};

/** Whether a word of a question is a name: a capital within it, or a word that no dictionary has. */
function isNamed({ text, capital }: Word, at: number, spoken: readonly Word[]): boolean {
  // "Sector C", but not "a" or "I".
  if (text.length === 1)
    return capital && at > 0 && !["a", "i"].includes(text) && !isFunctionWord(spoken[at - 1]!.text);
  if (/^\d/.test(text) || isFunctionWord(text)) return false;
  const isKnown = isWord(placeOf(stem(text)));
  // A whole question in capitals names nothing by them.
  const isShouted = spoken.every((word) => word.capital || /^\d/.test(word.text));
  if (capital && at > 0) return !isShouted || !isKnown;
  return capital && !isKnown && !toldIn([spoken[at]!])[0]?.groups.length;
}
