/**
 * `npm run demo`: the news; `-- workspace`: people at work behind information barriers; `-- strategy`: a plan on its way
 * to planning; `-- graph`: reports and feeds in one graph; `-- picture`: three who watch one map; `-- edge`: two nodes that come together after a day apart; `-- agents`: two agents
 * in one workflow; `-- assistant`: questions, answers, and acts that wait for a yes; `-- serve`: the platform of the
 * README's tour, which stays; `-- feeds`: its sample feeds alone. None needs a network.
 */
const DEMOS: Record<string, () => Promise<unknown>> = {
  news: () => import("./demo/news.ts"),
  workspace: () => import("./demo/workspace.ts"),
  strategy: () => import("./demo/strategy.ts"),
  graph: () => import("./demo/graph.ts"),
  picture: () => import("./demo/picture.ts"),
  edge: () => import("./demo/edge.ts"),
  agents: () => import("./demo/agents.ts"),
  assistant: () => import("./demo/assistant.ts"),
  serve: () => import("./demo/platform.ts"),
  feeds: () => import("./demo/sample-feeds.ts"),
};

const which = process.argv[2] ?? "news";
if (Object.hasOwn(DEMOS, which)) await DEMOS[which]!();
else {
  console.error(`There is no demo named ${which}; there are ${Object.keys(DEMOS).join(", ")}.`);
  process.exitCode = 1;
}
