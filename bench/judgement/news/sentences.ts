import { prepare } from "../../../services/news/briefings/writing/compose.ts";
import {
  extractSentences,
  readSentences,
  statementsShown,
} from "../../../services/news/briefings/writing/extraction.ts";
import { SENTENCE_WEIGHTS, type SentenceEvidence } from "../../../services/news/briefings/writing/worth.ts";
import { briefed } from "./briefed.ts";
import { articlesOf, corpus, isEnglish, NOW, STRANGERS, type Half } from "./corpus.ts";
import { product } from "./fitting.ts";
import { gradesIn } from "./grades.ts";
import { share } from "./shares.ts";

/**
 * How well a sentence of an English report would stand in a briefing, as an editor judged who knew nothing of the
 * product (`sentences.txt`, of all that could be quoted of hard news in the strangers' sets): 2 where it alone tells
 * what happened, 1 where it is worth telling below a headline, 0 where it is scenery, background or torn out.
 */
const sentenceGrades = (): Map<string, number> => gradesIn("sentences.txt");

/** An English event of a set, and how a briefing would tell it. */
export interface Told {
  half: Half;
  headline: string;
  /** All that could be quoted, with the editor's grades. */
  read: { grade: number; evidence: number[] }[];
  /** What is told, in its order. */
  told: { grade: number; text: string }[];
}

const NAMES = Object.keys(SENTENCE_WEIGHTS) as (keyof SentenceEvidence)[];

export function toldIn(half: Half): Told[] {
  const grades = sentenceGrades();
  const articles = articlesOf(corpus(half)).map((article, at) => briefed(article, at + 1));
  const period = { from: new Date(NOW - 48 * 3_600_000).toISOString(), to: new Date(NOW).toISOString() };
  const sources = new Map(articles.map(({ sourceId, sourceName }) => [sourceId, { name: sourceName }]));
  const { stories, weights, reliability } = prepare({ articles, period, now: period.to, sources });
  const hard = new Set(
    corpus(half).flatMap(({ news, id, articles: all }) => (news === "hard" && all.some(isEnglish) ? [id] : [])),
  );
  const graded = <S extends { text: string }>(sentences: readonly S[]): (S & { grade: number })[] =>
    sentences.flatMap((sentence) => {
      const grade = grades.get(sentence.text);
      return grade === undefined ? [] : [{ ...sentence, grade }];
    });
  return stories.flatMap(({ story }): Told[] => {
    if (!hard.has(story.articles[0]!.storyId)) return [];
    const read = graded(readSentences(story, weights, reliability)).map(({ grade, evidence }) => ({
      grade,
      evidence: NAMES.map((name) => evidence[name]),
    }));
    const told = graded(extractSentences(story, weights, reliability).slice(0, statementsShown(story) + 1)).map(
      ({ grade, text, later }) => ({
        grade,
        text: later === undefined ? text : `${text} (later: ${later})`,
      }),
    );
    return read.length > 0 && told.length > 0 ? [{ half, headline: story.headline, read, told }] : [];
  });
}

const countOf = (all: readonly { grade: number }[], grade: number): number =>
  all.filter((each) => each.grade === grade).length;

/** A row of a set: of its events, how many are told first by what happened, and what is told that is not worth it. */
function row(name: string, events: readonly Told[]): string {
  const first = events.map(({ told }) => told[0]!);
  const others = events.flatMap(({ told }) => told.slice(1));
  const could = events.filter(({ read }) => countOf(read, 2) > 0);
  return [
    `| ${name}`,
    share(countOf(first, 2), could.length),
    share(countOf(first, 0), first.length),
    `${share(countOf(others, 0), others.length)} |`,
  ].join(" | ");
}

const ROUNDS = 150;
const RATE = 0.05;
const MOMENTUM = [0.9, 0.99] as const;
/** How far weights are held near zero. */
const RIDGE = 3;

/** For each of some evidence the spread of its values, by which it is scaled while weights are fitted. */
const spreads = (events: readonly Told[]): number[] =>
  NAMES.map((_, name) => {
    const values = events.flatMap(({ read }) => read.map(({ evidence }) => evidence[name]!));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
  });

/** What sets the better of two sentences of an event apart; events of many pairs count for less a pair. */
function pairsIn({ read }: Told, spread: readonly number[]): { apart: number[]; counts: number }[] {
  const pairs = read.flatMap((better) =>
    read
      .filter((worse) => better.grade > worse.grade)
      .map((worse) => ({
        apart: better.evidence.map((value, name) => (value - worse.evidence[name]!) / spread[name]!),
        counts: better.grade === 2 ? 10 : 6,
      })),
  );
  return pairs.map(({ apart, counts }) => ({ apart, counts: counts / pairs.length ** 0.7 }));
}

/** Weights by which the better of two sentences has the greater odds (RankNet's loss, by Adam: Kingma & Ba 2015). */
function fitted(events: readonly Told[]): number[] {
  const spread = spreads(events);
  const pairs = events.flatMap((event) => pairsIn(event, spread));
  let weights = NAMES.map(() => 0);
  const [first, second] = [weights.slice(), weights.slice()];
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = weights.map((weight) => -RIDGE * weight);
    for (const { apart, counts } of pairs) {
      const pull = counts / (1 + Math.exp(product(weights, apart)));
      for (const [name, value] of apart.entries()) slope[name]! += pull * value;
    }
    weights = weights.map((weight, name) => {
      first[name] = MOMENTUM[0] * first[name]! + (1 - MOMENTUM[0]) * slope[name]!;
      second[name] = MOMENTUM[1] * second[name]! + (1 - MOMENTUM[1]) * slope[name]! ** 2;
      const step = first[name] / (1 - MOMENTUM[0] ** round);
      return weight + (RATE * step) / (Math.sqrt(second[name] / (1 - MOMENTUM[1] ** round)) + 1e-8);
    });
  }
  return weights.map((weight, name) => weight / spread[name]!);
}

/** The same events told by weights alone, their four best sentences. */
const toldBy = (events: readonly Told[], weights: readonly number[]): Told[] =>
  events.map((event) => ({
    ...event,
    told: event.read
      .toSorted((one, other) => product(weights, other.evidence) - product(weights, one.evidence))
      .slice(0, 4)
      .map(({ grade }) => ({ grade, text: "" })),
  }));

/**
 * `node bench/judgement/news/sentences.ts [half…]`: what is told of each set; with SHOW=1 each sentence and its grade.
 * `--fit`: what weights alone would tell that were fitted without the set, and the weights of all.
 */
if (import.meta.main) {
  const named = STRANGERS.filter((half) => process.argv.includes(half));
  const halves = named.length > 0 ? named : STRANGERS;
  const events = halves.flatMap(toldIn);
  const of = (half: Half, some: readonly Told[]): Told[] => some.filter((event) => event.half === half);
  console.log(
    "| set | told first: what happened, where a sentence has it | told first, not worth it | told further, not worth it |",
  );
  console.log("|---|---|---|---|");
  for (const half of halves) console.log(row(half, of(half, events)));
  console.log(row("all", events));
  if (process.env["SHOW"])
    for (const { headline, told } of events)
      console.error(`${headline}\n${told.map(({ grade, text }) => `   ${grade} ${text}`).join("\n")}`);
  if (process.argv.includes("--fit")) {
    const without = (half: Half): number[] => fitted(events.filter((event) => event.half !== half));
    const leftOut = halves.flatMap((half) => toldBy(of(half, events), without(half)));
    console.log(row("by weights that had not seen the set", leftOut));
    const weights = fitted(events);
    console.log(row("by weights of all", toldBy(events, weights)));
    console.log(NAMES.map((name, at) => `${name} ${weights[at]!.toFixed(2)}`).join(", "));
  }
}
