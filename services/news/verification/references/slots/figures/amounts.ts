import { once } from "../../../../../../core/once.ts";
import { DIFFERENT } from "../../../../../../core/text/statements/comparison.ts";
import { measuresOf, type Measure } from "../../../../../../core/text/statements/figures/measures.ts";
import { sameValue } from "../../../../../../core/text/statements/figures/quantities.ts";
import { areOfOthers, sharesName } from "../guards.ts";
import { wholeOf, type Statement } from "../../../../../../core/text/statements/statement.ts";

const CROWD =
  /\b(?:march|demonstrat|protest|gather|rall(?:y|ied)|took part|take part|turned out|took to the streets|on the streets|turnstiles|attend|mourn|crowd|right of assembly|people came|spectator|filled the|came to the (?:funeral|rally|concert|festival))/i;
/** Where a bare number counts people: "the attendance was given as 36,800". */
const ATTENDED = /\b(?:attendance|turnstiles|on the streets|crowd (?:of|at)|spoke of|spectators)\b/i;
const SMALLEST_ATTENDANCE = 1_000;
const isAttendance = ({ quantity: { unit, value } }: Measure, { text }: Statement): boolean =>
  (unit === "number" || unit === "count") && value >= SMALLEST_ATTENDANCE && ATTENDED.test(text);
const SMALLEST_CROWD = 50;
const AWAY = /\b(?:arrest|detain|hurt|injur|wound|kill|police officers|soldiers|troops)/i;
const APART = 1.3;
const MOST_APART = 7;

const isPeople = ({ quantity: { unit, of } }: Measure): boolean =>
  unit === "count" &&
  of.some((thing) =>
    /^(?:peopl|person|citizen|protest|demonstrat|march|mourn|support|visit|spectat|fan|believ|pilgrim|worker|student|farmer)/.test(
      thing,
    ),
  );

const crowdIn = once((stated: Statement): Measure | undefined => {
  if (
    stated.quantities.length === 0 ||
    !CROWD.test(stated.text) ||
    AWAY.test(stated.text.replace(/\bagainst the (?:arrest|killing|detention)\b/i, ""))
  )
    return undefined;
  const people = measuresOf(stated).filter(
    (one) =>
      one.standing === "stated" && (isPeople(one) ? one.quantity.value >= SMALLEST_CROWD : isAttendance(one, stated)),
  );
  return people.length === 1 ? people[0] : undefined;
});

/** Two counts of how many came: organisers and police seldom agree. */
export function otherCrowd(claim: Statement, candidate: Statement): string | undefined {
  const [one, other] = [crowdIn(claim), crowdIn(candidate)];
  if (!one || !other) return undefined;
  if (areOfOthers(claim, candidate)) return undefined;
  const [least, most] = [one.quantity.value, other.quantity.value].sort((x, y) => x - y) as [number, number];
  // Without a common name it may be another town's.
  if (most > (sharesName(claim, candidate) ? Infinity : MOST_APART) * least) return undefined;
  const isOther = sameValue(one.quantity, other.quantity) === "differ" && most >= APART * least;
  return isOther ? `${DIFFERENT}: ${one.quantity.text} against ${other.quantity.text}` : undefined;
}

const PRICED =
  /\b(?:buy|buys|bought|buying|acquir\w+|pays?|paid|paying|worth|value[sd]?|price(?: tag)? of|takeover|taking over|takes over|purchase|sells?|sold|deal)\b/i;
const OF_ELSE = /\b(?:debts? of|profit|revenue|turnover|sales of|a share|per share|fine|loss|credit|loan|tax)\b/i;
const LEAST_OF_DEAL = 1_000_000;

/** The price of a purchase, as money or, as a bare number, in millions. */
const priceIn = once(({ text, start, quantities }: Statement): Measure["quantity"] | undefined => {
  const money = quantities.filter(
    ({ unit, value }) => (/^[A-Z]{3}$/.test(unit) || unit === "number") && value >= LEAST_OF_DEAL,
  );
  const [only] = money;
  if (money.length !== 1 || !only || OF_ELSE.test(text)) return undefined;
  return PRICED.test(text.slice(0, only.start - start)) ? only : undefined;
});

/** Two prices of one purchase, identified by a shared name. */
export function otherPrice(claim: Statement, candidate: Statement): string | undefined {
  const [one, other] = [priceIn(claim), priceIn(candidate)];
  if (!one || !other || !sharesName(claim, candidate)) return undefined;
  const isComparable = one.unit === other.unit || one.unit === "number" || other.unit === "number";
  const isOther = isComparable && Math.abs(one.value - other.value) > one.precision + other.precision;
  if (!isOther || one.bound || other.bound) return undefined;
  return `${DIFFERENT}: ${one.text} against ${other.text}`;
}

const ATTACKERS = /^(?:attack|gunm[ae]n|shoot|assailant|bomber|hijack|kidnap|robb|thief|hack|perpetrat)/;
const isOfAttackers = ({ standing, quantity: { of, unit } }: Measure): boolean =>
  standing === "stated" && unit === "count" && of.some((thing) => ATTACKERS.test(thing));
const CAUGHT = /\b(?:killed|dead|died|arrested|caught|wounded|shot|released|fled|escaped)\b/i;

const attackersIn = once((side: Statement): Measure | undefined =>
  CAUGHT.test(wholeOf(side).text) ? undefined : measuresOf(side).find(isOfAttackers),
);

/** How many attacked, unless only a part of them was caught. */
export function otherCount(claim: Statement, candidate: Statement): string | undefined {
  const [one, other] = [attackersIn(claim), attackersIn(candidate)];
  if (!one || !other) return undefined;
  return sameValue(one.quantity, other.quantity) === "differ"
    ? `${DIFFERENT}: ${one.quantity.text} against ${other.quantity.text}`
    : undefined;
}
