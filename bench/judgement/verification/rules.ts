import { matterOf, type Statement } from "../../../core/text/statements/statement.ts";
import { bearing } from "../../../services/news/verification/references/alignment.ts";
import { MOST_SENTENCES } from "../../../services/news/verification/references/pairs/between.ts";
import { areJudged, judged } from "../../../services/news/verification/references/pairs/judge.ts";
import { ReadArticle, Readings } from "../../../services/news/verification/references/readings.ts";
import { isOfAnotherOccasion } from "../../../core/text/statements/occasion.ts";
import { deniedFilling, otherFilling } from "../../../services/news/verification/references/slots/slots.ts";
import { deniesOfSpan, deniesOfUnnamed } from "../../../services/news/verification/references/slots/guards.ts";
import { corpus, dense, languageOf, type Facts, type LabelledArticle, type LabelledEvent } from "../news/corpus.ts";
import { pairsOf } from "../news/shares.ts";

/** A marked or unmarked sentence of an article. */
interface Told {
  article: LabelledArticle;
  read: ReadArticle;
  at: number;
  stated: Statement;
  facts: Facts;
}

/** What a rule sees in two sentences, and by their marks whether it is right. */
interface Seen {
  event: string;
  rule: string;
  keys: readonly string[];
  isReplaced: boolean;
  reason: string;
  /** What the learned judge makes of it. */
  likely: number;
  one: Told;
  other: Told;
}

const HOUR_MS = 3_600_000;

function toldIn(article: LabelledArticle): Told[] {
  const read = new ReadArticle(article.text);
  return read.sentences.map(({ start, end }, at) => ({
    article,
    read,
    at,
    stated: matterOf(read.statement(at)),
    facts: new Map(
      article.marks.filter((mark) => mark.end > start && mark.end <= end + 1).flatMap(({ facts }) => [...facts]),
    ),
  }));
}

const namesOf = ({ id, contradict }: LabelledEvent, one: Facts, other: Facts): string[] =>
  contradict
    .filter((key) => one.has(key) && other.has(key) && one.get(key) !== other.get(key))
    .map((key) => [id, key, ...[one.get(key)!, other.get(key)!].sort()].join(" "));

type Rule = [rule: string, reason: string];
const betweens = new Readings();

/** Which rule holds two sentences of one event for exclusive, as `references/rules/within-event.ts` asks. */
function seenBy({ stated: one, read }: Told, { stated: other, read: its }: Told, later: number): Rule | undefined {
  if (isOfAnotherOccasion(one) !== isOfAnotherOccasion(other)) return undefined;
  if (deniesOfSpan(one, other) || deniesOfUnnamed(one, other)) return undefined;
  const { shared } = bearing(one, other, { event: "same" });
  const between = betweens.between(read, its);
  const filled = otherFilling(one, other, shared.pairs, later, between);
  if (filled) return ["slot", filled];
  const denied = deniedFilling(one, other, later, between);
  return denied === undefined ? undefined : ["denial", denied];
}

function likelyOf(one: Told, other: Told, later: number): number {
  const between = betweens.between(one.read, other.read);
  const held = { one: one.stated, other: other.stated, between, at: one.at, there: other.at, later };
  if (Math.max(one.at, other.at) >= MOST_SENTENCES || !areJudged(one.stated, other.stated)) return 0;
  return judged({ ...held, bearing: bearing(one.stated, other.stated, { event: "same" }) }).exclude;
}

interface Judged {
  there: Set<string>;
  seen: Seen[];
  /** Pairs of sentences by the contradiction that they are. */
  pairs: Map<string, [Told, Told][]>;
}

const isReplaced = ({ supersede }: LabelledEvent, one: Facts, other: Facts): boolean =>
  supersede.some(
    ({ key, values }) =>
      values.includes(one.get(key)!) && values.includes(other.get(key)!) && one.get(key) !== other.get(key),
  );

function judge(event: LabelledEvent, one: Told, other: Told, { there, seen, pairs }: Judged): void {
  const keys = namesOf(event, one.facts, other.facts);
  for (const key of keys) {
    there.add(key);
    pairs.set(key, [...(pairs.get(key) ?? []), [one, other]]);
  }
  if (one.article.outlet === other.article.outlet) return;
  const later = (one.article.ago - other.article.ago) / HOUR_MS;
  const found = seenBy(one, other, later);
  if (!found) return;
  const [rule, reason] = found;
  seen.push({
    ...{ event: event.id, rule, reason, keys, one, other },
    isReplaced: keys.length === 0 && isReplaced(event, one.facts, other.facts),
    likely: likelyOf(one, other, later),
  });
}

/** What is there, and what the rules see of it. */
function judgedIn(event: LabelledEvent): Judged {
  const judged: Judged = { there: new Set(), seen: [], pairs: new Map() };
  for (const [a, b] of pairsOf(event.articles.map(toldIn))) {
    const [from, to] = [a[0]?.article, b[0]?.article];
    if (!from || !to || from.root === to.root || languageOf(from) !== languageOf(to)) continue;
    for (const one of a) for (const other of b) judge(event, one, other, judged);
  }
  return judged;
}

const told = (one: Told, other: Told): string => `\n  ${one.stated.text}\n  ${other.stated.text}`;

function tell(judged: readonly Judged[], found: ReadonlySet<string>, what: string): void {
  for (const { seen, pairs } of judged) {
    for (const { event, rule, reason, likely, keys, one, other, isReplaced: isOld } of seen)
      if (!isOld && what.includes(keys.length > 0 ? "right" : "wrong"))
        console.error(
          `${keys.length > 0 ? "right" : "wrong"} ${event} [${rule}: ${reason}] ${likely.toFixed(2)}${told(one, other)}`,
        );
    if (what.includes("missed"))
      for (const [key, sides] of pairs)
        if (!found.has(key)) console.error(`missed ${key}${sides.map(([one, other]) => told(one, other)).join("")}`);
  }
}

/** By set: found among those there, right among the pairs seen, and pairs of which one replaces the other. */
function rowOf(judged: readonly Judged[]): number[] {
  const seen = judged.flatMap((one) => one.seen);
  const found = new Set(seen.flatMap(({ keys }) => keys));
  tell(judged, found, process.env["SHOW"] ?? "");
  const counted = seen.filter((one) => !one.isReplaced);
  const right = counted.filter(({ keys }) => keys.length > 0).length;
  const there = judged.reduce((sum, one) => sum + one.there.size, 0);
  return [found.size, there, right, counted.length, seen.length - counted.length];
}

const written = (name: string, [found, there, right, seen, replaced]: readonly number[]): string =>
  `| ${name} | ${found} of ${there} | ${right} of ${seen} | ${replaced} |`;

/**
 * `node bench/judgement/verification/rules.ts [dense] [set…]`: what the rules for slots see in pairs of sentences of one
 * event, whatever story they came into, in seconds. SHOW=right,wrong,missed tells them.
 */
if (import.meta.main) {
  const named = process.argv.slice(2).filter((name) => name !== "dense");
  const events = process.argv.includes("dense") ? dense() : corpus();
  const rows = [...Map.groupBy(events, (event) => event.half)]
    .filter(([half]) => named.length === 0 || named.includes(half))
    .map(([half, all]) => [half, rowOf(all.map(judgedIn))] as const);
  console.log("| set | found | pairs right | replaced |\n|---|---|---|---|");
  for (const [half, row] of rows) console.log(written(half, row));
  console.log(
    written(
      "all",
      [0, 1, 2, 3, 4].map((at) => rows.reduce((sum, [, row]) => sum + row[at]!, 0)),
    ),
  );
}
