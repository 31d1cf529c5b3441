import { QueryCache, QueryClient, type Query, type QueryKey } from "@tanstack/react-query";
import { isOutOfSight, Refusal } from "./client.ts";

const MOST_WAIT_MS = 60_000;
/** What passes by itself: too many requests, a node that is restarting or busy, no connection. */
const passes = (error: unknown): boolean => !(error instanceof Refusal) || error.status === 429 || error.status === 503;

/** Who is here, among all that is kept. */
export const SESSION_KEY = ["who is here"];
/** What the page knows of the session: whoever is here, or was until the session ended under their hands. */
export interface Presence<W = unknown> {
  who: W | null;
  /** The session has ended; what was being done is still on the page. */
  hasEnded: boolean;
}
/** Everything that pages show, apart from who is here: that changes by few acts, which say so. */
export const shown = {
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== SESSION_KEY[0],
};

/** Why something is out of sight, as long as no answer came since: while it is asked for again, nothing else is shown. */
const refusals = new WeakMap<Query<any, any, any, any>, Error>();
export function refusalOf(queryKey: QueryKey): Error | undefined {
  const query = queries.getQueryCache().find({ queryKey });
  return query && refusals.get(query);
}

/** What was read from the API, for as long as a page may show it. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      // The session ended, here or in another tab: the frame finds that out and asks the person to sign in again.
      if (error instanceof Refusal && error.status === 401) void lookAgainWhoIsHere();
      // What may not be seen any longer is not kept, and no page can show it.
      if (!isOutOfSight(error)) return;
      refusals.set(query, error);
      query.setState({ data: undefined });
    },
    onSuccess: (_answer, query) => void refusals.delete(query),
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

export const isSomebodyHere = (): boolean => {
  const known = queries.getQueryData<Presence>(SESSION_KEY);
  return Boolean(known?.who) && !known!.hasEnded;
};

/** The session may have ended, or have been begun in another tab. */
export const lookAgainWhoIsHere = (): Promise<void> => queries.invalidateQueries({ queryKey: SESSION_KEY });
