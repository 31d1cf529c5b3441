import { z } from "zod";
import { strayIn } from "../../core/contract/documents/schema-paths.ts";

const Leaf = z.object({ id: z.string(), size: z.number().nullable() }).meta({ id: "Leaf" });
const schema = z.toJSONSchema(
  z.object({
    leaf: Leaf.optional(),
    leaves: z.array(Leaf),
    pair: z.tuple([z.string(), Leaf]),
    either: z.union([z.string(), z.object({ kind: z.literal("x") })]),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.object({ c: z.string() }) })),
    named: z.record(z.string(), Leaf),
    open: z.unknown(),
    "a/b": z.string(),
  }),
  { io: "output", unrepresentable: "any" },
);

it.each<[string, string | undefined]>([
  ["leaf/id", undefined],
  ["leaf/name", "name"],
  ["leaf/id/more", "more"],
  ["leaves/0/size", undefined],
  ["leaves/first", "first"],
  ["leaves/0/x", "x"],
  ["pair/1/id", undefined],
  ["either/kind", undefined],
  ["either/other", "other"],
  ["both/b/c", undefined],
  ["both/d", "d"],
  ["named/anything/id", undefined],
  ["named/anything/x", "x"],
  ["open/to/all/0", undefined],
  ["nothing", "nothing"],
  ["constructor", "constructor"],
])("%s leads to what a value may have, but for %s", (path, stray) => {
  expect(strayIn(schema, path.split("/"))).toBe(stray);
});

it("takes what says nothing, and circles, for open", () => {
  expect(strayIn({}, ["a", "b"])).toBeUndefined();
  expect(strayIn({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, ["x"])).toBeUndefined();
  expect(strayIn(schema, ["a/b"])).toBeUndefined();
});
