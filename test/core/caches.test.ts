import fc from "fast-check";
import { Caches, isOf, type Cache } from "../../core/caches.ts";

it("a pattern is asked as the regular expression of its parts is, in one pass", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", ".", ":"), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", ".", ":", "*", "*"), maxLength: 10 });
  const literal = (part: string) => part.replaceAll(".", "\\.");
  fc.assert(
    fc.property(pattern, text, (wanted, given) => {
      const form = new RegExp(`^${wanted.split("*").map(literal).join(".*")}$`);
      expect(isOf(wanted, given)).toBe(form.test(given));
    }),
  );
});

it("what is dropped is what was named, of the kind that was named", () => {
  const remembered = (...keys: string[]): Cache & { keys: Set<string> } => ({
    keys: new Set(keys),
    drop(fits = () => true) {
      const going = [...this.keys].filter(fits);
      for (const key of going) this.keys.delete(key);
      return going.length;
    },
  });
  const [names, models] = [remembered("ann", "ben", "cid"), remembered("ann")];
  const caches = new Caches();
  caches.add("names", names);
  caches.add("models", models);
  expect(caches.drop({ keys: ["names:ann", "models:ben"] })).toBe(1);
  expect(caches.drop({ pattern: "*s:b*" })).toBe(1);
  expect(caches.drop({ scope: "models" })).toBe(1);
  expect([...names.keys]).toEqual(["cid"]);
  expect(caches.drop({ scope: "all" })).toBe(1);
});
