const START = 40;
const QUICK_CHARACTERS = 3_000;
const QUICK: readonly [RegExp, number, number][] = [
  [
    /(?<!\b(?:sources?|insiders?|people familiar|friends?|somebody|they) )\b(?:said|told|according to|announced|reported|confirmed)\b(?! (?:anonymous|unnamed|sources?|insiders?)\b)/gi,
    3,
    12,
  ],
  [/["“”]/g, 1, 6],
  [/\d[.,]?\s?(?:%|percent|per cent|million|billion|thousand|km|people|euros|dollars)|[$€£]\d/g, 2, 8],
  [/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|\b20\d\d\b/g, 2, 4],
  [/\b(?:documents?|report|study|data|survey|audit|census)\b/g, 1, 5],
  [/!/g, -2, -8],
  [/\b(?:some say|critics say|experts say|many believe|sources say|allegedly|reportedly)\b/gi, -3, -9],
];

/** A first, cheap impression for ingestion, 0..100: seven searches over the first 3,000 characters. */
export function quickScore(title: string, text: string): number {
  const head = text.slice(0, QUICK_CHARACTERS);
  let score = START + (head.length >= 1_200 ? 4 : head.length < 350 ? -8 : 0);
  for (const [pattern, each, most] of QUICK) {
    const points = each * countUpTo(pattern, head, Math.ceil(most / each));
    score += each > 0 ? Math.min(most, points) : Math.max(most, points);
  }
  if (/[!?][!?]|!$|\b(?:you won't believe|shocking|what happened next)\b/i.test(title)) score -= 10;
  if (title.length > 12 && title === title.toUpperCase() && /[A-Z]{4,}/.test(title)) score -= 8;
  return Math.min(100, Math.max(0, score));
}

function countUpTo(pattern: RegExp, text: string, most: number): number {
  pattern.lastIndex = 0;
  let count = 0;
  while (count < most && pattern.exec(text)) count += 1;
  return count;
}
