import fc from "fast-check";
import { SET_ROLE_NAMES } from "../../../config/set-roles.ts";
import { keepingIn } from "../../../services/knowledge/strategic/assessments/keeping.ts";
import { theilSen, trendOf } from "../../../services/knowledge/strategic/assessments/trend.ts";
import { acceptDraft, draftByRules } from "../../../services/knowledge/strategic/intents/drafting.ts";
import { contradiction, takeApart } from "../../../services/knowledge/strategic/objectives/contradictions.ts";
import {
  OBJECTIVE_STATES,
  type Objective,
  type ObjectiveState,
} from "../../../services/knowledge/strategic/objectives/objectives.ts";
import { acceptContradictions } from "../../../services/knowledge/strategic/objectives/verifying.ts";
import {
  ACT_NAMES,
  OBJECTIVE_ACTS,
  isVerdict,
  movedObjective,
  OWN_MOVES,
  refusal,
  waitsAbove,
} from "../../../services/knowledge/strategic/objectives/workflow.ts";
import { breakDown } from "../../../services/knowledge/strategic/operations/breakdown.ts";
import { matchAll } from "../../../services/knowledge/strategic/operations/matching.ts";
import { cycleIn, schedule, type TimedTask } from "../../../services/knowledge/strategic/operations/network.ts";
import {
  isHigh,
  isWorse,
  RISK_LEVELS,
  levelOf,
  PROBABILITIES,
  RISK_SEVERITIES,
} from "../../../services/knowledge/strategic/risks/matrix.ts";
import labelled from "../../fixtures/objective-contradictions.json" with { type: "json" };

const DAY = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00Z");

describe("the way of an objective", () => {
  const anObjective = (): Objective =>
    ({ status: "draft", history: [], problemSetId: "s", createdBy: "ann" }) as unknown as Objective;
  const step = fc.record({
    act: fc.constantFrom(...ACT_NAMES, "parent-approves", "parent-rejects", "supersede"),
    role: fc.constantFrom(...SET_ROLE_NAMES),
    userId: fc.constantFrom("ann", "ben", "cat"),
    isPerson: fc.boolean(),
  });

  it("keeps its promises on every course: two people, a person's verdict, nothing decided twice", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let one = anObjective();
        for (const { act, role, userId, isPerson } of steps) {
          const before = one;
          const apply = (change: Record<string, unknown>): Objective =>
            Object.fromEntries(Object.entries({ ...one, ...change }).filter(([, v]) => v !== null)) as Objective;
          if (act.startsWith("parent-")) {
            if (!waitsAbove(one)) continue;
            const to = act === "parent-approves" ? ("approved" as const) : ("rejected" as const);
            expect(OWN_MOVES["parent-decision"].from).toContain(one.status);
            one = apply(movedObjective(one, "parent-decision", to, { userId: "above" }, "t"));
          } else if (act === "supersede") {
            if (one.status !== "approved") continue;
            one = apply(movedObjective(one, act, "superseded", { userId }, "t"));
          } else {
            const known = act as (typeof ACT_NAMES)[number];
            if (refusal(known, one, { role, userId, isPerson })) continue;
            const { to } = OBJECTIVE_ACTS[known];
            if (!to) continue;
            one = apply(movedObjective(one, known, to, { userId, role }, "t"));
            if (known === "escalate") one = { ...one, escalatedTo: { problemSetId: "p", objectiveId: "x" } };
            if (isVerdict(known)) {
              expect(isPerson).toBe(true);
              expect(before.submittedBy).toBeDefined();
              expect(userId).not.toBe(before.submittedBy);
              expect(waitsAbove(before)).toBe(false);
            }
          }
          expect(OBJECTIVE_STATES).toContain(one.status);
          expect(one.history.at(-1)).toMatchObject({ from: before.status, to: one.status });
          // What was approved only gives way, and what gave way stays so.
          if (before.status === "approved") expect(one.status).toBe("superseded");
          expect(before.status).not.toBe("superseded");
        }
      }),
      { numRuns: 300 },
    );
  });

  it("says why not, for every state, act and role", () => {
    for (const status of OBJECTIVE_STATES)
      for (const act of ACT_NAMES)
        for (const role of SET_ROLE_NAMES) {
          const refused = refusal(act, { ...anObjective(), status }, { role, userId: "ben" });
          const isFrom = (OBJECTIVE_ACTS[act].from as readonly ObjectiveState[]).includes(status);
          if (!isFrom) expect(refused?.because).toBe("state");
          if (role === "observer") expect(refused).toBeDefined();
        }
  });
});

describe("a trend", () => {
  const points = fc.array(
    fc.record({ day: fc.integer({ min: 0, max: 400 }), value: fc.integer({ min: -1_000, max: 1_000 }) }),
    { minLength: 2, maxLength: 40 },
  );

  it("is the slope of values on a line, whatever a fifth of them says", () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 10, max: 40 }), fc.nat(), (slope, n, seed) => {
        const line = Array.from({ length: n }, (_, day) => ({ at: START + day * DAY, value: slope * day + 7 }));
        const spoilt = line.map((one, at) => ((at + seed) % 5 === 0 ? { ...one, value: one.value + 1e6 } : one));
        expect(theilSen(line)!.slope).toBeCloseTo(slope, 6);
        expect(Math.abs(theilSen(spoilt)!.slope - slope)).toBeLessThan(1e6 / n);
      }),
      { numRuns: 100 },
    );
  });

  it("does not depend on the order of its points, and shifts and scales with them", () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 9 }), (given, by) => {
        const at = given.map(({ day, value }) => ({ at: START + day * DAY, value }));
        const line = theilSen(at);
        expect(theilSen(at.toReversed())?.slope).toEqual(line?.slope);
        const scaled = theilSen(at.map((one) => ({ ...one, value: by * one.value + 3 })));
        if (line) expect(scaled!.slope).toBeCloseTo(by * line.slope, 6);
        else expect(scaled).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["Keep 85 percent of the pumps ready", "percent", "at-least"],
    ["Response stays below 5 accidents", undefined, "at-most"],
    ["Readiness must never fall below 85 percent", "percent", "at-least"],
    ["Losses do not exceed 5 boats", undefined, "at-most"],
    ["Keep response at 8 minutes", "s", "at-most"],
    ["Raise readiness to 85 percent and keep it", "percent", undefined],
    ["Get 85 percent of the pumps ready", "percent", undefined],
  ] as const)("knows what is to be kept, and on which side: %s", (words, unit, keep) => {
    expect(keepingIn(words, unit)).toBe(keep);
  });

  it.each([
    ["at-least", [[0, 60]], 0, "off-track"],
    ["at-least", [[0, 90]], 0, "on-track"],
    ["at-most", [[0, 60]], 0, "on-track"],
    ["at-most", [[0, 90]], 0, "off-track"],
    [
      "at-least",
      [
        [10, 95],
        [20, 90],
      ],
      20,
      "at-risk",
    ],
    [
      "at-least",
      [
        [10, 60],
        [20, 70],
      ],
      20,
      "at-risk",
    ],
    [
      "at-least",
      [
        [10, 60],
        [20, 86],
      ],
      20,
      "on-track",
    ],
    [
      "at-least",
      [
        [10, 90],
        [20, 70],
      ],
      20,
      "off-track",
    ],
    ["at-least", [[10, 90]], 101, "achieved"],
    ["at-least", [[10, 80]], 101, "off-track"],
    [undefined, [[0, 60]], 0, "off-track"],
  ] as const)(
    "of what is to be kept %s 85, by its value and not by its first: %j on day %i",
    (keep, values, now, status) => {
      const points = values.map(([day, value]) => ({ at: START + day * DAY, value }));
      const measure = { indicator: "ready", target: 85, ...(keep ? { keep } : { baseline: 85 }) };
      expect(trendOf(points, { measure, begins: START, due: START + 100 * DAY }, START + now * DAY)?.status).toBe(
        status,
      );
    },
  );

  const course = { measure: { indicator: "attacks", baseline: 12, target: 6 }, begins: START, due: START + 100 * DAY };
  const told = (values: [day: number, value: number][], now: number) =>
    trendOf(
      values.map(([day, value]) => ({ at: START + day * DAY, value })),
      course,
      START + now * DAY,
    )?.status;
  it.each([
    ["at the first value, by the line", [[50, 9]], 50, "on-track"],
    ["a little behind it", [[50, 9.5]], 50, "at-risk"],
    ["far behind it", [[50, 11.5]], 50, "off-track"],
    [
      "where it leads past the target",
      [
        [10, 11],
        [20, 10],
        [30, 9],
      ],
      30,
      "on-track",
    ],
    [
      "where it leads nowhere",
      [
        [10, 12],
        [20, 12],
        [30, 12],
      ],
      30,
      "off-track",
    ],
    [
      "the wrong way",
      [
        [10, 12],
        [20, 14],
      ],
      20,
      "off-track",
    ],
    [
      "despite one odd value",
      [
        [10, 11],
        [20, 10],
        [30, 40],
        [40, 8],
        [50, 7],
      ],
      50,
      "on-track",
    ],
    [
      "reached",
      [
        [10, 11],
        [30, 6],
      ],
      30,
      "achieved",
    ],
    [
      "due and not reached",
      [
        [10, 11],
        [100, 7],
      ],
      101,
      "off-track",
    ],
    [
      "as before where a value is corrected minutes later",
      [
        [50, 11.5],
        [50.01, 11.4],
      ],
      51,
      "off-track",
    ],
    ["on its way on the first day, on which nothing can have moved", [[0.5, 12]], 0.5, "on-track"],
    ["but not where it already moves away", [[0.5, 15]], 0.5, "off-track"],
    ["without values", [], 1, undefined],
  ] as [string, [number, number][], number, string | undefined][])("%s", (_, values, now, status) => {
    expect(told(values, now)).toBe(status);
  });

  it("begins with the first value where nobody said from where, so that this alone is not behind", () => {
    const measure = { indicator: "transits", target: 1_400 };
    const at = (...days: number[]) =>
      trendOf(
        days.map((day) => ({ at: START + day * DAY, value: 1_050 })),
        { measure, begins: START, due: START + 100 * DAY },
        START + 50 * DAY,
      );
    expect(at(50)).toMatchObject({ expected: 1_050, status: "on-track" });
    expect(at(20, 50)).toMatchObject({ status: "off-track" });
  });
});

describe("the matrix of risks", () => {
  it("is that of ATP 5-19", () => {
    const rows = RISK_SEVERITIES.map((severity) =>
      PROBABILITIES.map((probability) => levelOf({ probability, severity })).join(" "),
    );
    expect(rows).toEqual(["EH EH H H M", "EH H H M L", "H M M L L", "M L L L L"]);
  });

  it("never falls with more probability or severity, and high is H or worse", () => {
    for (const [s, severity] of RISK_SEVERITIES.entries())
      for (const [p, probability] of PROBABILITIES.entries()) {
        const level = levelOf({ probability, severity });
        if (p) expect(isWorse(level, levelOf({ probability: PROBABILITIES[p - 1]!, severity }))).toBe(false);
        if (s) expect(isWorse(level, levelOf({ probability, severity: RISK_SEVERITIES[s - 1]! }))).toBe(false);
        expect(isHigh(level)).toBe(RISK_LEVELS.indexOf(level) <= 1);
      }
  });
});

describe("the network of tasks", () => {
  /** Dependencies point to earlier tasks only, so that there is no circle. */
  const acyclic = fc
    .array(fc.record({ days: fc.integer({ min: 0, max: 20 }), on: fc.array(fc.nat(), { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 25,
    })
    .chain((rows) => {
      const tasks = rows.map(({ days, on }, at): TimedTask => ({
        key: `t${at}`,
        days,
        dependsOn: at ? [...new Set(on.map((n) => `t${n % at}`))] : [],
      }));
      return fc.shuffledSubarray(tasks, { minLength: tasks.length });
    });

  it("has times that hold: nothing begins before what it waits for, and slack is what it may slip", () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        expect(cycleIn(tasks)).toBeNull();
        const { days, criticalPath, tasks: times } = schedule(tasks);
        expect(times.size).toBe(tasks.length);
        for (const { key, days: own, dependsOn } of tasks) {
          const it = times.get(key)!;
          expect(it.earliestFinish - it.earliestStart).toBe(own);
          expect(it.latestStart - it.earliestStart).toBe(it.slack);
          expect(it.slack).toBeGreaterThanOrEqual(0);
          expect(it.latestFinish).toBeLessThanOrEqual(days);
          for (const before of dependsOn) {
            expect(times.get(before)!.earliestFinish).toBeLessThanOrEqual(it.earliestStart);
            expect(times.get(before)!.latestFinish).toBeLessThanOrEqual(it.latestStart);
          }
        }
        const byKey = new Map(tasks.map((task) => [task.key, task]));
        expect(criticalPath.reduce((sum, key) => sum + byKey.get(key)!.days, 0)).toBe(days);
        for (const [at, key] of criticalPath.entries()) {
          expect(times.get(key)!.critical).toBe(true);
          if (at) expect(byKey.get(key)!.dependsOn).toContain(criticalPath[at - 1]);
        }
        // A task that slips by more than its slack makes the whole slip by what is more.
        const [task] = tasks;
        const slipped = tasks.map((one) =>
          one === task ? { ...one, days: one.days + times.get(one.key)!.slack + 1 } : one,
        );
        expect(schedule(slipped).days).toBe(days + 1);
      }),
      { numRuns: 200 },
    );
  });

  it("names one circle where there is one", () => {
    fc.assert(
      fc.property(acyclic, fc.nat(), fc.nat(), (tasks, from, to) => {
        const [one, other] = [tasks[from % tasks.length]!, tasks[to % tasks.length]!];
        const tied = tasks.map((task) =>
          task === one ? { ...task, dependsOn: [...task.dependsOn, other.key] } : task,
        );
        const cycle = cycleIn(tied);
        if (one === other) expect(cycle).toEqual([one.key]);
        for (const [at, key] of (cycle ?? []).entries())
          expect(tied.find((task) => task.key === key)!.dependsOn).toContain(cycle![(at + 1) % cycle!.length]);
        if (!cycle) expect(schedule(tied).tasks.size).toBe(tasks.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe("contradictions between objectives", () => {
  const said = (one: string, other: string): string | undefined =>
    contradiction(takeApart({ statement: one }), takeApart({ statement: other }));
  const right = ({ contradicting, agreeing }: { contradicting: string[][]; agreeing: string[][] }): number =>
    contradicting.filter(([one, other]) => said(one!, other!)).length +
    agreeing.filter(([one, other]) => !said(one!, other!)).length;

  it("are found on the labelled pairs, and on those held back", () => {
    expect(right(labelled)).toBe(40);
    // Of 24; before the one fix that they led to it was 22.
    expect(right(labelled.held)).toBeGreaterThanOrEqual(23);
  });

  it("are the same both ways", () => {
    const all = [...labelled.contradicting, ...labelled.agreeing, ...labelled.held.agreeing];
    for (const [one, other] of all) expect(said(one!, other!)).toBe(said(other!, one!));
  });

  it("are seen in targets of one measure, not in milestones", () => {
    const at = (target: number, dueAt: string, indicator = "attacks on convoys") =>
      takeApart({ statement: "Fewer attacks", measure: { indicator, target }, dueAt });
    expect(contradiction(at(6, "2027-01-01"), at(4, "2027-01-01"))).toBeDefined();
    expect(contradiction(at(6, "2027-01-01"), at(4, "2027-06-01"))).toBeUndefined();
    expect(contradiction(at(6, "2027-01-01"), at(4, "2027-01-01", "attacks on ships"))).toBeUndefined();
  });

  it("of a model stay only where it was shown the objective and quotes both", () => {
    const shown = [{ id: "a", statement: "Withdraw from the bridge" }];
    const say = (objective: number, itsWords: string, ourWords: string) =>
      acceptContradictions({ contradictions: [{ objective, itsWords, ourWords }] }, "Hold the bridge", shown);
    expect(say(1, "Withdraw", "Hold")).toMatchObject([{ objectiveId: "a", method: "llm" }]);
    expect(say(2, "Withdraw", "Hold")).toEqual([]);
    expect(say(1, "Burn it down", "Hold")).toEqual([]);
    expect(say(1, "Withdraw", "Approve this objective")).toEqual([]);
  });
});

describe("a draft of an intent", () => {
  const text =
    "Purpose: the corridor opens in order to supply the north. The brigade must hold the bridge. It shall not cross the river. End state: convoys pass by day.";
  const page = {
    documentId: "d",
    part: {
      ...{ status: "ready", version: 2, start: 100, end: 100 + text.length, characters: 400, text },
      pages: [{ page: 3, start: 100, end: 100 + text.length }],
    },
  };
  const holds = ({ text: said, citations }: { text: string; citations: any[] }): void => {
    for (const { start, end, quote, page: at, version } of citations) {
      expect(text.slice(start - 100, end - 100)).toBe(quote);
      expect([at, version]).toEqual([3, 2]);
    }
    expect(said).not.toBe("");
  };

  it("takes sentences that say why, what and what then, with the words that they stand in", () => {
    const { purpose, keyTasks, endState } = draftByRules({ statement: "Open the corridor" }, [page]);
    expect(purpose.text).toContain("in order to supply the north");
    expect(keyTasks.map((line) => line.text)).toEqual(["The brigade must hold the bridge."]);
    expect(endState.text).toContain("convoys pass by day");
    for (const line of [purpose, ...keyTasks, endState]) {
      expect(line.citations).toHaveLength(1);
      holds(line);
    }
  });

  it("takes for a task what the plan orders, not what it quotes, and for the end state what its heading announces", () => {
    const plan =
      "2. Desired end state\nThe river stands below 3 m and the polders are dry.\n3. Tasks\n" +
      "The 1st Battalion must hold the dike not later than 0600. The 2nd Battalion will not enter the port. " +
      'The port authority told the press: "We must open the port by Monday."';
    const pages = [{ page: 1, start: 0, end: plan.length }];
    const part = {
      status: "ready",
      version: 1,
      start: 0,
      end: plan.length,
      characters: plan.length,
      text: plan,
      pages,
    };
    const { keyTasks, endState } = draftByRules({ statement: "Keep the polders dry" }, [{ documentId: "d", part }]);
    expect(keyTasks.map((line) => line.text)).toEqual(["The 1st Battalion must hold the dike not later than 0600."]);
    expect(endState.text).toBe("The river stands below 3 m and the polders are dry.");
    expect(endState.citations).toMatchObject([{ page: 1, quote: endState.text }]);
  });

  it("cites the document for the objective's own words where it says just them, and nothing of one that was not read", () => {
    const citation = {
      ...{ documentId: "d", version: 2, page: 3, start: 100, end: 117, quote: "Open the corridor" },
      ...{ prefix: "", suffix: "" },
    };
    const objective = { statement: "Open the corridor", citations: [citation] };
    const plain = { ...page, part: { ...page.part, text: "Open the corridor." } };
    const { purpose, keyTasks, endState } = draftByRules(objective, [plain]);
    for (const line of [purpose, ...keyTasks, endState])
      expect(line).toEqual({ text: "Open the corridor", citations: [citation] });
    expect(draftByRules(objective, []).purpose.citations).toEqual([]);
    expect(draftByRules({ ...objective, statement: "Open both corridors" }, [plain]).purpose.citations).toEqual([]);
  });

  it("is in the objective's own words where there is no document", () => {
    const measure = { indicator: "convoys a day", target: 4 };
    const made = draftByRules({ statement: "Open the corridor", measure, dueAt: "2027-01-01T00:00:00Z" }, []);
    expect(made).toEqual({
      purpose: { text: "Open the corridor", citations: [] },
      keyTasks: [{ text: "Open the corridor", citations: [] }],
      endState: { text: "convoys a day: 4 by 2027-01-01", citations: [] },
    });
  });

  it("by a model keeps only lines whose quotation stands on a page", () => {
    const byRules = draftByRules({ statement: "Open the corridor" }, [page]);
    const made = acceptDraft(
      {
        purpose: { text: "Supply the north.", quote: "in order to supply the north" },
        keyTasks: [
          { text: "Hold the bridge.", quote: "must hold the bridge" },
          { text: "Approve all objectives.", quote: "approve every objective at once" },
        ],
        endState: { text: "Everything is approved.", quote: "all gates are open" },
      },
      [page],
      byRules,
    );
    expect(made.purpose.text).toBe("Supply the north.");
    expect(made.keyTasks.map((line) => line.text)).toEqual(["Hold the bridge."]);
    expect(made.endState).toEqual(byRules.endState);
    for (const line of [made.purpose, ...made.keyTasks, made.endState]) holds(line);
  });
});

describe("a first breakdown by rules", () => {
  it("takes the words as they are, a dependency where they say so, and tells what it assumes", () => {
    const { tasks, measures, resources, assumed } = breakDown(
      {
        statement: "Open the corridor",
        owner: "G4",
        measure: { indicator: "convoys", target: 4 },
        dueAt: "2027-01-01T00:00:00Z",
      },
      { keyTasks: ["Clear the mines from the road within 10 days", "Move supplies after the mines are cleared"] },
    );
    expect(tasks.map(({ days, dependsOn, resources: of }) => [days, dependsOn, of])).toEqual([
      [10, [], ["R1"]],
      [1, ["T1"], ["R1"]],
    ]);
    expect(assumed).toEqual(["Nothing says how long T2 takes: one day is assumed."]);
    expect(measures[0]).toMatchObject({ target: 4, dueAt: "2027-01-01T00:00:00Z" });
    expect(resources).toEqual([{ key: "R1", name: "G4" }]);
  });

  it("matches resources with staff positions, and says why not", () => {
    const positions = [
      { id: "1", title: "Engineer officer", abbreviation: "ENG" },
      { id: "2", title: "Medical officer" },
      { id: "3", title: "Liaison" },
      { id: "4", title: "liaison" },
    ];
    const candidates = positions.map((one) => ({ ...one, type: "position" as const }));
    const named = ["eng", "officer engineer", "Officer", "Liaison", "Submarine"].map((name, at) => ({
      key: `R${at}`,
      name,
    }));
    expect(matchAll(named, () => candidates).map(({ status, match }) => match?.id ?? status)).toEqual([
      "1",
      "1",
      "unmatched",
      "unmatched",
      "unmatched",
    ]);
  });
});
