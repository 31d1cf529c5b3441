import { DOMAIN_NAMES, SECTION_NAMES } from "../../../services/news/briefings/model.ts";
import { articlesOf, clash, type LabelledEvent } from "./corpus.ts";
import { leadingEvents, orderedPairs } from "./order.ts";
import { addressOf, type Result } from "./reading.ts";
import { pairsOf, share } from "./shares.ts";
import { factsAround } from "./telling.ts";

/** The disagreements that the briefing shows, by the words it quotes. */
export function disagreements({ events, content, byId }: Result): [string, string][] {
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const lines = content
    .split("\n")
    .filter((line) => /^\s*- \*\*(?:Figures differ|Sources (?:contradict|report))/.test(line));
  const found = new Set<string>();
  const right = lines.filter((line) => {
    const sides = [...line.matchAll(/“(.*?)” \([^()]*\) \[#(\d+)/g)].flatMap(([, words, id]) => {
      const article = byId.get(Number(id));
      return article ? [{ article, facts: factsAround(article, words!.replaceAll("\\", "")) }] : [];
    });
    const keys = pairsOf(sides).flatMap(([a, b]) =>
      a.article.event === b.article.event
        ? clash(eventOf.get(a.article.event)!, a.facts, b.facts).map((key) => `${a.article.event} ${key}`)
        : [],
    );
    for (const key of keys) found.add(key);
    if (keys.length === 0 && process.env["SHOW"]) console.error(`the briefing's disagreement is none: ${line}`);
    return keys.length > 0;
  });
  const there = events.flatMap((event) => event.contradict.map((key) => `${event.id} ${key}`));
  return [
    ["the briefing's disagreements: right among those shown", share(right.length, lines.length)],
    ["the briefing's disagreements: found among those there", share(found.size, there.length)],
  ];
}

/** Where the briefing tells of what: the blocks of its sections, each with the event most of its citations are of. */
function blocksOf({ content, byId }: Result): { section: string; full: boolean; event: string; text: string }[] {
  return content
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const section =
        Object.entries(DOMAIN_NAMES).find(([, name]) => part.startsWith(`${name}\n`))?.[0] ?? part.split("\n")[0]!;
      const [lead, ...full] = part.split(/^### /m) as [string, ...string[]];
      const pieces = full.map((text) => {
        const [story, also] = text.split("**Also reported**");
        return { story: story!, also: also ?? "" };
      });
      const lines = [lead, ...pieces.map(({ also }) => also)].flatMap((text) =>
        text.split("\n").filter((line) => line.startsWith("- ")),
      );
      const named = (text: string, isFull: boolean) => {
        const cited = [...text.matchAll(/\[#(\d+)/g)].map(([, id]) => byId.get(Number(id))?.event ?? "");
        const counts = Map.groupBy(cited, (event) => event);
        const event = [...counts].sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? "";
        return { section, full: isFull, event, text };
      };
      return [...pieces.map(({ story }) => named(story, true)), ...lines.map((line) => named(line, false))];
    });
}

/** Whether what happened is told, where it belongs, and in nobody's loaded words. */
export function briefing(result: Result): [string, string][] {
  const { events, content } = result;
  const body = content.split("## Articles cited")[0]!;
  const blocks = blocksOf(result).filter(({ section }) => section in DOMAIN_NAMES || /^(?:Other|Also)/.test(section));
  const hard = events.filter(({ news }) => news === "hard");
  const soft = new Set(events.filter(({ news }) => news === "soft").map(({ id }) => id));
  const at = (event: LabelledEvent) => blocks.filter((block) => block.event === event.id);
  const told = hard.filter((event) => at(event).length > 0);
  const full = told.filter((event) => at(event).some((block) => block.full));
  const place = (event: LabelledEvent) => (at(event).find((block) => block.full) ?? at(event)[0])?.section ?? "";
  // Whose field is none of the eight, as sport, belongs behind them.
  const isOwn = ({ domains }: LabelledEvent, section: string): boolean =>
    domains.includes("none") ||
    domains.includes(section) ||
    (section === SECTION_NAMES.elsewhere && !domains.some((domain) => domain in DOMAIN_NAMES));
  const own = told.filter((event) => isOwn(event, place(event)));
  const summary = blocksOf(result).filter(({ section }) => section === "In brief");
  const lastHard = blocks.findLastIndex(({ event }) => hard.some(({ id }) => id === event));
  const firstSoft = blocks.findIndex(({ event }) => soft.has(event));
  const unquoted = body
    .replace(/“[^”]*”/g, "")
    .replace(/"[^"]*"/g, "")
    .toLowerCase()
    .split("\n");
  const loaded = articlesOf(events).flatMap(({ key, loaded: words }) => words.map((word) => ({ key, word })));
  const taken = loaded.filter(({ key, word }) =>
    // What others say in the same word, of a glacier's collapse, is no side taken.
    unquoted.some((line) => line.includes(word) && line.includes(`[#${result.idOf.get(key)}]`)),
  );
  const noise =
    body.match(/\((?:Coastline Wire|Union Press)\) ?-|(?:^|\s)[A-Z]{4,}(?:, \w+ \d+)? - |\(Reporting by/g) ?? [];
  const stories = [...result.summaries.values()].flat();
  const byAddress = new Map([...result.byId].map(([id, article]) => [addressOf(article), result.stored.get(id)!]));
  const mixed = stories.filter(({ title, url, publishedAt }) => {
    const doc = byAddress.get(url);
    return !doc || !String(doc["title"]).includes(title) || doc["publishedAt"] !== publishedAt;
  });
  if (process.env["SHOW"]) {
    for (const event of hard) if (!told.includes(event)) console.error(`not told: ${event.id}`);
    for (const event of told)
      if (!own.includes(event)) console.error(`told under ${place(event)}: ${event.id} (${event.domains.join(",")})`);
    console.error(`loaded and not quoted: ${taken.map(({ word }) => word).join("; ")}`);
  }
  return [
    ["hard news told or listed by name", share(told.length, hard.length)],
    ["told in full", share(full.length, hard.length)],
    ["told in its own domain", share(own.length, told.length)],
    [
      "places in full for what is no news",
      String(blocks.filter((block) => block.full && soft.has(block.event)).length),
    ],
    ["soft news in the summary", share(summary.filter(({ event }) => soft.has(event)).length, summary.length)],
    ["soft news last", firstSoft < 0 || firstSoft > lastHard ? "yes" : "no"],
    ["loaded wording in the briefing's own voice", share(taken.length, loaded.length)],
    ["datelines and credit lines left", String(noise.length)],
    ["v1: title, address and time not of one article", share(mixed.length, stories.length)],
  ];
}

/** How far the order of the stories is a duty editor's, for sets of which that is known. */
export function order({ events, stories, byId }: Result): [string, string][] {
  const places = new Map<string, number>();
  for (const [at, { articleIds }] of stories.entries())
    for (const { id } of events) {
      const own = articleIds.filter((article) => byId.get(article)?.event === id).length;
      if (own * 2 > articleIds.length && !places.has(id)) places.set(id, at);
    }
  const pairs = orderedPairs().filter((pair) => pair.every((event) => places.has(event)));
  const right = pairs.filter(([first, second]) => places.get(first)! < places.get(second)!);
  const leading = [...places.keys()].sort((a, b) => places.get(a)! - places.get(b)!).slice(0, 5);
  const due = leading.filter((event) => leadingEvents().has(event));
  if (process.env["SHOW"] && pairs.length > 0)
    console.error(`first: ${[...places.keys()].sort((a, b) => places.get(a)! - places.get(b)!).join(" ")}`);
  return [
    ["pairs of events in a duty editor's order", share(right.length, pairs.length)],
    ["of the first five, those that lead there", pairs.length > 0 ? `${due.length} of ${leading.length}` : "none"],
  ];
}
