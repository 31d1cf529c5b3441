import { setImmediate as nextTurn } from "node:timers/promises";
import { derivedId } from "../../../core/ids.ts";
import { atOnce, inTurns } from "../../../core/work/turns.ts";
import { ActorIndex, actorsIn } from "../../../services/knowledge/graph/actors/searching.ts";
import { extractGraph } from "../../../services/knowledge/graph/build/extraction.ts";
import type { Row } from "../../../services/knowledge/graph/statements/statements.ts";
import { duplicatesIn } from "../../../services/knowledge/graph/resolution/duplicates.ts";
import { viewOf } from "../../../services/knowledge/graph/view.ts";
import { GrowingView } from "../../../services/knowledge/graph/viewing/growing-view.ts";
import { score, SETS, type Figure } from "../../judgement/graph/score.ts";
import { many, median, round } from "../../measure.ts";

const ACTORS = many(50_000, 500);
const ASKED = many(1_000, 20);
const SYLLABLES =
  "ka lo mi ta re su no vi pa do ze ri ba le mo tu si fa ne go ha wi jo ru de ma ol an er in ov ski ich son berg".split(
    " ",
  );

/** The same numbers in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 16_807) % 2_147_483_647) % below;
}

function word(roll: (below: number) => number): string {
  const text = Array.from({ length: 2 + roll(2) }, () => SYLLABLES[roll(SYLLABLES.length)]).join("");
  return text[0]!.toUpperCase() + text.slice(1);
}

const OF_A_TEXT = 50;
type Text = (text: number) => Row[];

/** People in texts of fifty, each met by the next. */
function texts(): Text {
  const roll = dice(7);
  const first = Array.from({ length: 2_000 }, () => word(roll));
  const last = Array.from({ length: 12_000 }, () => word(roll));
  return (text) => {
    const source = `document:${text}`;
    const rows: Row[] = [];
    let before: string | undefined;
    for (let at = text * OF_A_TEXT; at < (text + 1) * OF_A_TEXT; at += 1) {
      const name = `${first[roll(first.length)]} ${last[roll(last.length)]}`;
      const subject = derivedId(`${source}/${name}/${at}`);
      const said = (predicate: Row["predicate"], rest: Partial<Row>): Row => ({
        ...{ id: derivedId(`${at}/${predicate}`), problemSetId: "set", compartments: [], subject, predicate },
        ...{ confidence: 0.8, method: "heuristic", source, voice: source, times: 1, passages: [at % OF_A_TEXT] },
        ...{ observedAt: "2026-01-01T00:00:00.000Z", createdAt: "2026-01-01T00:00:00.000Z" },
        ...rest,
      });
      rows.push(said("name", { value: name }), said("type", { value: "person" }));
      if (before) rows.push(said("met", { object: before }));
      before = subject;
    }
    return rows;
  };
}

/** One letter less, two changed round, or one more: as people type. */
function mistyped(name: string, roll: (below: number) => number): string {
  const at = 1 + roll(name.length - 2);
  const kind = roll(3);
  if (kind === 0) return name.slice(0, at) + name.slice(at + 1);
  if (kind === 1) return name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
  return `${name.slice(0, at)}e${name.slice(at)}`;
}

const spent = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** The longest turns of the loop while work goes on, the longest first: processor time of this thread. */
async function turnsOf(work: Promise<unknown>): Promise<number[]> {
  const turns: number[] = [];
  const state = { done: false };
  void work.finally(() => (state.done = true));
  for (let before = process.threadCpuUsage(); !state.done;) {
    await nextTurn();
    const { user, system } = process.threadCpuUsage(before);
    turns.push((user + system) / 1_000);
    before = process.threadCpuUsage();
  }
  return turns.sort((one, other) => other - one);
}

/** What it costs that a text comes to a view of so many statements, or goes, until the next reader has the view. */
async function changes(text: Text, statements: number): Promise<{ added: number; removed: number }> {
  const growing = new GrowingView("set");
  const count = Math.max(1, Math.round(statements / (3 * OF_A_TEXT)));
  await inTurns(growing.change({ added: Array.from({ length: count }, (_none, at) => text(at)).flat() }));
  await inTurns(growing.frozen());
  const times: { added: number[]; removed: number[] } = { added: [], removed: [] };
  for (let run = 0; run < many(11); run += 1) {
    const rows = text(count + run);
    for (const way of ["added", "removed"] as const) {
      const began = process.cpuUsage();
      await inTurns(growing.change({ [way]: rows }));
      (await inTurns(growing.frozen())).canonicalOf(rows[0]!.subject);
      times[way].push(spent(began));
    }
  }
  return { added: median(times.added), removed: median(times.removed) };
}

/** Actors among many, views of many statements, and texts read. */
export async function graph(): Promise<string> {
  // As the store gives them.
  const text = texts();
  const rows = Array.from({ length: ACTORS / OF_A_TEXT }, (_none, at) => text(at))
    .flat()
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  let began = process.cpuUsage();
  const making = inTurns(viewOf("set", rows, []));
  const turns = await turnsOf(making);
  const view = await making;
  const viewMs = spent(began);
  const near = await turnsOf(inTurns(duplicatesIn(view, [])));
  began = process.cpuUsage();
  const index = atOnce(ActorIndex.of(actorsIn(view)));
  const indexMs = spent(began);
  const roll = dice(11);
  const nodes = [...view.nodes.values()];
  const [times, found]: [number[], boolean[]] = [[], []];
  for (let asked = 0; asked < ASKED; asked += 1) {
    const node = nodes[roll(nodes.length)]!;
    const question = mistyped(node.name, roll);
    began = process.cpuUsage();
    const hits = index.search(question, 10);
    times.push(spent(began));
    found.push(hits.some(({ actor }) => actor.name === node.name));
  }
  const sorted = times.toSorted((one, other) => one - other);
  const [small, large] = [await changes(texts(), 1_000), await changes(texts(), many(100_000, 1_000))];
  const report = Array.from(
    { length: many(200, 2) },
    (_none, at) =>
      `Colonel Marek Dvorak of the ${at}th Brigade met Anna Berg in Geneva, and Northern Steel Company fell.`,
  ).join(" ");
  const reading = Array.from({ length: many(9) }, () => {
    began = process.cpuUsage();
    atOnce(extractGraph(report));
    return spent(began);
  });
  const sets = SETS.map((half) => score(half));
  const row = (what: string, figure: Figure, aim = "") =>
    `| ${what} | ${sets.map((one) => (Number(one[figure]) ? one[figure] : "")).join(" | ")} | ${aim} |`;
  return `## The graph

Milliseconds of CPU of this process. ${ACTORS} actors, ${rows.length} statements.

| What | ms | aim |
|---|---|---|
| an actor by a mistyped name: median | ${round(median(times), 2)} | |
| the same, 99 of 100 | ${round(sorted[Math.floor(sorted.length * 0.99)]!, 2)} | 10 |
| the longest turn of the loop while the view is made | ${round(turns[0]!)} | 50 |
| the same, 99 of 100 turns | ${round(turns[Math.floor(turns.length / 100)]!)} | |
| the longest turn while what may be the same is looked for | ${round(near[0]!)} | 50 |
| a view of all statements, made the first time, in turns | ${round(viewMs)} | |
| a text of ${OF_A_TEXT * 3 - 1} statements comes, at 1,000 statements and at 100,000 | ${round(small.added, 2)}, ${round(large.added, 2)} | |
| it goes | ${round(small.removed, 2)}, ${round(large.removed, 2)} | |
| the index of its actors | ${round(indexMs)} | |
| a text of ${report.length} characters read | ${round(median(reading))} | |

Found among the first ten: ${round((100 * found.filter(Boolean).length) / found.length)} of 100.

| Labelled texts, F1 | tune, 12 | held, 12 | news, 61 | stranger, 40 | second, 40 | aim |
|---|---|---|---|---|---|---|
${row("names", "spans", ".78")}
${row("with their type", "typed", ".58")}
${row("mentions of one entity joined", "joins", ".80")}
${row("related pairs", "pairs", ".42")}
${row("precision of pairs", "pairsPrecision")}
${row("recall of pairs", "pairsRecall")}
${row("with the relation, from the right end", "relations")}
${row("precision of these", "relationsPrecision")}
${row("pairs, were all of one sentence related", "sentence")}

Those of strangers were written and labelled by people who saw no code; nobody who wrote rules has read the second.
`;
}
