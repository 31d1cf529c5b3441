import { parseQuery } from "../../core/text/searching/query-language.ts";
import { suggestion } from "../../services/news/search/advice.ts";

test("what is asked of the index instead of a query that found nothing holds up nobody: one question a turn", async () => {
  let turn = 0,
    next = setImmediate(function count() {
      turn++;
      next = setImmediate(count);
    });
  const askedIn: number[] = [];
  const asked = <T>(answer: T): Promise<T> => (askedIn.push(turn), Promise.resolve(answer));
  const { tree } = parseQuery("bridge closed lorries mayor embargo");
  const found = await suggestion(tree!, true, {
    total: (_, isBounded) => asked(isBounded ? 2 : 0),
    spellings: () => asked([]),
  });
  clearImmediate(next);
  expect(found).toMatchObject({ total: 2 });
  expect(askedIn).toHaveLength(16);
  expect(new Set(askedIn).size).toBe(16);
});
