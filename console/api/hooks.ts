import {
  keepPreviousData,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from "@tanstack/react-query";
import { notify } from "../parts/notices.tsx";
import {
  ask,
  askLinked,
  Refusal,
  type Answer,
  type AskOptions,
  type Given,
  type Input,
  type LinkedAnswer,
  type Op,
} from "./client.ts";
import { proveFirst } from "./proof.ts";
import { readAgain, refusalOf } from "./queries.ts";

interface Reading<O extends Op> {
  /** Not asked while this is false. */
  enabled?: boolean;
  /** Asked again after so many milliseconds, for work under way; better: `useLive`. */
  every?: number | false | ((answer: Answer<O> | undefined) => number | false);
  /** Shows the page before while the next one comes. */
  keepsShown?: boolean;
  /** Hardly ever changes: live events do not have it read again. */
  stays?: boolean;
}

/**
 * Reads from the API and keeps the answer: `useAnswer("GET /gates/{problemSetId}", [{ path: { problemSetId } }])`.
 * Everything that a page shows is read again after each act of `useAct` and each live event that it listens to.
 */
export function useAnswer<O extends Op>(
  op: O,
  given?: Given<O> | readonly [],
  reading: Reading<O> = {},
): UseQueryResult<Answer<O>> {
  const input = given?.[0] as Input<O> | undefined;
  const { every = false } = reading;
  const queryKey = [op, input ?? {}];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask(op, input, { signal }),
    enabled: reading.enabled ?? true,
    refetchInterval: typeof every === "function" ? ({ state }) => every(state.data) : every,
    ...(reading.keepsShown && { placeholderData: keepPreviousData }),
    ...(reading.stays && { staleTime: 300_000, meta: { stays: true } }),
  });
  const refusal = query.isPending ? refusalOf(queryKey) : undefined;
  return refusal ? ({ ...query, error: refusal } as UseQueryResult<Answer<O>>) : query;
}

/** Reads a list whose answer names what follows in its `Link` header; shows the page before while the next one comes. */
export function useLinked<O extends Op>(op: O, input: Input<O>): UseQueryResult<LinkedAnswer<O>> {
  return useQuery({
    queryKey: [op, input, "linked"],
    queryFn: ({ signal }) => askLinked(op, input, { signal }),
    placeholderData: keepPreviousData,
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
    onSettled: () => readAgain(),
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
