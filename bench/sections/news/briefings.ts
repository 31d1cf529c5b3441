import { inTurns } from "../../../core/work/turns.ts";
import type { BriefingArticle } from "../../../services/news/articles/client.ts";
import { composing } from "../../../services/news/briefings/writing/compose.ts";
import { briefed } from "../../judgement/news/briefed.ts";
import { articlesOf, corpus, NOW, STRANGERS } from "../../judgement/news/corpus.ts";
import { isQuick, round } from "../../measure.ts";

const HALVES = isQuick ? STRANGERS.slice(0, 1) : STRANGERS;
const PERIOD = { from: new Date(NOW - 2 * 86_400_000).toISOString(), to: new Date(NOW).toISOString() };

/** Processor milliseconds of a briefing of these articles, by extraction alone. */
async function spent(articles: readonly BriefingArticle[]): Promise<number> {
  const sources = new Map(articles.map(({ sourceId, sourceName }) => [sourceId, { name: sourceName }]));
  const input = { articles: structuredClone(articles) as BriefingArticle[], period: PERIOD, now: PERIOD.to, sources };
  const before = process.cpuUsage();
  await inTurns(composing(input));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What a briefing of a whole day costs, and what it costs whoever asks after another. */
export async function briefings(): Promise<string> {
  const articles = HALVES.flatMap((half) => articlesOf(corpus(half))).map((article, at) => briefed(article, at + 1));
  const half = articles.filter(({ sourceId }) => sourceId % 2 === 0);
  const row = async (what: string, read: readonly BriefingArticle[]): Promise<string> =>
    `| ${what} | ${read.length} | ${round(await spent(read), 0)} |`;
  return [
    "## A briefing of a day",
    "",
    "All labelled articles of strangers as one day, put into stories by their authors, by extraction; one node from its start.",
    "",
    "| Who asks | articles | CPU ms |",
    "|---|---|---|",
    await row("the first", articles),
    await row("the next, for the same articles", articles),
    await row("somebody who follows half of the outlets", half),
    await row("the next who follows these", half),
    "",
  ].join("\n");
}

if (import.meta.main) {
  console.log(await briefings());
  process.exit(0);
}
