import { numbersIn } from "../../../core/text/statements/numerals.ts";
import { DOMAIN_NAMES, SECTION_NAMES } from "../../../services/news/briefings/model.ts";
import { factsIn, OUTLETS, type Facts, type LabelledArticle, type LabelledEvent, type Mark } from "./corpus.ts";
import { leadingEvents, orderedPairs } from "./order.ts";
import { factsAround, telling } from "./telling.ts";
import { addressOf, type Claim, type Reference, type Result } from "./reading.ts";

const share = (part: number, whole: number): string =>
  whole === 0 ? "none" : `${part} of ${whole} = ${(part / whole).toFixed(2)}`;
const languageOf = (article: LabelledArticle): string => OUTLETS[article.outlet]!.language;
const english = (article: LabelledArticle): boolean => languageOf(article) === "en";

/** One reference with both ends labelled. */
interface Link {
  reference: Reference;
  claim: Claim;
  from: LabelledArticle;
  to: LabelledArticle;
  said: Facts;
  found: Facts;
}

function linksOf({ claims, references, byId }: Result): Link[] {
  const claimOf = new Map(claims.map((claim) => [claim.id, claim]));
  return references.flatMap((reference) => {
    const claim = claimOf.get(reference.claimId);
    const from = byId.get(reference.contentId),
      to = byId.get(reference.articleId);
    if (!claim || !from || !to) return [];
    return [{ reference, claim, from, to, said: factsIn(from, claim), found: factsIn(to, reference.evidence) }];
  });
}

const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((one, at) => items.slice(at + 1).map((other): [T, T] => [one, other]));
const articlesOf = (events: readonly LabelledEvent[]): LabelledArticle[] => events.flatMap(({ articles }) => articles);

/** What copies count for. */
function copies(result: Result, links: readonly Link[]): [string, string][] {
  const { events, stored, idOf, claims } = result;
  const articles = articlesOf(events);
  const edited = articles.filter(({ key, root }) => key !== root);
  const report = ({ key }: LabelledArticle): string => {
    const doc = stored.get(idOf.get(key)!)!;
    return doc["reportId"] ?? doc["storyId"];
  };
  const byKey = new Map(articles.map((article) => [article.key, article]));
  const witnesses = new Set(
    links
      .filter(
        ({ reference, from, to }) => reference.independent && reference.stance === "support" && from.root === to.root,
      )
      .flatMap(({ from, to }) => [from, to].filter(({ key, root }) => key !== root))
      .map(({ key }) => key),
  );
  const rootsOf = Map.groupBy(
    links.filter(({ reference }) => reference.independent && reference.stance === "support"),
    ({ claim }) => claim.id,
  );
  const corroborated = claims.filter(({ status }) => status === "corroborated");
  const alone = corroborated.filter(({ id }) => rootsOf.get(id)?.every(({ from, to }) => from.root === to.root));
  const twice = corroborated.filter(
    ({ id, independentSources }) => independentSources > new Set(rootsOf.get(id)?.map(({ to }) => to.root)).size,
  );
  const joined = pairsOf(articles).filter(
    ([a, b]) => a.root !== b.root && a.outlet !== b.outlet && report(a) === report(b),
  );
  const missed = edited.filter((one) => report(one) !== report(byKey.get(one.root)!));
  if (process.env["SHOW"]) for (const { key, root } of missed) console.error(`copy not recognised: ${key} of ${root}`);
  return [
    ["copies that count as an independent witness", share(witnesses.size, edited.length)],
    ["corroborated claims that rest on a copy alone", share(alone.length, corroborated.length)],
    ["corroborated claims that count one text twice", share(twice.length, corroborated.length)],
    ["edited copies not recognised", share(missed.length, edited.length)],
    ["pairs falsely taken for copies", String(joined.length)],
  ];
}

/** Whether two statements of an event exclude each other, by its labels. */
const clash = ({ contradict }: LabelledEvent, one: Facts, other: Facts): string[] =>
  contradict.filter((key) => one.has(key) && other.has(key) && one.get(key) !== other.get(key));

/** The disagreements that the briefing shows, by the words it quotes. */
function disagreements({ events, content, byId }: Result): [string, string][] {
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

function contradictions({ events }: Result, links: readonly Link[]): [string, string][] {
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const there = new Set<string>();
  for (const event of events)
    for (const [a, b] of pairsOf(event.articles.flatMap((article) => article.marks.map((mark) => ({ article, mark })))))
      if (a.article.root !== b.article.root && languageOf(a.article) === languageOf(b.article))
        for (const key of clash(event, a.mark.facts, b.mark.facts))
          there.add([event.id, key, ...[a.mark.facts.get(key)!, b.mark.facts.get(key)!].sort()].join(" "));
  const shown = new Map<string, "right" | "superseded" | string>();
  const found = new Set<string>();
  for (const { claim, reference, from, to, said, found: other } of links) {
    if (reference.stance !== "contradict") continue;
    const event = eventOf.get(from.event)!;
    const keys = from.event === to.event ? clash(event, said, other) : [];
    for (const key of keys) found.add([event.id, key, ...[said.get(key)!, other.get(key)!].sort()].join(" "));
    const replaced = event.supersede.some(
      ({ key, values }) =>
        from.event === to.event &&
        values.indexOf(said.get(key)!) >= 0 &&
        values.indexOf(said.get(key)!) < values.indexOf(other.get(key)!),
    );
    const verdict = keys.length
      ? "right"
      : replaced
        ? "superseded"
        : `${from.key} “${claim.text}” × ${to.key} “${reference.evidence.text}” (${reference.reasons.join("; ")})`;
    shown.set(`${claim.text} × ${reference.evidence.text}`, verdict);
  }
  /** What was made of the sentences that exclude each other. */
  const seen = (missed: string): string => {
    const [event, key, ...values] = missed.split(" ");
    const isMissed = ({ from, to, said, found: other }: Link): boolean =>
      from.event === event &&
      to.event === event &&
      [said.get(key!), other.get(key!)].sort().join(" ") === values.join(" ");
    return links
      .filter(isMissed)
      .map(({ claim, reference: { stance, evidence, reasons } }) =>
        [`\n  ${stance}: “${claim.text}”`, `“${evidence.text}” (${reasons.join("; ")})`].join(" × "),
      )
      .join("");
  };
  const verdicts = [...shown.values()];
  const right = verdicts.filter((verdict) => verdict === "right").length;
  const replaced = verdicts.filter((verdict) => verdict === "superseded").length;
  const wrong = verdicts.filter((verdict) => verdict !== "right" && verdict !== "superseded");
  if (process.env["SHOW"]) {
    for (const verdict of wrong) console.error(`not a contradiction: ${verdict}`);
    for (const missed of there)
      if (!found.has(missed)) console.error(`contradiction not found: ${missed}${seen(missed)}`);
  }
  return [
    ["contradictions: right among those shown", share(right, right + wrong.length)],
    ["contradictions: found among those there", share([...found].filter((one) => there.has(one)).length, there.size)],
    ["old figures held against by their successor", String(replaced)],
  ];
}

/** The sentences that another outlet states outright. */
function witnessed(events: readonly LabelledEvent[]): { article: LabelledArticle; mark: Mark }[] {
  return events.flatMap(({ articles }) =>
    articles
      .filter(({ key, root, post }) => key === root && !post)
      .flatMap((article) =>
        article.marks
          .filter(({ facts }) =>
            articles.some(
              (other) =>
                other.outlet !== article.outlet &&
                other.root !== article.root &&
                !other.post &&
                languageOf(other) === languageOf(article) &&
                [...facts].every(([key, value]) => other.marks.some((mark) => mark.facts.get(key) === value)),
            ),
          )
          .map((mark) => ({ article, mark })),
      ),
  );
}

function support({ events, claims, idOf }: Result, links: readonly Link[]): [string, string][] {
  const sentences = witnessed(events);
  const claimsOf = Map.groupBy(claims, ({ articleId }) => articleId);
  const claimOf = ({ article, mark }: (typeof sentences)[number]) =>
    claimsOf.get(idOf.get(article.key)!)?.find(({ start, end }) => start < mark.end && mark.end <= end + 1);
  const good = links.filter(
    ({ reference, from, to, said, found }) =>
      reference.stance === "support" &&
      from.event === to.event &&
      from.root !== to.root &&
      from.outlet !== to.outlet &&
      [...found].some(([key, value]) => said.get(key) === value),
  );
  const supported = new Set(good.map(({ claim }) => claim.id));
  const extracted = sentences.filter((one) => claimOf(one));
  const found = extracted.filter((one) => supported.has(claimOf(one)!.id));
  const shown = links.filter(({ reference, from, to }) => reference.stance === "support" && from.root !== to.root);
  const astray = shown.filter(({ from, to }) => from.event !== to.event);
  const against = shown.filter(
    ({ from, to, said, found: other }) =>
      from.event === to.event && [...said].some(([key, value]) => other.has(key) && other.get(key) !== value),
  );
  const posts = articlesOf(events).filter(({ post }) => post);
  const answered = posts.filter((post) =>
    links.some(
      ({ from, to, said, found: other }) =>
        from === post && to.event === post.event && [...other.keys()].some((key) => said.has(key)),
    ),
  );
  const checked = (posts.length && answered.length) || 0;
  if (process.env["SHOW"]) {
    for (const one of sentences)
      if (!claimOf(one)) console.error(`no claim: ${one.article.key} ${JSON.stringify([...one.mark.facts])}`);
    for (const { from, to, claim, reference } of astray)
      console.error(`support from another event: ${from.key} “${claim.text}” × ${to.key} “${reference.evidence.text}”`);
    for (const { from, to, claim, reference } of against)
      console.error(
        `support that states another figure: ${from.key} “${claim.text}” × ${to.key} “${reference.evidence.text}” (${reference.reasons.join("; ")})`,
      );
  }
  return [
    ["sentences another outlet states: taken for claims", share(extracted.length, sentences.length)],
    ["sentences another outlet states: found corroborated", share(found.length, sentences.length)],
    ["support from another event", share(astray.length, shown.length)],
    ["support that states another figure", share(against.length, shown.length)],
    ["posts whose claim is stored: the right reference found", share(checked, posts.length)],
  ];
}

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
    ["the same in English", together(unposted.filter(english), inBriefing)],
    ["articles of one event together, by `storyId`", together(unposted, byStory)],
    ["the same in English, by `storyId`", together(unposted.filter(english), byStory)],
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

function briefing(result: Result): [string, string][] {
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
function order({ events, stories, byId }: Result): [string, string][] {
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

/** How often a loaded text scores above a plain one of the same language. */
function bias({ events, idOf, bias: scores }: Result): [string, string][] {
  const articles = articlesOf(events).filter(
    (article) => english(article) && !article.post && article.key === article.root,
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
