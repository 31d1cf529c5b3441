import iconv from "iconv-lite";
import {
  adding,
  atom,
  content,
  entry,
  item,
  items,
  json,
  jsonItem,
  rss,
  SITE,
  wanted,
  type FeedCase,
} from "./feed-documents.ts";

/** What bytes mean, where items lead, and when two are one. */
export const BYTES: FeedCase[] = [];
const tune = adding(BYTES, "tune");
const held = adding(BYTES, "held");

// Bytes
const odd = "He said “no” – and left… it’s over";
tune(
  "Windows-1252 as ISO-8859-1",
  iconv.encode(
    rss(item(0, { title: `<title>${odd}</title>` })).replace('"1.0"', '"1.0" encoding="ISO-8859-1"'),
    "windows-1252",
  ),
  [wanted(0, { title: odd })],
);
tune("C1 in UTF-8", rss(item(0, { title: "<title>It\u0092s over \u0096 at last</title>" })), [
  wanted(0, { title: "It’s over – at last" }),
]);
tune("references to C1", rss(item(0, { title: "<title>It&#146;s over &#x96; at last</title>" })), [
  wanted(0, { title: "It’s over – at last" }),
]);
held(
  "C1 within CDATA in HTML",
  rss(item(0, { body: `<description><![CDATA[<p>It\u0092s done&#133;</p>]]></description>` })),
  [wanted(0, { text: "It’s done…" })],
);
tune("UTF-8 as ISO-8859-1", rss(item(2)).replace('"1.0"', '"1.0" encoding="ISO-8859-1"'), [wanted(2)]);
tune("UTF-16 without a mark", iconv.encode(rss(items), "utf-16be", { addBOM: false }));
held(
  "UTF-16 that says UTF-8",
  iconv.encode(rss(item(5)).replace('"1.0"', '"1.0" encoding="utf-8"'), "utf-16le", { addBOM: true }),
  [wanted(5)],
);
held("UTF-8 that says GBK", rss(item(5)).replace('"1.0"', '"1.0" encoding="gbk"'), [wanted(5)]);
held(
  "Windows-1251 by the transport alone",
  iconv.encode(rss(item(5)), "windows-1251"),
  [wanted(5)],
  "text/xml; charset=windows-1251",
);
held("UTF-32 without a mark", iconv.encode(rss(items), "utf-32be", { addBOM: false }));

// Addresses
tune(
  "tracking parameters",
  rss(item(0, { link: `<link>${wanted(0).url}?utm_source=rss&amp;utm_medium=feed#xtor=RSS-1</link>` })),
  [wanted(0)],
);
held(
  "tracking among others",
  rss(item(0, { link: `<link>${SITE}/a?id=4&amp;fbclid=zz&amp;page=2&amp;at_medium=RSS</link>` })),
  [wanted(0, { url: `${SITE}/a?id=4&page=2` })],
);
tune(
  "relative against xml:base",
  atom(entry(0, content(0)).replace(SITE, ""), `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="${SITE}/">`),
  [wanted(0)],
);
held(
  "alternate among other links",
  atom(
    entry(0, content(0), `<link rel="enclosure" href="${SITE}/a.mp3"/>`).replace(
      "<link href",
      '<link rel="self" href="https://x.example/s"/><link rel="alternate" href',
    ),
  ),
  [wanted(0)],
);
tune("a guid that is the address", rss(item(0, { link: "", guid: `<guid>${wanted(0).url}</guid>` })), [wanted(0)]);

// Identity
tune("an item twice", rss(items + item(1)));
held("one guid for all", rss(item(0, { guid: "<guid>same</guid>" }) + item(1, { guid: "<guid>same</guid>" })));
held(
  "JSON with ids that are numbers",
  json([
    { ...jsonItem(0), id: 7 },
    { ...jsonItem(1), id: 8 },
  ]),
);
tune("JSON with a mark", `\ufeff${json([jsonItem(0), jsonItem(1)])}`);
