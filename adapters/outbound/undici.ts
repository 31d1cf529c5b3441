import { createRequire } from "node:module";

type Undici = typeof import("undici");
let loaded: Undici | undefined;

/** The HTTP client, loaded with the first outgoing request: a start saves loading its hundred files. */
export const undici = (): Undici => (loaded ??= createRequire(import.meta.url)("undici") as Undici);
