/** `npm run demo`: the news; `npm run demo -- workspace`: people at work behind information barriers. Neither needs a network. */
const which = process.argv[2] ?? "news";
if (which === "news") await import("./demo-news.ts");
else if (which === "workspace") await import("./demo-workspace.ts");
else {
  console.error(`There is no demo named ${which}; there are news and workspace.`);
  process.exitCode = 1;
}
