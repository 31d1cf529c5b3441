import phrases from "../../../../../data/graph/phrases.json" with { type: "json" };
import type { EntityType } from "../../statements/vocabulary.ts";
import type { Say } from "./signs.ts";

const KINDS = new Map(
  (Object.entries(phrases.kinds) as [EntityType, string[]][]).flatMap(([type, words]) =>
    words.map((word) => [word, type] as const),
  ),
);

/** Whose people act, whom somebody works for, what is owned: what stands before a name says what it is. */
const OF_GROUP =
  /\b(?:fighters|rebels|militants|gunmen|insurgents|guerrillas|jihadists|elders|villagers|nomads|herders|tribesmen|hackers|members of the (?:clan|tribe|gang)) (?:of|from|with|loyal to) (?:the )?$|\b(?:calling themselves|who call themselves|known as) (?:the )?$/i;
const OF_ORGANISATION =
  /\b(?:(?:shares|stakes?|investors|directors) in|(?:owned|run|operated|made|built|supplied|kept|bought|acquired|chartered|published|employed|organised|organized|manufactured) by|(?:belongs|belonged|sold) to|(?:subsidiary|unit|arm|affiliate|division|shareholder|part) of|spokes(?:man|woman|person) (?:for|of)|(?:works?|worked|working) (?:for|at)|(?:analysts?|bookkeeper|engineers?|economists?|researchers?|scientists?|accountant|reporter|purchasing|sales|marketing|research|strategy) (?:at|with|for)|(?:chief executive|founder|co-founder|chairman|chairwoman|employees?|customers|subscribers|shareholders|chair|treasurer|members?) of) (?:the )?$/i;
const OF_PLACE =
  /\b(?:bound for|en route to|on (?:the|its|his|her|their) way to|(?:outskirts|north|south|east|west|streets|centre|center|suburbs?|residents|mayor|slopes|coast|banks|shores|siege|inhabitants|hills|plains|roads?) of|(?:road|railway|line|ferry|flight|train) (?:from|to)) (?:the )?$/i;
const AS_THING =
  /^ (?:vehicles?|tanks?|jets?|fighters?|rifles?|missiles?|rockets?|drones?|helicopters?|bombers?|wagons|locomotives?|howitzers?|trucks|launchers?|aircraft|submarines?|engines?|batteries|carrying|hauling)\b/;
const AS_GROUP = /^ (?:families|tribesmen|herders|clans?|tribes?|elders|militants|rebels|insurgents)\b/;
const AS_ORGANISATION =
  /^(?:[’']s (?:chief executive|chairman|chairwoman|spokes\w+|shareholders|headquarters|managing|board)| (?:employs|employed|has supplied|supplies|manufactures|is suing|sued|recalled|posted|bought|acquired|has acquired|agreed to (?:buy|sell)|said (?:it|its|that it)|promised refunds|cancelled|delivered|handed over|runs|operates|owns|launched|reported a (?:profit|loss))\b)/;
const APPOSED = /^, (?:an?|the|its|their|one of) /;
const MARK = /[.;:,]|\b(?:of|in|at|for|from|with|who|that|which|to|by)\b/;

/** ", a maker of warehouse carts": what is said of a name behind a comma. */
function kindBehind(after: string): { type: EntityType; word: string } | undefined {
  if (!APPOSED.test(after)) return undefined;
  const words = after.replace(APPOSED, "").split(MARK, 1)[0]!.trim().toLowerCase().split(/[ -]/);
  const type = KINDS.get(words.slice(-2).join(" ")) ?? KINDS.get(words.at(-1)!);
  return type && words.length <= 5 ? { type, word: words.at(-1)! } : undefined;
}

/** Whether what follows says what somebody or something is that the sentence begins with. */
export const isCalledSo = (after: string): boolean => kindBehind(after) !== undefined;

/** What a name is called, where it is no person: ", a maker of warehouse carts", "the ferry Baltic Star". */
export function signsOfKind({ after, before }: { before: string; after: string }, previous: string, say: Say): void {
  const twofold = /(?:^| )([a-z]+ [a-z]+) $/.exec(before)?.[1] ?? "";
  if ((KINDS.get(twofold) ?? KINDS.get(previous)) === "equipment" || /\b(?:aboard|on board) (?:the )?$/i.test(before))
    say("equipment", 2.5, `"${previous}"`);
  if (OF_PLACE.test(before)) say("place", 1.5, "where");
  if (AS_THING.test(after)) say("equipment", 2, "what it is called");
  if (OF_GROUP.test(before)) say("group", 3.2, "whose people");
  if (AS_GROUP.test(after)) say("group", 2.2, "its people");
  if (OF_ORGANISATION.test(before)) say("organisation", 1.4, "whom one works for or owns");
  if (AS_ORGANISATION.test(after)) say("organisation", 1.2, "what it does");
  const kind = kindBehind(after);
  if (kind) say(kind.type, 2.2, `"${kind.word}"`);
}

/** "Selmar's navy", "Apex' shares": what something has says what it is. */
export function signsOfBelongings(after: string, say: Say): void {
  if (/^'?s? (?:shares|profits?|revenues?|employees|customers|board|factories)\b/.test(after.replace(/^[’']s/, "")))
    say("organisation", 1.5, "what it has");
  if (
    /^[’']s (?:government|army|parliament|capital|economy|president|prime minister|foreign|defence|border|coast|population|navy|air force|envoy|ambassador|supreme court|embassy)\b/.test(
      after,
    )
  )
    say("country", 1.2, "what it has");
}
