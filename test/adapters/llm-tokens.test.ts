import { createHash } from "node:crypto";
import { estimateText } from "../../adapters/llm/tokens.ts";

const hex = (length: number): string =>
  Array.from({ length: Math.ceil(length / 64) }, (_, n) => createHash("sha256").update(String(n)).digest("hex"))
    .join("")
    .slice(0, length);

// What a text of these has at the least by the common tokenisers: an estimate below it overruns a budget.
it.each([
  ["prose", "The bridge at Lhota does not carry the trucks any longer, the engineers report. ".repeat(20), 1 / 5],
  ["Chinese", "桥梁不能再承载卡车工程师报告".repeat(20), 0.6],
  ["hex", hex(1_000), 1 / 3],
  ["numbers", "1234567890 ".repeat(50), 4 / 11],
  ["JSON", JSON.stringify(Array.from({ length: 50 }, (_, n) => ({ id: n, name: `unit ${n}`, at: [1.5, n] }))), 1 / 3],
  ["Czech", "Příliš žluťoučký kůň úpěl ďábelské ódy. ".repeat(20), 1 / 4],
])("%s is not underestimated, nor beyond reason", (_name, text, least) => {
  expect(estimateText(text)).toBeGreaterThanOrEqual(text.length * least);
  expect(estimateText(text)).toBeLessThanOrEqual(text.length * 1.1);
});

it("takes time by the length of a text alone", () => {
  expect(estimateText("")).toBe(0);
  expect(estimateText("a".repeat(1_000_000))).toBeGreaterThan(333_000);
});
