/** "Claim: …": a fact-checker repeats what somebody else said, and states nothing by it. */
const CHECKED =
  /^[“"„«*•\s]*(?:the )?(?:claim|what was claimed|behauptung|tvrzení|výrok|tvrdenie|affirmation|afirmación|affermazione|alegação|twierdzenie|утверждение)s?\s?:\s/iu;
const FINDING =
  /^[“"„«*•\s]*(?:our |the )?(?:verdict|rating|finding|conclusion|assessment|fact|bewertung|urteil|fazit|ergebnis|verdikt|hodnocení|závěr|veredicto|verdetto|veredito|ocena|вердикт)s?\s?:\s*(?<found>[^.!?]{1,60})/iu;
const FALSE =
  /^(?:(?:this|it|that|is|completely|entirely|mostly|das|ist|to|je|c'est) )*(?:false|untrue|wrong|fake|fabricated|invented|baseless|not true|misleading|no evidence|falsch|unwahr|erfunden|irreführend|nepravd\p{L}*|lež|zavádějící|faux|fausse|trompeu\p{L}+|fals[oa]|engañoso|ложь|неправда|fałsz)(?!\p{L})/iu;
const TRUE =
  /^(?:(?:this|it|that) is )?(?:true|correct|accurate|richtig|wahr|pravd\p{L}*|vrai|cierto|verdadero|vero|verdadeiro|prawda|правда)(?!\p{L})/iu;

/** Whether a sentence only repeats what its article checks. */
export const isChecked = (sentence: string): boolean => CHECKED.test(sentence);

/** How far behind the checked claim the finding may stand, in sentences. */
const REACH = 3;

/** What a fact-checker found of the claim at an index; undefined where its next sentences do not say so in one word. */
export function findingOn(sentences: readonly { text: string }[], at: number): "true" | "false" | undefined {
  for (const { text } of sentences.slice(at + 1, at + 1 + REACH)) {
    const found = FINDING.exec(text)?.groups!["found"];
    if (found) return FALSE.test(found) ? "false" : TRUE.test(found) ? "true" : undefined;
    if (isChecked(text)) return undefined;
  }
  return undefined;
}
