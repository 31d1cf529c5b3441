/** How many times as often as in `npm test` properties are tried; CI says 10. */
const TIMES = Number(process.env["PROPERTY_RUNS"] ?? 1);

/** How often fast-check tries a property of which the most is found by many tries. */
export const tries = (usual: number): number => Math.ceil(usual * TIMES);

/**
 * Of the values that each of many places is to meet, those that the `nth` meets: `each` of them in turn, so that all are
 * met somewhere; all of them everywhere where more is asked for than in `npm test`.
 */
export const someFor = <T>(values: readonly T[], nth: number, each: number): readonly T[] =>
  TIMES > 1 || each >= values.length
    ? values
    : Array.from({ length: each }, (_, at) => values[(nth * each + at) % values.length]!);
