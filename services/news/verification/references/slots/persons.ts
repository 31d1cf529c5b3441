import { once } from "../../../../../core/once.ts";
import { sameName, type Name } from "../../../../../core/text/statements/names.ts";
import type { Statement } from "../../../../../core/text/statements/statement.ts";

/** Who has one part in an event, by what stands behind and before the name. */
interface Part {
  what: string;
  of: RegExp;
  behind: RegExp;
  before: RegExp;
}

const PARTS: readonly Part[] = [
  {
    what: "won",
    of: /\b(?:elect|presiden|mayor|vote|votes|voters|poll|ballot|run-?off|governor|chancellor|premiership)/i,
    behind: new RegExp(
      String.raw`^ (?:has |had )?(?:won|wins|(?:narrowly |clearly )?(?:beaten|beat|defeated|defeats)|` +
        String.raw`declared (?:him|her)self (?:the )?(?:winner|president|victor)|` +
        String.raw`is the (?:winner|new president|next president)|will be the next president|` +
        String.raw`was declared (?:the )?winner|claimed victory|(?:has been|was) (?:re-?)?elected|` +
        String.raw`is (?:the )?president-elect)\b`,
    ),
    before: /\b(?:(?:winner|victor)(?: (?:of|in) [^,;.]{1,60})? (?:is|was)|(?:victory|win) (?:of|for|by)) $/,
  },
  {
    what: "succeeds",
    of: /\b(?:minister|ministry|chief|department|head|director|chair\w*|portfolio|post|office|job|governor|bank|coach)\b/i,
    behind: new RegExp(
      String.raw`^ (?:will take over|takes over|is to take over|has been (?:named|appointed)|was (?:named|appointed)|` +
        String.raw`is to succeed|will succeed|succeeds|will take the portfolio|is the new|is to (?:run|lead|head)|` +
        String.raw`will (?:run|lead|head|become)|becomes|moves into|has been chosen|was chosen|steps into)\b`,
    ),
    before: /\b(?:appointed|named|successor (?:is|will be)|(?:succeeded|replaced) by|has chosen (?:\w+ ){0,2}) $/,
  },
  {
    what: "fired first",
    of: /\b(?:fired? (?:the first shots?|first)|opened fire first|shot first)\b/i,
    behind:
      /^(?:['’]s)?(?: [\p{L}-]+){0,3} (?:who |that |had |has )?(?:fired? (?:the first shots?|first)|opened fire first|shot first)\b/u,
    before: /\bfrom $/,
  },
  {
    what: "did it",
    of: /\b(?:attack\w*|theft|break-?in|breach|seizure|raid|bomb\w*|blast|explosion|kidnap\w*|abduct\w*|killing|murder|shelling|strike|sabotage|leak|heist|robbery|fire|shooting|hack\w*)\b/i,
    behind:
      /^(?:['’]s [\p{L}-]+(?: [\p{L}-]+)?)? (?:(?:was|were|is|are|had been|has been|stood|stands) behind|carried (?:it )?out|(?:has |had )?claimed responsibility|(?:admitted|acknowledged) (?:the|carrying|responsibility))\b/u,
    before:
      /\b(?:work of|carried out by|committed by|responsibility (?:lies|lay) with|(?:blamed|accused|hold|holds|held)) (?:the )?(?:[\p{Ll}-]+ ){0,2}$/u,
  },
  {
    what: "broke off",
    of: /\b(?:talks|negotiat\w+|merger|deal|table|takeover)\b/i,
    behind:
      /^(?:['’]s [\p{L}-]+)? (?:(?:who|that|which) )?(?:had |has )?(?:walked (?:away|out)|pulled out|broke off|withdrew|left the (?:talks|table)|got up and left|called off)\b/u,
    before: /\b(?:broken off|abandoned|called off|ended) by (?:the )?$/,
  },
];
/** "Katz, a retired general, has been named": who somebody is, between the name and what the name does. */
const APPOSED = /^, [^,;:.()–—“”"]{2,60},(?= )/;
const OPEN = new RegExp(
  String.raw`\b(?:(?:if|could|would|may|might|should|lead(?:s|ing)?|ahead|seats?|district|constituency)\b|expect|forecast|` +
    String.raw`poll(?:s|sters?) (?:show|see|put)|in (?:19|20)\d\d|first round|last time|previous|deputy to)`,
  "i",
);

/** "With 96 percent counted": the sentence has a later one, which must not be trusted less for whom it names. */
const COUNTING = /\b(?:per ?cent|%)[^,;.]{0,30}\b(?:counted|processed|tallied|in)\b/i;
const SHARE = /\d{1,3}(?:\.\d{1,2})? ?$/;
const SHARE_CHARACTERS = 8;
/** From here on a count decides. */
const DECIDED = 90;
const isUndecided = (text: string): boolean => {
  const counted = COUNTING.exec(text);
  if (!counted) return false;
  const before = text.slice(Math.max(0, counted.index - SHARE_CHARACTERS), counted.index);
  return Number(SHARE.exec(before)?.[0] ?? 0) < DECIDED;
};

/** Who has which part, by a sentence that says so outright. */
const partsIn = once((stated: Statement): ReadonlyMap<string, Name> | undefined => {
  const { text, start, negations, entities } = stated;
  if (negations.length > 0 || entities.length === 0 || OPEN.test(text) || isUndecided(text)) return undefined;
  const found = new Map(
    PARTS.filter(({ of }) => of.test(text)).flatMap(({ what, behind, before }) => {
      const one = entities.find(
        (name) =>
          behind.test(text.slice(name.end - start).replace(APPOSED, "")) ||
          before.test(text.slice(0, name.start - start)),
      );
      return one ? [[what, one] as const] : [];
    }),
  );
  return found.size > 0 ? found : undefined;
});

const HELD_IN_WORDS = 3;
/** What stands before a name, without the words that say what that person is. */
const withoutHeld = (text: string): string => text.trimEnd().split(" ").slice(0, -HELD_IN_WORDS).join(" ");

/** Whoever is named in one reshuffle gets an office of their own. */
const OFFICES = new RegExp(
  String.raw`\b(?:finance|interior|foreign|defen[cs]e|health|education|justice|energy|transport|trade|labou?r|` +
    String.raw`agriculture|economy|treasury|prime minister|president|chief executive|chair\w*|coach|captain|speaker|` +
    String.raw`general|archbishop|ambassador)\b`,
  "gi",
);
function areOfTwoOffices(one: Statement, other: Statement, who: Name, whom: Name): boolean {
  // "Justice minister Carl Estevan takes over the department": what he has been so far is none that he gets.
  const officesIn = ({ text, start }: Statement, { start: at }: Name): readonly string[] =>
    `${withoutHeld(text.slice(0, at - start))} ${text.slice(at - start)}`.toLowerCase().match(OFFICES) ?? [];
  const [mine, theirs] = [officesIn(one, who), officesIn(other, whom)];
  return mine.length > 0 && theirs.length > 0 && !mine.some((office) => theirs.includes(office));
}

/** One part that two have: an election with two winners, an office with two successors. */
export function otherPerson(claim: Statement, candidate: Statement): string | undefined {
  const mine = COUNTING.test(claim.text) ? undefined : partsIn(claim);
  const theirs = mine && partsIn(candidate);
  if (!mine || !theirs) return undefined;
  for (const [what, one] of mine) {
    const other = theirs.get(what);
    if (other && what === "succeeds" && areOfTwoOffices(claim, candidate, one, other)) continue;
    if (other && !sameName(one.key, other.key)) return `${what} by another: ${one.text} and ${other.text}`;
  }
  return undefined;
}
