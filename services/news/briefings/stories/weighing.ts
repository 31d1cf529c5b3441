/** The odds that of several things this is the one to take, by weights for each piece of evidence (McFadden 1974). */
export const oddsOf = <Name extends string>(
  weights: Readonly<Record<Name, number>>,
  evidence: Readonly<Record<Name, number>>,
): number => Math.exp((Object.keys(weights) as Name[]).reduce((sum, each) => sum + weights[each] * evidence[each], 0));
