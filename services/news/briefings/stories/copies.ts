import { matterOf } from "../../../../core/text/statements/statement.ts";
import { plain } from "../../../../core/text/plain.ts";
import { numbersIn } from "../../../../core/text/statements/figures/numerals.ts";
import { reportOf, type BriefingArticle } from "../../articles/client.ts";
import { otherFigureIn, Readings } from "../../verification/client.ts";
import { withoutDateline } from "../writing/sentences.ts";
import { figuresOf, type Quarrel, type Saying } from "./quarrels.ts";
import { bodyOf } from "./texts.ts";

const READ_CHARACTERS = 3_000;
const READ_SENTENCES = 12;
/** More prints of one report than this are not held against the first. */
const MOST_PRINTS = 16;
const HOUR_MS = 3_600_000;

/** Where outlets print one report with different figures: it is one voice, and the reader is to know that it is not sure. */
export function quarrelsOfCopies(articles: readonly BriefingArticle[]): Quarrel[] {
  const readings = new Readings();
  return [...Map.groupBy(articles, reportOf).values()].flatMap(([first, ...others]) =>
    others.slice(0, MOST_PRINTS).flatMap((other) => betweenTwo(readings, first!, other)),
  );
}

function betweenTwo(readings: Readings, one: BriefingArticle, other: BriefingArticle): Quarrel[] {
  const [mine, theirs] = [one, other].map((article) => bodyOf(article).slice(0, READ_CHARACTERS)) as [string, string];
  if (one.sourceId === other.sourceId || haveOneSetOfNumbers(mine, theirs)) return [];
  const hours = (Date.parse(other.publishedAt) - Date.parse(one.publishedAt)) / HOUR_MS;
  const [read, copy] = [readings.of(mine), readings.of(theirs)];
  return read.sentences.slice(0, READ_SENTENCES).flatMap(({ text }, at): Quarrel[] => {
    const found = otherFigureIn(matterOf(read.statement(at)), at, copy, hours);
    if (!found) return [];
    const sides = [saying(one, text), saying(other, found.evidence.text)] as const;
    return [{ sides, score: found.score, ...figuresOf(found.reasons) }];
  });
}

const saying = (article: BriefingArticle, text: string): Saying => ({ article, text: withoutDateline(plain(text)) });

const haveOneSetOfNumbers = (one: string, other: string): boolean =>
  one === other || numbersIn(one).join() === numbersIn(other).join();
