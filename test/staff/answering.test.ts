import { extracted, passagesOf, type Source } from "../../services/staff/sources.ts";
import { QUESTIONS, TEXTS } from "../fixtures/assistant-questions.ts";

// What an answer without a model is made of, measured on labelled questions with traps: the sentence that answers
// first, and as little beside it as can be.

const sources: Source[] = TEXTS.map((text, at) => ({
  n: at + 1,
  type: "document",
  id: String(at),
  title: "",
  href: `/api/documents/${at}`,
  text,
  compartments: [],
}));

it("answers nine of ten questions with the sentence that was labelled, and adds less than one to it", () => {
  const judged = QUESTIONS.map(({ question, answer }) => {
    const lines = extracted(question, sources).split("\n").filter(Boolean);
    return { question, hit: answer === null ? !lines.length : lines.some((line) => line.includes(answer)), lines };
  });
  const hits = judged.filter(({ hit }) => hit);
  const beside = judged.reduce((sum, { lines }) => sum + Math.max(0, lines.length - 1), 0) / judged.length;
  if (process.env["SHOW_QUALITY"])
    console.log({ questions: judged.length, hits: hits.length, beside, missed: judged.filter(({ hit }) => !hit) });
  expect(hits.length / judged.length).toBeGreaterThanOrEqual(0.9);
  expect(beside).toBeLessThan(1);
});

it("cuts a text into passages that stand where they say", () => {
  const text = TEXTS.join(" ").repeat(3);
  const passages = passagesOf(text);
  expect(passages.length).toBeGreaterThan(3);
  for (const { start, text: passage } of passages) expect(text.slice(start, start + passage.length)).toBe(passage);
});
