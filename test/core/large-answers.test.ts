import { z } from "zod";
import { isShaping, isLarge, jsonInTurns, shapedInTurns } from "../../core/contract/answering/large-answers.ts";

// What is shaped and written in turns is what Zod and JSON make of it at once.

interface Tree {
  name: string;
  note?: string | undefined;
  below: Tree[];
}
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  note: z.string().optional(),
  get below() {
    return z.array(Tree);
  },
});
const Answer = z.object({
  at: z.string().default("now"),
  roots: z.array(Tree),
  rest: z.array(z.int()).max(2_000).nullable(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
const tree = (depth: number): object => ({
  name: `Größe ${depth} "quoted"`,
  ...(depth % 2 && { note: undefined }),
  secret: "left out",
  below: depth ? Array.from({ length: 4 }, () => tree(depth - 1)) : [],
});

it.each([
  ["a tree", { roots: [tree(5)], rest: null, other: 1 }],
  ["long lists", { at: "then", roots: [], rest: Array.from({ length: 1_500 }, (_, n) => n) }],
  [
    "what has no schema",
    { roots: [], rest: [], meta: { all: Array.from({ length: 500 }, (_, n) => ({ n, [n]: [] })) } },
  ],
])("%s", async (_name, given) => {
  expect(isLarge(given)).toBe(true);
  const shaped = await shapedInTurns(Answer, given);
  expect(JSON.stringify(shaped)).toBe(JSON.stringify(Answer.parse(given)));
  expect((await jsonInTurns(shaped)).toString()).toBe(JSON.stringify(shaped));
});

it("what does not fit is refused as ever, and what is small is not large", async () => {
  const wrong = { roots: [tree(5), { name: 1, below: [] }], rest: null };
  await expect(shapedInTurns(Answer, wrong)).rejects.toThrow(z.ZodError);
  await expect(shapedInTurns(Answer, { roots: [], rest: Array.from({ length: 2_001 }, () => 0) })).rejects.toThrow(
    z.ZodError,
  );
  expect(isLarge({ data: Array.from({ length: 100 }, (_, n) => ({ n })), meta: {} })).toBe(false);
});

it.each([
  ["a list", z.array(Tree), true],
  ["fields", Answer, true],
  ["fields that are checked together", Answer.refine(() => true), true],
  ["a map", z.record(z.string(), Tree), true],
  ["what is taken as it is", z.custom<Record<string, Tree>>(() => true), false],
  ["anything", z.unknown(), false],
])("%s is looked through for its size only where it is shaped", (_name, schema, shaped) => {
  expect(isShaping(schema)).toBe(shaped);
});
