/** "Denied that nine people had been killed", "prevented 400 cases": a number that befell nobody. */
const DENIAL = /\b(?:den(?:y|ies|ied|ying)|not true|untrue|false(?:ly)?|no evidence|reject(?:s|ed|ing)?|rumou?rs?)\b/i;
const OF_WHAT = /\b(?:that|of) /i;
function isDenied(before: string): boolean {
  const clause = before.split(/[,.;:]/).at(-1)!;
  const at = clause.search(DENIAL);
  return at >= 0 && OF_WHAT.test(clause.slice(at));
}
/** "Could kill 30,000", "would have been killed", a drill: what has not happened. */
const AWAITED =
  /\b(?:(?:can|could|would|might|may|should) (?:have )?(?:been |be )?|to be |(?:hop|plan|aim|want|intend|prepar|need|order)(?:e|es|ed|ing|s|ning|ned)? to )(?:kill|die|injur|wound|hurt|displac|evacuat|infect|arrest|sav|shelter|house|rescu|releas|freed|set free|let go)\w*/i;
/** "Claims that 200 people had been arrested are false." */
const REFUTED = /^[^,.;:]{0,80}\b(?:is|are|was|were) (?:false|untrue|wrong|incorrect|fake|not true|made up)\b/i;
/** "No one died", "none of the 156 passengers and six crew". */
const NONE = /\b(?:(?:no|not|nor) |(?:none|neither) of [^,.;:]{0,60})$/i;
/** "Are feared dead": what is not known. */
const FEARED =
  /\b(?:feared|presumed|believed|thought) (?:to (?:be|have) (?:been )?)?(?:dead|killed|died|drowned|missing|injured)\b/i;
/** "On average, 1,300 people die every year": no event's toll. */
const RATE =
  /\b(?:on average|(?:every|each|per) (?:year|day|month|week)|annually|(?<=\p{L} )a (?:year|day|month|week)(?=[,.;]|$))/iu;
/** "The 96 who died": of whom was told before. */
const KNOWN = /\bthe $/i;
const KNOWN_BEHIND = /^ (?:people |victims |men |women |children )?(?:who|killed|injured|dead)\b/i;
const SCENARIO = /\b(?:drill|exercise|simulat(?:es?|ed|ion)|scenario|rehears(?:al|ed))\b/i;
const SPARED = /\b(?:prevent|avert|avoid|forestall)\w* (?:\w+ ){0,2}$/i;
const BEFORE = 100;

/** Whether a number beside what befalls people is no toll: denied, feared, planned, rehearsed, or of each year. */
export function isNoToll(sentence: string, start: number, end: number): boolean {
  const before = sentence.slice(Math.max(0, start - BEFORE), start);
  const behind = sentence.slice(end, end + BEFORE);
  return (
    isDenied(before) ||
    [SPARED, NONE].some((pattern) => pattern.test(before)) ||
    (KNOWN.test(before) && KNOWN_BEHIND.test(behind)) ||
    AWAITED.test(before + behind) ||
    [REFUTED, FEARED, RATE].some((pattern) => pattern.test(behind)) ||
    /\bon average\b/i.test(before) ||
    SCENARIO.test(sentence)
  );
}
