import {
  durationParts,
  durationWords,
  powerWords,
  scoreWords,
  secondsOf,
  shareOf,
} from "../../console/workspace/dao/amounts.ts";
import {
  choiceFrom,
  choiceWords,
  conditionWords,
  measureWords,
  movedBy,
  votesBought,
} from "../../console/workspace/dao/choice-words.ts";
import { barsOf, pictureWords } from "../../console/workspace/dao/count/bars.ts";
import type { DaoConfig, Proposal, DaoTally } from "../../console/workspace/dao/dao-types.ts";
import {
  changedSettings,
  FIRST_SETTINGS,
  measuresFrom,
  settingsFrom,
} from "../../console/workspace/dao/founding/settings-form.ts";
import { powerOf } from "../../console/workspace/dao/members/own-power.ts";
import { courseOf } from "../../console/workspace/dao/proposals/course-steps.ts";
import { measureFrom } from "../../console/workspace/dao/proposals/measure-form.ts";
import { stepOf } from "../../console/workspace/dao/proposals/steps.ts";
import { isOrdinary, MEASURES, settingWords, whyNot } from "../../console/workspace/dao/rule-words.ts";
import { DEFAULT_CONFIG } from "../../services/workspace/dao/daos.ts";

// What pages of a DAO say and understand, without a browser.

const OPTIONS = ["Lhota", "Hradek", "Brod"];

it("offers a new DAO what the platform begins one with", () => {
  expect({ ...FIRST_SETTINGS, measures: MEASURES.filter(isOrdinary).sort(), classes: [] }).toEqual({
    ...DEFAULT_CONFIG,
    measures: [...DEFAULT_CONFIG.measures].sort(),
  });
});

it("says durations in words, and a form gives them back", () => {
  expect([0, 60, 5_400, 86_400, 90_061].map(durationWords)).toEqual([
    "none",
    "1 minute",
    "1 hour 30 minutes",
    "1 day",
    "1 day 1 hour 1 minute 1 second",
  ]);
  for (const seconds of [0, 1, 60, 5_400, 86_400, 14 * 86_400]) {
    const { amount, unit } = durationParts(seconds);
    expect(secondsOf(String(amount), unit)).toBe(seconds);
  }
  expect(secondsOf("1.5", "hours")).toBe(5_400);
});

it("says amounts of any size, and what part they are", () => {
  expect(powerWords("1", "member")).toBe("1 vote");
  expect(powerWords("12345678901234567890", "token")).toBe("12,345,678,901,234,567,890 tokens");
  expect(shareOf("1", "4")).toBe(0.25);
  expect(shareOf("0", "0")).toBe(0);
  expect(scoreWords("quadratic", "1732050")).toBe("1.73");
});

it("makes the choice that a ballot says, and says it back", () => {
  const ballots = [
    ["basic", { choice: "abstain" }, [], "abstain", "abstain"],
    ["single", { choice: "2" }, [], 2, "Brod"],
    ["approval", { "option-0": "0", "option-2": "2" }, [], [0, 2], "Lhota, Brod"],
    ["quadratic", { "option-1": "4" }, [], [{ option: 1, credits: 4 }], "Hradek: 4"],
    ["ranked", {}, [2, 0], [2, 0], "1. Brod, 2. Lhota"],
  ] as const;
  for (const [kind, fields, ranking, choice, words] of ballots) {
    expect(choiceFrom(kind, OPTIONS, fields, ranking)).toEqual({ choice });
    expect(choiceWords(kind, OPTIONS, choice as never)).toBe(words);
    expect(choiceFrom(kind, OPTIONS, {}, [])).toHaveProperty("missing");
  }
  expect(movedBy([0, 1, 2], 2, -1)).toEqual([0, 2, 1]);
  expect(movedBy([0, 1, 2], 0, -1)).toEqual([0, 1, 2]);
  expect(votesBought("4", [1, 3, 0])).toEqual([1, Math.sqrt(3), 0]);
});

it("takes of a form of rules only what it says, in the API's units", () => {
  const fields = {
    "config.quorumBps": "33.33",
    "config.timelockSeconds": "2",
    "config.timelockSeconds.unit": "hours",
    "config.graceSeconds.unit": "days",
    "config.changeable": "no",
    "measure.open-gate": "on",
  };
  expect(settingsFrom(fields, "config.")).toEqual({ quorumBps: 3_333, timelockSeconds: 7_200, changeable: false });
  expect(measuresFrom(fields)).toEqual(["open-gate"]);
  const before = { quorumBps: 3_333, changeable: true, measures: ["open-gate"] } as unknown as DaoConfig;
  expect(changedSettings(before, { quorumBps: 3_333, changeable: false, measures: ["open-gate"] })).toEqual({
    changeable: false,
  });
  expect(settingWords({ quorumBps: 0, changeable: false }).map(({ words }) => words)).toEqual([
    "none: any number of votes will do",
    "is cast once and stays",
  ]);
});

it("makes measures of a form, and says what they do and when", () => {
  expect(measureFrom("open-gate", { option: "1" }, {})).toEqual({ missing: "Choose a gate." });
  expect(measureFrom("change-config", {}, {})).toHaveProperty("missing");
  const made = measureFrom("grant-dao-role", { account: "u1", roleId: "r1", option: "1" }, {});
  expect(made).toEqual({ measure: { do: "grant-dao-role", account: "u1", roleId: "r1", option: 1 } });
  const { measure } = made as Extract<typeof made, { measure: unknown }>;
  const names = { person: () => "Ann", role: () => "“Elder”", gate: String, bounty: String };
  expect(measureWords(measure, names)).toBe("Give Ann the role “Elder” in the DAO.");
  expect(conditionWords("single", OPTIONS, measure)).toBe("Only if “Hradek” wins.");
  expect(conditionWords("basic", ["for"], { ...measure, option: 0 })).toBeNull();
});

it("finds the step of a measure among those that the vote called for", () => {
  const measures = [{ option: 0 }, {}, { option: 1 }].map((one) => ({ do: "open-gate", gateId: "g", ...one }));
  const steps = [{ status: "done" }, { status: "pending" }];
  const proposal = { measures, steps, tally: { winner: 1 } } as unknown as Proposal;
  expect([0, 1, 2].map((at) => stepOf(proposal, at)?.status)).toEqual([undefined, "done", "pending"]);
  expect(stepOf({ measures } as unknown as Proposal, 1)).toBeUndefined();
});

it("draws a count by what all options got, or by the power cast where approvals overlap", () => {
  const tally = (kind: DaoTally["kind"]) =>
    ({ kind, scores: ["3", "3", "0"], power: { cast: "4" }, winner: 1 }) as unknown as DaoTally;
  expect(barsOf(tally("single"), OPTIONS).map(({ share }) => share)).toEqual([0.5, 0.5, 0]);
  expect(barsOf(tally("approval"), OPTIONS).map(({ share }) => share)).toEqual([0.75, 0.75, 0]);
  expect(pictureWords(barsOf(tally("single"), OPTIONS))).toBe("Lhota: 3 (50 %), Hradek: 3 (50 %), Brod: 0 (0 %)");
});

it("shows the way of a proposal as far as it is known", () => {
  const begun = { createdAt: "1", startsAt: "2", deadline: "3", rules: { timelockSeconds: 60 } };
  const at = (more: object): string[] =>
    courseOf({ ...begun, ...more } as unknown as Proposal).map(({ words, stands }) => `${stands}: ${words}`);
  expect(at({ status: "pending" })).toEqual([
    "now: Submitted",
    "ahead: Voting opens",
    "ahead: Voting closes",
    "ahead: If it passes, its execution",
  ]);
  expect(at({ status: "active", totalPower: "2" })[1]).toBe("now: Voting opened");
  const closed = { totalPower: "2", closedAt: "3", eta: "4", expiresAt: "5" };
  expect(at({ status: "queued", ...closed }).slice(2)).toEqual([
    "past: Voting closed",
    "now: Timelock until",
    "ahead: To be executed before",
  ]);
  expect(at({ status: "executed", ...closed }).at(-1)).toBe("now: Executed");
  expect(at({ status: "cancelled" })).toEqual(["past: Submitted", "now: Withdrawn"]);
});

it("adds up a member's own power by what it rests on", () => {
  const holder = { tokens: "7", roles: ["a", "b", "gone"] };
  const roles = [
    { id: "a", weight: "2" },
    { id: "b", weight: "3" },
  ];
  expect((["member", "token", "role"] as const).map((basis) => powerOf(basis, holder, roles))).toEqual(["1", "7", "5"]);
});

it("says why something may not be done, without the names of permits", () => {
  expect(whyNot("Your role in this problem set, observer, does not allow dao:vote.")).toBe(
    "Your role here, observer, does not allow it.",
  );
  expect(whyNot("Voting is over.")).toBe("Voting is over.");
});
