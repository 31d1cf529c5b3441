import { refusalWords, rowsFileOf, rowText } from "../../console/picture/resources/import/table-file.ts";
import { casesFrom } from "../../console/staff/validation/suites/drafting.ts";
import { changeFrom } from "../../console/workspace/design/sections.ts";

// What forms and files of the console become when they are sent.

const refused = { index: 1, code: "VALIDATION_ERROR", message: "It is required.", path: "name" };

describe("a file of rows", () => {
  it("is sent as a table as it is, or as the rows that its JSON lists; a refused row is shown as it stands there", async () => {
    const table = await rowsFileOf(new File(["name;kind\nA;x\n\nB;y\n"], "a.csv"));
    expect([table.table?.type, table.rows, rowText(table, refused)]).toEqual(["text/csv", undefined, "B;y"]);
    // A cell may hold a line break: which line a row is cannot be told then.
    const quoted = await rowsFileOf(new File(['name\n"A\nB"\nC\n'], "a.csv"));
    expect(rowText(quoted, refused)).toBe("");
    const json = await rowsFileOf(new File(['{"rows": [{"name": "A"}, {"kind": "x"}]}'], "a.json"));
    expect([json.table, rowText(json, refused)]).toEqual([undefined, '{"kind":"x"}']);
    for (const text of ["{", "[1]", '{"rows": 1}'])
      await expect(rowsFileOf(new File([text], "a.json"))).rejects.toThrow("a.json");
  });

  it("has rows that are counted from 1", () => {
    expect(refusalWords({ ...refused, message: "Row 0 has the same externalId." })).toBe(
      "Row 1 has the same externalId.",
    );
  });
});

describe("a suite", () => {
  it("has a name of its own for each case, and in each check what its kind asks for", () => {
    const check = (kind: "answers" | "contains" | "latency" | "steps", key = 0) => ({ key, kind });
    const drafts = [
      { key: 0, checks: [check("contains"), check("latency", 1)] },
      { key: 4, checks: [check("answers")] },
      { key: 5, checks: [check("steps")] },
    ];
    const fields = {
      "cases.0.task": "Say hello!",
      "cases.0.assertions.0.text": "hello",
      "cases.0.assertions.0.critical": "on",
      "cases.0.assertions.1.mostMs": "2",
      "cases.1.task": "Say: hello",
      "cases.1.input": "A note.",
      "cases.2.task": "日本",
      "cases.2.assertions.0.most": "0",
    };
    expect(casesFrom(drafts, fields)).toEqual([
      {
        id: "say-hello",
        task: "Say hello!",
        assertions: [
          { kind: "contains", text: "hello", critical: true },
          { kind: "latency", mostMs: 2_000 },
        ],
      },
      { id: "say-hello-2", task: "Say: hello", input: { text: "A note." }, assertions: [{ kind: "answers" }] },
      { id: "case", task: "日本", assertions: [{ kind: "steps", most: 0 }] },
    ]);
  });
});

describe("a part of a design", () => {
  it("keeps the ids of its points, clears what was emptied, and says with an empty list that there is none", () => {
    const given = new FormData();
    given.append("linesOfEffort.0.conditions", "c1");
    given.append("linesOfEffort.0.conditions", "c2");
    const fields = {
      "conditions.0.id": "c1",
      "conditions.0.statement": "Open.",
      "linesOfEffort.0.statement": "Repair.",
    };
    expect(changeFrom("approach", fields, given, { conditions: 1, linesOfEffort: 1 })).toEqual({
      conditions: [{ id: "c1", statement: "Open." }],
      linesOfEffort: [{ statement: "Repair.", conditions: ["c1", "c2"] }],
    });
    expect(changeFrom("risks", {}, new FormData(), { risks: 0 })).toEqual({ risks: [] });
    expect(changeFrom("environment", { currentState: "Cut." }, new FormData(), {})).toEqual({
      currentState: "Cut.",
      desiredEndState: null,
    });
  });
});
