import {
  articlesOf,
  clash,
  factsIn,
  languageOf,
  type Facts,
  type LabelledArticle,
  type LabelledEvent,
  type Mark,
} from "./corpus.ts";
import type { Claim, Reference, Result } from "./reading.ts";
import { pairsOf, share } from "./shares.ts";

/** One reference with both ends labelled. */
export interface Link {
  reference: Reference;
  claim: Claim;
  from: LabelledArticle;
  to: LabelledArticle;
  said: Facts;
  found: Facts;
}

export function linksOf({ claims, references, byId }: Result): Link[] {
  const claimOf = new Map(claims.map((claim) => [claim.id, claim]));
  return references.flatMap((reference) => {
    const claim = claimOf.get(reference.claimId);
    const from = byId.get(reference.contentId),
      to = byId.get(reference.articleId);
    if (!claim || !from || !to) return [];
    return [{ reference, claim, from, to, said: factsIn(from, claim), found: factsIn(to, reference.evidence) }];
  });
}

/** What copies count for. */
export function copies(result: Result, links: readonly Link[]): [string, string][] {
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

export function contradictions({ events }: Result, links: readonly Link[]): [string, string][] {
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
export function witnessed(events: readonly LabelledEvent[]): { article: LabelledArticle; mark: Mark }[] {
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

/** Support by another outlet's own report of the same event that states the same. */
export const rightSupport = (links: readonly Link[]): Link[] =>
  links.filter(
    ({ reference, from, to, said, found }) =>
      reference.stance === "support" &&
      from.event === to.event &&
      from.root !== to.root &&
      from.outlet !== to.outlet &&
      [...found].some(([key, value]) => said.get(key) === value),
  );

export function support({ events, claims, idOf }: Result, links: readonly Link[]): [string, string][] {
  const sentences = witnessed(events);
  const claimsOf = Map.groupBy(claims, ({ articleId }) => articleId);
  const claimOf = ({ article, mark }: (typeof sentences)[number]) =>
    claimsOf.get(idOf.get(article.key)!)?.find(({ start, end }) => start < mark.end && mark.end <= end + 1);
  const good = rightSupport(links);
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
