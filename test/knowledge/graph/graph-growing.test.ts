import * as fc from "fast-check";
import { derivedId } from "../../../core/ids.ts";
import { atOnce, sorted, type Steps } from "../../../core/work/turns.ts";
import type { Judged } from "../../../services/knowledge/graph/judged.ts";
import type { Row } from "../../../services/knowledge/graph/statements/statements.ts";
import { duplicatesIn } from "../../../services/knowledge/graph/resolution/duplicates.ts";
import { viewOf, type GraphView } from "../../../services/knowledge/graph/view.ts";
import { GrowingView } from "../../../services/knowledge/graph/viewing/growing-view.ts";
import { AT, row } from "./rows.ts";

// A view takes up what changes instead of being made anew: it has to come to the same, whatever happened on the way, and
// at a cost of what changed. What a reader comes to see, or no longer sees, is a change like any other.

const NAMES = ["Ivan Petrov", "Petrov", "Anna Berg", "France", "Harwick Port", "Karsk", "Orion Oil", "UN"];
const TYPES = ["person", "person", "person", "country", "facility", "place", "organisation", "organisation"] as const;
const TEXTS = 9;
const SIGHTS = [[], ["a"], ["b"], ["a", "b"]] as const;

const Said = fc.record({
  name: fc.nat(NAMES.length - 1),
  type: fc.nat(NAMES.length),
  passage: fc.nat(2),
  to: fc.nat(NAMES.length - 1),
  relation: fc.constantFrom("met", "works-for", "related-to"),
  identifier: fc.option(fc.nat(1)),
});
type Saying = typeof Said extends fc.Arbitrary<infer T> ? T : never;
const Step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ text: fc.nat(TEXTS - 1), place: fc.nat(3), says: fc.array(Said, { maxLength: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ withdrawn: fc.nat(TEXTS - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      one: fc.tuple(fc.nat(TEXTS - 1), fc.nat(NAMES.length - 1)),
      other: fc.tuple(fc.nat(TEXTS - 1), fc.nat(NAMES.length - 1)),
      verdict: fc.constantFrom("positive" as const, "negative" as const, "unsure" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ separated: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ readInto: fc.nat(3) }) },
);

const idOf = (text: number, name: number): string => derivedId(`document:${text} ${NAMES[name]}`);

function rowsOf(text: number, place: number, says: readonly Saying[]): Row[] {
  const source = `document:${text}`;
  const common = {
    ...{ source, compartments: [...SIGHTS[place]!] },
    createdAt: new Date(Date.parse(AT) + ((text * 7) % TEXTS) * 1_000).toISOString(),
  };
  const rows = says.flatMap(({ name, type, passage, to, relation, identifier }) => {
    const subject = idOf(text, name);
    return [
      row({ ...common, subject, predicate: "name", value: NAMES[name]!, passages: [passage] }),
      row({ ...common, subject, predicate: "type", value: TYPES[type] ?? TYPES[name]! }),
      row({ ...common, subject, predicate: relation, object: idOf((text + (to % 3)) % TEXTS, to) }),
      ...(identifier === null
        ? []
        : [row({ ...common, subject, predicate: "identifier", value: `lei:${identifier}` })]),
    ];
  });
  return [...new Map(rows.map((one) => [one.id, one])).values()];
}

/** All that a view says, to the byte. */
const told = (view: GraphView): string =>
  JSON.stringify([
    view.statements,
    [...view.nodes.values()].map(({ sources, voices, rows, ...node }) => [
      node,
      rows.map(({ id }) => id),
      [...sources],
      [...voices],
      view.edgesOf(node.id).map(({ id }) => id),
      node.ids.map((id) => view.canonicalOf(id)),
    ]),
    view.edges.map(({ voices, rows, ...edge }) => [edge, rows.map(({ id }) => id), [...voices]]),
  ]);

it("a view that follows what is added, withdrawn, judged, separated and read into equals one made anew", () => {
  fc.assert(
    fc.property(fc.array(Step, { minLength: 1, maxLength: 24 }), (steps) => {
      const stored = new Map<number, Row[]>();
      const judged: (Judged & { sight: readonly string[] })[] = [];
      let sight: readonly string[] = ["a"];
      const growing = new GrowingView("set");
      let seen = new Map<string, Row>();
      const earlier: { view: GraphView; was: string }[] = [];
      for (const [at, step] of steps.entries()) {
        if ("says" in step) stored.set(step.text, rowsOf(step.text, step.place, step.says));
        else if ("withdrawn" in step) stored.delete(step.withdrawn);
        else if ("one" in step)
          judged.push({
            ...{ one: idOf(...step.one), other: idOf(...step.other), verdict: step.verdict },
            ...{ at: `${at}`, sight: SIGHTS[at % 4]! },
          });
        else if ("separated" in step) judged.splice(step.separated, 1);
        else sight = SIGHTS[step.readInto]!;
        const sees = (one: readonly string[]) => one.every((compartment) => sight.includes(compartment));
        const now = new Map(
          [...stored.values()]
            .flat()
            .filter(({ compartments }) => sees(compartments))
            .map((one) => [one.id, one]),
        );
        const judgedNow = judged.filter((one) => sees(one.sight)).map(({ sight: _sight, ...one }) => one);
        atOnce(
          growing.change({
            added: [...now.values()].filter(({ id }) => !seen.has(id)),
            removed: [...seen.values()].filter(({ id }) => !now.has(id)),
            judged: judgedNow,
          }),
        );
        seen = now;
        const view = atOnce(growing.frozen());
        const was = told(view);
        expect(was).toBe(told(atOnce(viewOf("set", [...now.values()].reverse(), judgedNow))));
        earlier.push({ view, was });
      }
      // Whoever still has an older view sees what it was.
      for (const { view, was } of earlier) expect(told(view)).toBe(was);
    }),
    { numRuns: Number(process.env["RUNS"] ?? 60) },
  );
});

/** How often statements are looked at: what work costs, whatever the machine does besides. */
class Looks {
  count = 0;
  readonly of = (one: Row): Row => {
    const looked = () => (this.count += 1);
    return Object.defineProperties(
      {} as Row,
      Object.fromEntries(
        Object.entries(one).map(([key, value]) => [key, { enumerable: true, get: () => (looked(), value) }]),
      ) as PropertyDescriptorMap,
    );
  };
  /** The most between two moments at which others may have the loop, and all. */
  through(work: Steps<unknown>): { most: number; all: number } {
    const began = this.count;
    let most = 0;
    for (let before = this.count; !work.next().done; before = this.count) most = Math.max(most, this.count - before);
    return { most, all: this.count - began };
  }
}

/** People in texts of ten, each met by the next. */
function people(text: number): Row[] {
  const source = `document:${text}`;
  const idAt = (at: number) => derivedId(`${source} ${at}`);
  return Array.from({ length: 10 }, (_none, at) => [
    row({ source, subject: idAt(at), predicate: "name", value: `Person${text} Of${at}`, passages: [at] }),
    row({ source, subject: idAt(at), predicate: "type", value: "person" }),
    ...(at ? [row({ source, subject: idAt(at), predicate: "met", object: idAt(at - 1) })] : []),
  ]).flat();
}

/** How often maps and sets are asked or filled between two moments at which others may have the loop, at the most. */
function mostBetween(work: Steps<unknown>): number {
  let [count, most] = [0, 0];
  const methods = [
    [Map.prototype, "get"],
    [Map.prototype, "has"],
    [Map.prototype, "set"],
    [Set.prototype, "has"],
    [Set.prototype, "add"],
  ] as const;
  const before = methods.map(([of, name]) => (of as unknown as Record<string, Function>)[name]!);
  const put = (of: object, name: string, value: Function) =>
    Object.defineProperty(of, name, { value, configurable: true, writable: true });
  try {
    for (const [at, [of, name]] of methods.entries())
      put(of, name, function (this: unknown, ...given: unknown[]) {
        count += 1;
        return before[at]!.apply(this, given);
      });
    for (let done = false; !done; most = Math.max(most, count)) {
      count = 0;
      done = work.next().done === true;
    }
  } finally {
    for (const [at, [of, name]] of methods.entries()) put(of, name, before[at]!);
  }
  return most;
}

it("no step of making a view copies all that there is", () => {
  const [few, many] = [40, 400].map((texts) => {
    const growing = new GrowingView("set");
    const added = Array.from({ length: texts }, (_none, text) => people(text)).flat();
    const made = mostBetween(growing.change({ added }));
    return Math.max(made, mostBetween(growing.frozen()));
  });
  expect(many).toBeLessThanOrEqual(Math.max(few!, 1_000));
});

it("what is sorted in steps is sorted as in one go, and what is alike stays in its order", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 9_000 }), (seed, length) => {
      let state = Math.abs(seed) + 1;
      const items = Array.from({ length }, (_none, at) => ({
        at,
        key: (state = (state * 16_807) % 2_147_483_647) % 50,
      }));
      const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;
      expect(atOnce(sorted(items, byKey))).toEqual(items.toSorted(byKey));
    }),
    { numRuns: 20 },
  );
});

it("making a view and changing it lets others have the loop as often, however much there is", () => {
  const costs = [40, 400].map((texts) => {
    const looks = new Looks();
    const growing = new GrowingView("set");
    const all = Array.from({ length: texts }, (_none, text) => people(text)).flat();
    const made = looks.through(growing.change({ added: all.map(looks.of) }));
    atOnce(growing.frozen());
    const text = people(texts).map(looks.of);
    const added = looks.through(growing.change({ added: text }));
    const removed = looks.through(growing.change({ removed: text }));
    return { made, added, removed };
  });
  const [few, many] = costs as [(typeof costs)[0], (typeof costs)[0]];
  expect(many.made.most).toBeLessThanOrEqual(Math.max(few.made.most, 1_000));
  expect(many.made.all / few.made.all).toBeLessThan(11);
  for (const change of ["added", "removed"] as const) {
    // But for the comparisons of a sort.
    expect(many[change].all / few[change].all).toBeLessThan(1.2);
    expect(many[change].most).toBeLessThan(200);
  }
});

it("what may be the same is looked for among what is new: nothing that stayed as it was is made ready again", () => {
  const looks = new Looks();
  const growing = new GrowingView("set");
  const all = Array.from({ length: 60 }, (_none, text) => people(text)).flat();
  atOnce(growing.change({ added: all.map(looks.of) }));
  const first = looks.through(duplicatesIn(atOnce(growing.frozen()), []));
  atOnce(growing.change({ added: people(60).map(looks.of) }));
  const view = atOnce(growing.frozen());
  const then = looks.through(duplicatesIn(view, []));
  expect(then.all).toBeLessThan(first.all / 20);
  const anew = atOnce(viewOf("set", [...all, ...people(60)], []));
  const pairs = (found: GraphView) =>
    atOnce(duplicatesIn(found, [])).candidates.map(({ one, other, why, weight }) => [one.id, other.id, why, weight]);
  expect(pairs(view)).toEqual(pairs(anew));
});
