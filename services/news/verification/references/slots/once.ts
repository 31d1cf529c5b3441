import type { Statement } from "../../../../../core/text/statements/statement.ts";

/** Reads something in a statement once: one sentence is held against many claims. */
export function once<T extends object>(
  read: (stated: Statement) => T | undefined,
): (stated: Statement) => T | undefined {
  const known = new WeakMap<Statement, T | typeof NOTHING>();
  return (stated) => {
    let found = known.get(stated);
    if (found === undefined) known.set(stated, (found = read(stated) ?? NOTHING));
    return found === NOTHING ? undefined : (found as T);
  };
}
const NOTHING = Symbol("nothing");
