import { toldIn } from "../../../bench/judgement/news/sentences.ts";

// Graded by an editor: 2 tells what happened, 1 is worth telling, 0 is not (bench/judgement/news/sentences.ts).
it("events of a set are told first by what happened, and hardly ever by what is not worth it", () => {
  const events = toldIn("delta");
  const could = events.filter(({ read }) => read.some(({ grade }) => grade === 2));
  const telling = events.filter(({ told }) => told[0]!.grade === 2);
  const further = events.flatMap(({ told }) => told.slice(1));
  const idle = further.filter(({ grade }) => grade === 0);
  expect(could.length).toBeGreaterThan(15);
  expect(telling.length / could.length).toBeGreaterThanOrEqual(0.9);
  expect(events.filter(({ told }) => told[0]!.grade === 0)).toEqual([]);
  expect(idle.length / further.length).toBeLessThanOrEqual(0.15);
});
