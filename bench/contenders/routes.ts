/** The route table that every contender serves: 200 nouns with three routes each, in the catalogue's style. */
export const NOUNS = 200;
export const routes: { noun: string; list: string; one: string; stats: string }[] = Array.from(
  { length: NOUNS },
  (_, n) => {
    const noun = `noun-${String(n).padStart(3, "0")}`;
    return { noun, list: `/api/${noun}`, one: `/api/${noun}/:id`, stats: `/api/${noun}/:id/stats` };
  },
);

/** What each route answers: the same bytes from every contender. */
export const record = (id: number) => ({
  data: {
    id,
    name: "Harbour Wire",
    url: "https://wire.example/feed",
    domain: "security",
    active: true,
    articleCount: 42,
  },
});

/** First, middle and last of the table. */
export const PATHS = [0, 100, 199].map((n) => `/api/${routes[n]!.noun}/7`);

/** Tells the parent how much processor time this process used, when asked; and where it listens. */
export function reportTo(parent: NodeJS.Process, port: number): void {
  parent.on("message", (message) => {
    if (message === "cpu") parent.send!({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() });
    // After full collections, the second for what finalizers let go of.
    if (message === "heap") {
      for (let n = 0; n < 2; n++) globalThis.gc!();
      parent.send!({ heap: process.memoryUsage().heapUsed, rss: process.memoryUsage.rss() });
    }
    if (message === "end") parent.exit(0);
  });
  parent.on("disconnect", () => parent.exit(0));
  parent.send!({ port });
}
