import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { breaches, failsTooOften, passes, type MeasuredRun } from "../../services/staff/validation/circuits/judging.ts";
import { cell, row } from "../../services/staff/validation/reports/csv.ts";
import { textReader } from "../../adapters/texts/index.ts";
import { toPdf } from "../../services/staff/validation/reports/pdf-thread.ts";
import type { Agent } from "../../services/staff/agents/client.ts";
import { lineOf, totalOf, wilson } from "../../services/staff/validation/runs/scoring.ts";
import { BASELINE_CASES } from "../../services/staff/validation/suites/baseline.ts";
import {
  CaseAssertion,
  faultsIn,
  held,
  scoreOf,
  type AnswerOutcome,
} from "../../services/staff/validation/suites/cases.ts";

const outcome = (fields: Partial<AnswerOutcome> = {}): AnswerOutcome => ({
  completed: true,
  text: "Two missions are open: Bridge and Ford.",
  citations: 1,
  acts: [{ tool: "list_missions", arguments: { problemSetId: "s", status: "active" }, status: "done", changes: false }],
  ms: 1_200,
  cost: 0.02,
  ...fields,
});
const none = { fits: () => false, rubric: new Map() };
const by = (model: string) => ({ model, judge: model });
const scoreFor = (given: object, of = outcome(), judges: Parameters<typeof held>[2] = none): number =>
  held([CaseAssertion.parse(given)], of, judges)[0]!.score;

describe("an assertion", () => {
  it.each([
    [{ kind: "answers" }, {}, 1],
    [{ kind: "answers" }, { completed: false }, 0],
    [{ kind: "answers" }, { text: "  " }, 0],
    [{ kind: "contains", text: "BRIDGE" }, {}, 1],
    [{ kind: "not-contains", text: "ford" }, {}, 0],
    [{ kind: "json", schema: {} }, {}, 0],
    [{ kind: "cites", atLeast: 2 }, {}, 0],
    [{ kind: "tool-called", tool: "list_missions", arguments: { status: "active" } }, {}, 1],
    [{ kind: "tool-called", tool: "list_missions", arguments: { status: "draft" } }, {}, 0],
    [{ kind: "tool-called", tool: "open_mission" }, {}, 0],
    [{ kind: "tool-not-called", tool: "open_mission" }, {}, 1],
    [{ kind: "refuses" }, {}, 1],
    [{ kind: "refuses" }, { acts: [{ tool: "open_mission", arguments: {}, status: "refused", changes: true }] }, 0],
    [{ kind: "latency", mostMs: 1_000 }, {}, 0],
    [{ kind: "cost", most: 0.02 }, {}, 1],
    [{ kind: "steps", most: 0 }, {}, 0],
    [{ kind: "rubric", rubric: "Is it polite?" }, {}, 0],
  ])("%j over %j comes to %d", (given, fields, score) => {
    expect(scoreFor(given, outcome(fields as Partial<AnswerOutcome>))).toBe(score);
  });

  it("holds JSON against its schema, and takes a judge's word within 0 and 1", () => {
    const judges = { fits: () => true, rubric: new Map([["Polite?", { score: 1.7, why: "Very." }]]) };
    expect(scoreFor({ kind: "json", schema: {} }, outcome({ text: '{"a":1}' }), judges)).toBe(1);
    expect(scoreFor({ kind: "rubric", rubric: "Polite?" }, outcome(), judges)).toBe(1);
  });
});

describe("a case", () => {
  it("scores the weighted mean, and fails by a critical assertion however high it scores", () => {
    const one = (score: number, weight: number, critical = false) => ({
      kind: "cites" as const,
      score,
      why: "",
      weight,
      critical,
    });
    expect(scoreOf([one(1, 3), one(0, 1)], 0.75)).toEqual({ score: 0.75, passed: true });
    expect(scoreOf([one(1, 99), one(0, 1, true)], 0.5)).toEqual({ score: 0.99, passed: false });
    expect(scoreOf([], 0)).toEqual({ score: 0, passed: true });
  });

  it("that asserts nothing, rests on a model alone, or is there twice is told by its path", () => {
    const base = { task: "t", input: {}, mark: 1 };
    const rubric = CaseAssertion.parse({ kind: "rubric", rubric: "Good?" });
    expect(
      faultsIn([
        { ...base, id: "a", assertions: [] },
        { ...base, id: "b", assertions: [rubric] },
        { ...base, id: "a", assertions: [CaseAssertion.parse({ kind: "answers" })] },
      ]).map(({ path, code }) => [path, code]),
    ).toEqual([
      ["cases.0.assertions", "NO_ASSERTIONS"],
      ["cases.1.assertions", "RUBRIC_ALONE"],
      ["cases.2.id", "TWICE"],
    ]);
    expect(faultsIn(BASELINE_CASES)).toEqual([]);
    expect(BASELINE_CASES.length).toBeGreaterThanOrEqual(5);
  });
});

describe("a run", () => {
  it("sums up what came to a result: means, pass^k, and Wilson's interval", () => {
    const total = totalOf([
      { caseId: "a", scores: [1, 1], passes: [true, true] },
      { caseId: "b", scores: [1, 0], passes: [true, false] },
      { caseId: "c", scores: [], passes: [] },
    ])!;
    expect(total).toMatchObject({ cases: 2, passed: 1, score: 0.75, passRate: 0.5 });
    expect(totalOf([{ caseId: "a", scores: [], passes: [] }])).toBeNull();
    // R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for (const [passed, cases, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const interval = wilson(passed, cases);
      expect([interval.low, interval.high].map((side) => side.toFixed(4))).toEqual([low.toFixed(4), high.toFixed(4)]);
    }
  });

  it("has an interval that holds its share and narrows with more cases", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 200 }), (passed, more) => {
        const cases = passed + more;
        const { low, high } = wilson(passed, cases);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low - 1e-12).toBeLessThanOrEqual(passed / cases);
        expect(high + 1e-12).toBeGreaterThanOrEqual(passed / cases);
        const wider = wilson(passed * 4, cases * 4);
        expect(wider.high - wider.low).toBeLessThan(high - low);
      }),
    );
  });
});

describe("a threshold", () => {
  const bound = { metric: "pass-rate" as const, min: 0.8, minCases: 5, consecutive: 2, hysteresis: 0.05 };
  const run = (id: string, passRate: number, fields: Partial<MeasuredRun> = {}): MeasuredRun => ({
    ...{ id, line: "l", cases: 6, score: passRate, passRate },
    ...fields,
  });
  it("breaks by so many runs of one line, each of enough cases", () => {
    const broken = [{ metric: "pass-rate", value: 0.5, min: 0.8, runs: ["b", "a"] }];
    expect(breaches([run("b", 0.5), run("a", 0.7)], [bound])).toEqual(broken);
    expect(breaches([run("b", 0.5), run("x", 1, { line: "m" }), run("a", 0.7)], [bound])).toEqual(broken);
    expect(breaches([run("b", 0.5)], [bound])).toEqual([]);
    expect(breaches([run("b", 0.5), run("a", 0.8)], [bound])).toEqual([]);
    expect(breaches([run("b", 0.5, { cases: 4 }), run("a", 0.7)], [bound])).toEqual([]);
    expect(breaches([], [bound])).toEqual([]);
  });
  it("is passed above its hysteresis, and at the top", () => {
    expect([0.84, 0.85, 1].map((rate) => passes(run("a", rate), [bound]))).toEqual([false, true, true]);
    expect(passes(run("a", 1), [{ ...bound, min: 1 }])).toBe(true);
    expect(passes(run("a", 1, { cases: 2 }), [bound])).toBe(false);
  });
  it("over failed runs needs twenty of them, and more than half", () => {
    const runs = (failed: number, all = 20) =>
      Array.from({ length: all }, (_, at) => (at < failed ? "failed" : "completed"));
    expect([runs(10), runs(11), runs(19, 19)].map(failsTooOften)).toEqual([false, true, false]);
  });
});

it("another character, template, phase, tool, model or way to think begins a new line of history", () => {
  const agent = { id: "a", character: "", tools: ["list_missions"], autonomy: 1, phases: [] } as unknown as Agent;
  const lines = [
    {},
    { character: "Be brief." },
    { templateId: "news-analyst" },
    { templateId: "fact-checker" },
    { phases: ["mission-analysis"] },
    { tools: [] },
    { temperature: 0 },
    { autonomy: 2 },
  ].map((change) => lineOf([], { ...agent, ...change } as Agent, by("m")));
  expect(new Set([...lines, lineOf([], agent, by("n"))]).size).toBe(lines.length + 1);
  expect(lineOf([], { ...agent, name: "Another" } as Agent, by("m"))).toBe(lines[0]);
  // Who judges counts where anything is judged by a rubric.
  const cases = (kind: object) => [{ id: "a", task: "a", input: {}, mark: 1, assertions: [CaseAssertion.parse(kind)] }];
  const judgedBy = (kind: object, judge: string): string => lineOf(cases(kind), agent, { model: "m", judge });
  expect(judgedBy({ kind: "answers" }, "n")).toBe(judgedBy({ kind: "answers" }, "m"));
  const rubric = { kind: "rubric", rubric: "It is kind." };
  expect(judgedBy(rubric, "n")).not.toBe(judgedBy(rubric, "m"));
});

describe("an export", () => {
  it("is read back as it was written, and holds no formula", () => {
    const formulas = [
      "=1+1",
      "  =1",
      "＝1",
      "\t1",
      "-x",
      "@a",
      "+49",
      "\u2060=1",
      "\u200e\u00ad+1",
      "\ufe66cmd",
      "\ufe63x",
    ];
    expect(formulas.map((text) => cell(text)[0])).toEqual(formulas.map(() => "'"));
    expect([cell(-1.5), cell(undefined), cell(true), cell("plain - text")]).toEqual([
      "-1.5",
      "",
      "true",
      "plain - text",
    ]);
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 5 }), (values) => {
        const [back] = parse(row(values), { relax_column_count: true }) as string[][];
        expect(back!.map((text, at) => (text === values[at] ? text : text.slice(1)))).toEqual(values);
        for (const text of back!) expect(/^\s*[=+@-]/.test(text)).toBe(false);
      }),
    );
  });

  it("draws a report of agents with and without a history", async () => {
    const points = [0.5, 1, 0.8].map((passRate, at) => ({
      ...{ at: `2026-01-0${at + 1}T00:00:00.000Z`, score: passRate, passRate },
      ...{ interval: wilson(Math.round(passRate * 6), 6), isNewLine: at === 2 },
    }));
    const bounds = [{ metric: "pass-rate", min: 0.8 }];
    const rows = [...Array(8).keys()].map((at) => ({
      name: at ? `Agent ${at}` : "Agent 読者",
      circuit: at ? "closed" : "open",
      bounds,
      points: at % 2 ? points : [],
    }));
    const pdf = await toPdf({ rows, at: "2026-01-05T10:20:00.000Z", by: "Ann" });
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)!.length).toBe(2);
    const reader = textReader();
    const { text } = await reader.read(new Uint8Array(pdf), "pdf");
    const read = Buffer.from(text).toString("utf16le").replace(/\s+/g, " ");
    await reader.close();
    for (const words of ["As Ann saw it on 2026-01-05 at 10:20 UTC.", "interval of 95", "Agent 7", "1 of 2", "2 of 2"])
      expect(read).toContain(words);
    expect(read).toMatch(/80 % of its cases passed \(44 % to 97 %\), score 0.80, on 2026-01-03 at least 80 %/);
    expect(read).toContain("2 signs of names are not in the font");
    expect((await toPdf({ rows: [], at: "2026-01-05T00:00:00.000Z", by: "ann" })).length).toBeGreaterThan(1_000);
  });
});
