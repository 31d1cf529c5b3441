import { QueryCache, QueryClient } from "@tanstack/react-query";
import { Refusal } from "./client.ts";

const MOST_WAIT_MS = 60_000;
/** What passes by itself: too many requests, a node that is restarting or busy, no connection. */
const passes = (error: unknown): boolean => !(error instanceof Refusal) || error.status === 429 || error.status === 503;

/** Who is here, among all that is kept. */
export const SESSION_KEY = ["who is here"];
/** Everything that pages show, apart from who is here: that changes by few acts, which say so. */
export const shown = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== SESSION_KEY[0],
};

/** What was read from the API, for as long as a page may show it. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // The session ended, here or in another tab: the frame finds that out and asks the person to sign in again.
    onError: (error) => void (error instanceof Refusal && error.status === 401 && lookAgainWhoIsHere()),
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (count, error) => count < 3 && passes(error),
      retryDelay: (count, error) =>
        Math.min((error instanceof Refusal && error.retryAfter) || 500 * 2 ** count, MOST_WAIT_MS),
    },
  },
});

/** Reads again what pages show, after something changed it. */
export const readAgain = (): Promise<void> => queries.invalidateQueries(shown);

/** The session may have ended, or have been begun in another tab. */
export const lookAgainWhoIsHere = (): Promise<void> => queries.invalidateQueries({ queryKey: SESSION_KEY });
