import type { Env } from "../../../../config/env.ts";

/**
 * The mesh's time limit of a call bounds a whole request; these are the shares of it for work inside one, in
 * milliseconds.
 */
const share =
  (part: number) =>
  ({ REQUEST_TIMEOUT_MS }: Pick<Env, "REQUEST_TIMEOUT_MS">): number =>
    Math.floor(REQUEST_TIMEOUT_MS * part);

/** For the model's answers: what follows them (evidence, trail, storing) takes the rest. */
export const modelBound = share(2 / 3);
/** For background work to end while the client waits; then the answer is 202. */
export const waitBound = share(2 / 3);
