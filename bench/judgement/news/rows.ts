import { numbersIn } from "../../../core/text/statements/figures/numerals.ts";
import { briefing, disagreements, order } from "./briefing.ts";
import { articlesOf, factsIn, isEnglish, type LabelledArticle, type LabelledEvent } from "./corpus.ts";
import type { Result } from "./reading.ts";
import { contradictions, copies, linksOf, support, type Link } from "./references.ts";
import { pairsOf, share } from "./shares.ts";
import { telling } from "./telling.ts";

/** Pairs of one event brought together: recall and precision. */
function together(
  articles: readonly LabelledArticle[],
  groupOf: (article: LabelledArticle) => string | undefined,
): string {
  let there = 0,
    joined = 0,
    right = 0;
  for (const [a, b] of pairsOf(articles)) {
    const one = groupOf(a);
    const same = one !== undefined && one === groupOf(b);
    if (a.event === b.event) there++;
    if (same) joined++;
    if (same && a.event === b.event) right++;
  }
  return `recall ${(right / there).toFixed(2)}, precision ${joined ? (right / joined).toFixed(2) : "–"}`;
}

function grouping({ events, stored, stories, idOf }: Result): [string, string][] {
  const articles = articlesOf(events);
  const told = new Map(stories.flatMap(({ articleIds }, at) => articleIds.map((id) => [id, `story ${at}`] as const)));
  const inBriefing = (article: LabelledArticle) => told.get(idOf.get(article.key)!);
  const byStory = (article: LabelledArticle): string => stored.get(idOf.get(article.key)!)!["storyId"];
  const unposted = articles.filter(({ post }) => !post);
  return [
    ["articles of one event together, in the briefing", together(unposted, inBriefing)],
    ["the same in English", together(unposted.filter(isEnglish), inBriefing)],
    ["articles of one event together, by `storyId`", together(unposted, byStory)],
    ["the same in English, by `storyId`", together(unposted.filter(isEnglish), byStory)],
  ];
}

function confidence(
  { events, idOf, stored, initially, claims, byId, stories, content, title }: Result,
  links: readonly Link[],
): [string, string][] {
  const supported = new Set(
    links
      .filter(({ reference, from, to }) => reference.stance === "support" && from.root !== to.root)
      .map(({ from }) => from.key),
  );
  const nothing = articlesOf(events).filter(({ key }) => !supported.has(key));
  const rise = ({ key }: LabelledArticle): number =>
    stored.get(idOf.get(key)!)!["confidence"] - initially.get(idOf.get(key)!)!;
  const lifted = nothing.filter((article) => rise(article) > 0.005);
  const chains = events.flatMap((event) => event.supersede.map((chain) => ({ event, ...chain })));
  const best = (event: LabelledEvent, key: string, values: readonly string[]): number =>
    claims
      .filter((claim) => {
        const article = byId.get(claim.articleId)!;
        return article.event === event.id && values.includes(factsIn(article, claim).get(key) ?? "");
      })
      .reduce((most, { score }) => Math.max(most, score), -1);
  const above = chains.filter(
    ({ event, key, values }) => best(event, key, values.slice(0, -1)) > best(event, key, values.slice(-1)),
  );
  if (process.env["SHOW"])
    for (const { event, key, values } of above)
      for (const claim of claims)
        if (
          values.includes(factsIn(byId.get(claim.articleId)!, claim).get(key) ?? "") &&
          byId.get(claim.articleId)!.event === event.id
        )
          console.error(
            `superseded above its successor, ${key} of ${values.join(", ")}: ${claim.score} “${claim.text}”`,
          );
  // "Four of seven freed" tells of the seven as of those there were.
  const whole =
    /\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|half|most|some) of (?:the |its )?[\p{L}\d]+/giu;
  const states = (text: string, value: string): boolean => numbersIn(text.replace(whole, "$1")).includes(Number(value));
  const summary = /## In brief\n+([\s\S]*?)\n## /.exec(content)?.[1] ?? "";
  const leads = (text: string, { values }: { values: string[] }): boolean =>
    values.slice(0, -1).some((value) => states(text, value)) && !states(text, values.at(-1)!);
  const ofEvent = (event: LabelledEvent) =>
    stories.filter(
      ({ articleIds }) => articleIds.filter((id) => byId.get(id)?.event === event.id).length * 2 > articleIds.length,
    );
  const fallen = chains.filter((chain) => {
    const lines = summary
      .split("\n")
      .filter((line) =>
        [...line.matchAll(/\[#(\d+)/g)].some(([, id]) => byId.get(Number(id))?.event === chain.event.id),
      );
    return (
      ofEvent(chain.event).some(({ headline }) => leads(headline, chain)) ||
      lines.some((line) => leads(line.replace(/\[#.*?\]\(.*?\)/g, ""), chain))
    );
  });
  if (process.env["SHOW"])
    for (const { event, key, values } of fallen) {
      const headlines = ofEvent(event).map(({ headline }) => headline);
      console.error(`superseded in a headline, ${event.id} ${key} of ${values.join(", ")}: ${headlines.join("; ")}`);
    }
  return [
    ["articles lifted by checking although nothing was found", share(lifted.length, nothing.length)],
    [
      "rumours among them",
      share(lifted.filter(({ rumour }) => rumour).length, nothing.filter(({ rumour }) => rumour).length),
    ],
    ["superseded figures trusted above their successor", share(above.length, chains.length)],
    ["superseded figures in a headline or the summary", share(fallen.length, chains.length)],
    ["title of the briefing", title],
  ];
}

/** How often a loaded text scores above a plain one of the same language. */
function bias({ events, idOf, bias: scores }: Result): [string, string][] {
  const articles = articlesOf(events).filter(
    (article) => isEnglish(article) && !article.post && article.key === article.root,
  );
  const score = ({ key }: LabelledArticle): number => scores.get(idOf.get(key)!) ?? 0;
  const loud = articles.filter(({ loaded }) => loaded.length),
    plain = articles.filter(({ loaded }) => !loaded.length);
  const above = loud.reduce(
    (sum, a) => sum + plain.reduce((all, b) => all + (score(a) > score(b) ? 1 : score(a) === score(b) ? 0.5 : 0), 0),
    0,
  );
  return [["bias: loaded above plain texts (area under the curve)", (above / (loud.length * plain.length)).toFixed(2)]];
}

/** All rows, by name. */
export function rowsOf(result: Result): Map<string, string> {
  const links = linksOf(result);
  const articles = articlesOf(result.events);
  return new Map([
    ["articles, events", `${articles.length}, ${result.events.length}`],
    ...copies(result, links),
    ...contradictions(result, links),
    ...support(result, links),
    ...grouping(result),
    ...confidence(result, links),
    ...briefing(result),
    ...telling(result),
    ...order(result),
    ...disagreements(result),
    ...bias(result),
    ...[...result.cost].map(([stage, cost]): [string, string] => [`CPU ms an article: ${stage}`, cost.toFixed(1)]),
  ]);
}
