import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { recheckSession, shown } from "../app/session.tsx";
import { proveFirst } from "../app/step-up.tsx";
import { notify } from "../parts/notices.tsx";
import { ask, Refusal, type Answer, type AskOptions, type Given, type Input, type Op } from "./client.ts";

const MOST_WAIT_MS = 60_000;
/** What passes by itself: too many requests, a node that is restarting or busy, no connection. */
const passes = (error: unknown): boolean => !(error instanceof Refusal) || error.status === 429 || error.status === 503;

export const queries = new QueryClient({
  queryCache: new QueryCache({
    // The session ended, here or in another tab: the frame finds that out and asks the person to sign in again.
    onError: (error) => void (error instanceof Refusal && error.status === 401 && recheckSession()),
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

interface Reading<A> {
  /** Not asked while this is false. */
  enabled?: boolean;
  /** Asked again after so many milliseconds, for work under way; better: `useLive`. It may depend on the answer. */
  every?: number | false | ((answer: A) => number | false);
  /** Shows the page before while the next one comes. */
  keepsShown?: boolean;
}

/**
 * Reads from the API and keeps the answer: `useAnswer("GET /gates/{problemSetId}", [{ path: { problemSetId } }])`.
 * Everything that a page shows is read again after each act of `useAct` and each live event that it listens to.
 */
export function useAnswer<O extends Op>(
  op: O,
  given?: Given<O> | readonly [],
  reading: Reading<Answer<O>> = {},
): UseQueryResult<Answer<O>> {
  const input = given?.[0] as Input<O> | undefined;
  const { every } = reading;
  return useQuery({
    queryKey: [op, input ?? {}],
    queryFn: ({ signal }) => ask(op, input, { signal }),
    enabled: reading.enabled ?? true,
    refetchInterval: ({ state: { data } }) =>
      typeof every === "function" ? data !== undefined && every(data) : (every ?? false),
    ...(reading.keepsShown && { placeholderData: keepPreviousData }),
  });
}

interface Acting<O extends Op> {
  /** Told to the person when it is done. */
  says?: string | ((answer: Answer<O>) => string);
  then?(answer: Answer<O>): void;
  /** False where a form shows refusals itself; otherwise they are told in a notice. */
  tellsRefusal?: boolean;
}

/**
 * Writes to the API. Where the API wants a fresh proof of the person, they are asked for it and the act is done then.
 * What is shown is read again afterwards.
 */
export function useAct<O extends Op>(
  op: O,
  { says, then, tellsRefusal = true }: Acting<O> = {},
): UseMutationResult<Answer<O>, Error, Input<O> & { options?: AskOptions }> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ options, ...input }: Input<O> & { options?: AskOptions }) =>
      proveFirst(() => ask(op, input as unknown as Input<O>, options)),
    onSuccess(answer) {
      if (says) notify(typeof says === "string" ? says : says(answer));
      then?.(answer);
    },
    onError(error) {
      if (tellsRefusal) notify(wordsOf(error), "bad");
    },
    onSettled: () => client.invalidateQueries(shown),
  });
}

/** A failure in words for people. */
export function wordsOf(error: unknown): string {
  if (error instanceof Refusal)
    return error.faults.length
      ? error.faults.map(({ path, message }) => [path, message].filter(Boolean).join(": ")).join("; ")
      : error.message;
  return error instanceof TypeError
    ? "The platform cannot be reached. It is tried again."
    : String((error as Error).message);
}
