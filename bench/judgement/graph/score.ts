import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atOnce } from "../../../core/work/turns.ts";
import { fold } from "../../../core/text/words/words.ts";
import { isFirm } from "../../../services/knowledge/graph/build/extraction.ts";
import { joinMentions } from "../../../services/knowledge/graph/build/joining.ts";
import { mentionsIn } from "../../../services/knowledge/graph/build/mentions.ts";
import { relationsIn, type Named } from "../../../services/knowledge/graph/build/relations.ts";

/**
 * `node bench/judgement/graph/score.ts [tune|held]`: entities, their types, joins and related pairs, held against labelled
 * texts. `SHOW=1` tells each miss.
 */
interface Labelled {
  text: string;
  spans: { start: number; end: number; type: string; which: string }[];
  pairs: Set<string>;
}

const LABEL = /\[([^|\]]+)\|([a-z]+)\|([a-z])\]/g;
const pair = (one: string, other: string): string => [one, other].sort().join(" ");

function labelled(given: string): Labelled {
  const lines = given.trim().split("\n");
  const marked = lines.filter((line) => !/^[#~]/.test(line)).join("\n");
  const pairs = new Set(lines.filter((line) => line.startsWith("~")).map((line) => pair(line[2]!, line[4]!)));
  const spans: Labelled["spans"] = [];
  let text = "";
  let from = 0;
  for (const { 0: whole, 1: words, 2: type, 3: which, index } of marked.matchAll(LABEL)) {
    text += marked.slice(from, index);
    spans.push({ start: text.length, end: text.length + words!.length, type: type!, which: which! });
    text += words;
    from = index + whole.length;
  }
  return { text: text + marked.slice(from), spans, pairs };
}

const f1 = (right: number, found: number, wanted: number): number => (right === 0 ? 0 : (2 * right) / (found + wanted));

class Tally {
  right = 0;
  found = 0;
  wanted = 0;
  get f1(): string {
    return f1(this.right, this.found, this.wanted).toFixed(3);
  }
}

/** Pairs of mentions, by their spans, that are one entity. */
const joinsAmong = (groups: readonly (readonly string[])[]): Set<string> =>
  new Set(groups.flatMap((own) => own.flatMap((one, at) => own.slice(at + 1).map((other) => pair(one, other)))));

export function score(
  half: "tune" | "held" | "news",
): Record<"spans" | "typed" | "joins" | "pairs" | "sentence", string> {
  const [spans, typed, joins, related, sentence] = [new Tally(), new Tally(), new Tally(), new Tally(), new Tally()];
  const texts = readFileSync(join(import.meta.dirname, `${half}.txt`), "utf8")
    .split(/^---$/m)
    .map(labelled);
  const miss = (...words: unknown[]) => process.env["SHOW"] && console.log(...words);
  for (const { text, spans: wanted, pairs } of texts) {
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
    const said = joinsAmong(whole.map(({ mentions }) => mentions.map(at)));
    joins.found += said.size;
    joins.wanted += right.size;
    for (const one of said) joins.right += Number(right.has(one));
    const named = whole.flatMap(({ key, type, mentions }) =>
      mentions.map(({ start, end, sentence: which }) => ({
        key,
        type,
        start,
        end,
        which,
        label: known.get(at({ start, end }))?.which,
      })),
    );
    const labelOf = (key: string): string =>
      named.find((one) => one.key === key && one.label)?.label ?? `? ${fold(key)}`;
    const told = new Set<string>();
    const together = new Set<string>();
    for (const [which, own] of read.sentences.entries()) {
      const there: Named[] = named.filter((one) => one.which === which).sort((one, other) => one.start - other.start);
      for (const { from, to } of relationsIn(text, own, there)) told.add(pair(labelOf(from), labelOf(to)));
      for (const [place, one] of there.entries())
        for (const other of there.slice(place + 1))
          if (one.key !== other.key) together.add(pair(labelOf(one.key), labelOf(other.key)));
    }
    for (const [tally, these] of [
      [related, told],
      [sentence, together],
    ] as const) {
      tally.found += these.size;
      tally.wanted += pairs.size;
      for (const one of these) tally.right += Number(pairs.has(one));
    }
  }
  return { spans: spans.f1, typed: typed.f1, joins: joins.f1, pairs: related.f1, sentence: sentence.f1 };
}

if (import.meta.main)
  for (const half of process.argv[2] ? [process.argv[2]] : ["tune", "held", "news"])
    console.log(half, score(half as "tune"));
