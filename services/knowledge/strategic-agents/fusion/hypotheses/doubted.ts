import type { Statement } from "../../../../../core/text/statements/statement.ts";
import { hasCue } from "./factual.ts";
import type { Hypothesis } from "./hypothesis.ts";

/** "But that is wrong", "In fact ...": what stood before is taken back. */
const TURNS =
  /^["“'‘]?(?:(?:but|however|yet|in fact|in truth|actually|not so|wrong|no,|that|this|it) )?(?:(?:that|this|it|the (?:report|claim|story|news|statement|rumour|message)s?) )?(?:(?:is|was|are|were|has been|proved|turned out to be) )?(?:not (?:so|true|correct|the case)|wrong|false|untrue|incorrect|mistaken|a mistake|an error|a hoax|nonsense|retracted|withdrawn|denied|corrected)\b/i;

/** Whether a report doubts, or takes back, what one of its sentences says. */
export const isDoubted = (asked: Hypothesis, one: Statement, behind: readonly Statement[]): boolean =>
  (!hasCue(asked.stated, "unverified") && [one, ...behind].some((said) => hasCue(said, "unverified"))) ||
  behind.slice(0, 1).some(({ text }) => TURNS.test(text));

const ANOTHER_DAY =
  /\b(?:the day (?:before|after)|the (?:next|following|previous) (?:day|morning|afternoon|evening|night|week)|days? (?:earlier|later|before)|the week (?:before|after)|yesterday|tomorrow)\b/i;
/** Words by which a sentence takes something from what it says. */
const TAKES = /\b(?:only|but|except|although|though|despite|yet)\b/i;

/** Whether a sentence that says the same also denies something, or tells of another day: it may say the same of less. */
export const isLessened = (asked: Hypothesis, one: Statement): boolean =>
  (asked.times.length > 0 && ANOTHER_DAY.test(one.text)) ||
  (one.negations.length > asked.stated.negations.length && TAKES.test(one.text));
