/**
 * What agents may use up in a day (UTC), over all of their runs: each agent, and all agents at work in a problem set.
 * Beside these stand the limits of a run, of its workflow and of each delegation, and the installation's own budget.
 */
export const DAILY = {
  agent: { calls: 5_000, tokens: 5_000_000 },
  set: { calls: 20_000, tokens: 20_000_000 },
} as const;
