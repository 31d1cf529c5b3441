import { concluded } from "../../services/staff/agents/executions/answers.ts";
import { hashOf } from "../../services/staff/agents/gate/hash.ts";

it("an answer that is cut ends with a whole character, so that it can be an argument of the next act", () => {
  for (const before of ["", "a"]) {
    const result = { text: `The bridge held ${before}${"\u{1F6A7}".repeat(9_000)}` };
    const read = [{ id: "step", status: "done", tool: "read", why: "", result }] as const;
    const { text } = concluded({ task: "bridge", method: "heuristic" }, read);
    expect([text.isWellFormed(), hashOf({ text }).length]).toEqual([true, 64]);
  }
});

it("what to give is said where no model chooses tools, and not of a run whose model was stopped", () => {
  const text = (method: "llm" | "heuristic") => concluded({ task: "bridge", method }, []).text;
  expect(text("heuristic")).toBe("Nothing was read: no tool was used. An input gives tools what they need.");
  expect(text("llm")).toBe("Nothing was read: no tool was used.");
});
