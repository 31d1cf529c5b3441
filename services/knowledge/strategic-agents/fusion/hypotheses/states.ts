import { lazily, lexicon } from "../../../../../core/text/lexicon.ts";
import { endsIn } from "../../../../../core/text/statements/ends.ts";
import { oppositeOf, polesIn } from "../../../../../core/text/statements/states/poles.ts";
import { isOfMatter, matterOf, type Statement } from "../../../../../core/text/statements/statement.ts";
import { phraseIndex } from "../../../../../core/text/words/phrases.ts";
import { isFunctionWord } from "../../../../../core/text/words/stop-words.ts";
import { isRefused, turnsOver, type Place } from "./factual.ts";

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

const index = lazily(() => {
  const lists = (part: "ends" | "told") =>
    Object.entries(axes).flatMap(([axis, { [part]: ends = {} }]) =>
      Object.entries(ends).map(([end, forms]) => [`${axis}/${end}/${part}`, forms] as const),
    );
  return {
    ends: phraseIndex(Object.fromEntries([...lists("ends"), ...lists("told")])),
    of: phraseIndex(Object.fromEntries(Object.entries(axes).map(([axis, { of }]) => [axis, of] as const))),
  };
});

const WEIGHTS = { ends: 3, told: 2, news: 2, poles: 1.5 };

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
  const own = index()
    .ends.find("", stated.words)
    .filter(({ first, last }) => isOfMatter(matter, stated.words[first]!) && !isFound(stated, first, last))
    .flatMap(({ label, first, last }) => {
      const [axis, end, part] = label.split("/") as [string, string, "ends" | "told"];
      return !wanted || wanted.has(axis) ? [{ axis, end, first, last, weight: WEIGHTS[part], isTold: part === "told" }] : [];
    });
  const longest = own.filter((one) => !own.some((other) => other.axis === one.axis && isInside(one, other)));
  const found = longest.map((one) => (isTurned(stated, one, longest) ? { ...one, end: otherOf(one.axis, one.end) } : one));
  const news = endsIn(matter).map((one) => ({ ...one, axis: `news ${one.axis}`, weight: WEIGHTS.news }));
  const poles = polesIn(stated.words).poles
    .filter(({ first, last }) => isOfMatter(matter, stated.words[first]!) && !isGrammar(stated, first, last))
    .map(({ axis, pole, first, last }) => ({
    ...{ axis: `pole ${axis}`, first, last, weight: WEIGHTS.poles },
    end: isTurned(stated, { first, last }) ? oppositeOf(axis, pole) : pole,
  }));
  return [...found, ...[...news, ...poles].filter(({ axis }) => !wanted || wanted.has(axis))];
}

/** "Stopped sending it for the time being": a word that denies and answers itself denies no other answer. */
const isTurned = (stated: Statement, place: Place, beside: readonly State[] = []): boolean => {
  const turns = turnsOver(stated, place).filter(
    ({ at, isVerb }) => !isVerb || !beside.some((other) => other.first !== place.first && at >= other.first && at <= other.last),
  );
  return (turns.length + (isRefused(stated, place) ? 1 : 0)) % 2 === 1;
};

const isGrammar = ({ words }: Statement, first: number, last: number): boolean =>
  words.slice(first, last + 1).every(({ text }) => isFunctionWord(text));

/** "Found dead", "found that": who finds so finds nothing. */
const isFound = ({ words }: Statement, first: number, last: number): boolean =>
  first === last &&
  words[first]!.text === "found" &&
  (last + 1 >= words.length || /^(?:that|to|guilty|dead|alive|safe|un\w+|no|nothing|every|out|himself|herself|themselves|innocent|wanting)$/.test(words[last + 1]!.text)) &&
  !/^(?:was|were|been|is|are)$/.test(words[first - 1]?.text ?? "");
