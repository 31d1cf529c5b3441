import fc from "fast-check";
import { strayIn } from "../../core/contract/documents/schema-paths.ts";
import { checkCondition, conditionHolds } from "../../services/staff/orchestration/workflows/conditions.ts";
import { forbidden, notFound, overloaded } from "../../core/problem.ts";
import { failureOf, nextAttempt } from "../../services/staff/orchestration/executions/stepping.ts";
import { newId } from "../../core/ids.ts";
import type { Execution } from "../../services/staff/orchestration/executions/executions.ts";
import { draftOf } from "../../services/staff/orchestration/executions/step-drafts.ts";
import { itemScope, rootScope, type WorkflowScope } from "../../services/staff/orchestration/executions/scopes.ts";
import {
  Definition,
  type MapStep,
  type StepOutcome,
  type StepDefinition,
  type ToolStep,
  type Workflow,
} from "../../services/staff/orchestration/workflows/definitions.ts";
import { workflowGraph } from "../../services/staff/orchestration/workflows/graph.ts";
import { edgeState, Joins, type Fate } from "../../services/staff/orchestration/workflows/joins.ts";
import { Missing, resolved } from "../../services/staff/orchestration/workflows/references.ts";

// The rules of workflows by themselves: joins over any graph in any order, references, conditions.

type Ended = Exclude<Fate, "begun" | "skipped" | "cancelled">;
interface Drawn {
  steps: StepDefinition[];
  /** What each step comes to, should it run. */
  fates: Ended[];
}

const OUTCOMES: readonly StepOutcome[] = ["done", "then", "else", "error"];
/** Any graph without cycles: edges lead from earlier steps to later ones. */
const drawn = (joins: readonly ("all" | "first")[]): fc.Arbitrary<Drawn> =>
  fc.integer({ min: 1, max: 12 }).chain((count) =>
    fc.record({
      fates: fc.array(fc.constantFrom<Ended>("done", "then", "else", "error", "done"), {
        minLength: count,
        maxLength: count,
      }),
      steps: fc
        .tuple(
          ...Array.from({ length: count }, (_, at) =>
            fc.record({
              after: at
                ? fc.uniqueArray(
                    fc.record({ step: fc.integer({ min: 0, max: at - 1 }), on: fc.constantFrom(...OUTCOMES) }),
                    { maxLength: 3, selector: ({ step, on }) => `${step} ${on}` },
                  )
                : fc.constant([] as { step: number; on: StepOutcome }[]),
              join: fc.constantFrom(...joins),
            }),
          ),
        )
        .map((all) =>
          all.map(({ after, join }, at) => ({
            id: `s${at}`,
            kind: "wait",
            ms: 0,
            join,
            onError: "branch",
            after: after.map(({ step, on }) => ({ step: `s${step}`, on })),
          })),
        ) as fc.Arbitrary<StepDefinition[]>,
    }),
  );

/** Runs a graph to its end, the next to begin or to end chosen by `pick`. */
function run({ steps, fates }: Drawn, pick: (options: number) => number) {
  const graph = workflowGraph(steps);
  const joins = new Joins(graph);
  const begun: string[] = [];
  const told: string[] = [];
  const under = (): string[] => [...joins.fates].flatMap(([id, fate]) => (fate === "begun" ? [id] : []));
  for (;;) {
    const options = [...[...joins.ready].map((id) => ["begin", id]), ...under().map((id) => ["end", id])];
    if (!options.length) break;
    const [act, id] = options[pick(options.length)]!;
    if (act === "begin") {
      const unknown = graph.into.get(id!)!.filter(({ from, on }) => edgeState(joins.fate(from), on) === "unknown");
      if (graph.steps.get(id!)!.join === "all") expect(unknown).toEqual([]);
      joins.begin(id!);
      told.push(id!);
      begun.push(id!);
    } else joins.end(id!, fates[Number(id!.slice(1))]!);
  }
  return { graph, joins, begun };
}
const picks = fc.infiniteStream(fc.nat());
const chosen = (stream: Stream): ((options: number) => number) => {
  const iterator = stream[Symbol.iterator]();
  return (options) => iterator.next().value % options;
};
type Stream = fc.Stream<number>;

describe("joins", () => {
  it("come to the same in whatever order steps end, each step once, and to an end", () => {
    fc.assert(
      fc.property(drawn(["all"]), picks, picks, (graph, one, other) => {
        const [first, second] = [run(graph, chosen(one)), run(graph, chosen(other))];
        expect(first.joins.isOver).toBe(true);
        expect(new Set(first.begun).size).toBe(first.begun.length);
        expect(Object.fromEntries(first.joins.fates)).toEqual(Object.fromEntries(second.joins.fates));
        for (const [id, fate] of first.joins.fates) {
          const edges = first.graph.into.get(id)!.map(({ from, on }) => edgeState(first.joins.fate(from), on));
          const isRun = edges.length === 0 || edges.includes("taken");
          expect(fate === "skipped").toBe(!isRun);
        }
      }),
    );
  });

  it("that take the first cancel only what leads nowhere else, and begin once", () => {
    fc.assert(
      fc.property(drawn(["all", "first"]), picks, (graph, stream) => {
        const { joins, begun, graph: known } = run(graph, chosen(stream));
        expect(joins.isOver).toBe(true);
        expect(new Set(begun).size).toBe(begun.length);
        for (const [id, fate] of joins.fates) {
          if (fate !== "cancelled") continue;
          const next = known.outOf.get(id)!;
          expect(next.length).toBeGreaterThan(0);
          // Nothing that is left to run was waiting for it.
          for (const after of next) expect(joins.fate(after)).toBeDefined();
        }
      }),
    );
  });

  it("that began without a step leave it no reader, whichever of them has ended", () => {
    const step = (id: string, ...from: string[]): StepDefinition =>
      ({
        id,
        kind: "wait",
        ms: 0,
        join: "first",
        onError: "branch",
        after: from.map((at) => ({ step: at, on: "done" })),
      }) as never;
    const known = workflowGraph([
      step("quick"),
      step("slow"),
      step("one", "quick", "slow"),
      step("other", "quick", "slow"),
    ]);
    const joins = new Joins(known);
    for (const id of ["quick", "slow"]) joins.begin(id);
    joins.end("quick", "done");
    joins.begin("one");
    expect(joins.fate("slow")).toBe("begun");
    joins.begin("other");
    expect(joins.fate("slow")).toBe("cancelled");
    expect(joins.left).toEqual(["slow"]);
  });

  it("go on after a kill as if nothing had happened: what was stored says it all", () => {
    fc.assert(
      fc.property(drawn(["all", "first"]), picks, fc.nat(), (graph, stream, cut) => {
        const pick = chosen(stream);
        const known = workflowGraph(graph.steps);
        let joins = new Joins(known);
        for (let turn = 0; turn < 200; turn++) {
          const under = [...joins.fates].flatMap(([id, fate]) => (fate === "begun" ? [id] : []));
          const options = [...[...joins.ready].map((id) => ["begin", id]), ...under.map((id) => ["end", id])];
          if (!options.length) break;
          const [act, id] = options[pick(options.length)]!;
          if (act === "begin") joins.begin(id!);
          else joins.end(id!, graph.fates[Number(id!.slice(1))]!);
          if (turn % ((cut % 5) + 1)) continue;
          // What is skipped, or was cancelled before it began, has no record: it follows from the others.
          const records = [...joins.fates].filter(([, fate]) => fate !== "skipped" && fate !== "cancelled");
          const again = new Joins(known, records);
          const open = ({ fates }: Joins) =>
            Object.fromEntries([...fates].filter(([, fate]) => fate !== "skipped" && fate !== "cancelled"));
          expect(open(again)).toEqual(open(joins));
          expect([...again.ready].toSorted()).toEqual([...joins.ready].toSorted());
          joins = again;
        }
        expect(joins.isOver).toBe(true);
      }),
    );
  });
});

describe("values", () => {
  it("are handed on whole, wherever the reference stands, and text never becomes a reference", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const scope = { input: { [name]: value }, steps: {} };
        const pointer = `/input/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        expect(resolved({ a: [{ $ref: pointer }] }, scope)).toEqual({
          a: [Object.hasOwn(scope.input, name) ? value : null],
        });
        expect(resolved(JSON.stringify({ $ref: pointer }), scope)).toBe(JSON.stringify({ $ref: pointer }));
      }),
    );
  });

  it("that are missing fail loudly, unless something stands in for them; nothing is inherited", () => {
    const scope = { input: {}, steps: { a: { output: [1] } } };
    expect(() => resolved({ $ref: "/steps/a/output/1" }, scope)).toThrow(Missing);
    expect(() => resolved({ $ref: "/input/constructor" }, scope)).toThrow(Missing);
    expect(resolved({ $ref: "/steps/a/output/1", default: null }, scope)).toBeNull();
    expect(resolved({ $ref: "/steps/a/output/0" }, scope)).toBe(1);
  });
});

describe("conditions", () => {
  it.each([
    ["steps.a.output.n > 3 && input.go", []],
    ["steps['a'].output.list.exists(x, x.n == 2)", []],
    ["steps.a.output + 1", ["It comes to int"]],
    ["input.text.matches('(a+)+$')", ["`matches`"]],
    ["input.a.all(x, input.b.exists(y, x == y))", ["A loop within a loop"]],
    ["input.a.all(x, x in input.b)", ["nothing is looked for"]],
    ["size(steps) > 1", ["Name a step"]],
    ["1 + 'a' == 2", ["no such overload"]],
    ["nothing == 1", ["Unknown variable"]],
    ["steps.a.outcome == 1", ["`steps.a.output` is spoken of, not outcome"]],
    [`${"true && ".repeat(63)}true`, ["characters"]],
    [`${"!".repeat(300)}true`, [""]],
  ])("%.60s", (text, faults) => {
    const found = checkCondition(text).faults;
    expect(found.length).toBe(faults.length);
    for (const [at, words] of faults.entries()) expect(found[at]).toContain(words);
  });

  it("say what they say, and fail loudly for what is not there, or no bool", () => {
    const scope = { input: { go: true, n: 5 }, steps: { a: { output: { n: 4 } } }, index: 1 };
    expect(conditionHolds("steps.a.output.n > 3 && input.go && index == 1", scope)).toBe(true);
    expect(conditionHolds("input.n < 5", scope)).toBe(false);
    expect(() => conditionHolds("steps.a.output.m > 3", scope)).toThrow(/No such key/);
    expect(() => conditionHolds("input.n", scope)).toThrow(/bool/);
  });
});

describe("what a condition speaks of", () => {
  it.each<[string, string[]]>([
    ["steps.a.output.b[0]['c d'] == input.x", ["input.x", "steps.a.output.b.0.c d"]],
    ["has(steps.a.output.b) && size(steps['a-b'].output) > 0", ["steps.a-b.output", "steps.a.output.b"]],
    [
      "steps.a.output.b.exists(m, m.c == 1 && m.d[1].e)",
      ["steps.a.output.b", "steps.a.output.b.0.c", "steps.a.output.b.0.d.1.e"],
    ],
    ["steps.a.output.b.filter(m, m.c)[2].d == 1", ["steps.a.output.b", "steps.a.output.b.0.c", "steps.a.output.b.2.d"]],
    ["steps.a.output.b.exists(m, m == 'c')", ["steps.a.output.b"]],
    [
      "steps.a.output.b[index].c || steps.a.output[input.n]",
      ["index", "input.n", "steps.a.output", "steps.a.output.b"],
    ],
    ["cel.bind(x, steps.a.output.b, x[0].c == 2)", ["steps.a.output.b", "steps.a.output.b.0.c"]],
    ["input.list.exists(steps, steps.b.output)", ["input.list", "input.list.0.b.output"]],
    ["(input.x ? steps.a.output : steps.b.output).c", ["input.x", "steps.a.output", "steps.b.output"]],
    ["item.a > index", ["index", "item.a"]],
  ])("%s", (text, paths) => {
    expect(
      checkCondition(text)
        .paths.map((path) => path.join("."))
        .sort(),
    ).toEqual(paths.sort());
  });

  /** The narrowest schema that has a value. */
  const shapeOf = (value: unknown): object => {
    if (Array.isArray(value)) return { type: "array", prefixItems: value.map(shapeOf), items: false };
    if (value === null || typeof value !== "object") return { type: "string" };
    const own = Object.entries(value).map(([name, one]) => [name, shapeOf(one)]);
    return { type: "object", properties: Object.fromEntries(own), additionalProperties: false };
  };
  const NAMES = ["a", "b", "size", "has", "in it", "it's"];
  const { value: answers } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant("text"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 4 }),
    ),
  }));
  const key = fc.oneof(fc.constantFrom(...NAMES), fc.nat(2));
  const spelt = (at: string | number): string =>
    typeof at === "number" ? `[${at}]` : /^[ab]$/.test(at) ? `.${at}` : `[${JSON.stringify(at)}]`;

  it("is refused just where the answer never has it", () => {
    fc.assert(
      fc.property(answers, fc.array(key, { minLength: 1, maxLength: 4 }), (output, path) => {
        const read = `steps.s.output${path.map(spelt).join("")}`;
        const text = `${read} == ${read}`;
        const [said] = checkCondition(text).paths;
        expect(said).toEqual(["steps", "s", "output", ...path.map(String)]);
        const isThere = (): boolean => {
          try {
            return conditionHolds(text, { input: {}, steps: { s: { output } } });
          } catch {
            return false;
          }
        };
        expect(strayIn(shapeOf(output), said!.slice(3)) === undefined).toBe(isThere());
      }),
    );
  });
});

describe("attempts", () => {
  const step = { retry: { attempts: 3, firstMs: 1_000 } } as ToolStep;
  it("are made again for what may pass, later each time, and not for what was refused", () => {
    expect(failureOf(notFound("mission", "x"))).toEqual({ failed: "NOT_FOUND", why: expect.any(String) });
    expect(failureOf(forbidden("No."))).not.toHaveProperty("mayPass");
    expect(failureOf(overloaded("Later.", 7))).toMatchObject({ mayPass: true, retryAfterMs: 7_000 });
    expect(failureOf(new Error("secret"))).toMatchObject({ failed: "INTERNAL", mayPass: true });
    expect(JSON.stringify(failureOf(new Error("secret")))).not.toContain("secret");
    const after = (attempt: number, retryAfterMs?: number) => {
      const due = nextAttempt(step, attempt, retryAfterMs, 0);
      return due && Date.parse(due);
    };
    for (let n = 0; n < 50; n++) {
      expect(after(1)).toBeGreaterThanOrEqual(750);
      expect(after(1)).toBeLessThanOrEqual(1_000);
      expect(after(2)).toBeLessThanOrEqual(2_000);
    }
    expect(after(2, 7_000)).toBe(7_000);
    expect(after(3)).toBeNull();
  });
});

it("records of a run have keys of their own that lie side by side, in the order of its steps", () => {
  const wait = (id: string, after: string[] = []): object => ({ id, kind: "wait", ms: 0, after });
  const inner = [wait("one"), wait("two", ["one"])];
  const nested = { id: "each", kind: "map", over: [1, 2], steps: inner };
  const { steps } = Definition.parse({
    name: "Keys",
    steps: [wait("first"), { id: "all", kind: "map", over: [1, 2], after: ["first"], steps: [wait("in"), nested] }],
  }) as Workflow;
  const before = { compartments: [], isTainted: false };
  const root = rootScope({ steps } as Workflow, {}, before, new Map());
  const map = root.graph.steps.get("all") as MapStep;
  const items = [0, 1].map((index) => itemScope(root, map, null, index, new Map()));
  const innermost = [0, 1].map((index) =>
    itemScope(items[1]!, items[1]!.graph.steps.get("each") as MapStep, null, index, new Map()),
  );
  const run = { id: newId(), problemSetId: "set", by: "ann" } as Execution;
  const idOf = (scope: WorkflowScope, id: string): string =>
    draftOf(run, scope, scope.graph.steps.get(id)!, before, 0).id;
  const outer = [
    [root, "first"],
    [root, "all"],
    ...items.flatMap((item) => [
      [item, "in"],
      [item, "each"],
    ]),
  ] as const;
  const ids = outer.map(([scope, id]) => idOf(scope as WorkflowScope, id as string));
  expect(ids).toEqual(ids.toSorted());
  expect(ids).toEqual(
    ids.map(() => expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)),
  );
  expect(ids.every((id) => id.slice(0, 13) === run.id.slice(0, 13))).toBe(true);
  const all = [...ids, ...innermost.flatMap((scope) => ["one", "two"].map((id) => idOf(scope, id)))];
  expect(new Set(all).size).toBe(all.length);
});
