import { once } from "../../../../../../core/once.ts";
import type { Statement } from "../../../../../../core/text/statements/statement.ts";
import type { Pair } from "../../alignment.ts";

/** What a number tells from others of its kind. */
const KINDS =
  "platform|track|terminal|gate|level|grade|category|stage|floor|storey|runway|pier|berth|lane|ward|cell|row|round|minute";
const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBERED = new RegExp(
  `\\b(?<kind>${KINDS}) (?:number )?(?<number>\\d{1,3}|${NUMBERS.join("|")})\\b(?! of)`,
  "gi",
);

/** The one number of each kind that a sentence names, "on platform six, not four" included. */
const numbersIn = once(({ text }: Statement): ReadonlyMap<string, string> | undefined => {
  const found = Map.groupBy([...text.matchAll(NUMBERED)], ({ groups }) => groups!["kind"]!.toLowerCase());
  const alone = [...found].flatMap(([kind, [only, ...more]]) =>
    more.length > 0 ? [] : [[kind, valueOf(only!.groups!["number"]!)] as const],
  );
  return alone.length > 0 ? new Map(alone) : undefined;
});

function valueOf(number: string): string {
  const named = NUMBERS.indexOf(number.toLowerCase());
  return named < 0 ? number : String(named + 1);
}

/** Two numbers of one kind for one thing: it went off on platform four, and on platform six. */
export function otherNumbered(claim: Statement, candidate: Statement, pairs: readonly Pair[]): string | undefined {
  const mine = numbersIn(claim);
  const theirs = mine && numbersIn(candidate);
  if (!mine || !theirs) return undefined;
  for (const [kind, one] of mine) {
    const other = theirs.get(kind);
    const isBeside = pairs.some(({ claim: { weight, word } }) => weight >= 1 && word !== kind);
    if (other !== undefined && other !== one && isBeside) return `two numbers of one ${kind}: ${one} and ${other}`;
  }
  return undefined;
}
