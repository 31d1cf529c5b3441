import { createRequire } from "node:module";

type Undici = typeof import("undici");
let loaded: Undici | undefined;

/** The HTTP client, loaded with the first request that leaves the house: a hundred files that a start does without. */
export const undici = (): Undici => (loaded ??= createRequire(import.meta.url)("undici") as Undici);
