import type { Facts, LabelledArticle, LabelledEvent } from "./corpus.ts";
import { gradesIn } from "./grades.ts";
import type { Result } from "./reading.ts";
import { share } from "./shares.ts";

/**
 * How well each English title of the strangers' sets would stand over its event, as an editor judged who knew nothing of
 * the product: 2 where it tells what happened, 1 where it tells a side, a detail or what came of it, or takes a side, 0
 * where a reader of it alone would not know (`titles.txt`).
 */
export const titleGrades = (): Map<string, number> => gradesIn("titles.txt");

/** What a sentence states of which some words are quoted. */
export function factsAround(article: LabelledArticle, words: string): Facts {
  const at = article.text.indexOf(words);
  if (at < 0) return article.title.includes(words) ? article.titleFacts : new Map();
  const end = at + words.length;
  const mark = article.marks.find((each) => each.end >= end && !/[.!?]["”]? /.test(article.text.slice(end, each.end)));
  return mark?.facts ?? new Map();
}

/** A sentence that the briefing tells, and the article that it is quoted from. */
interface Told {
  words: string;
  /** What stands behind it as the later count. */
  later: string;
  article: LabelledArticle;
}

function sentencesTold({ content, byId }: Result): Told[] {
  const body = content.split("## Articles cited")[0]!;
  const blocks = body.split(/^(?=##)/m).filter((block) => /^(?:### |## In brief\n)/.test(block));
  return blocks.flatMap((block) =>
    block
      .split("**Also reported**")[0]!
      .split("\n")
      .filter((line) => line.startsWith("- ") && !/^- \*\*(?:Figures differ|Sources)/.test(line))
      .flatMap((line): Told[] => {
        const [, text, id] = /^- (?:\*\*[^*]+:\*\* )?(.*?) \[#(\d+)/.exec(line) ?? [];
        const article = byId.get(Number(id));
        const words = text?.replaceAll("\\", "").replace(/ \(later: [^)]*\)$/, "");
        const quoted = words && (/^“(.*)” \([^()]*\)$/.exec(words)?.[1] ?? words);
        const later = / \(later: ([^)]*)\)$/.exec(text ?? "")?.[1] ?? "";
        return article && quoted ? [{ words: quoted, later, article }] : [];
      }),
  );
}

/** The statements of an event that most of its texts make, in their last value where they grew. */
function mainFacts({ articles, supersede }: LabelledEvent): string[] {
  const roots = new Map<string, Set<string>>();
  for (const { root, titleFacts, marks } of articles)
    for (const facts of [titleFacts, ...marks.map((mark) => mark.facts)])
      for (const [key, value] of facts) {
        const chain = supersede.find((each) => each.key === key);
        const pair = `${key}:${chain?.values.at(-1) ?? value}`;
        roots.set(pair, (roots.get(pair) ?? new Set()).add(root));
      }
  const most = Math.max(0, ...[...roots.values()].map(({ size }) => size));
  return most < 2 ? [] : [...roots].filter(([, { size }]) => size === most).map(([pair]) => pair);
}

/** Whether facts have a value, or a later count gives it instead of an earlier one. */
const states = (facts: Facts, pair: string, later = ""): boolean =>
  [...facts].some(
    ([key, value]) =>
      `${key}:${value}` === pair ||
      later.split(", ").some((count) => `${key}:${count.split(" ")[0]!.replaceAll(",", "")}` === pair),
  );

/** What a reader of the briefing learns: whether what it quotes states facts, and the ones that most report. */
export function telling(result: Result): [string, string][] {
  const { events, stories, byId } = result;
  const hard = new Map(events.filter(({ news }) => news === "hard").map((event) => [event.id, event]));
  const told = sentencesTold(result).filter(({ article }) => hard.has(article.event));
  const factual = told.filter(({ words, article }) => factsAround(article, words).size > 0);
  const full = new Map([...Map.groupBy(told, ({ article }) => article.event)]);
  const headed = stories.flatMap(({ headline, articleIds }) => {
    const articles = articleIds.map((id) => byId.get(id)!);
    const title = headline.replace(/ \(later: [^)]*\)$/, "");
    const later = / \(later: ([^)]*)\)$/.exec(headline)?.[1] ?? "";
    const lead = articles.find((article) => article.title === title);
    return lead && hard.has(lead.event)
      ? [{ lead, later, articles: articles.filter(({ event }) => event === lead.event) }]
      : [];
  });
  const grades = titleGrades();
  const gradeOf = ({ key }: LabelledArticle): number => grades.get(key) ?? 0;
  const could = headed.filter(({ articles }) => articles.some((article) => gradeOf(article) === 2));
  const heading = could.filter(({ lead }) => gradeOf(lead) === 2);
  const due = [...full].flatMap(([id, sentences]) => {
    const pairs = mainFacts(hard.get(id)!);
    return pairs.length > 0 ? [{ id, sentences, pairs }] : [];
  });
  const learned = due.filter(({ id, sentences, pairs }) =>
    [
      ...sentences.map(({ words, later, article }) => ({ facts: factsAround(article, words), later })),
      ...headed.flatMap(({ lead, later }) => (lead.event === id ? [{ facts: lead.titleFacts, later }] : [])),
    ].some(({ facts, later }) => pairs.some((pair) => states(facts, pair, later))),
  );
  if (process.env["SHOW"]) {
    for (const { words, article } of told)
      if (!factual.some((each) => each.words === words)) console.error(`told and no fact: ${article.key} “${words}”`);
    for (const { lead, articles } of could)
      if (gradeOf(lead) < 2)
        console.error(
          `headline does not tell: “${lead.title}”, not “${articles.find((article) => gradeOf(article) === 2)!.title}”`,
        );
    for (const each of due)
      if (!learned.includes(each)) console.error(`main fact not told: ${each.id} ${each.pairs.join(" ")}`);
  }
  return [
    ["sentences told that state a fact", share(factual.length, told.length)],
    ["headlines that tell what happened, where a title does", share(heading.length, could.length)],
    ["told in full: the fact that most state is told", share(learned.length, due.length)],
  ];
}
