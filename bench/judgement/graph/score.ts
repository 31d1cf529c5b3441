import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atOnce } from "../../../core/work/turns.ts";
import { fold } from "../../../core/text/words/words.ts";
import { extractGraph, isFirm } from "../../../services/knowledge/graph/build/extraction.ts";
import { joinMentions } from "../../../services/knowledge/graph/build/joining.ts";
import { mentionsIn } from "../../../services/knowledge/graph/build/mentions.ts";
import { RELATIONS, type Relation } from "../../../services/knowledge/graph/statements/vocabulary.ts";

/**
 * `node bench/judgement/graph/score.ts [tune|held|news|stranger|second]`: entities, their types, joins and related pairs,
 * held against labelled texts; where they name the relation, whether it is that one, from the right end. `SHOW=1` tells
 * each miss.
 */
interface Labelled {
  text: string;
  spans: { start: number; end: number; type: string; which: string }[];
  pairs: Set<string>;
  /** "a leads b"; empty where the labels are pairs alone. */
  relations: Set<string>;
}

const LABEL = /\[([^|\]]+)\|([a-z]+)\|([a-z])\]/g;
const pair = (one: string, other: string): string => [one, other].sort().join(" ");

/** One that goes both ways is the same from either end. */
const told = (from: string, relation: string, to: string): string => {
  const isBoth = "symmetric" in (RELATIONS[relation as Relation] ?? {});
  return isBoth && from > to ? `${to} ${relation} ${from}` : `${from} ${relation} ${to}`;
};

function labelled(given: string): Labelled {
  const lines = given.trim().split("\n");
  const marked = lines.filter((line) => !/^[#~]/.test(line)).join("\n");
  const pairs = new Set(lines.filter((line) => line.startsWith("~")).map((line) => pair(line[2]!, line[4]!)));
  const relations = new Set(
    lines.flatMap((line) => {
      const [mark, from, to, relation] = line.split(" ");
      return mark === "~" && relation ? [told(from!, relation, to!)] : [];
    }),
  );
  const spans: Labelled["spans"] = [];
  let text = "";
  let from = 0;
  for (const { 0: whole, 1: words, 2: type, 3: which, index } of marked.matchAll(LABEL)) {
    text += marked.slice(from, index);
    spans.push({ start: text.length, end: text.length + words!.length, type: type!, which: which! });
    text += words;
    from = index + whole.length;
  }
  return { text: text + marked.slice(from), spans, pairs, relations };
}

const f1 = (right: number, found: number, wanted: number): number => (right === 0 ? 0 : (2 * right) / (found + wanted));

class Tally {
  right = 0;
  found = 0;
  wanted = 0;
  get f1(): string {
    return f1(this.right, this.found, this.wanted).toFixed(3);
  }
  get precision(): string {
    return (this.found ? this.right / this.found : 0).toFixed(3);
  }
  get recall(): string {
    return (this.wanted ? this.right / this.wanted : 0).toFixed(3);
  }
}

/** Pairs of mentions, by their spans, that are one entity. */
const joinsAmong = (groups: readonly (readonly string[])[]): Set<string> =>
  new Set(groups.flatMap((own) => own.flatMap((one, at) => own.slice(at + 1).map((other) => pair(one, other)))));

export const SETS = ["tune", "held", "news", "stranger", "second"] as const;
export type Figure =
  | "spans"
  | "typed"
  | "joins"
  | "pairs"
  | "pairsPrecision"
  | "pairsRecall"
  | "relations"
  | "relationsPrecision"
  | "sentence";

export function score(half: (typeof SETS)[number]): Record<Figure, string> {
  const [spans, typed, joins, related, sentence, exact] = Array.from({ length: 6 }, () => new Tally()) as [
    Tally,
    Tally,
    Tally,
    Tally,
    Tally,
    Tally,
  ];
  const texts = readFileSync(join(import.meta.dirname, `${half}.txt`), "utf8")
    .split(/^---$/m)
    .map(labelled);
  const miss = (...words: unknown[]) => process.env["SHOW"] && console.log(...words);
  for (const { text, spans: wanted, pairs, relations } of texts) {
    const read = atOnce(mentionsIn(text));
    const whole = atOnce(joinMentions(text, read.mentions)).filter(isFirm);
    const at = ({ start, end }: { start: number; end: number }) => `${start}-${end}`;
    const known = new Map(wanted.map((one) => [at(one), one]));
    const found = whole.flatMap(({ type, mentions }) => mentions.map((mention) => ({ ...mention, type })));
    for (const one of found) {
      const label = known.get(at(one));
      spans.right += Number(label !== undefined);
      typed.right += Number(label?.type === one.type);
      if (!label) miss("not one:", one.text, one.type);
      else if (label.type !== one.type) miss("type:", one.text, one.type, "is", label.type);
    }
    for (const one of wanted)
      if (!found.some((other) => at(other) === at(one))) miss("missed:", text.slice(one.start, one.end));
    for (const tally of [spans, typed]) {
      tally.found += found.length;
      tally.wanted += wanted.length;
    }
    const byWhich = Map.groupBy(wanted, ({ which }) => which);
    const right = joinsAmong([...byWhich.values()].map((own) => own.map(at)));
    const joined = joinsAmong(whole.map(({ mentions }) => mentions.map(at)));
    joins.found += joined.size;
    joins.wanted += right.size;
    for (const one of joined) joins.right += Number(right.has(one));
    const named = whole.flatMap(({ key, mentions }) =>
      mentions.map(({ start, end, sentence: which }) => ({ key, which, label: known.get(at({ start, end }))?.which })),
    );
    const labelOf = (key: string): string =>
      named.find((one) => one.key === key && one.label)?.label ?? `? ${fold(key)}`;
    const said = atOnce(extractGraph(text)).relations;
    const linked = new Set(said.map(({ from, to }) => pair(labelOf(from), labelOf(to))));
    const together = new Set<string>();
    for (const own of Map.groupBy(named, ({ which }) => which).values())
      for (const [place, one] of own.entries())
        for (const other of own.slice(place + 1))
          if (one.key !== other.key) together.add(pair(labelOf(one.key), labelOf(other.key)));
    if (relations.size > 0 || !texts.some((one) => one.pairs.size > one.relations.size)) {
      const these = new Set(said.map(({ from, relation, to }) => told(labelOf(from), relation, labelOf(to))));
      exact.found += these.size;
      exact.wanted += relations.size;
      for (const one of these) exact.right += Number(relations.has(one));
      for (const one of these) if (!relations.has(one)) miss("not said:", one, "in", text.slice(0, 70));
      for (const one of relations) if (!these.has(one)) miss("unsaid:", one, "in", text.slice(0, 70));
    }
    const nameOf = (which: string): string =>
      byWhich.get(which)?.map(({ start, end }) => text.slice(start, end))[0] ?? "?";
    const named2 = (two: string): string => [two.at(0)!, two.at(-1)!].map(nameOf).join(" — ");
    for (const one of linked) if (!pairs.has(one)) miss("no pair:", one, named2(one));
    for (const one of pairs) if (!linked.has(one)) miss("missed pair:", named2(one), "in", text.slice(0, 40));
    for (const [tally, these] of [
      [related, linked],
      [sentence, together],
    ] as const) {
      tally.found += these.size;
      tally.wanted += pairs.size;
      for (const one of these) tally.right += Number(pairs.has(one));
    }
  }
  return {
    ...{ spans: spans.f1, typed: typed.f1, joins: joins.f1 },
    ...{ pairs: related.f1, pairsPrecision: related.precision, pairsRecall: related.recall },
    ...{ relations: exact.f1, relationsPrecision: exact.precision, sentence: sentence.f1 },
  };
}

if (import.meta.main)
  for (const half of process.argv[2] ? [process.argv[2]] : SETS)
    console.log(half, score(half as (typeof SETS)[number]));
