import { z } from "zod";

/** Names below names that are kept. */
const DEEPEST = 50;

/** Where a name stands that no store keeps: an empty one, an operator's, one with NUL, a way to a prototype, too deep. */
function unstorable(value: unknown, path: readonly string[] = []): readonly string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (path.length > DEEPEST) return path.slice(0, 3);
  for (const [name, inner] of Object.entries(value)) {
    const place = [...path, name];
    const isPrototype = name === "__proto__" || (name === "prototype" && path.at(-1) === "constructor");
    if (name === "" || name.includes("\0") || name.startsWith("$") || isPrototype) return place;
    const found = unstorable(inner, place);
    if (found) return found;
  }
  return undefined;
}

/** An object of any shape that is stored as it is. What no store keeps is a complaint that names the place. */
export const OpenRecord = z.record(z.string().max(100), z.unknown()).superRefine((value, context) => {
  const path = unstorable(value);
  if (path)
    context.addIssue({
      code: "custom",
      path: [...path],
      message: `No name in it is empty, begins with $, holds NUL, leads to a prototype, or lies below ${DEEPEST} others.`,
    });
});
