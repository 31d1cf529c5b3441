import { erratumOf, takenBack, takesBack } from "../../../core/text/statements/speech/errata.ts";
import { sentences } from "../../../core/text/words/sentences.ts";
import { halfOf, rowsIn, type LabelledHalf } from "../halves.ts";

/** An article as an outlet publishes it: what it takes back, if anything, and which numbers. */
interface LabelledItem {
  kind: "correction" | "retraction" | "none";
  wrong: number[];
  right: number[];
  outlet: string;
  title: string;
  text: string;
}

const numbersOf = (cell: string): number[] => (cell ? cell.split(",").map(Number) : []);

/**
 * Sets of their own: `later` was written after the rule and scored before it was looked at; `stranger` and `second` by
 * people who knew nothing of it, and read since.
 */
const WHOLE = ["later", "stranger", "second"] as const;
type Part = LabelledHalf | (typeof WHOLE)[number];
const isWhole = (part: Part): part is (typeof WHOLE)[number] => WHOLE.some((one) => one === part);

const itemsOf = (part: Part): LabelledItem[] =>
  rowsIn(new URL(isWhole(part) ? `${part}.tsv` : "items.tsv", import.meta.url))
    .map(({ outlet, kind, wrong, right, title, text }) => ({
      ...{ kind: kind as LabelledItem["kind"], outlet: outlet!, title: title!, text: text! },
      ...{ wrong: numbersOf(wrong!), right: numbersOf(right!) },
    }))
    .filter(({ title, text }) => isWhole(part) || halfOf(`${title}\n${text}`) === part);

/** A note at a report of something else: the report stays one, and what the note takes back is claimed by nobody. */
const hasNote = ({ text }: LabelledItem): boolean => sentences(text).some((sentence) => takesBack(sentence.text));
/** "2.5 million" is taken back as a number, and as it is written. */
const isOne = (read: number, labelled: number): boolean =>
  read === labelled || [1e3, 1e6, 1e9].includes(labelled / read);

const of = (right: number, all: number): string => `${right} of ${all}`;

/** Figures of one part, by name. */
export function errataScore(part: Part): Map<string, string> {
  const show = part !== "held" && process.env["SHOW"];
  const items = itemsOf(part);
  const read = items.map((item) => ({
    item,
    kind:
      erratumOf({ ...item, sourceId: 1, sourceName: item.outlet, publishedAt: "" }) ??
      (hasNote(item) ? "correction" : "none"),
    ...takenBack([item.title, ...sentences(item.text).map((sentence) => sentence.text)]),
  }));
  if (show)
    for (const { item, kind, wrong } of read) {
      if (kind !== item.kind) console.error(`${kind}, should be ${item.kind}: ${item.title} | ${item.text}`);
      if (item.kind === "correction" && [...wrong].sort().join() !== item.wrong.toSorted().join())
        console.error(`takes back ${[...wrong].join(", ")}, should be ${item.wrong.join(", ")}: ${item.text}`);
    }
  const rows = (["correction", "retraction"] as const).flatMap((kind): [string, string][] => {
    const there = read.filter(({ item }) => item.kind === kind);
    const shown = read.filter((one) => one.kind === kind);
    const right = shown.filter(({ item }) => item.kind === kind).length;
    return [
      [`${kind}s: right among those taken for one`, of(right, shown.length)],
      [`${kind}s: found`, of(right, there.length)],
    ];
  });
  const corrections = read.filter(({ item }) => item.kind === "correction");
  const taken = corrections.flatMap(({ item, wrong }) =>
    [...wrong].map((number) => item.wrong.some((one) => isOne(number, one))),
  );
  const wanted = corrections.flatMap(({ item, wrong }) => item.wrong.map((number) => wrong.has(number)));
  return new Map([
    ["items", String(items.length)],
    ...rows,
    ["numbers taken back: right among them", of(taken.filter(Boolean).length, taken.length)],
    ["numbers taken back: found", of(wanted.filter(Boolean).length, wanted.length)],
  ]);
}

/** `node bench/judgement/errata/score.ts`; with SHOW=1 each miss is told, but for those of `held`. */
if (import.meta.main)
  for (const part of ["tune", "held", ...WHOLE] as const)
    console.log([part, ...[...errataScore(part)].map(([name, value]) => `  ${name}: ${value}`)].join("\n"));
