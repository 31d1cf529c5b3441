/** Of which named rate a text tells, as bits; these are told of on one day and in the same words. */
export const PRICES = 1,
  WORK = 2;
const PERCENT = /%|٪|\bper ?cent|\bprozent|\bpour cent|\bpor ciento|\bpor cento|процент|في المئة|بالمئة/i;
const OF_PRICES =
  /inflation|consumer prices|price rises|verbraucherpreise|prix à la consommation|inflación|inflazione|inflação|инфляц|التضخم/i;
const OF_WORK = /unemploy|jobless|chômage|arbeitslos|desempleo|disoccupazion|desemprego|безработиц|البطالة/i;

export function ratesIn(text: string): number {
  if (!PERCENT.test(text)) return 0;
  return (OF_PRICES.test(text) ? PRICES : 0) | (OF_WORK.test(text) ? WORK : 0);
}
