import fc from "fast-check";
import { z } from "zod";
import { complaintsAbout } from "../../core/contract/input/complaints.ts";
import { parse } from "../../core/contract/endpoint.ts";
import { isProblem } from "../../core/problem.ts";

/** What whoever sent a value is told about it. */
const told = (schema: z.ZodType, value: unknown): string[] => {
  const { error } = schema.safeParse(value);
  return complaintsAbout(error!.issues, schema).map(({ path, message }) => `${path}: ${message}`);
};

const Visit = z.strictObject({
  text: z.string().min(1).max(10),
  count: z.int().min(2).max(5).optional(),
  tags: z.array(z.string()).max(2).optional(),
  kind: z.enum(["short", "long"]).default("short"),
  until: z.iso.datetime().optional(),
  place: z.strictObject({ latitude: z.number(), longitude: z.number() }).optional(),
  grid: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  unit: z
    .string()
    .regex(/^[A-Z]{2}$/, "two capital letters, please")
    .optional(),
});

it.each<[object, string[]]>([
  [{}, ["text: Is required: a text."]],
  [{ text: "" }, ["text: Must not be empty."]],
  [{ text: "far too long for it" }, ["text: Must have at most 10 characters."]],
  [{ text: 5 }, ["text: Must be a text, and is 5."]],
  [{ text: "a", count: 1 }, ["count: Must be at least 2."]],
  [{ text: "a", count: "3" }, ["count: Must be a number, and is a text."]],
  [{ text: "a", tags: ["a", "b", "c"] }, ["tags: Must have at most 2 items."]],
  [{ text: "a", kind: "medium" }, ["kind: Must be one of `short`, `long`."]],
  [{ text: "a", until: "tomorrow" }, ["until: Must be an instant, as 2026-05-04T12:00:00Z."]],
  // The one that is missing is what the only stranger was meant as; and so is what is written nearly the same.
  [{ message: "a" }, ["text: Is required: a text.", "message: There is no such field; did you mean `text`?"]],
  [{ text: "a", cuont: 3 }, ["cuont: There is no such field; did you mean `count`?"]],
  [
    { text: "a", place: { latitude: 1, longitude: 2, lattitude: 3 } },
    ["place.lattitude: There is no such field; did you mean `latitude`?"],
  ],
  // So is what is only the beginning of it.
  [
    { text: "a", place: { lat: 1, lon: 2 } },
    [
      "place.latitude: Is required: a number.",
      "place.longitude: Is required: a number.",
      "place.lat: There is no such field; did you mean `latitude`?",
      "place.lon: There is no such field; did you mean `longitude`?",
    ],
  ],
  [
    { text: "a", colour: "red" },
    ["colour: There is no such field; there are `text`, `count`, `tags`, `kind`, `until`, `place`, `grid`, `unit`."],
  ],
  [{ text: "a", grid: "x" }, ["grid: Must fit the pattern /^[A-Z]{2}$/."]],
  [{ text: "a", unit: "x" }, ["unit: Two capital letters, please."]],
])("says of %j what is wrong with it", (value, complaints) => {
  expect(told(Visit, value)).toEqual(complaints);
});

it("looks for what was meant by as many unknown fields as an answer tells of", () => {
  const many = Object.fromEntries(Array.from({ length: 36 }, (_, n) => [`place${n.toString(36)}`, 0]));
  const unknown = told(Visit, { text: "a", ...many });
  expect(unknown.map((one) => one.includes("did you mean"))).toEqual(Array.from({ length: 36 }, (_, n) => n < 20));
});

it("says of what may be anything that it is required, and no more", () => {
  expect(told(z.strictObject({ body: z.unknown().nonoptional() }), {})).toEqual(["body: Is required."]);
});

it("says of alternatives what is wrong with the one that was meant", () => {
  const either = z.union([z.string(), z.strictObject({ id: z.string(), name: z.string() })]);
  expect(told(either, 5)).toEqual([": Must be a text or an object."]);
  expect(told(either, { id: "x" })).toEqual(["name: Is required: a text."]);
  expect(told(z.strictObject({ who: either }), {})).toEqual(["who: Is required."]);
  const move = z.discriminatedUnion("do", [
    z.strictObject({ do: z.literal("go"), to: z.string() }),
    z.strictObject({ do: z.literal("stay") }),
  ]);
  expect(told(move, { do: "fly" })).toEqual(["do: Must be one of `go`, `stay`."]);
});

it("has a sentence and a field for whatever is sent", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      try {
        parse(Visit, value);
      } catch (error) {
        if (!isProblem(error)) throw error;
        for (const { message } of error.data.details as { message: string }[])
          expect(message).toMatch(/^[A-Z].*(\.|\?|…)$/s);
      }
    }),
  );
});
