import { setTimeout } from "node:timers/promises";
import type { Collection, Query, Update } from "../core/records/documents.ts";
import type { TestWorld } from "./mesh.ts";

/** How long each write takes while `together` holds: who comes back in step meets the other again. */
const SLOW_MS = 3;

/**
 * Holds the writes back that fit until two have come, whatever was read before them; all writes of this kind are slow
 * meanwhile.
 */
export async function together(
  at: TestWorld,
  service: string,
  name: string,
  method: "claim" | "removeMany",
  fits: (query: Query, update?: Update) => boolean,
  deed: () => Promise<unknown>,
): Promise<void> {
  const collection = (await at.commons(service).world.documents.collection(name)) as Omit<
    Collection,
    "claim" | "removeMany"
  > &
    Record<string, any>;
  const real = collection[method].bind(collection);
  let come = 0,
    open = (): void => {};
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  collection[method] = async (query: Query, update: Update, options: object) => {
    if (fits(query, update)) {
      if (++come === 2) open();
      await both;
    }
    await setTimeout(SLOW_MS);
    return real(query, update, options);
  };
  try {
    await deed();
    expect(come).toBeGreaterThanOrEqual(2);
  } finally {
    Reflect.deleteProperty(collection, method);
  }
}
