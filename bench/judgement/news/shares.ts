/** "3 of 4 = 0.75". */
export const share = (part: number, whole: number): string =>
  whole === 0 ? "none" : `${part} of ${whole} = ${(part / whole).toFixed(2)}`;

export const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((one, at) => items.slice(at + 1).map((other): [T, T] => [one, other]));
