/** What a word may begin or end with in a language, longer before shorter; and how many letters must be left. */
interface Affixes {
  beginnings?: readonly RegExp[];
  ending: RegExp;
  least: number;
}

const OF_ROMANCE: Affixes = { ending: /(?:amente|amento|amenti|[aeio]s|[aeio]|s)$/, least: 4 };
/** By the code of a language, of folded words. */
const AFFIXES: Readonly<Record<string, Affixes>> = {
  // "And with the flood": conjunction, preposition and article are written together with the word.
  arabic: {
    beginnings: [/^(?:[وف])?(?:[بك])?ال/, /^(?:[وف])?لل/, /^[وف]/, /^[بلك]/],
    ending: /(?:ات|ون|ين|ان|تين|ها|هم|نا|يه|ته|تها|ية|ة|ه|ي|ا|ت)$/,
    least: 3,
  },
  cyrillic: {
    ending:
      /(?:[иы]ми|[ое]го|[ое]му|ями|ами|иях|иям|ией|иеи|ось|ись|[аяое]сь|лся|лась|лись|лось|ться|[ыи]и|[ыи]х|[ыие]м|[оеая]м|[аея]х|[ое]и|[уюаяое][юяе]|[ое]в|и[еюя]|л[аои]?|ть|[аеиоуыэюяь])$/,
    least: 4,
  },
  de: { ending: /(?:en|er|em|es|e|n|s)$/, least: 5 },
  es: OF_ROMANCE,
  fr: OF_ROMANCE,
  it: OF_ROMANCE,
  pt: OF_ROMANCE,
};

function strippedOf(word: string, { beginnings = [], ending, least }: Affixes): string[] {
  const found = [word];
  for (const beginning of beginnings) {
    const rest = word.replace(beginning, "");
    if (rest !== word && rest.length >= least) found.push(rest);
  }
  for (const form of found.slice()) {
    const rest = form.replace(ending, "");
    if (rest !== form && rest.length >= least) found.push(rest);
  }
  return [...new Set(found)];
}

/** A word of a language and what is left of it without what inflection adds, the likelier before the other. */
export const bareForms = (language: string, word: string): readonly string[] => {
  const affixes = AFFIXES[language];
  return affixes ? strippedOf(word, affixes) : [word];
};
