import fc from "fast-check";
import { figuresAmong } from "../../../bench/judgement/fusion/among.ts";
import { figures } from "../../../bench/judgement/fusion/cases.ts";
import {
  aged,
  alarm,
  DELTA,
  isOver,
  LIFETIME_DAYS,
  scored,
} from "../../../services/knowledge/graph/validity/scoring.ts";
import {
  after,
  done,
  PHASES,
  resolved,
  type Cycle,
} from "../../../services/knowledge/strategic-agents/cycle/cycles.ts";
import { judge } from "../../../services/knowledge/strategic-agents/fusion/fusing.ts";
import {
  beliefOf,
  likelihoodWords,
  likelihoodOf,
  logOddsOf,
  weighReports,
} from "../../../services/knowledge/strategic-agents/fusion/weighing.ts";
import { fits, watchedArticle, windowOf } from "../../../services/knowledge/strategic-agents/monitors/monitors.ts";
import {
  ACCEPTED,
  ended,
  isHigh,
  limitsOf,
  UNKNOWN,
  WARM_UP,
} from "../../../services/knowledge/strategic-agents/monitors/rate.ts";
import { Readings, type Reference } from "../../../services/news/verification/client.ts";

describe("validity", () => {
  const bearing = fc.record({ strength: fc.double({ min: 0, max: 1, noNaN: true }), what: fc.string() });
  const evidence = fc.record({
    days: fc.double({ min: 0, max: 1_000, noNaN: true }),
    contradictions: fc.array(bearing, { maxLength: 5 }),
    confirmations: fc.array(bearing, { maxLength: 5 }),
    sources: fc.constant(4),
    lost: fc.integer({ min: 0, max: 4 }),
    assessed: fc.constantFrom("on-track", "at-risk", "off-track", "achieved", undefined),
  });

  it("has parts that add up to a score of 0 to 100, whatever is known", () => {
    fc.assert(
      fc.property(evidence, (known) => {
        const { score, parts } = scored(known as never);
        expect(parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 6);
        expect(score >= 0 && score <= 100).toBe(true);
      }),
    );
  });

  it("ages by MISP's curve: nothing at first, all of it at the end", () => {
    expect([aged(0), aged(LIFETIME_DAYS), aged(10 * LIFETIME_DAYS)]).toEqual([0, 100, 100]);
    expect(aged(LIFETIME_DAYS / 2)).toBeCloseTo(100 * 0.5 ** (1 / DELTA), 6);
  });

  it("never rises by a contradiction, a lost source or time", () => {
    fc.assert(
      fc.property(evidence, bearing, (known, more) => {
        const score = (changed: object): number => scored({ ...known, ...changed } as never).score;
        expect(score({ contradictions: [...known.contradictions, more] })).toBeLessThanOrEqual(score({}));
        expect(score({ days: known.days + 1 })).toBeLessThanOrEqual(score({}));
        expect(score({ lost: 4 })).toBeLessThanOrEqual(score({}));
      }),
    );
  });

  it("opens an alert under 50 or after a fall of 15, and closes it over 60 alone", () => {
    expect([alarm(49.9, undefined), alarm(50, 50), alarm(85, 100), alarm(86, 100)]).toEqual([
      ...["low", undefined],
      ...["falling", undefined],
    ]);
    expect([isOver(60, 60), isOver(60.1, 60), isOver(80, 100)]).toEqual([false, true, false]);
  });
});

describe("rates", () => {
  const settings = { factor: 3, clear: 1, least: 5 };
  const taught = (counts: number[]) => counts.reduce((usual, count) => ended(usual, count, settings), UNKNOWN);

  it("call nothing unusual before they know what is usual", () => {
    for (let known = 0; known < WARM_UP; known++)
      expect(isHigh(1_000, taught(Array(known).fill(2)), settings)).toBe(false);
    expect(isHigh(1_000, taught(Array(WARM_UP).fill(2)), settings)).toBe(true);
  });

  it("stay open between the two limits, and flicker with nothing", () => {
    const usual = taught([4, 5, 4, 5, 4, 5]);
    const { opens, clears } = limitsOf(usual, settings);
    expect(clears).toBeLessThan(opens);
    const between = Math.floor((opens + clears) / 2);
    expect(ended(usual, between, settings).high).toBe(0);
    const high = ended(usual, Math.ceil(opens), settings);
    expect(high.high).toBe(1);
    expect(ended(high, between, settings).high).toBe(2);
    expect(ended(high, 4, settings).high).toBe(0);
  });

  it("do not learn an excursion, unless it has lasted for long", () => {
    const usual = taught([4, 5, 4, 5, 4, 5]);
    let now = usual;
    for (let at = 1; at < ACCEPTED; at++) now = ended(now, 50, settings);
    expect([now.mean, now.high]).toEqual([usual.mean, ACCEPTED - 1]);
    now = ended(now, 50, settings);
    expect([now.mean, now.high]).toEqual([50, 0]);
  });

  it("hold for steady news of any size: of a hundred windows that scatter by chance one alarms at the most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer(), (mean, seed) => {
        let [usual, state, alarms] = [UNKNOWN, seed >>> 0, 0];
        const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
        for (let at = 0; at < 100; at++) {
          const count = Math.round(mean + (random() + random() + random() - 1.5) * Math.sqrt(mean));
          if (usual.high === 0 && isHigh(count, usual, { ...settings, factor: 5 })) alarms++;
          usual = ended(usual, count, settings);
        }
        expect(alarms).toBeLessThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });
});

describe("what a monitor reads", () => {
  const article = (title: string, text: string): never =>
    ({ title, text, summary: "", sourceName: "Northern Herald", domain: "energy" }) as never;
  const holds = (q: string, title: string, text = ""): boolean => fits({ q }, watchedArticle(article(title, text)));

  it("fits as a search would: phrases, choices, exclusions, fields, beginnings", () => {
    const text = "Cracks in the dam wall were found. Water rises.";
    for (const q of ["dam", '"dam wall"', "crack (dam | levee)", "dam -festival", "water*", "source:herald dam"])
      expect([q, holds(q, "News", text)]).toEqual([q, true]);
    for (const q of ['"wall dam"', "dam -crack", "title:dam", "source:times dam", "volcano | lava"])
      expect([q, holds(q, "News", text)]).toEqual([q, false]);
    expect(holds('"dam wall"', "The dam", "wall of Arden")).toBe(false);
  });

  it("lies in exactly one window", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_080 }), fc.nat({ max: 4e12 }), (windowMinutes, at) => {
        const [from, to] = windowOf({ windowMinutes }, at);
        expect(from <= at && at < to && to - from === windowMinutes * 60_000).toBe(true);
        expect(windowOf({ windowMinutes }, to)[0]).toBe(to);
      }),
    );
  });
});

describe("fusion", () => {
  const said = (n: number, stance: "support" | "contradict" | "neutral", more: object = {}): Reference =>
    ({
      ...{ articleId: n, storyId: "s", reportId: `r${n}`, sourceId: n, sourceName: `Source ${n}`, publishedAt: "" },
      ...{ reliability: "C", stance, score: 80, evidence: { text: "", start: 0, end: 0 }, reasons: [] },
      ...{ independent: true, method: "heuristic" },
      ...more,
    }) as Reference;
  const stances = fc.array(fc.constantFrom("support" as const, "contradict" as const, "neutral" as const), {
    maxLength: 8,
  });

  it("is as sure as its parts: logistic of their sum, in the words of ICD 203", () => {
    expect([beliefOf(0), beliefOf(1)]).toEqual([0.5, 0.95]);
    expect(likelihoodOf([logOddsOf({ stance: 1, weight: 1 })])).toBeCloseTo(0.95, 9);
    expect(likelihoodOf([])).toBe(0.5);
    const words = [0.01, 0.1, 0.3, 0.5, 0.6, 0.9, 0.99].map(likelihoodWords);
    expect(words).toEqual([
      ...["almost no chance", "very unlikely", "unlikely", "roughly even chance"],
      ...["likely", "very likely", "almost certain"],
    ]);
  });

  it("counts copies and repetitions once, whatever their order", () => {
    fc.assert(
      fc.property(stances, fc.nat(), (all, at) => {
        const reports = all.map((stance, n) => said(n, stance));
        const { likelihood, credibility } = weighReports(reports);
        const copied = reports[at % Math.max(1, reports.length)];
        if (!copied) return;
        const copy = { ...copied, articleId: 99, sourceId: 99 };
        for (const more of [
          [...reports, copy],
          [copy, ...reports],
        ]) {
          expect(weighReports(more).likelihood).toBeCloseTo(likelihood, 9);
          expect(weighReports(more).credibility).toBe(credibility);
        }
      }),
    );
  });

  it("never averages disagreement away: each voice against it lowers it, and is among the contradicting", () => {
    fc.assert(
      fc.property(stances, (all) => {
        const reports = all.map((stance, n) => said(n, stance));
        const before = weighReports(reports);
        const with1 = weighReports([...reports, said(50, "contradict")]);
        expect(with1.likelihood).toBeLessThanOrEqual(before.likelihood);
        expect(with1.contradicting.map(({ articleId }) => articleId)).toContain(50);
      }),
    );
  });

  it("takes credibility from corroboration alone", () => {
    expect(weighReports([said(1, "support", { reliability: "A", score: 100 })]).credibility).toBe(6);
    expect(weighReports([said(1, "support"), said(2, "support")]).credibility).toBe(2);
    expect(weighReports([said(1, "support"), said(2, "support"), said(3, "support")]).credibility).toBe(1);
    expect(weighReports([said(1, "support"), said(2, "contradict"), said(3, "contradict")]).credibility).toBe(5);
    expect(weighReports([]).credibility).toBe(6);
  });
});

it("fusion holds its figures on the labelled set", async () => {
  const { precision, recall, stances, voices } = await figures();
  expect([precision >= 0.85, recall >= 0.85, stances >= 0.85, voices >= 0.8]).toEqual([true, true, true, true]);
});

it("finds what reports assert against each other, as labelled", async () => {
  const { shown, right, wanted, found } = await figuresAmong();
  expect([right / shown >= 0.8, found / wanted >= 0.7]).toEqual([true, true]);
});

it("reads each report once, however many are fused and however long they are", async () => {
  const read = new Set<unknown>();
  const { of } = Readings.prototype;
  const reading = jest.spyOn(Readings.prototype, "of").mockImplementation(function once(this: Readings, text) {
    const found = of.call(this, text);
    read.add(found);
    return found;
  });
  // Each as long as a report is read, in words of which none is any other report's.
  const reports = Array.from({ length: 60 }, (_, n) => ({
    ...{ kind: "document" as const, ref: `d${n}`, articleId: n + 1, storyId: `d${n}`, sourceId: n + 1 },
    ...{ sourceName: `Author ${n}`, title: `Report ${n}`, reliability: "C" as const, actors: [], compartments: [] },
    publishedAt: new Date(Date.UTC(2026, 2, 1, n)).toISOString(),
    text: `The dyke at Dolany ${n % 2 ? "still stands" : "gave way"}. ${`${"x".repeat(300)}${n} `.repeat(66)}`,
  }));
  const { weighed } = await judge(reports, undefined);
  reading.mockRestore();
  expect(weighed.parts.length).toBeGreaterThan(2);
  expect(read.size).toBe(reports.length);
}, 60_000);

describe("the intelligence cycle", () => {
  const AT = "2026-11-22T12:00:00.000Z";
  const outcome = (phase: (typeof PHASES)[number]) => ({
    ...{ phase, round: 1, at: AT, summary: "", stories: [], products: [] },
  });
  const direction = { question: "Why?", queries: ["x"], documentIds: [], hours: 1, stories: 1, excluded: [] };

  it("goes through its phases in order, to an end, past any checkpoints and answers", () => {
    fc.assert(
      fc.property(
        fc.subarray(PHASES.slice(0, -1)),
        fc.array(fc.constantFrom("continue" as const, "revise" as const, "stop" as const, "expired" as const), {
          maxLength: 12,
        }),
        (checkpoints, answers) => {
          let cycle = {
            ...{ id: "c", phase: "direction", status: "running", step: 0, outcomes: [], checkpoints, direction },
          } as unknown as Cycle;
          const left = [...answers];
          for (let at = 0; at < 100 && (cycle.status === "running" || cycle.status === "waiting"); at++) {
            const before = cycle;
            if (cycle.status === "running") {
              cycle = { ...cycle, ...done(cycle, outcome(cycle.phase)) };
              if (cycle.status === "running") expect(cycle.phase).toBe(after(before.phase));
            } else {
              const answer = left.shift() ?? "continue";
              const status = answer === "expired" ? ("expired" as const) : ("resolved" as const);
              const resolution = answer === "expired" ? undefined : answer;
              const point = { status, resolution, direction, phase: cycle.phase, next: after(cycle.phase)! };
              cycle = { ...cycle, ...resolved(cycle, point as never, AT) } as Cycle;
              if (answer === "revise") expect(cycle.phase).toBe(before.phase);
              if (answer === "stop" || answer === "expired") expect(cycle.status).toBe("stopped");
            }
            expect(cycle.step).toBe(before.step + 1);
          }
          expect(["completed", "stopped"]).toContain(cycle.status);
          const phases = cycle.outcomes.map(({ phase }) => PHASES.indexOf(phase));
          expect(phases.every((one, at) => at === 0 || one === phases[at - 1] || one === phases[at - 1]! + 1)).toBe(
            true,
          );
        },
      ),
    );
  });

  it("takes edits over the direction, and leaves the rest", () => {
    const point = { status: "resolved", resolution: "revise", direction, phase: "analysis", next: "dissemination" };
    const change = resolved({ step: 3 }, { ...point, edits: { excluded: ["s"] } } as never, AT);
    expect(change).toMatchObject({ phase: "analysis", step: 4, direction: { ...direction, excluded: ["s"] } });
  });
});
