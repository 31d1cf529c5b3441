import fc from "fast-check";
import { z } from "zod";
import { readText } from "../../../adapters/texts/plain.ts";
import { quantities } from "../../../core/text/statements/figures/quantities.ts";
import { words } from "../../../core/text/words/words.ts";
import { atOnce } from "../../../core/work/turns.ts";
import { extractObjectives } from "../../../services/knowledge/strategic/extraction/candidates.ts";
import { Measure, Objective } from "../../../services/knowledge/strategic/objectives/objectives.ts";
import { breakDown } from "../../../services/knowledge/strategic/operations/breakdown.ts";
import {
  plan,
  refuseBroken,
  timed,
  type Operations,
} from "../../../services/knowledge/strategic/operations/operations.ts";
import { tries } from "../../tries.ts";

/** Pieces of orders, among them what no plan has: blanks, digits without end, dashes before numbers, half a character. */
const PIECES = [
  ..."G4 must clear the road|shall evacuate 80 % of the wounded|After the bridge is open, move|from 9 hours to 3 hours".split(
    "|",
  ),
  ..."within 10 days|within -5 days|takes 99999 years|by 31 December 9999|by 30 February 2027|at least 13.8 billion years".split(
    "|",
  ),
  ...`${"9".repeat(400)} years|$${"9".repeat(330)} billion|1e400 tonnes|0 vehicles|responsible: G4|owner:   |lead: \u{1F6A7}`.split(
    "|",
  ),
  ...[
    " ",
    "\t",
    "\n\n",
    ".",
    ". ",
    ";",
    "\u200B",
    "\u0000",
    "\u{1F6A7}".repeat(120),
    "a ".repeat(300),
    "x".repeat(700),
  ],
];
const prose = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "grapheme" })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((pieces) => pieces.join(" ").slice(0, 2_000).toWellFormed());
const stated = prose.map((text) => text.trim()).filter((text) => text.length >= 3);

describe("what rules make of whatever words", () => {
  it("is a breakdown that a person could have sent", () => {
    const task = prose.map((text) => text.slice(0, 1_000).toWellFormed());
    const objective = fc.record({
      statement: stated,
      description: prose,
      owner: task.map((text) => text.slice(0, 200)),
    });
    const intent = fc.option(fc.record({ keyTasks: fc.array(task, { minLength: 1, maxLength: 6 }) }));
    fc.assert(
      fc.property(objective, intent, (said, tasks) => {
        const made = breakDown(said, tasks);
        expect(z.object(plan).safeParse(made).error).toBeUndefined();
        refuseBroken(made);
        expect(Number.isFinite(timed(made as unknown as Operations).days)).toBe(true);
      }),
      { numRuns: tries(150) },
    );
  });

  it("are objectives that a person could have written, in numbers that are some", () => {
    const fields = Objective.view.pick({ statement: true, kind: true, dueAt: true, owner: true, citations: true });
    fc.assert(
      fc.property(fc.array(prose, { maxLength: 4 }), (paragraphs) => {
        const text = paragraphs.join("\n\n");
        for (const { value, to = 0, precision } of quantities(text, words(text)))
          expect([value, to, precision].every(Number.isFinite)).toBe(true);
        const whole = { ...readText(Buffer.from(text)), documentId: "d", version: 1 };
        for (const { measure, ...found } of atOnce(extractObjectives(whole))) {
          expect(fields.safeParse(found).error).toBeUndefined();
          expect(Measure.optional().safeParse(measure).error).toBeUndefined();
        }
      }),
      { numRuns: tries(150) },
    );
  });
});
