import { fieldsOf, valuesOf } from "../../console/staff/shared/schema.ts";
import { forPeople, furthest, withCitations, withPart } from "../../console/staff/shared/reply.ts";
import { definitionFrom, stepsBefore } from "../../console/staff/workflows/drafting.ts";
import { placed } from "../../console/staff/workflows/layout.ts";

// What the pages of agents and of the assistant reckon out by themselves.

describe("a reply in parts", () => {
  const known = { attempt: 1, text: "The bridge" };

  it("grows by what comes next, and by nothing twice", () => {
    expect(withPart(known, { attempt: 1, offset: 10, text: " carries" })).toEqual({
      attempt: 1,
      text: "The bridge carries",
    });
    expect(withPart(known, { attempt: 1, offset: 4, text: "bridge" })).toBe(known);
    expect(withPart(known, { attempt: 1, offset: 4, text: "bridge car" })).toEqual({
      attempt: 1,
      text: "The bridge car",
    });
  });

  it("has a gap where parts before are missing", () => {
    expect(withPart(known, { attempt: 1, offset: 12, text: "x" })).toBeUndefined();
    expect(withPart(known, { attempt: 2, offset: 3, text: "x" })).toBeUndefined();
  });

  it("begins anew at a later attempt, and ignores an earlier one", () => {
    expect(withPart(known, { attempt: 2, offset: 0, text: "No" })).toEqual({ attempt: 2, text: "No" });
    expect(withPart({ attempt: 2, text: "No" }, { attempt: 1, offset: 2, text: "thing" })).toEqual({
      attempt: 2,
      text: "No",
    });
    expect(furthest({ attempt: 2, text: "" }, known)).toEqual({ attempt: 2, text: "" });
    expect(furthest({ attempt: 1, text: "The" }, known)).toBe(known);
  });

  it("links the numbers that it cites, and no others", () => {
    expect(withCitations("So [1][2]. In [3].", "m", [1, 2])).toBe(
      "So [\\[1\\]](#source-m-1)[\\[2\\]](#source-m-2). In [3].",
    );
    expect(forPeople("Proposed: Open a mission. It waits for your answer: POST /api/assistant/a-1/confirm.")).toBe(
      "Proposed: Open a mission. It waits for your answer, below.",
    );
    expect(forPeople("Add a gate: POST /api/gates/{gateId}/x. It needs `problemSetId`, `tab`. [2]\nNext")).toBe(
      "Add a gate. [2]\nNext",
    );
  });
});

describe("a form made from a schema", () => {
  const fields = fieldsOf(
    {
      properties: {
        problemSetId: { type: "string" },
        note: { anyOf: [{ type: "string", maxLength: 4_000 }, { type: "null" }] },
        name: { type: "string", description: "What it is called." },
        most: { type: "integer", default: 10 },
        loud: { type: "boolean" },
        at: { type: "string", format: "date-time" },
        tags: { type: "array", items: { type: "string" } },
        where: { type: "object" },
        how: { enum: ["so", "otherwise"] },
      },
      required: ["name", "problemSetId"],
    },
    ["problemSetId"],
  );

  it("asks for what is needed first", () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ["name", "text"],
      ["note", "long"],
      ["most", "number"],
      ["loud", "flag"],
      ["at", "moment"],
      ["tags", "list"],
      ["where", "json"],
      ["how", "choice"],
    ]);
    expect(fields[0]).toMatchObject({ isRequired: true, hint: "What it is called." });
  });

  it("makes values of what was written, and leaves out the rest", () => {
    const given = { "i.name": "A", "i.most": "3", "i.loud": "on", "i.tags": "a, b,", "i.where": '{"x":1}' };
    expect(valuesOf(fields, given, "i.")).toEqual({
      name: "A",
      most: 3,
      loud: true,
      tags: ["a", "b"],
      where: { x: 1 },
    });
    expect(() => valuesOf(fields, { where: "{" })).toThrow("Where: this is not JSON.");
  });
});

describe("a drafted workflow", () => {
  it("leads from step to step, also through those beside each other", () => {
    expect(stepsBefore([false, false, true, false])).toEqual([[], [0], [0], [1, 2]]);
    // The first step has none above it.
    expect(stepsBefore([true, true])).toEqual([[], []]);
  });

  it("names steps by what they do, each differently", () => {
    const steps = [1, 2, 3].map((key) => ({ key, kind: "agent" as const, tool: "" }));
    const fields = { name: "W", "1.task": "Look!", "2.task": "Look!", "3.task": "12 см", "1.agent": "a" };
    expect(definitionFrom(steps, fields, []).steps).toMatchObject([
      { id: "look", after: [], task: "Look!", agent: "a" },
      { id: "look-2", after: ["look"] },
      { id: "step", after: ["look-2"] },
    ]);
  });
});

describe("the picture of a workflow", () => {
  const node = (id: string, level: number) => ({
    id,
    kind: "tool" as const,
    level,
    state: "pending" as const,
    ms: null,
    isCritical: false,
  });
  const { nodes, edges, width, height } = placed({
    nodes: [node("a", 0), node("b", 1), node("c", 1), node("d", 2)],
    edges: [
      { from: "a", to: "b", on: "then", state: "taken" },
      { from: "a", to: "c", on: "else", state: "skipped" },
      { from: "gone", to: "d", on: "done", state: "unknown" },
    ],
    criticalPath: [],
    criticalMs: 0,
  });

  it("has a column a level, with nothing on top of another and all within its frame", () => {
    const places = nodes.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(4);
    expect(nodes[1]!.x).toBe(nodes[2]!.x);
    for (const { x, y } of nodes) {
      expect(x + 160).toBeLessThanOrEqual(width);
      expect(y + 56).toBeLessThanOrEqual(height);
    }
  });

  it("draws the edges that have both ends, with their words", () => {
    expect(edges.map(({ state, label }) => [state, label?.text])).toEqual([
      ["taken", "then"],
      ["skipped", "else"],
    ]);
  });
});
