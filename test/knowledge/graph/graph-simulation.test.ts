import { derivedId } from "../../../core/ids.ts";
import { atOnce } from "../../../core/work/turns.ts";
import { duplicatesIn } from "../../../services/knowledge/graph/resolution/duplicates.ts";
import {
  judgedCompartments,
  judgedOf,
  keepingApart,
  pairsOf,
  takenBack,
  type Judgement,
} from "../../../services/knowledge/graph/resolution/judgements.ts";
import type { Row } from "../../../services/knowledge/graph/statements/statements.ts";
import { viewOf, type GraphView } from "../../../services/knowledge/graph/view.ts";
import { AT, row } from "./rows.ts";

// Documents come and go, entities are merged and separated, by readers of several compartments. Nobody's graph may tell
// of what they do not see (nothing leaks), and what is taken back leaves no trace (nothing is lost).

const SCHEDULES = Number(process.env["SCHEDULES"] ?? 100);
const ONE = process.env["SEED"];
const STEPS = 16;
const SIGHTS = [[], ["a"], ["b"], ["a", "b"]] as const;
const NAMES = ["Ivan Petrov", "Petrov", "Anna Berg", "I. Petrov", "Harwick Port", "Anna Bergh"];

/** The same numbers for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = (seed + 1) * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 4_294_967_296) * below);
  };
}

interface World {
  rows: Map<string, Row[]>;
  judgements: Map<string, Judgement>;
}
const sees = (sight: readonly string[], { compartments }: { compartments: readonly string[] }): boolean =>
  compartments.every((one) => sight.includes(one));
const judgementsOf = ({ judgements }: World, sight: readonly string[]): Judgement[] =>
  [...judgements.values()].filter((one) => sees(sight, one));
function graphOf(world: World, sight: readonly string[]): GraphView {
  const rows = [...world.rows.values()].flat().filter((one) => sees(sight, one));
  return atOnce(viewOf("set", rows, judgementsOf(world, sight).flatMap(pairsOf)));
}
/** All that a reader is told, to the byte. */
function told(world: World, sight: readonly string[]): string {
  const view = graphOf(world, sight);
  const judged = judgementsOf(world, sight);
  const { candidates } = atOnce(duplicatesIn(view, judged.flatMap(pairsOf)));
  return JSON.stringify([
    [...view.nodes.values()].map(({ rows, sources, voices, ...node }) => [
      node,
      rows.length,
      sources.size,
      voices.size,
    ]),
    view.edges.map(({ rows, voices, ...edge }) => [edge, rows.length, voices.size]),
    candidates.map(({ one, other, ambiguous, ...rest }) => [one.id, other.id, ambiguous.map(({ id }) => id), rest]),
    judged.map(({ entities, verdict }) => [entities, verdict]),
  ]);
}

/** What a document says: a few names, and something between two of them. */
function documentOf(nth: number, draw: (below: number) => number): Row[] {
  const source = `document:${nth}`;
  const compartments = [...SIGHTS[draw(SIGHTS.length)]!];
  const createdAt = new Date(Date.parse(AT) + nth * 1_000).toISOString();
  const common = { source, compartments, createdAt };
  const names = [...new Set([draw(NAMES.length), draw(NAMES.length), draw(NAMES.length)])].map((at) => NAMES[at]!);
  const idOf = (name: string): string => derivedId(`${source} ${name}`);
  return [
    ...names.flatMap((value) => [
      row({ ...common, subject: idOf(value), predicate: "name", value, passages: [draw(2)] }),
      row({
        ...common,
        subject: idOf(value),
        predicate: "type",
        value: value.includes("Port") ? "facility" : "person",
      }),
    ]),
    ...(names.length > 1
      ? [row({ ...common, subject: idOf(names[0]!), predicate: "met", object: idOf(names[1]!) })]
      : []),
  ];
}

type Change = (world: World) => void;
interface Act {
  compartments: readonly string[];
  does: Change;
}

function judgement(world: World, nth: number, draw: (below: number) => number): Act | null {
  const sight = SIGHTS[draw(SIGHTS.length)]!;
  const nodes = [...graphOf(world, sight).nodes.values()];
  if (nodes.length < 2) return null;
  const at = draw(nodes.length);
  const chosen = [nodes[at]!, nodes[(at + 1 + draw(nodes.length - 1)) % nodes.length]!];
  const verdict = draw(4) ? ("positive" as const) : ("negative" as const);
  if (verdict === "positive" && keepingApart(judgementsOf(world, sight), chosen).length) return null;
  const compartments = judgedCompartments(chosen);
  const entities = judgedOf(chosen, graphOf(world, compartments));
  // Whoever sees the judgement, and nothing more, knows already what it takes for one entity.
  const seen = graphOf(world, compartments);
  for (const { ids } of entities)
    if (new Set(ids.map((id) => seen.canonicalOf(id))).size > 1)
      throw new Error("A judgement tells of a hidden merge.");
  const decidedAt = new Date(Date.parse(AT) + nth * 1_000).toISOString();
  const made = { id: `judgement ${nth}`, compartments, entities, verdict, decidedBy: "ann", decidedAt, former: [] };
  return { compartments, does: ({ judgements }) => void judgements.set(made.id, made as never) };
}

/** Somebody ties two entities of what they see together, in compartments of theirs. */
function tie(world: World, nth: number, draw: (below: number) => number): Act | null {
  const sight = SIGHTS[draw(SIGHTS.length)]!;
  const visible = [...world.rows.values()].flat().filter((one) => one.predicate === "name" && sees(sight, one));
  if (visible.length < 2) return null;
  const [one, other] = [visible[draw(visible.length)]!, visible[draw(visible.length)]!];
  const source = `person:${nth}`;
  const common = { source, compartments: [...sight], createdAt: one.createdAt };
  const rows = [row({ ...common, subject: one.subject, predicate: "met", object: other.subject })];
  return { compartments: sight, does: (at) => void at.rows.set(source, rows) };
}

/** Whatever happens next; null where nothing can. */
function next(world: World, nth: number, draw: (below: number) => number): Act | null {
  const kind = draw(10);
  if (kind < 4 || world.rows.size < 2) {
    const rows = documentOf(nth, draw);
    return { compartments: rows[0]!.compartments, does: (one) => void one.rows.set(rows[0]!.source, rows) };
  }
  if (kind === 4) return tie(world, nth, draw);
  if (kind < 8) return judgement(world, nth, draw);
  if (kind === 8) {
    const source = [...world.rows.keys()][draw(world.rows.size)]!;
    return { compartments: world.rows.get(source)![0]!.compartments, does: (one) => void one.rows.delete(source) };
  }
  const all = [...world.judgements.values()].filter(({ verdict }) => verdict !== "withdrawn");
  if (!all.length) return null;
  const { id, compartments } = all[draw(all.length)]!;
  const back = { leave: draw(2) ? ("negative" as const) : ("nothing" as const), by: "ben", at: AT };
  return {
    compartments,
    does: ({ judgements }) => {
      const known = judgements.get(id);
      if (known) judgements.set(id, { ...known, ...takenBack(known, back) } as Judgement);
    },
  };
}

function run(seed: number): void {
  const draw = drawing(seed);
  const world: World = { rows: new Map(), judgements: new Map() };
  const acts: Act[] = [];
  for (let nth = 0; nth < STEPS; nth += 1) {
    const act = next(world, nth, draw);
    if (!act) continue;
    act.does(world);
    acts.push(act);
  }
  for (const sight of SIGHTS) {
    // The same without all that this reader does not see: as if it had never been.
    const bare: World = { rows: new Map(), judgements: new Map() };
    for (const act of acts) if (sees(sight, act)) act.does(bare);
    const mine = told(world, sight);
    if (mine !== told(bare, sight))
      throw new Error(`Schedule ${seed}: ${JSON.stringify(sight)} is told of hidden things.`);
    for (const { entities } of judgementsOf(world, sight)) {
      const known = new Set([...bareRows(acts, sight)].map(({ subject }) => subject));
      const beyond = entities.flatMap(({ ids }) => ids).filter((id) => !known.has(id));
      if (beyond.length)
        throw new Error(`Schedule ${seed}: a judgement names what ${JSON.stringify(sight)} never saw.`);
    }
    // A merge and its separation leave nothing.
    const before = told(world, sight);
    const merged = judgement(world, STEPS, drawing(seed + 7));
    if (!merged) continue;
    merged.does(world);
    const back = takenBack(world.judgements.get(`judgement ${STEPS}`)!, { leave: "nothing", by: "ann", at: AT });
    world.judgements.set(`judgement ${STEPS}`, {
      ...world.judgements.get(`judgement ${STEPS}`)!,
      ...back,
    } as Judgement);
    const made = world.judgements.get(`judgement ${STEPS}`)!;
    world.judgements.delete(made.id);
    const after = { rows: world.rows, judgements: new Map([...world.judgements, [made.id, made]]) };
    const without = JSON.stringify(JSON.parse(told(after, sight)).slice(0, 3));
    if (without !== JSON.stringify(JSON.parse(before).slice(0, 3)))
      throw new Error(`Schedule ${seed}: a separation left a trace.`);
  }
}

/** Every statement that a reader could ever have seen in a schedule. */
function bareRows(acts: readonly Act[], sight: readonly string[]): Row[] {
  const all: Row[] = [];
  const rows = { set: (_key: string, given: Row[]) => void all.push(...given), delete: () => undefined };
  const judgements = { set: () => undefined, get: () => undefined };
  for (const act of acts) if (sees(sight, act)) act.does({ rows, judgements } as never);
  return all;
}

it(`loses nothing and tells nobody of hidden things, in ${ONE ? `schedule ${ONE}` : `${SCHEDULES} schedules`}`, () => {
  for (const seed of ONE ? [Number(ONE)] : Array.from({ length: SCHEDULES }, (_, nth) => nth)) run(seed);
}, 600_000);
