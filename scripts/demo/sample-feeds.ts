import { serveDemoFeeds } from "./feeds.ts";

const PORT = 3010;
const port = Number(process.argv[3] ?? PORT);

/** Serves the sample feeds until it is stopped, for a platform that runs beside it. */
try {
  const { base, sources } = await serveDemoFeeds(port);
  console.log(`${sources.length} sample feeds: ${base}/feeds.opml lists them. Ctrl-C ends this.`);
  console.log("A platform on this machine reads them with ALLOW_PRIVATE_FEEDS=on.");
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
  console.error(`Port ${port} is taken by another process; \`npm run demo -- feeds ${port + 1}\` takes the next.`);
  process.exitCode = 1;
}
