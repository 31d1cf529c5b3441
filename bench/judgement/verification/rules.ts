import { matterOf, type Statement } from "../../../core/text/statements/statement.ts";
import { bearing } from "../../../services/news/verification/references/alignment.ts";
import { Between, MOST_SENTENCES } from "../../../services/news/verification/references/pairs/between.ts";
import { areJudged, judged } from "../../../services/news/verification/references/pairs/judge.ts";
import { ReadArticle } from "../../../services/news/verification/references/readings.ts";
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
  half: string;
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

/** Which rule holds two sentences of one event for exclusive, as `references/stance.ts` asks. */
function seenBy(one: Statement, other: Statement, later: number): [rule: string, reason: string] | undefined {
  if (isOfAnotherOccasion(one) !== isOfAnotherOccasion(other)) return undefined;
  if (deniesOfSpan(one, other) || deniesOfUnnamed(one, other)) return undefined;
  const { shared } = bearing(one, other, { event: "same" });
  const filled = otherFilling(one, other, shared.pairs, later);
  if (filled) return ["slot", filled];
  const denied = deniedFilling(one, other, later);
  return denied === undefined ? undefined : ["denial", denied];
}

function likelyOf(one: Told, other: Told, later: number): number {
  const between = new Between(one.read, other.read);
  const held = { one: one.stated, other: other.stated, between, at: one.at, there: other.at, later };
  if (Math.max(one.at, other.at) >= MOST_SENTENCES || !areJudged(one.stated, other.stated)) return 0;
  return judged({ ...held, bearing: bearing(one.stated, other.stated, { event: "same" }) }).exclude;
}

/** What is there, and what the rules see of it. */
function judgedIn(event: LabelledEvent): { there: Set<string>; seen: Seen[]; pairs: Map<string, [Told, Told][]> } {
  const there = new Set<string>();
  const pairs = new Map<string, [Told, Told][]>();
  const seen: Seen[] = [];
  for (const [a, b] of pairsOf(event.articles.map(toldIn))) {
    const [from, to] = [a[0]?.article, b[0]?.article];
    if (!from || !to || from.root === to.root || languageOf(from) !== languageOf(to)) continue;
    for (const one of a)
      for (const other of b) {
        const keys = namesOf(event, one.facts, other.facts);
        for (const key of keys) {
          there.add(key);
          (pairs.get(key) ?? pairs.set(key, []).get(key)!).push([one, other]);
        }
        if (from.outlet === to.outlet) continue;
        const later = (from.ago - to.ago) / HOUR_MS;
        const found = seenBy(one.stated, other.stated, later);
        if (!found) continue;
        const isReplaced = event.supersede.some(
          ({ key, values }) =>
            values.includes(one.facts.get(key)!) &&
            values.includes(other.facts.get(key)!) &&
            one.facts.get(key) !== other.facts.get(key),
        );
        const [rule, reason] = found;
        seen.push({
          half: event.half,
          event: event.id,
          rule,
          keys,
          isReplaced,
          reason,
          likely: likelyOf(one, other, later),
          one,
          other,
        });
      }
  }
  return { there, seen, pairs };
}

/**
 * `node bench/judgement/verification/rules.ts [dense] [set…]`: what the rules for slots see in pairs of sentences of one
 * event, whatever story they came into. SHOW=wrong tells the wrong ones, SHOW=missed the contradictions that no rule sees.
 */
if (import.meta.main) {
  const named = process.argv.slice(2).filter((name) => name !== "dense");
  const events = process.argv.includes("dense") ? dense() : corpus();
  const rows: string[] = [];
  const totals = [0, 0, 0, 0, 0];
  for (const [half, told] of Map.groupBy(events, (event) => event.half)) {
    if (named.length > 0 && !named.includes(half)) continue;
    const judged = told.map(judgedIn);
    const seen = judged.flatMap((one) => one.seen);
    const found = new Set(seen.flatMap(({ keys }) => keys));
    const there = new Set(judged.flatMap((one) => [...one.there]));
    const counted = seen.filter(({ isReplaced, keys }) => !isReplaced || keys.length > 0);
    const wrong = counted.filter(({ keys }) => keys.length === 0);
    const row = [found.size, there.size, counted.length - wrong.length, counted.length, seen.length - counted.length];
    rows.push(`| ${half} | ${row[0]} of ${row[1]} | ${row[2]} of ${row[3]} | ${row[4]} |`);
    for (const [at, value] of row.entries()) totals[at]! += value;
    if (process.env["SHOW"]?.includes("right"))
      for (const { event, rule, reason, likely, one, other, keys } of counted)
        if (keys.length)
          console.error(
            `right ${event} [${rule}: ${reason}] ${likely.toFixed(2)}\n  ${one.stated.text}\n  ${other.stated.text}`,
          );
    if (process.env["SHOW"]?.includes("wrong"))
      for (const { event, rule, reason, likely, one, other } of wrong)
        console.error(
          `wrong ${event} [${rule}: ${reason}] ${likely.toFixed(2)}\n  ${one.stated.text}\n  ${other.stated.text}`,
        );
    if (process.env["SHOW"]?.includes("missed"))
      for (const { pairs } of judged)
        for (const [key, sides] of pairs)
          if (!found.has(key))
            console.error(
              `missed ${key}\n${sides
                .slice(0, Number(process.env["MOST"] ?? 3))
                .map(([one, other]) => `  - ${one.stated.text}\n    ${other.stated.text}`)
                .join("\n")}`,
            );
  }
  console.log("| set | found | pairs right | replaced |\n|---|---|---|---|");
  for (const row of rows) console.log(row);
  const [f, t, r, s, p] = totals;
  console.log(`| all | ${f} of ${t} = ${(f! / t!).toFixed(2)} | ${r} of ${s} = ${(r! / s!).toFixed(2)} | ${p} |`);
}
