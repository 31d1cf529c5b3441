import { z } from "zod";
import { explainQuery } from "../../../core/text/searching/query-language.ts";

const Form = z.object({
  form: z.string(),
  meaning: z.string(),
  example: z.string().describe("A query that works."),
  explained: z.string().describe("The example in words, as the parser reads it."),
});
export const Syntax = z
  .object({ summary: z.string(), forms: z.array(Form), rules: z.array(z.string()) })
  .meta({ id: "SearchSyntax" });

/** The query language by example; a test runs each of them. */
export const FORMS: readonly { form: string; meaning: string; example: string }[] = [
  { form: "a b", meaning: "Articles that contain both words, in any order.", example: "climate summit" },
  { form: '"a b"', meaning: "The exact phrase.", example: '"interest rates"' },
  {
    form: "a | b",
    meaning: "Either word. The bar binds tighter than the space: x a | b is x and one of a, b.",
    example: "solar | wind",
  },
  { form: "a -b", meaning: "The first word, without articles that mention the second.", example: "apple -fruit" },
  { form: 'a -"b c"', meaning: "An exact phrase can be excluded too.", example: 'bank -"river bank"' },
  { form: "title:a", meaning: "Only in the title.", example: "title:vaccine" },
  {
    form: "source:a",
    meaning: "Only articles of sources with this word, or this phrase, in their name.",
    example: 'source:"example wire" election',
  },
  { form: "domain:a", meaning: "Only articles of this domain.", example: "domain:science telescope" },
  { form: "(a b) | c", meaning: "Parentheses group.", example: "(oil embargo) | sanctions" },
  { form: "word*", meaning: "Words that begin so; at least two letters.", example: "cyber*" },
  { form: "\\", meaning: "Takes the next character as it is.", example: "title\\:page" },
];

const RULES = [
  'Upper and lower case, accents and English endings do not matter: "Élections" finds "election".',
  'A hyphen inside a word is no exclusion: "covid-19" is the phrase "covid 19".',
  "A query is mended where it can be (an open quotation mark is closed); meta.warnings tells what was done, " +
    "meta.normalized how it was read.",
  "A query cannot only exclude: say also what to find.",
  "The best matches come first; sort=-publishedAt shows the newest first, sort=publishedAt the oldest.",
  "Copies of one text stand under the first of them; copies=list shows each by itself. meta.total counts each.",
  "Where nothing is found, meta.suggestion has the nearest query that finds something.",
  "domain, from and to narrow the result further. The active source list narrows dashboard, statistics and " +
    "briefings, not search.",
];

export const syntax = (): z.output<typeof Syntax> => ({
  summary: "Words side by side must all occur; quotation marks, |, -, fields, parentheses and * say more.",
  forms: FORMS.map(({ form, meaning, example }) => ({ form, meaning, example, explained: explainQuery(example) })),
  rules: RULES,
});
