// By what words a question shows what it asks for.

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
  | "contents"
  | "state"
  | "thing"
  | "all";

export const MEASURE = /\bhow (much|big|large|high|tall|deep|far|old|heavy|wide|fast|strong|hot|cold|thick)\b/;

/** One of several ways to say the same. */
const anyOf = (...ways: RegExp[]) => ({ test: (said: string): boolean => ways.some((way) => way.test(said)) });

const FORMS: readonly [wanted: Wanted, ...ways: RegExp[]][] = [
  ["frequency", /\bhow (?:often|frequently|regularly)\b/],
  ["duration", /\bhow (?:long|soon)\b|\bfor how long\b|\b(?:until|since|till) when\b/],
  [
    "money",
    /\bhow (?:expensive|costly)\b/,
    /\bhow much\b[^?]{0,60}\b(?:costs?|pay|paid|earn|price|charged?|money|spent|worth)\b/,
    /\bwhat\b[^?]{0,60}\b(?:price|costs?|fee|rent|salary)\b/,
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
  ["contents", /^what (?:is|was|are|were|['’]s) (?:in|inside|on board|aboard)\b|^what did .{1,40} contain\b/],
  ["name", /\bnames? of\b|['’]s name\b|\bwhat\b[^?]{0,60}\b(?:called|named)\b|\bwho (?:exactly )?is the name\b/],
  [
    "person",
    /\b(?:who|whom|whose|by whom)\b|\bwhich (?:person|official|officer|body|agency|company|unit|team|organi[sz]ation)\b|\bin charge\b/,
  ],
  [
    "reason",
    /\b(?:why|how come|what for)\b/,
    /\bhow did\b[^?]{0,80} (?:start|begin|break out|happen|come about|arise|originate|die)\b/,
    /\b(?:what (?:caused|led to|made|is the reason|was the reason)|for what reason|reasons? (?:for|of|why))\b/,
    /\bwhat (?:is|was) the (?:cause|reason)\b/,
    /^what\b[^?]{0,80} for\??$/,
  ],
  ["time", /\b(?:when|what time|which day|what day|what date|which date|by when|which hour|eta|deadline)\b/],
  [
    "place",
    /\b(?:(?:which|what) (?:way|direction)|where|whereabouts|what place|which place|location of|where to|where from)\b/,
  ],
  ["means", /\bhow\b/],
];
/** What is known of something, as a whole. */
const ABOUT = anyOf(
  /\bwhat (?:do we|do you|is|has been|have we) (?:know|known|got|heard|reported|said)\b/,
  /\b(?:tell me|what about|what['’]?s new|what happened|what is happening|how are things|all about)\b/,
  /\b(?:anything (?:on|about|known|new)|everything (?:on|about)|news (?:of|on|about)|information (?:on|about))\b/,
  /\b(?:status of|update on|details? (?:of|on|about)|situation (?:at|in|on))\b/,
);
export const MANY = anyOf(
  /\b(?:list|name all|all the|what all|what kinds? of|what (?:sort|types?) of|which of the|any of the)\b/,
  /\b(?:what|which) (?:\w+ ){0,2}\w{2,}s (?:are|were|have|do|did|must|can|will|should|remain|need|came|was not)\b/,
  /(?<!\b(?:where|when|who|how|why|what)) and (?:what|when|where|who|how|why|which)\b/,
);
export const SINGULAR_S =
  /\b(?:what|which) (?:is|was|has|does|boss|class|process|address|business|access|bus|gas|illness)\b/;
const YES_NO =
  /^(?:so |and |but )?(?:is|are|was|were|am|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must|isn|aren|wasn|weren|don|doesn|didn|hasn|haven|hadn|couldn|won|wouldn)\b/;
export const NOW = anyOf(
  /\b(?:now|nowadays|currently|current|presently|today|at present|at the moment|at this (?:moment|time|point))\b/,
  /\b(?:latest|newest|most recent|still|so far|these days|in the end|finally|eventually)\b/,
);

/** Asks where something is, not where it will be. */
export const HERE = /^(?:and |but |so )?where(?: (?:is|are|am)|['’]s)\b/;
const NOT_SO = /(?:\bnot|n't)(?: yet)?(?: been| being)? (\p{L}{2,}(?:ed|en|wn|ne))\b/u;
const WHICH = /\b(?:which|what|who|whose)\b/;
/** "Which are not accepted yet?": what is so answers nothing. */
export function notSoIn(said: string): string | undefined {
  const found = NOT_SO.exec(said);
  return found && WHICH.test(said.slice(0, found.index)) ? found[1] : undefined;
}
/** Asks for questions. */
export const ASKING = /\b(?:ask(?:s|ed|ing)?|questions?|requests?|requirements?|inquir(?:y|ies)|enquir(?:y|ies))\b/;

export const DONE = /\b(?:did|was|were|has|have|had|actually|really|ever|in fact|already)\b/;
export const PLANNING =
  /\b(?:plan|plans|planned|planning|forecast|expected|supposed|should|will|would|intend|intended|going to|due|scheduled|must|may)\b/;

/** Asks whereto somebody or something goes. */
export const MOVING =
  /\bwhere\b.{0,80}\b(?:taken|brought|sent|send|go|goes|went|gone|moved|move|transferred|flown|flee|fled|carried|put|take(?! place)|bring|report|turn|evacuated|shipped|towed)\b/;
/** Asks how long something is in space or in time. */
export const EXTENT =
  /\bhow long (?:is|are|was|were) (?:the|our|their|its)\b[^?]{0,40}\b\w+ ?(?:now|currently|at present)?\?*$/;

/** Asks for what is still to come. */
export const COMING =
  /\b(?:will|going to|next|tomorrow|plan|plans|planned|supposed to|intend|intends|due|scheduled|expected)\b/;

/** Words that only frame a question. */
export const FRAME: ReadonlySet<string> = new Set(
  (
    "know known tell currently current present presently moment please anybody anyone anything something somebody " +
    "someone everybody everyone actually really ever exactly still yet already now latest newest eventually finally " +
    "thing things stuff kind kinds sort sorts type types lot lots many much often long soon far name names question " +
    "let list show say said says happen happens happened happening wonder hello hi thanks " +
    "like timing come get got going go goes went quite rather perhaps maybe else detail details information info update " +
    "status situation regarding concerning about thus such altogether instead onwards onward fact indeed overall early " +
    "meanwhile therefore however"
  ).split(" "),
);
/** Words of little meaning of their own: what is asked is in their objects. */
export const LIGHT: ReadonlySet<string> = new Set(
  (
    "take takes took taken make makes made put puts use uses used using need needs needed look looks looked looking " +
    "keep keeps kept hold holds held bring brings brought run runs ran running work works worked working turn turns " +
    "turned time times place places people person persons folk folks man men way ways part parts number numbers amount " +
    "total big large high deep heavy old wide far end start new last first second third next day days do done handle " +
    "find found see seen think thought deal deals set sets stand stands stay stays remain remains left leave leaves " +
    "call called calls send sent sends serve serves supposed able possible expected role state response effort one ones whole big main " +
    "available exist exists near nearby next close behind beyond inside outside around along give gives gave given provide " +
    "provides provided intend intends intended mean means meant reckon reckons reckoned manage manages managed try tries " +
    "tried want wants wanted report reports reported"
  ).split(" "),
);

/** The form that is named first; of those that begin together, the one that stands first in the list. */
export function wantedOf(said: string): Wanted {
  if (ABOUT.test(said)) return "all";
  if (YES_NO.test(said) && !KNOWING.test(said)) return "state";
  let first: Wanted = "thing";
  let from = Infinity;
  for (const [wanted, ...ways] of FORMS) {
    const at = Math.min(...ways.map((way) => way.exec(said)?.index ?? Infinity));
    if (at < from) [first, from] = [wanted, at];
  }
  return first;
}
/** "Do we know when" asks when. */
const KNOWING = /^(?:do|does|did|can|could|is|has) .{0,30}\b(?:know|known|tell|say|said|clear|find out)\b/;
