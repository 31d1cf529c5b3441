import { asMeant } from "../../../../core/text/as-meant.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { words } from "../../../../core/text/words/words.ts";

/** From this weight of its list on, a word judges where it seems to describe. */
const JUDGES = 2;

/** Of these lists what plain reports say too: a blast in a port, the disaster agency, records that were exposed. */
const PLAIN = new Set([
  "blast*",
  "disaster",
  "exposed",
  "lies",
  "dire",
  "greatest",
  "crush*",
  "destroys",
  "thieves",
  "hijack*",
  "smash*",
  "treason*",
  "corrupt",
  "kickback*",
  "conspir*",
  "rioters",
  "robbed of",
  "chaos",
  "horror",
]);

/** What the lists of bias leave out, for a text may well speak of such people: a headline that calls one so takes a side. */
const NAMED_SO = [
  "strongman",
  "strongmen",
  "henchm*",
  "warlord*",
  "crony",
  "cronies",
  "historic",
  "triumph*",
  "greatest",
  "bash",
  "tots",
  "cops",
  "killer",
  "shock",
  "fury",
  "outrage*",
  "shame*",
  "disgrac*",
  "betray*",
  "humiliat*",
  "heartbroken",
  "abuzz",
  "so much for",
  "at last",
  "killjoy",
  // Who praises those in power takes their side.
  "stands firm",
  "stand firm",
  "stood firm",
  "in full control",
  "exemplary",
  "unbreakable",
  "unshakeable",
  "unwavering*",
  "steadfast*",
  "tireless*",
  "wise leadership",
  "valiant*",
  "glorious*",
];

const index = lazily(() => {
  const groups = Object.values(lexicon.loadedLanguage.groups).filter(({ weight }) => weight >= JUDGES);
  const { superlatives, clickbait } = lexicon.sensationalism;
  const terms = [...groups.flatMap((group) => group.terms), ...superlatives, ...clickbait, ...NAMED_SO];
  return phraseIndex({
    loaded: terms.filter((term) => !PLAIN.has(term)),
    spared: lexicon.loadedLanguage.spared,
  });
});
const MEANT = { spared: "spared", exact: () => true } as const;

function isJudging(text: string): boolean {
  const spoken = words(text);
  return asMeant(index().find(text, spoken), text, spoken, MEANT).length > 0;
}

/** What stands between quotation marks is somebody's already. */
const QUOTED = /[“"«„][^“”"«»„]*[”"»“]/g;
/** A word in capitals that is no abbreviation: those are shorter, but for a few. */
const SHOUTED = /(?<!\p{L})(?!(?:UNESCO|UNICEF|UNHCR|ASEAN|BRICS|COVID)(?!\p{L}))\p{Lu}{5,}(?!\p{L})/u;

/** Shorter words are told from abbreviations one by one. */
const SHOUTED_SHORT =
  /(?<!\p{L})(?:DEAD|DIED?|DIES|KILL|KILLS|GONE|LIES?|LIED|LIAR|FAKE|STOP|EVIL|FURY|RAGE|HELL|HUGE|THIS|THEY|WHAT|NOT|NEVER|EVER|ONLY|LOST|HATE|MUST)(?!\p{L})/u;

/** Whether a text takes a side, or shouts, in its outlet's own voice: it may be shown as a quotation alone. */
export function isLoaded(text: string): boolean {
  const own = text.replace(QUOTED, " ");
  return SHOUTED.test(own) || SHOUTED_SHORT.test(own) || /[!]/.test(own) || isJudging(own);
}

/** Who says "our" and "you" speaks to his own. */
const OURS = /(?<!\p{L})(?:our|ours|we|us|you|your)(?!\p{L})/iu;

/** Whether a headline takes a side: by its words, or by whom it speaks for and to. */
export const isLoadedHeadline = (headline: string): boolean =>
  isLoaded(headline) || OURS.test(headline.replace(QUOTED, " "));
