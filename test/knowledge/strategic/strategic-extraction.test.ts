import { readFileSync } from "node:fs";
import fc from "fast-check";
import { readMarkdown, readText } from "../../../adapters/texts/plain.ts";
import { corpus, PARTS } from "../../../bench/judgement/objectives/corpus.ts";
import { precisionOf, recallOf, scored } from "../../../bench/judgement/objectives/score.ts";
import { quoteHolds } from "../../../core/text/citations.ts";
import { atOnce } from "../../../core/work/turns.ts";
import type { WholeText } from "../../../services/knowledge/documents/client.ts";
import { rewritten } from "../../../services/knowledge/documents/rewriting.ts";
import {
  confidenceOf,
  extractObjectives,
  objectiveId,
  type Sign,
} from "../../../services/knowledge/strategic/extraction/candidates.ts";
import { deadlinesIn } from "../../../services/knowledge/strategic/extraction/deadline.ts";
import { signsOf } from "../../../services/knowledge/strategic/extraction/signs.ts";
import { checkMeasure } from "../../../services/knowledge/strategic/objectives/checks.ts";
import { acceptFindings, findingsOf, reviewed } from "../../../services/knowledge/strategic/reviews/findings.ts";
import { plannedChanges } from "../../../services/knowledge/strategic/reviews/settling.ts";

const whole = (text: string, format: "text" | "markdown" = "text", version = 1): WholeText => ({
  ...(format === "text" ? readText : readMarkdown)(Buffer.from(text)),
  documentId: "d",
  version,
});
const found = (text: string, format?: "text" | "markdown") => atOnce(extractObjectives(whole(text, format)));
const statements = (text: string, format?: "text" | "markdown"): string[] =>
  found(text, format).map(({ statement }) => statement);
const findings = (text: string) => {
  const given = whole(text);
  return findingsOf(given, atOnce(reviewed(given)), []);
};

describe("objectives by rules", () => {
  it.each(PARTS)("are found in the labelled plans, traps and all (%s)", (part) => {
    const figures = scored(part);
    // Of `second` nobody has read what is missed.
    expect(precisionOf(figures)).toBeGreaterThanOrEqual(0.95);
    expect(recallOf(figures)).toBeGreaterThanOrEqual(part === "second" ? 0.7 : 0.95);
  });

  it("cite to the letter, and their confidence is the sum of its parts", () => {
    for (const { whole: text } of PARTS.flatMap(corpus))
      for (const { citations, confidence } of atOnce(extractObjectives(text))) {
        for (const citation of citations) expect(quoteHolds(citation, text.text)).toBe(true);
        expect(confidence.parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(confidence.value, 9);
      }
    const sign = fc.constantFrom<Sign>(
      "heading",
      "item",
      "obligation",
      "measure",
      "deadline",
      "owner",
      "tentative",
      "placeholder",
      "long",
      "model",
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
        const { value, parts } = confidenceOf(signs);
        expect(value).toBeGreaterThan(0);
        expect(value).toBeLessThan(1);
        expect(parts.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(value, 9);
      }),
    );
  });

  it("cite to the letter in any text", () => {
    const word = fc.constantFrom(
      "Objectives:",
      "1.",
      "-",
      "seize",
      "The",
      "bridge",
      "will",
      "open",
      "\n",
      "\n\n",
      "by",
      "6 May 2026",
      "😀",
      "# Goals",
      "12",
      "km",
      ".",
      "“",
      "A\u030a",
      "|",
      "\f",
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 60 }),
        fc.constantFrom("text" as const, "markdown" as const),
        (parts, format) => {
          const given = whole(parts.join(" "), format);
          const all = atOnce(extractObjectives(given));
          expect(all.every(({ citations }) => citations.every((one) => quoteHolds(one, given.text)))).toBe(true);
          expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("say when, how much and who, as far as the words do", () => {
    const [one, two, three] = found(
      "Tasks:\n1. A Company will seize OBJ FOX by 041800ZMAR26.\n2. Raise the share of repaired wells from 40 to 90 percent by June 2026.\n3. Open the road (OPR: G4) by 06:30 on 4 March 2026.\n",
    );
    expect(one).toMatchObject({ kind: "task", owner: "A Company", dueAt: "2026-03-04T18:00:00.000Z" });
    expect(two).toMatchObject({ dueAt: "2026-06-30T23:59:59.000Z", measure: { unit: "percent", target: 90 } });
    expect(three).toMatchObject({ owner: "G4", dueAt: "2026-03-04T06:30:00.000Z" });
  });

  it("take no number of a name, no size of a thing and no label for what is to be reached", () => {
    const [force, tankers] = found(
      "# Mission\n\nTask Force 61 keeps the strait open in order to restore transits to 1,400 ships a month.\n\n# Objectives\n\n1. Escort every tanker over 80,000 tonnes from May 2027.\n",
      "markdown",
    );
    expect(force!.measure).toEqual({ indicator: "1,400 ships a month", target: 1_400 });
    expect(tankers!.measure).toBeUndefined();
    expect(statements("D.7. Field 7: 21 contacts were plotted in 2026, of which 7 were mines.")).toEqual([]);
  });

  it("say what is kept on which side, until when, and who answers for it in a sentence behind", () => {
    const [transits, oil, cost] = found(
      "Objectives:\n1. Keep monthly transits at or above 1,400 ships from 1 March 2027 to 31 December 2028. Owner: Plans.\n" +
        "2. Hold stocks of 90 days of crude oil at the terminal.\n3. Limit spending on escorts to 240 million euros a year.\n",
    );
    expect(transits).toMatchObject({
      owner: "Plans",
      dueAt: "2028-12-31T23:59:59.000Z",
      measure: { indicator: "1,400 ships", target: 1_400, keep: "at-least" },
    });
    expect(oil!.measure).toMatchObject({ unit: "s", keep: "at-least" });
    expect(cost!.measure).toMatchObject({ unit: "EUR", target: 240_000_000, keep: "at-most" });
  });

  it("are measured from what is to what is aimed at, in words that are whole", () => {
    const measures = found(
      "Goals:\n- Reduce the convoy delay from 9 hours to 3 hours by June 2027.\n- Cut losses from about 40 trucks a month to 10 trucks.\n- Restore power to 80 percent of households in the Northern District.\n- Build three crossing points over the river.\n",
    ).map(({ measure }) => measure);
    expect(measures).toMatchObject([
      { indicator: "9 hours to 3 hours", unit: "s", baseline: 32_400, target: 10_800 },
      { baseline: 40, target: 10 },
      { indicator: "80 percent of households", unit: "percent", target: 80 },
      { indicator: "three crossing points", target: 3 },
    ]);
  });

  it("are not measured by how old those are whom they reach, and are by what their first verb counts", () => {
    const measures = found(
      "Goals:\n- Vaccinate all children between 12 months and 15 years in Brod by 20 July 2026, at least 95 % of them.\n" +
        "- Open 42 cooling centres in Lhota by 5 July 2026.\n- Visit all residents older than 80 years by 5 July 2026.\n" +
        "- Screen children aged 1 to 5 years in 12 villages by June 2027.\n- Extend the contract by 2 years.\n",
    ).map(({ measure }) => measure && [measure.indicator, measure.target]);
    expect(measures).toEqual([
      ["95 %", 95],
      ["42 cooling centres in Lhota", 42],
      undefined,
      ["12 villages", 12],
      ["2 years", expect.any(Number)],
    ]);
  });

  it("are measured by a level in metres, not by how often something is done; to have something can be ordered", () => {
    const all = found(
      "Tasks:\n1. Raise the dyke at Stipoc to 5.80 m over 2.4 km by 2 December 2026.\n2. The engineers " +
        "shall patrol the dyke every six hours.\n3. The brigade must have twelve buses at the landing by 30 " +
        "November 2026.\n",
    );
    expect(all[0]!.measure).toMatchObject({ unit: "m", target: 5.8 });
    expect(all[1]!.statement).toContain("every six hours");
    expect(all[1]!.measure).toBeUndefined();
    expect(checkMeasure(all[1]!)).toMatchObject({ verdict: "ok", why: expect.stringContaining("again and again") });
    expect(findings("ABA Dobrogea shall send the gauge every two hours.")).toEqual([]);
    expect(found("ABA Dobrogea shall send the gauge every two hours.")).toHaveLength(1);
    expect(all[2]).toMatchObject({ owner: "The brigade", measure: { target: 12 } });
  });

  it("are one, whatever their case and marks, and cited as often as they are said", () => {
    const [one, ...more] = found("Goals:\n- Hold the bridge at Lyon.\n- HOLD THE BRIDGE AT LYON\n");
    expect([more.length, one!.citations.length]).toEqual([0, 2]);
    expect(one!.id).toBe(objectiveId("d", "hold the bridge, at Lyon!"));
  });

  it.each([
    ["The enemy will seize the bridge by 4 March 2026.", "foreign"],
    ["We will not send 200 trucks by June.", "negated"],
    ["The battalion was to hold the bridge until 4 March.", "past"],
    ["If the dam fails, the convoy will return within 2 hours.", "condition"],
    ["The navy may buy 3 ships by 2029.", "guess"],
    ["Will the brigade cross by 06:00?", "question"],
    ["According to the ministry the army will leave by 30 June 2026.", "reported"],
    ["This order will be reviewed by 3 March 2026.", "paper"],
    ["He wrote “the brigade will attack by 6 May”.", "quoted"],
  ])("are not: %s", (sentence, against) => {
    expect(signsOf(sentence).against).toBe(against);
    expect(statements(sentence)).toEqual([]);
  });

  it.each([
    ["The Estates Office will bring the Corn Exchange back into use.", "an office of ours, without a date"],
    ["Our goal is to rebuild the stock to 40,000 tonnes.", "an aim that is told"],
    ["We also want to see the days that are missed fall by half.", "what is wanted, a state"],
    ["By 2029 we will have built latrines in 320 schools.", "done by then"],
    ["Seven of ten senior posts will be held by nationals by mid-2028.", "a share that will be"],
    ["No family shall spend more than six weeks in a hostel.", "what nobody is to suffer"],
    ["It was agreed that the treasurer would obtain three quotes.", "what a meeting decided"],
    ["The Inspectorate has been told to board one in five vessels.", "an order that was passed on"],
    ["All wells are to be tested for arsenic once a year.", "a passive that orders"],
    ["The water board will replace the mains before the winter.", "a body named after a thing"],
  ])("are found where a plan says them its own way: %s (%s)", (sentence) => {
    expect(statements(sentence)).toEqual([sentence]);
  });

  it.each([
    ["Tallisoft plans to end support."],
    ["The regulator's aim is that every trust is rated good by 2028."],
    ["The local authority plans to fine parents from September."],
    ["Planning consent must be obtained before any contract is let."],
    ["All drivers must hold a licence that is valid for six months."],
    ["Rents in the capital will, on present trends, pass half of the wage by 2028."],
    ["The motion that the society should build 40 flats by May was lost."],
    ["It was resolved to note the report of 3 May."],
    ["Return this form by 3 May 2026."],
    ["House prices rose by 8 % before the summer."],
    ["We would freeze travel if the round slips by 3 months."],
  ])("are no aims of others, rules, forecasts or matters of paper: %s", (sentence) => {
    expect(statements(sentence)).toEqual([]);
  });

  it("stand below what heads a column, a list or those who are ordered", () => {
    expect(
      statements(
        "| Cluster | Target | Cost |\n|---|---|---|\n| Health | 15 litres of safe water for each person | 3 m |\n" +
          "| Logistics | Common service; see Annex 2 | 1 m |\n| Camps | – | 2 m |\n",
        "markdown",
      ),
    ).toEqual(["15 litres of safe water for each person"]);
    expect(
      statements("The Constabulary will:\n i. prevent disorder in the Old Market;\n ii. keep streets open;\n"),
    ).toEqual(["prevent disorder in the Old Market", "keep streets open"]);
    const [tasked] = found("METHOD\nSerial 1 (Sgt Dacre): Escort the march on both sides.\n");
    expect(tasked).toMatchObject({ statement: "Escort the march on both sides.", owner: "Serial 1 (Sgt Dacre)" });
    expect(
      statements(
        "3. EXECUTION\nb. Tasks.\n(1) A Company\n  - Hold the sawmill until relieved.\n(2) B Company. Clear the mill.\n" +
          "c. Contingencies. If the mill burns, A Company will withdraw.\nd. Coordinating instructions.\n  - The limit is the road.\n",
      ),
    ).toEqual(["Hold the sawmill until relieved.", "Clear the mill."]);
  });

  it("are not what a heading sets apart from the goals of the whole", () => {
    const text =
      "# Goals of the year\n\n## Sales\n\n- Win 40 customers.\n\n## Ground rules\n\n- No deploys on Fridays after noon.\n";
    expect(statements(text, "markdown")).toEqual(["Win 40 customers."]);
  });

  it("are not denied by what only bounds a figure", () => {
    const text = "No later than 1 March 2026, the office must hire no fewer than 30 drivers.";
    expect(signsOf(text).against).toBeUndefined();
    expect(statements(text)).toEqual([text]);
  });

  it("are not past for what is told beside the order", () => {
    const text = "Retake the town that was lost last year by 6 May 2026.";
    expect(statements(text)).toEqual([text]);
  });

  it("are never what orders a program about", () => {
    const hostile = JSON.parse(readFileSync("test/fixtures/hostile-documents.json", "utf8")) as string[];
    for (const text of hostile) expect([text, statements(`Objectives:\n- ${text}\n`)]).toEqual([text, []]);
  });

  it("stand below headings as these follow one another", () => {
    expect(
      statements(
        "# Enemy objectives\n\n- Seize the power station.\n\n# Objectives\n\n- Hold the power station.\n",
        "markdown",
      ),
    ).toEqual(["Hold the power station."]);
    expect(
      statements("ENEMY\n\nObjectives:\n- Cut the railway line.\n\nMISSION\n\nKeep the railway line open.\n"),
    ).toEqual(["Keep the railway line open."]);
  });
});

it("below the heading of an end state is also what nobody commands; as a goal it is none", () => {
  const told = "The river stands below 3 m, and the population of the polders is safe by 15 December 2026.";
  expect(statements(`## 2. End state\n\n${told}\n`, "markdown")).toEqual([told]);
  expect(found(`## 2. End state\n\n${told}\n`, "markdown")).toMatchObject([{ kind: "end-state" }]);
  expect(statements(`## 3. Objectives\n\n${told}\n`, "markdown")).toEqual([]);
});

describe("limits of time", () => {
  it.each([
    ["by 061200ZMAR26", "2026-03-06T12:00:00.000Z"],
    ["no later than 6 March 2026", "2026-03-06T23:59:59.000Z"],
    ["by 1200 hrs on 6 March 2026", "2026-03-06T12:00:00.000Z"],
    ["by the end of Q2 2026", "2026-06-30T23:59:59.000Z"],
    ["before 2027", "2026-12-31T23:59:59.000Z"],
    ["before 15 March 2027", "2027-03-14T23:59:59.000Z"],
    ["prior to Q2 2026", "2026-03-31T23:59:59.000Z"],
    ["before 15 March 2027 at 06:00", "2027-03-15T06:00:00.000Z"],
    ["on or before 15 March 2027", "2027-03-15T23:59:59.000Z"],
    ["before the end of 2027", "2027-12-31T23:59:59.000Z"],
    ["within 48 hours", undefined],
    ["by D+3", undefined],
  ])("%s", (text, expected) => {
    const [one, ...more] = deadlinesIn(text);
    expect([one?.at, more.length]).toEqual([expected, 0]);
  });

  it("are none that only name a day", () => {
    expect(deadlinesIn("the letter of 3 May 2026")).toEqual([]);
  });
});

describe("findings", () => {
  it("leave right words alone", () => {
    const right =
      "That that is, is. He had had enough. Baden Baden is on the way. On Thursday, 5 March 2026 the bridge opens. Between 2020 and 2026, and between 10 and 12 km. NATO (North Atlantic Treaty Organization) helps.";
    expect(findings(right).map(({ category, replace }) => [category, replace])).toEqual([]);
  });

  it("name days that do not exist", () => {
    expect(
      findings("It ends on 31 April 2026, and on 29 February 2026, not on 29 February 2028.").map(
        ({ replace }) => replace,
      ),
    ).toEqual(["31 April 2026", "29 February 2026"]);
  });

  it("of a model bring no figure that the words did not have, however large", () => {
    const many = "9".repeat(400);
    const given = whole(`The brigade shall hold ${many} bridges by noon.`);
    const taken = (instead: string) =>
      acceptFindings(
        given,
        { start: 0, end: given.text.length },
        { findings: [{ quote: `shall hold ${many} bridges`, with: instead, why: "Plainer." }] },
        [],
      ).map((remark) => remark.with);
    expect([taken("holds bridges"), taken(`holds ${"8".repeat(401)} bridges`)]).toEqual([["holds bridges"], []]);
  });

  it("that are taken over change no words twice, and only words that stand in the newest text", () => {
    const text = "Hold the the bridge until Monday, 5 March 2026. Try to hold the the road.";
    const all = findings(text);
    const version2 = whole(`Preface.\n\n${text}`, "text", 2);
    const doubled = [...all, { ...all[0]!, id: "same" }];
    const { edits, failed } = plannedChanges(
      doubled,
      doubled.map(({ id }) => id),
      version2,
    );
    expect(edits.map(({ start, end }) => version2.text.slice(start, end))).toEqual(all.map(({ replace }) => replace));
    expect(failed).toEqual([{ findingId: "same", code: "OVERLAPS" }]);
  });
});

describe("a text that is written anew", () => {
  const line = fc
    .array(
      fc.constantFrom(
        "a",
        "B",
        "1.",
        "#",
        "-",
        "*",
        "_x_",
        "`c`",
        "[l](u)",
        "<b>",
        "&amp;",
        "|",
        "~~s~~",
        "\\",
        "+",
        "=",
        "10)",
        ">",
        "!",
        "e.g.",
        "😀",
        "===",
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(" "));
  const block = fc.record({
    kind: fc.constantFrom("heading", "paragraph", "list-item" as const),
    level: fc.integer({ min: 1, max: 6 }),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  });
  const laidOut = (blocks: { kind: string; level: number; lines: string[] }[]) => {
    let text = "";
    const made = blocks.map(({ kind, level, lines }) => {
      if (text) text += "\n";
      const start = text.length;
      text += kind === "heading" ? lines.join(" ") : lines.join("\n");
      return { kind: kind as "heading" | "paragraph" | "list-item", level, start, end: text.length, page: 1 };
    });
    return { text, blocks: made, pages: [{ page: 1, start: 0, end: text.length }] };
  };

  it("is read as the same text and kinds of blocks, as Markdown and as plain text", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
        const given = laidOut(blocks);
        const asMarkdown = readMarkdown(Buffer.from(rewritten(given, [], "markdown")));
        expect(asMarkdown.text).toBe(given.text);
        expect(asMarkdown.blocks.map(({ kind }) => kind)).toEqual(given.blocks.map(({ kind }) => kind));
        expect(readText(Buffer.from(rewritten(given, [], "text"))).text).toBe(given.text);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps tables, and leaves out what nothing is left of", () => {
    const given = readMarkdown(Buffer.from("| a | b |\n|---|---|\n| 1 | x \\| y |\n\nGone.\n\nStays.\n"));
    const start = given.text.indexOf("Gone.");
    const text = rewritten(given, [{ start, end: start + 5, with: "" }], "markdown");
    expect(readMarkdown(Buffer.from(text)).text).toBe("a\tb\n1\tx | y\nStays.");
  });
});
