import { createHash } from "node:crypto";
import { estimateText } from "../../../adapters/llm/budget/tokens.ts";

const hex = (length: number): string =>
  Array.from({ length: Math.ceil(length / 64) }, (_, n) => createHash("sha256").update(String(n)).digest("hex"))
    .join("")
    .slice(0, length);

// Counted with the vocabulary o200k: an estimate below it overruns a budget, one far above wastes it.
const COUNTED: readonly [string, string, number][] = [
  ["prose", "The bridge at Lhota does not carry the trucks any longer, the engineers report. ".repeat(20), 361],
  ["Chinese", "桥梁不能再承载卡车，工程师报告说，北岸的道路已经关闭。".repeat(20), 420],
  ["Japanese", "橋はもうトラックを支えることができません。".repeat(20), 260],
  ["Russian", "Мост больше не выдерживает грузовики, сообщают инженеры. ".repeat(20), 301],
  ["Arabic", "الجسر لم يعد يتحمل الشاحنات كما أفاد المهندسون. ".repeat(20), 321],
  ["Czech", "Příliš žluťoučký kůň úpěl ďábelské ódy. ".repeat(20), 441],
  ["hex", hex(1_000), 564],
  ["base64", Buffer.from(hex(1_000), "hex").toString("base64"), 450],
  ["numbers", Array.from({ length: 200 }, (_, n) => n * 7_919).join(" "), 671],
  ["JSON", JSON.stringify(Array.from({ length: 50 }, (_, n) => ({ id: n, name: `unit ${n}`, at: [1.5, n] }))), 952],
  ["code", "const estimateTokens = (text) => {\n  return Math.ceil(text.length / 4);\n};\n".repeat(20), 400],
  ["emoji", "😀🚀 ".repeat(50), 151],
];
it.each(COUNTED)("%s is not underestimated, nor beyond reason", (_name, text, counted) => {
  expect(estimateText(text)).toBeGreaterThanOrEqual(counted);
  expect(estimateText(text)).toBeLessThanOrEqual(counted * 1.65);
});

it("takes time by the length of a text alone", () => {
  expect(estimateText("")).toBe(0);
  expect(estimateText("a".repeat(1_000_000))).toBeGreaterThan(333_000);
});
