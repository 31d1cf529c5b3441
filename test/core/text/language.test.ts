import { languageOf } from "../../../core/text/language.ts";

const SENTENCES: Record<string, string[]> = {
  en: [
    "As a result, no one was hurt, and a driver was held.",
    "Bank of Tolland holds rates as inflation slows",
    "Oil up on Dorne strike",
  ],
  fr: ["Trois personnes sont mortes dans un accident de train près de la capitale."],
  de: ["Drei Menschen kamen bei einem Zugunglück nahe der Hauptstadt ums Leben."],
  es: [
    "El presidente anunció el lunes que la reforma de las pensiones no se votará este año.",
    "Tres personas murieron en un accidente de tren cerca de la capital, según la policía.",
  ],
  it: ["Tre persone sono morte in un incidente ferroviario vicino alla capitale, secondo la polizia."],
  pt: [
    "O primeiro-ministro reconheceu a derrota na madrugada de domingo e telefonou ao adversário.",
    "Governo anuncia cortes no orçamento da saúde para o próximo ano",
  ],
  nl: ["Drie mensen kwamen om het leven bij een treinongeluk in de buurt van de hoofdstad."],
  sv: ["Tre personer dog i en tågolycka nära huvudstaden efter att tåget spårat ur."],
  slavic: ["Prezydent ogłosił w poniedziałek, że reforma nie zostanie uchwalona w tym roku."],
  cyrillic: ["Президент объявил в понедельник, что реформа не будет принята в этом году."],
  arabic: ["أعلن الرئيس يوم الاثنين أن الإصلاح لن يقر هذا العام"],
};

it.each(Object.entries(SENTENCES).flatMap(([language, texts]) => texts.map((text) => [language, text] as const)))(
  "%s: %s",
  (language, text) => expect(languageOf(text)).toBe(language),
);
