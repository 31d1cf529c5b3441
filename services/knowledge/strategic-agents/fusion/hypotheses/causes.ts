import type { Statement } from "../../../../../core/text/statements/statement.ts";
import type { Hypothesis } from "./hypothesis.ts";

const BECAUSE =
  /\b(?:because(?: of)?|due to|owing to|caused by|as a result of|thanks to|blamed on|brought on by|by (?:an?|the|its|their)?)\s/i;
/** Whoever has the say: reports name them otherwise, or not at all. */
const OFFICIAL =
  /^(?:authority|authorities|official|officials|police|government|state|army|navy|ministry|council|court|officer|officers|order|law|decree|vote|votes|majority|percent|margin|hand|sea|air|road|rail|land|boat|helicopter|noon|midnight|morning|evening|night|week|month|year|day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|end|time)$/;

/** Concepts of the cause or the doer that a hypothesis names; none where it names none. */
function causeOf({ stated, verb }: Hypothesis): ReadonlySet<string> {
  const { text, start, words } = stated;
  const from = words[verb]?.start ?? start;
  const found = BECAUSE.exec(text.slice(from - start));
  if (!found) return new Set();
  const at = from + found.index + found[0].length;
  const end =
    at + (text.slice(at - start).search(/[,;.]|\b(?:on|in|near|at|during|after|before)\b/) + 1 || text.length) - 1;
  const told = stated.senses.filter(
    (sense) => words[sense.at]!.start >= at && words[sense.at]!.start < end && sense.weight >= 1,
  );
  return new Set(told.filter((sense) => !OFFICIAL.test(words[sense.at]!.text)).map(({ concept }) => concept));
}

/** Whether a sentence that says what happened also names the cause that is asked about, or none is. */
export function namesCause(asked: Hypothesis, one: Statement): boolean {
  const causes = causeOf(asked);
  return causes.size === 0 || one.senses.some(({ concept }) => causes.has(concept));
}
