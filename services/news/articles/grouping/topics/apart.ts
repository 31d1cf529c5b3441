import { MEN, sexesIn, WOMEN } from "../../../../../core/text/statements/figures/matches.ts";
import { PRICES, ratesIn, WORK } from "../../../../../core/text/statements/figures/rates.ts";

const SEXES = WOMEN | MEN;
/** It has dead of its own, and is none of its earthquake's. */
const AFTERSHOCK = 4;
const OF_AFTERSHOCK =
  /(?<!\p{L})(?:aftershocks?|nachbeben|répliques?|réplicas?|scossa di assestamento|афтершок\p{L}*)(?!\p{L})|ارتدادية/iu;

/** One office tells of prices and of work on one day, at times in the same figure. */
const FIRST_RATE = 3,
  RATES = (PRICES | WORK) << FIRST_RATE;

/** Whose match or race it is, which rate, and by the headline whether an aftershock, as bits. */
export const marksOf = (headline: string, opening: string): number =>
  sexesIn(opening) | (OF_AFTERSHOCK.test(headline) ? AFTERSHOCK : 0) | (ratesIn(opening) << FIRST_RATE);

/** Both have some of these bits, and no bit is the same. */
const areOfTwo = (one: number, other: number, bits: number): boolean =>
  (one & bits) !== 0 && (other & bits) !== 0 && (one & other & bits) === 0;
/** Whether topics with these bits are of two events. */
export const areApart = (one: number, other: number): boolean =>
  ((one ^ other) & AFTERSHOCK) !== 0 || areOfTwo(one, other, SEXES) || areOfTwo(one, other, RATES);
