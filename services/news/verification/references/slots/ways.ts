import { once } from "../../../../../core/once.ts";
import { tellsOfACount } from "./guards.ts";
import { waysIn } from "../../../../../core/text/statements/kinds.ts";
import { any } from "./figures/slot.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";

/** That something came of it, and not only with it. */
const CAME_OF = new RegExp(
  String.raw`\b(?:caus\w+|because|due to|blam\w+|trigger\w*|started|set off|trac(?:ed|ing)|result of|origin\w*|led to|` +
    String.raw`sparked|ignited|lit|set [^,;.]{0,40}(?:alight|ablaze|on fire)|(?:struck|hit|brought|sold|spread) by|` +
    String.raw`failed|failure|broke|broken|poured in|rammed|asleep|drunk|motives?|reasons?|faults?|sabotage\w*|` +
    String.raw`deliberate\w*|found|brought down|pushed|snapped|was an? (?:cyber|act)\w*|` +
    String.raw`ate through|tore open|eaten|lost pressure|clogg\w+|jammed|sucked into|the reasons?|cited|cost|` +
    String.raw`touching|shaken|loosened|put out|made the|driven|climbed|rode|sailed|sent|stuck|burn(?:ed|t)|killed|` +
    String.raw`got away|drove out|c[ao]me (?:from|with|in|through)|got in|exploited|entered|gave|error|` +
    String.raw`act(?:ed)? (?:of|out of)|source)\b`,
  "i",
);
/** What is ruled out is named, too. */
const RULED_OUT = any(
  "not (?:suspected|believed|likely)\\b",
  "rul(?:ed?|ing) out\\b",
  "excluded?\\b",
  "no (?:sign|evidence|indication|trace|hint)s? of\\b",
  "unlikely\\b",
  "(?:reject|dismiss)(?:s|es|ed)\\b",
);
/** These are named for nothing else. */
const OUTRIGHT = new Set([
  ...["landing", "weapon", "alert", "waters", "cargo", "told", "financing"],
  ...["lifted off", "left by", "surface", "free will", "informant", "leaker", "finder", "payer", "freed how"],
  ...["absence", "delay", "recall fault", "culprit animal", "handover place"],
]);

/** For what came about, the ends that a sentence names: those that it rejects are none. */
const waysOf = once((stated: Statement): ReadonlyMap<string, ReadonlySet<string>> | undefined => {
  const { words, text, negations } = stated;
  if (negations.some(({ from }) => from === 0) || RULED_OUT.test(text)) return undefined;
  const isRejected = (first: number): boolean => negations.some(({ from, to }) => first >= from && first <= to);
  const isCause = CAME_OF.test(text);
  const named = waysIn(words).filter(({ kind, first }) => (isCause || OUTRIGHT.has(kind)) && !isRejected(first));
  const found = new Map(
    [...Map.groupBy(named, ({ kind }) => kind)].map(([kind, ends]) => [kind, new Set(ends.map(({ pole }) => pole))]),
  );
  return found.size > 0 ? found : undefined;
});

/** One thing that came about in two ways: a fire by arson, and by a power line. */
export function otherWay(claim: Statement, candidate: Statement): string | undefined {
  const mine = tellsOfACount(claim) ? undefined : waysOf(claim);
  const theirs = mine && waysOf(candidate);
  if (!mine || !theirs) return undefined;
  for (const [of, ends] of mine) {
    const others = theirs.get(of);
    if (!others || [...ends].some((end) => others.has(end))) continue;
    return `two ways in which it came about: ${[...ends].join(", ")} and ${[...others].join(", ")}`;
  }
  return undefined;
}
