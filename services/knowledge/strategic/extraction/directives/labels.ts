import { words } from "../../../../../core/text/words/words.ts";

/** What may stand before the directive of an item. */
const LABEL =
  /^(?:(?:strategic |operational |intermediate )?(?:objective|goal|task|aim|obj|loe|line of effort|phase|priority|target|effect|action|outcome|resolution|key result|kr|so)\s*[\w.-]{0,6}\s*(?:\([^)]{1,30}\)\s*)?[:–—-]\s*)+/i;

/** Where a sentence begins after a label. */
export const afterLabel = (text: string): number => LABEL.exec(text)?.[0].length ?? 0;

/** "KR1:", "A Company (Maj Reeve) –", "Serial 1 (Sgt Dacre):", "1.2" */
const NAME = /^[\p{Lu}\d][\p{L}\d .,/'’&()-]{0,60}?(?:\s?:|\s[–—-]|[.)])\s{1,3}(?=\S)/u;
const MOST_NAME_WORDS = 8;

/** "Field 7: 21 contacts were plotted": a name with its number is no order to field something. */
export const isNumberedName = (text: string): boolean => /^\p{Lu}\p{Ll}+ \d{1,4}[a-z]?\s?:\s/u.test(text);

/** Where a sentence begins after the name of whom or what it concerns. */
export function afterName(text: string): number {
  const name = NAME.exec(text)?.[0];
  return name && words(name).length <= MOST_NAME_WORDS ? name.length : 0;
}

/** "Serial 1 (Sgt Dacre):", where a label names a unit and its leader. */
export function afterPerson(text: string): number {
  const end = afterName(text);
  return /\([^()]{2,40}\)\s?[:–—-]\s*$/.test(text.slice(0, end)) ? end : 0;
}

const NO_TASK =
  /^(?:note|nb|e\.?g|example|tip|remark|source|see|caution|warning|reminder|background|reason|risk|constraint|assumption|status)\b/i;
/** Whether a label names who is ordered, or numbers what is ordered, and is no remark. */
export const namesTask = (label: string): boolean =>
  !NO_TASK.test(label) && /[:–—-]\s*$/.test(label) && /\d|\(|\p{Lu}/u.test(label);
