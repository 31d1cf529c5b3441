import { lexicon } from "../../../../../core/text/lexicon.ts";
import { endsIn } from "../../../../../core/text/statements/ends.ts";
import { oppositeOf, polesIn } from "../../../../../core/text/statements/states/poles.ts";
import { isOfMatter, matterOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import { indexing, type PhraseIndex } from "../../../../../core/text/words/phrases.ts";
import { atOnce, each, type Steps } from "../../../../../core/work/turns.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { refusalOf, turnsOver, type Place } from "./factual.ts";

/** An end of a question that a sentence gives, its denials reckoned. */
export interface State extends Place {
  axis: string;
  end: string;
  /** How far its words tell: those of the questions themselves most. */
  weight: number;
  /** In words that only answer a question, whatever they are said of. */
  isTold?: boolean;
}

interface Axis {
  of: readonly string[];
  traits?: readonly string[];
  ends: Readonly<Record<string, readonly string[]>>;
  told?: Readonly<Record<string, readonly string[]>>;
}
const axes = lexicon.hypotheses.axes as Readonly<Record<string, Axis>>;

const irregular = lexicon.irregularForms.forms as Readonly<Record<string, string>>;
/** The base forms of a term's verb: "did not arrive". Some are no words, and never stand in a text. */
function basesOf(term: string): string[] {
  const [verb = "", ...rest] = term.split(" ");
  const bases = irregular[verb]
    ? [irregular[verb]]
    : /^\w{3,}ed$/.test(verb)
      ? [verb.slice(0, -1), verb.slice(0, -2), verb.replace(/(\w)\1ed$/, "$1"), verb.replace(/ied$/, "y")]
      : /^\w{3,}[^s]s$/.test(verb)
        ? [verb.slice(0, -1)]
        : [];
  return [...new Set(bases)].filter((base) => base !== verb).map((base) => [base, ...rest].join(" "));
}
const AUXILIARY = /^(?:do|does|did|don|doesn|didn|not|never|could|couldn|can|cannot|will|would|won|wouldn|to)$/;
const isVerb = ({ words }: Statement, { first }: Place): boolean =>
  words.slice(Math.max(0, first - 2), first).some(({ text }) => AUXILIARY.test(text));

interface Indexes {
  ends: PhraseIndex<string>;
  bases: PhraseIndex<string>;
  of: PhraseIndex<string>;
}
let made: Indexes | undefined;

function* making(): Steps<Indexes> {
  const lists = (part: "ends" | "told") =>
    Object.entries(axes).flatMap(([axis, { [part]: ends = {} }]) =>
      Object.entries(ends).map(([end, forms]) => [`${axis}/${end}/${part}`, forms] as const),
    );
  const ends = [...lists("ends"), ...lists("told")];
  const bases = yield* each(ends, ([label, forms]) => [label, forms.flatMap(basesOf)] as const);
  return (made ??= {
    ends: yield* indexing(Object.fromEntries(ends)),
    bases: yield* indexing(Object.fromEntries(bases)),
    of: yield* indexing(Object.fromEntries(Object.entries(axes).map(([axis, { of }]) => [axis, of] as const))),
  });
}

/** Builds the index of questions, once in a process: too long for one turn of the event loop. */
export function* preparing(): Steps<void> {
  if (!made) yield* making();
}
const index = (): Indexes => made ?? atOnce(making());

/** The weight of what a hypothesis itself is asked by. */
export const OF_HYPOTHESES = 3;
const WEIGHTS = { ends: OF_HYPOTHESES, told: 2, news: 2, poles: 1.5 };

/** Whether an axis of hypotheses has a trait; those of the news have none here. */
export const isAxis = (axis: string, trait: string): boolean => axes[axis]?.traits?.includes(trait) ?? false;

const otherOf = (axis: string, end: string): string => Object.keys(axes[axis]!.ends).find((one) => one !== end)!;

const isInside = (one: Place, other: Place): boolean =>
  other.first <= one.first && other.last >= one.last && other.last - other.first > one.last - one.first;

/** Axes of which something that the words name may be asked. */
export const axesOf = (stated: Statement): ReadonlySet<string> =>
  new Set([
    ...index()
      .of.find("", stated.words)
      .map(({ label }) => label),
    ...(ROAD.test(stated.text) ? ["passage"] : []),
  ]);
/** The A612, the E10. */
const ROAD = /\b[ABDEMNR]-?\d{1,4}\b/;

/** What a sentence says of some axes, by the questions of hypotheses and of the news. */
export function statesIn(stated: Statement, wanted?: ReadonlySet<string>): State[] {
  const matter = matterOf(stated);
  const hits = [
    ...index().ends.find("", stated.words),
    ...index()
      .bases.find("", stated.words)
      .filter((hit) => isVerb(stated, hit)),
  ];
  const own = hits
    .filter(({ first, last }) => isOfMatter(matter, stated.words[first]!) && !isFound(stated, first, last))
    .flatMap(({ label, first, last }) => {
      const [axis, end, part] = label.split("/") as [string, string, "ends" | "told"];
      return !wanted || wanted.has(axis)
        ? [{ axis, end, first, last, weight: WEIGHTS[part], isTold: part === "told" }]
        : [];
    });
  const longest = own.filter((one) => !own.some((other) => other.axis === one.axis && isInside(one, other)));
  const found = longest.map((one) =>
    isTurned(stated, one, longest) ? { ...one, end: otherOf(one.axis, one.end) } : one,
  );
  const news = endsIn(matter).map((one) => ({ ...one, axis: `news ${one.axis}`, weight: WEIGHTS.news }));
  const poles = polesIn(stated.words)
    .poles.filter(({ first, last }) => isOfMatter(matter, stated.words[first]!) && !isGrammar(stated, first, last))
    .map(({ axis, pole, first, last }) => ({
      ...{ axis: `pole ${axis}`, first, last, weight: WEIGHTS.poles },
      end: isTurned(stated, { first, last }) ? oppositeOf(axis, pole) : pole,
    }));
  return [...found, ...[...news, ...poles].filter(({ axis }) => !wanted || wanted.has(axis))];
}

/** "Stopped sending it for the time being": a word that denies and answers itself denies no other answer. */
const isTurned = (stated: Statement, place: Place, beside: readonly State[] = []): boolean => {
  const refusal = refusalOf(stated, place);
  const turns = turnsOver(stated, place).filter(
    ({ at, isVerb: isAct }) =>
      !(refusal && at >= refusal.first && at <= refusal.last) &&
      !(isAct && beside.some((other) => other.first !== place.first && at >= other.first && at <= other.last)),
  );
  return (turns.length + (refusal ? 1 : 0)) % 2 === 1;
};

const isGrammar = ({ words }: Statement, first: number, last: number): boolean =>
  words.slice(first, last + 1).every(({ text }) => isFunctionWord(text));

/** "Found dead", "found that": who finds so finds nothing. */
const isFound = ({ words }: Statement, first: number, last: number): boolean =>
  first === last &&
  words[first]!.text === "found" &&
  (last + 1 >= words.length ||
    /^(?:that|to|guilty|dead|alive|safe|un\w+|no|nothing|every|out|himself|herself|themselves|innocent|wanting)$/.test(
      words[last + 1]!.text,
    )) &&
  !/^(?:was|were|been|is|are)$/.test(words[first - 1]?.text ?? "");
