import fc from "fast-check";
import { derivedBeside, derivedId, newId } from "../../core/ids.ts";

// What is made of a record lies beside it in every index of ids, and is made once however often that is done.

it("is the same for the same seed, of the time of the other, and another for every seed", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 2 }), ([one, other]) => {
      const id = newId();
      const made = derivedBeside(id, one!);
      expect(made).toBe(derivedBeside(id, one!));
      expect(made).not.toBe(derivedBeside(id, other!));
      expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(made.slice(0, 14)).toBe(id.slice(0, 14));
    }),
  );
});

it("is scattered beside what has no time in it", () => {
  const id = derivedId("a record");
  expect(derivedBeside(id, "seed")).toBe(derivedId("seed"));
});
