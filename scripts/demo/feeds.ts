import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Item {
  hoursAgo: number;
  title: string;
  text: string;
}
export interface DemoSource {
  name: string;
  path: string;
  domain: string;
  items: Item[];
}

const escape = (text: string): string => text.replace(/[<>&"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** One source as RSS, Atom or JSON Feed, by the ending of its path. */
function render({ name, path, items }: DemoSource, base: string, now: number): [type: string, body: string] {
  const dated = items.map((item, at) => ({
    ...item,
    url: `${base}${path}/${at + 1}`,
    at: new Date(now - item.hoursAgo * 3_600_000),
  }));
  if (path.endsWith(".json"))
    return [
      "application/feed+json",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: name,
        home_page_url: base,
        items: dated.map(({ title, text, url, at }) => ({
          id: url,
          url,
          title,
          content_text: text,
          date_published: at.toISOString(),
        })),
      }),
    ];
  if (path.endsWith(".atom"))
    return [
      "application/atom+xml",
      `<?xml version="1.0" encoding="utf-8"?><feed ` +
        `xmlns="http://www.w3.org/2005/Atom"><title>${escape(name)}</title><id>${base}${path}</id><updated>${new Date(now).toISOString()}</updated>${dated.map(({ title, text, url, at }) => `<entry><id>${url}</id><title>${escape(title)}</title><link href="${url}"/><updated>${at.toISOString()}</updated><content type="text">${escape(text)}</content></entry>`).join("")}</feed>`,
    ];
  return [
    "application/rss+xml",
    `<?xml version="1.0" encoding="utf-8"?><rss ` +
      `version="2.0"><channel><title>${escape(name)}</title><link>${base}</link><description>${escape(name)}</description>${dated.map(({ title, text, url, at }) => `<item><guid>${url}</guid><title>${escape(title)}</title><link>${url}</link><pubDate>${at.toUTCString()}</pubDate><description>${escape(text)}</description></item>`).join("")}</channel></rss>`,
  ];
}

/** The list of them, as feed readers exchange it. */
function opmlOf(sources: readonly DemoSource[], base: string): string {
  const lines = sources.map(
    ({ name, path, domain }) =>
      `<outline type="rss" text="${escape(name)}" xmlUrl="${base}${path}" category="${domain}"/>`,
  );
  const body = `<head><title>Sample feeds</title></head><body>${lines.join("")}</body>`;
  return `<?xml version="1.0" encoding="utf-8"?><opml version="2.0">${body}</opml>`;
}

/**
 * Serves the bundled sample feeds from this machine, as if their stories had just come in; `/feeds.opml` lists them.
 * Port 0 takes a free one.
 */
export async function serveDemoFeeds(port = 0): Promise<{ base: string; sources: DemoSource[]; server: Server }> {
  const { sources } = JSON.parse(await readFile(join(import.meta.dirname, "../../data/demo/stories.json"), "utf8")) as {
    sources: DemoSource[];
  };
  const now = Date.now();
  const server = createServer((req, res) => {
    const base = `http://${req.headers.host}`;
    const list = req.url === "/feeds.opml" && opmlOf(sources, base);
    if (list) return void res.writeHead(200, { "Content-Type": "text/x-opml" }).end(list);
    const source = sources.find(({ path }) => path === req.url);
    if (!source) return void res.writeHead(404).end();
    const [type, body] = render(source, base, now);
    res.writeHead(200, { "Content-Type": type }).end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sources, server };
}
