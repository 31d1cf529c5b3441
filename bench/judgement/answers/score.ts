import { sentences } from "../../../core/text/words/sentences.ts";
import { ofFunction, ofProduct, type Answered, type Answers } from "./asking.ts";
import { setOf, SETS, type Asked, type SetName } from "./sets.ts";

/**
 * `node bench/judgement/answers/score.ts [--quick] [stranger|second|third|fourth]`: what is quoted as an answer, held against
 * labelled questions, through the assistant; with `--quick` by the function alone. `SHOW=1` tells each miss, `KINDS=1`
 * the figures by what is asked for.
 */
export interface Judged extends Asked, Answered {
  /** How many of the labelled phrases are quoted. */
  found: number;
  cites: boolean;
  /** Whether a labelled phrase stands in what is told to come closest, and no answer. */
  nearly: boolean;
  /** Quotes that hold a labelled phrase. */
  right: number;
}

export interface Figures {
  questions: number;
  every: number;
  any: number;
  cited: number;
  /** Of the quoted sentences, those that are labelled. */
  labelled: number;
  /** Of the questions, those whose answer is told to come closest. */
  nearly: number;
  none: number;
  /** Of the questions without an answer, those where nothing is quoted. */
  silent: number;
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();

export async function judged(name: SetName, answers: Answers): Promise<Judged[]> {
  const all: Judged[] = [];
  for (const asked of setOf(name).questions) {
    const answer = await answers(asked.question);
    const said = answer.quotes.map((quote) => ({ ...quote, text: plain(quote.text) }));
    const has = (quote: { text: string }): boolean =>
      asked.phrases.some((phrase) => quote.text.includes(plain(phrase)));
    all.push({
      ...asked,
      ...answer,
      nearly: answer.closest.some((quote) => has({ text: plain(quote.text) })),
      found: asked.phrases.filter((phrase) => said.some((quote) => quote.text.includes(plain(phrase)))).length,
      cites: said.some(({ ids }) => ids.some((id) => asked.ids.includes(id))),
      right: said.filter(has).length,
    });
  }
  return all;
}

export function figuresOf(all: readonly Judged[]): Figures {
  const asked = all.filter(({ kind }) => kind !== "none");
  const none = all.filter(({ kind }) => kind === "none");
  const share = (of: readonly Judged[], is: (one: Judged) => boolean): number =>
    of.filter(is).length / (of.length || 1);
  const quoted = asked.reduce((sum, { quotes }) => sum + quotes.flatMap(({ text }) => sentences(text)).length, 0);
  return {
    questions: asked.length,
    every: share(asked, ({ found, phrases }) => found === phrases.length),
    any: share(asked, ({ found }) => found > 0),
    cited: share(asked, ({ cites }) => cites),
    labelled: asked.reduce((sum, { right }) => sum + right, 0) / (quoted || 1),
    nearly: share(asked, (one) => one.nearly),
    none: none.length,
    silent: share(none, ({ quotes }) => quotes.length === 0),
  };
}

const row = (label: string, { questions, every, any, cited, labelled, nearly, none, silent }: Figures): string =>
  `| ${[label, questions, ...[every, any, cited, labelled, nearly].map((one) => one.toFixed(3)), none, silent.toFixed(3)].join(" | ")} |`;

/** A miss, as somebody reads it who mends. */
const missed = ({ question, kind, phrases, ids, quotes, closest }: Judged): string =>
  [
    `${kind}: ${question}`,
    ...phrases.map((phrase) => `    wanted  ${phrase} (${ids.join(",")})`),
    ...closest.map((quote) => `    closest ${quote.text} (${quote.ids.join(",")})`),
    ...quotes.map((quote) => `    quoted  ${quote.text} (${quote.ids.join(",")})`),
  ].join("\n");

if (import.meta.main) {
  const asked = process.argv.slice(2);
  const names = SETS.filter((name) => !asked.some((one) => SETS.includes(one as SetName)) || asked.includes(name));
  console.log(
    "| set | questions | every phrase | any phrase | record cited | quotes labelled | closest | without answer | silent |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const name of names) {
    const set = setOf(name);
    const all = asked.includes("--quick")
      ? await judged(name, ofFunction(set))
      : await ofProduct(set, (answers) => judged(name, answers));
    console.log(row(name, figuresOf(all)));
    if (process.env["KINDS"])
      for (const [kind, own] of Map.groupBy(all, (one) => one.kind))
        console.log(row(`${name}: ${kind}`, figuresOf(own)));
    if (process.env["SHOW"])
      for (const one of all)
        if (one.found < one.phrases.length || one.right < one.quotes.length) console.log(missed(one));
  }
}
