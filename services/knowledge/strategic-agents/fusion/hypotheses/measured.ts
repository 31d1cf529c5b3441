import { measuresOf, type Measure } from "../../../../../core/text/statements/figures/measures.ts";
import type { Quantity } from "../../../../../core/text/statements/figures/quantities.ts";
import type { Sense } from "../../../../../core/text/statements/meaning.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { hasCue } from "./factual.ts";

/** Words that tell nothing of what is measured. */
const EMPTY =
  /^(?:percent|per|cent|number|total|figure|rate|level|people|person|be|have|stand|reach|report|final|least|most|more|less|full|day|week|month|year|hour|end|time|morning|evening|afternoon|night|district|county|province|region|state|country|city|town|village|island|valley)$/;
const LIGHT =
  /^(?:is|are|was|were|be|been|has|have|had|held|hold|holds|stands|stood|reached|reaches|exceeds|exceeded|counted|totalled|amounts|amounted|numbers|numbered|measured|remains|remained|would|will|could|last|lasts)$/;
/** Of what size something is: high and long are two. */
const SIZES = [
  "high",
  "height",
  "long",
  "length",
  "wide",
  "width",
  "deep",
  "depth",
  "thick",
  "tall",
  "heavy",
  "weight",
];
const SOFT = new Set([
  "confirmed",
  "record",
  "estimate",
  "county",
  "public",
  "second",
  "per",
  "each",
  "combined",
  "private",
  "cost",
  "loss",
  "export",
  "import",
]);
const BEFORE = /\b(?:before|earlier|previously|ago|then|at first|first offered|until then)\b[.,]?(?: |$)/i;

/** "The worst since 1998" counts nothing since then. */
const SUPERLATIVE =
  /\bin the (?:first|last) (?:days|hours|weeks) of\b|\b(?:worst|highest|lowest|most|least|first|largest|biggest|best|deadliest|longest) since\b/u;
/** What has a name: "Pell reservoir" is "Pell". */
const OWN_KIND =
  /^(?:reservoir|lake|dam|port|hospital|camp|plant|mine|school|bank|airport|prison|warehouse|depot|base|ship|tank|river|well|storage|store)$/;

const measureAt = (stated: Statement, { start }: Pick<Quantity, "start">): Measure | undefined =>
  measuresOf(stated).find(({ quantity }) => quantity.start - stated.start === start);

const without = (kinds: ReadonlySet<string>): string[] => [...kinds].filter((kind) => !SOFT.has(kind));

const wordsOf = (stated: Statement, thing: Thing): string[] =>
  stated.senses
    .filter(({ at, weight }) => weight === 1 && (!stated.words[at]!.capital || at === 0))
    .map((sense) => keyOf(stated, sense, thing))
    .filter((word) => !EMPTY.test(word));

/** Words of one axis are of one end: lost is not won. */
const keyOf = ({ words }: Statement, { at, concept, pole }: Sense, thing: Thing): string =>
  pole === undefined ? thing(words[at]!.text) : `${concept} ${pole}`;

const MOST_OF = 0.6;
/** Where the sentence has a name of the hypothesis. */
const HALF = 0.5;

export interface Naming {
  /** Whether the sentence has a name of the hypothesis. */
  isNamed: boolean;
  /** Whether the sentence says in other words what the hypothesis says of those counted. */
  isTold: boolean;
  /** Words of the names of the hypothesis. */
  names: ReadonlySet<string>;
}

export interface MeasuredPlace {
  stated: Statement;
  quantity: Quantity;
  /** Index of the main verb. */
  verb: number;
}

/** What a hypothesis counts: where its figure stands, and what befell those who are counted. */
interface Asked {
  place: MeasuredPlace;
  fates: ReadonlySet<string>;
}

/** How a word is compared: by what it is called. */
type Thing = (word: string) => string;

/** Whether a sentence's figure measures what a hypothesis' figure does: the whole of it, now, of the same kind. */
export function isOneMeasure(asked: Asked, one: Statement, told: Quantity, thing: Thing, naming: Naming): boolean {
  const { stated, quantity } = asked.place;
  if (hasCue(one, "elsewhere") || BEFORE.test(one.text)) return false;
  if (!areOfOneKind(measureAt(stated, quantity), measureAt(one, told), one.text)) return false;
  if (!areOfOneSize(stated, one)) return false;
  return naming.isTold || (quantity.unit === "magnitude" && naming.isNamed) || isOfOneThing(asked, one, thing, naming);
}

/** Whether two measures stand as facts of one kind; what is not known of either keeps nothing apart. */
function areOfOneKind(mine: Measure | undefined, theirs: Measure | undefined, text: string): boolean {
  if (!theirs) return true;
  if (theirs.standing !== "stated" && theirs.standing !== mine?.standing && !/\balone\b/.test(text)) return false;
  if (!mine) return true;
  if (mine.isChange !== theirs.isChange) return false;
  if (theirs.over !== undefined && theirs.over !== mine.over && !SUPERLATIVE.test(text)) return false;
  const [own, other] = [without(mine.kinds), without(theirs.kinds)];
  if (own.some((kind) => !other.includes(kind)) || other.some((kind) => !own.includes(kind))) return false;
  return mine.indicator === undefined || theirs.indicator === undefined || mine.indicator === theirs.indicator;
}

/** Not the height of one and the length of the other. */
function areOfOneSize(one: Statement, other: Statement): boolean {
  const [mine, theirs] = [one, other].map(({ words }) =>
    SIZES.filter((size) => words.some(({ text }) => text === size)),
  );
  return !mine!.length || !theirs!.length || mine!.some((size) => theirs!.includes(size));
}

/** Whether a sentence says enough of what a hypothesis says beside its figure and its names. */
function isOfOneThing({ place, fates }: Asked, one: Statement, thing: Thing, { isNamed, names }: Naming): boolean {
  const { quantity } = place;
  const there = new Set(wordsOf(one, thing));
  const isCount = quantity.unit === "count" || quantity.unit === "number";
  const verb = fates.size > 0 ? undefined : tellingVerb(place, thing);
  if (isCount && verb !== undefined && !there.has(verb)) return false;
  const counted = new Set(quantity.of.map(thing));
  const rest = matterOf(place, isCount, thing).filter((word) => !counted.has(word) && !names.has(word));
  if (rest.length === 0 || (isNamed && rest.every((word) => OWN_KIND.test(word)))) return true;
  const shared = rest.filter((word) => there.has(word)).length;
  return isCount ? shared > 0 || fates.size > 0 : shared >= (isNamed ? HALF : MOST_OF) * rest.length;
}

/** Of a count all its words; of another figure those before the verb, which say whose it is. */
function matterOf({ stated, verb }: MeasuredPlace, isCount: boolean, thing: Thing): string[] {
  const subject = isCount ? [] : wordsOf({ ...stated, senses: stated.senses.filter(({ at }) => at < verb) }, thing);
  return [...new Set(subject.length > 0 ? subject : wordsOf(stated, thing))];
}

/** The main verb of a hypothesis, where it says what became of those who are counted. */
function tellingVerb({ stated, verb }: MeasuredPlace, thing: Thing): string | undefined {
  if (LIGHT.test(stated.words[verb]?.text ?? "")) return undefined;
  const sense = stated.senses.find(({ at }) => at === verb);
  return sense && keyOf(stated, sense, thing);
}
