import { matterOf } from "../../../core/text/statements/statement.ts";
import { lexicon } from "../../../core/text/lexicon.ts";
import { bearing } from "../../../services/news/verification/references/alignment.ts";
import { closestOfEvent, namesAround, wantedBy } from "../../../services/news/verification/references/evidence.ts";
import { MOST_SENTENCES } from "../../../services/news/verification/references/pairs/between.ts";
import { areJudged, judged } from "../../../services/news/verification/references/pairs/judge.ts";
import { Readings } from "../../../services/news/verification/references/readings.ts";
import { stance } from "../../../services/news/verification/references/stance.ts";
import {
  authorOf,
  clash,
  corpus,
  HALVES,
  languageOf,
  type LabelledArticle,
  type LabelledEvent,
  type Mark,
} from "../news/corpus.ts";
import { read, type Claim, type Result } from "../news/reading.ts";
import { linksOf, rightSupport, witnessed, type Link } from "../news/references.ts";
import { pairsOf } from "../news/shares.ts";
import { examples, LEARNED } from "./pairs.ts";
import { learned } from "./train.ts";

/** The steps from two labelled sentences to a verdict on them, in their order: a pair is lost at the first that stops it. */
export const STEPS = [
  "not in one story",
  "the sentence is no claim",
  "the other is not chosen for comparison",
  "of a language that is not judged",
  "less likely than .1",
  "less likely than .25",
  "less likely than .5",
  "below the line",
  "a rule withholds it",
  "another sentence of the article is shown",
  "what is shown counts for nothing",
] as const;
type Step = (typeof STEPS)[number];

/** Where a pair is lost, and what it was. */
interface Lost {
  step: Step;
  one: string;
  other: string;
  likely?: number;
}

interface Sentence {
  article: LabelledArticle;
  mark: Mark;
}

type Kind = "agree" | "exclude";
const LINES = { agree: 0.55, exclude: 0.75 } as const;
const WANTED = { agree: "support", exclude: "contradict" } as const;
const HOUR_MS = 3_600_000;

class Losses {
  readonly #result: Result;
  readonly #links: readonly Link[];
  readonly #readings = new Readings();
  readonly #claims: ReadonlyMap<number, Claim[]>;

  constructor(result: Result, links: readonly Link[]) {
    this.#result = result;
    this.#links = links;
    this.#claims = Map.groupBy(result.claims, ({ articleId }) => articleId);
  }

  claimOf({ article, mark }: Sentence): Claim | undefined {
    const claims = this.#claims.get(this.#result.idOf.get(article.key)!);
    return claims?.find(({ start, end }) => start < mark.end && mark.end <= end + 1);
  }

  /** Where one sentence, as a claim, loses the other. */
  between(from: Sentence, to: Sentence, kind: Kind): Lost {
    const [mine, theirs] = [from, to].map(({ article }) => this.#readings.of(article.text)) as [ReadOf, ReadOf];
    const [at, there] = [placeOf(mine, from.mark), placeOf(theirs, to.mark)];
    const texts = { one: mine.sentences[at]!.text, other: theirs.sentences[there]!.text };
    const [own, other] = [from, to].map(({ article }) => this.#stored(article)) as [Stored, Stored];
    if (own["storyId"] !== other["storyId"]) return { step: "not in one story", ...texts };
    const claim = this.claimOf(from);
    if (!claim) return { step: "the sentence is no claim", ...texts };
    const held = this.#readings.between(mine, theirs);
    const [claimed, candidate] = [mine.statement(at), theirs.statement(there)];
    const later = (from.article.ago - to.article.ago) / HOUR_MS;
    const beside = at < MOST_SENTENCES ? { between: held, at, later } : undefined;
    if (!closestOfEvent(wantedBy(claimed), theirs, beside).includes(there))
      return { step: "the other is not chosen for comparison", ...texts };
    const said = stance(claimed, candidate, {
      event: "same",
      held: beside && there < MOST_SENTENCES ? { ...beside, there } : undefined,
      context: () => namesAround(this.#readings.namesInTitle(to.article.title), theirs, there),
    });
    const [matter, its] = [matterOf(claimed), matterOf(candidate)];
    const likely =
      beside && there < MOST_SENTENCES && areJudged(matter, its)
        ? judged({
            one: matter,
            other: its,
            bearing: bearing(matter, its, { event: "same" }),
            between: held,
            at,
            there,
            later,
          })[kind]
        : undefined;
    const lost = (step: Step): Lost => ({ step, ...texts, ...(likely !== undefined && { likely }) });
    if (said.stance === WANTED[kind]) {
      const shown = this.#links.find((link) => link.claim.id === claim.id && link.to === to.article);
      const isShown = shown?.reference.evidence.text === texts.other;
      return lost(isShown ? "what is shown counts for nothing" : "another sentence of the article is shown");
    }
    if (likely === undefined) return lost("of a language that is not judged");
    if (likely < 0.1) return lost("less likely than .1");
    if (likely < 0.25) return lost("less likely than .25");
    if (likely < 0.5) return lost("less likely than .5");
    return lost(likely < LINES[kind] ? "below the line" : "a rule withholds it");
  }

  #stored({ key }: LabelledArticle): Stored {
    return this.#result.stored.get(this.#result.idOf.get(key)!)!;
  }
}
type ReadOf = ReturnType<Readings["of"]>;
type Stored = NonNullable<ReturnType<Result["stored"]["get"]>>;

const placeOf = ({ sentences }: ReadOf, { end }: Mark): number =>
  sentences.findIndex((sentence) => end > sentence.start && end <= sentence.end + 1);

/** The pair that came farthest. */
const farthest = (lost: readonly Lost[]): Lost =>
  lost.reduce((most, one) => (STEPS.indexOf(one.step) > STEPS.indexOf(most.step) ? one : most));

const marksOf = (event: LabelledEvent): Sentence[] =>
  event.articles.flatMap((article) => article.marks.map((mark) => ({ article, mark })));

/** Contradictions that no reference shows, by what they are. */
export function contradictionsLost(result: Result, links: readonly Link[]): Map<string, Lost> {
  const losses = new Losses(result, links);
  const found = new Set<string>();
  const missed = new Map<string, Lost[]>();
  for (const event of result.events) {
    const named = (key: string, one: Mark["facts"], other: Mark["facts"]): string =>
      [event.id, key, ...[one.get(key)!, other.get(key)!].sort()].join(" ");
    for (const { reference, from, to, said, found: other } of links)
      if (reference.stance === "contradict" && from.event === event.id && to.event === event.id)
        for (const key of clash(event, said, other)) found.add(named(key, said, other));
    for (const [a, b] of pairsOf(marksOf(event))) {
      if (a.article.root === b.article.root || languageOf(a.article) !== languageOf(b.article)) continue;
      for (const key of clash(event, a.mark.facts, b.mark.facts)) {
        const name = named(key, a.mark.facts, b.mark.facts);
        if (found.has(name)) continue;
        const lost = missed.get(name) ?? [];
        missed.set(name, lost);
        lost.push(losses.between(a, b, "exclude"), losses.between(b, a, "exclude"));
      }
    }
  }
  return new Map([...missed].map(([name, lost]) => [name, farthest(lost)]));
}

/** Sentences that another outlet also states and that no reference confirms. */
export function corroborationLost(result: Result, links: readonly Link[]): Lost[] {
  const losses = new Losses(result, links);
  const supported = new Set(rightSupport(links).map(({ claim }) => claim.id));
  const byEvent = new Map(result.events.map((event) => [event.id, event]));
  return witnessed(result.events)
    .filter((one) => !supported.has(losses.claimOf(one)?.id ?? -1))
    .map((one) =>
      farthest(
        marksOf(byEvent.get(one.article.event)!)
          .filter(
            ({ article, mark }) =>
              article.outlet !== one.article.outlet &&
              article.root !== one.article.root &&
              !article.post &&
              languageOf(article) === languageOf(one.article) &&
              [...one.mark.facts].some(([key, value]) => mark.facts.get(key) === value),
          )
          .map((other) => losses.between(one, other, "agree")),
      ),
    );
}

const told = ({ step, one, other, likely }: Lost): string =>
  `${step}${likely === undefined ? "" : ` (${likely.toFixed(2)})`}: “${one}” × “${other}”`;

/**
 * `node bench/judgement/verification/lost.ts [author…]`: at which step contradictions and corroborations are lost, by
 * the judge that has not learned from the author. With SHOW=1 each is told.
 */
if (import.meta.main) {
  const named = process.argv.slice(2);
  const authors = ["house", ...LEARNED].filter((author) => named.length === 0 || named.includes(author));
  const all = [...examples()];
  const columns: [author: string, exclude: Lost[], agree: Lost[]][] = [];
  for (const author of authors) {
    Object.assign(lexicon, { pairs: learned(all.filter((example) => example.author !== author)) });
    const column: (typeof columns)[number] = [author, [], []];
    for (const half of HALVES.filter((one) => authorOf(one) === author)) {
      const result = await read(corpus(half));
      const links = linksOf(result);
      const exclude = contradictionsLost(result, links);
      const agree = corroborationLost(result, links);
      if (process.env["SHOW"]) {
        for (const [name, lost] of exclude) console.error(`contradiction ${name}, ${told(lost)}`);
        for (const lost of agree) console.error(`corroboration, ${told(lost)}`);
      }
      column[1].push(...exclude.values());
      column[2].push(...agree);
    }
    columns.push(column);
  }
  const row = (step: Step): string =>
    columns
      .map(([, exclude, agree]) => [exclude, agree].map((lost) => lost.filter((one) => one.step === step).length))
      .map(([one, other]) => `${one}, ${other}`)
      .join(" | ");
  console.log(
    `| Contradictions, corroborations lost | ${authors.join(" | ")} |\n|---|${authors.map(() => "---|").join("")}`,
  );
  for (const step of STEPS) console.log(`| ${step} | ${row(step)} |`);
  process.exit(0);
}
