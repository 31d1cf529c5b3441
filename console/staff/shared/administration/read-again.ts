/** Somebody else may change what is open here; there is no live event of agents, tools and teams. */
export const READ_AGAIN_MS = 10_000;
