import type { Span } from "../words/words.ts";

const VERB =
  "(?:said|says|say|announced|reported|wrote|writes?|claimed|claims|stated|states|added|believes?|thinks?|estimates?d?|promised|" +
  "told(?: [\\p{L}\\s]{2,30}?)?|(?:minutes|data|figures|documents|records) (?:show|showed|say))";
const SPEAKER = '(?:\\p{L}[^,;:()“”"]{0,80}?\\s)';
const WHEN =
  "(?:\\s(?:late|early|earlier))?(?:\\s(?:on|in|after|at|by|this|last)\\s(?!that)[\\p{L}\\d]+(?:\\s(?:night|evening|morning|afternoon|of\\s\\p{L}+))?)?";

/** "VELM, Nov 21 (Coastline Wire) - ": the place of writing, and the writer. */
const DATELINE =
  /^\p{Lu}[\p{L}\s.'’-]{1,40}(?:,\s[^()–—\n]{2,30}?)?\s?(?:\([^()]{2,40}\)\s?[-–—]\s|\s?[–—]\s(?=\p{Lu})|\s-\s(?=\p{Lu}))/u;
const DASH = /\s[-–—]\s/;
const TRAILING = new RegExp(
  `,\\s(?!(?:and|but|which|who|while|as|fewer|less|more)\\s)${SPEAKER}${VERB}(?:${WHEN}|\\s(?:by|on|in|after)\\s[^,;.]{2,60})(?=[,;.?!]|$)`,
  "gu",
);
const ACCORDING = /(?:^|,?\s)(?:[Aa]ccording to|citing)\s[^,;:“”"]{2,90}(?:,\s\p{Lu}[^,;.]{2,40}(?=\.))?(?=[,;:.]|$)/gu;
const LEADING = new RegExp(
  `^${SPEAKER}(?:said|says|${VERB}(?=[^,;]{0,30}?\\sthat\\s))${WHEN}\\s(?:that\\s)?(?=\\p{L})`,
  "u",
);
const REFERS = /^(?:it|its|he|his|she|her|they|their)\b/i;

/** Whether any form can match at all: cheaper than three searches. */
const ANY =
  /\b(?:say|said|says|announced|reported|wrote|write|claim|stat|added|believe|think|estimate|promised|told|show|[Aa]ccording|citing)/;

/** "A rise it had announced". */
const OWN = /\b(?:had|has|have|was|were|been)\s\p{L}+$/u;

/** The parts of a sentence about its place of writing and its speaker, without the matter. */
export function frameOf(text: string): Span[] {
  const head = DASH.test(text) ? (DATELINE.exec(text)?.[0].length ?? 0) : 0;
  const found: Span[] = head ? [{ start: 0, end: head }] : [];
  const body = text.slice(head);
  if (!ANY.test(body)) return found;
  // "It cut jobs, the company said": here the speaker is also the agent.
  for (const form of REFERS.test(body) ? [] : [TRAILING, ACCORDING])
    for (const match of body.matchAll(form))
      if (!OWN.test(match[0])) found.push({ start: head + match.index, end: head + match.index + match[0].length });
  const leading = LEADING.exec(body)?.[0];
  // The same for "Hallin said it will close".
  if (leading && !REFERS.test(body.slice(leading.length))) found.push({ start: head, end: head + leading.length });
  return found;
}
