import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { corpus } from "../corpus.ts";

/**
 * Serves made-up feeds at /0, /1 …: RSS of so many items each, the same for the same arguments. Who has one already is
 * told that it has not changed (304).
 */
const [feeds, items] = process.argv.slice(2).map(Number) as [number, number];
const articles = corpus(feeds * items, { seed: 7 });

const escape = (text: string): string => text.replace(/[<>&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

function item(feed: number, n: number): string {
  const { title, text, publishedAt } = articles.next().value!;
  return `<item><guid>${feed}-${n}</guid><title>${escape(title)}</title><link>http://127.0.0.1/${feed}/${n}</link><pubDate>${new Date(publishedAt).toUTCString()}</pubDate><description>${escape(text)}</description></item>`;
}

const bodies = Array.from({ length: feeds }, (_, feed) => {
  const entries = Array.from({ length: items }, (_, n) => item(feed, n));
  return Buffer.from(
    `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed ${feed}</title><link>http://127.0.0.1/</link><description>d</description>${entries.join("")}</channel></rss>`,
  );
});

const server = createServer((req, res) => {
  if (req.headers["if-none-match"]) return void res.writeHead(304).end();
  res.writeHead(200, { "Content-Type": "application/rss+xml", ETag: '"first"' }).end(bodies[Number(req.url!.slice(1))]);
});
process.on("message", (said) => {
  if (said === "end") process.exit(0);
});
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
