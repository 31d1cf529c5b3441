import {
  adding,
  atom,
  content,
  entry,
  escaped,
  html,
  item,
  items,
  json,
  jsonItem,
  rss,
  SITE,
  wanted,
  withBody,
  type FeedCase,
} from "./feed-documents.ts";

/** How documents are built, sound or broken, with what stands before, behind and instead of them. */
export const FORM: FeedCase[] = [];
const tune = adding(FORM, "tune");
const held = adding(FORM, "held");

// Sound
tune("RSS 2.0", rss(items));
tune("Atom 1.0", atom(entry(0, content(0)) + entry(1, content(1))));
tune("JSON Feed", json([jsonItem(0), jsonItem(1)]));
tune(
  "RSS 1.0",
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="${SITE}/"><title>Gazette</title></channel>${items}</rdf:RDF>`,
);
held("RSS 0.91", rss(items, "", '<rss version="0.91">'));
held(
  "Atom 0.3",
  atom(entry(0, content(0)) + entry(1, content(1)), '<feed version="0.3" xmlns="http://purl.org/atom/ns#">'),
);
held(
  "a channel as the root, in capitals",
  `<CHANNEL><TITLE>Gazette</TITLE>${items.replaceAll(/<(\/?)(\w+)/g, (_, slash: string, name: string) => `<${slash}${name.toUpperCase()}`)}</CHANNEL>`,
);

// Behind the end and before the beginning
for (const [name, tail] of [
  ["a line break", "<br/>"],
  ["a script", '<script src="https://count.example/x.js"></script>'],
  ["an open paragraph", "<p>served in 0.2 seconds"],
  ["a comment and text", "<!-- cached -->\nNotice: undefined index"],
] as const)
  tune(`behind the end: ${name}`, rss(items) + tail);
tune(
  "behind the end: a whole page",
  `${rss(items)}<html><head><title>x</title></head><body><div>y</div></body></html>`,
);
held("behind the end: an image in Atom", `${atom(entry(0, content(0)) + entry(1, content(1)))}<img src="x.gif">`);
held("behind the end: the end again", `${rss(items)}</channel></rss>`);
held(
  "behind the end of RDF: a link",
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel><title>G</title></channel>${items}</rdf:RDF><a href="/x">x</a>`,
);
tune("the second half of its items behind the end", `${rss(item(0))}${item(1)}`);
held("two documents one behind the other", rss(item(0)) + rss(item(1)).replace('<?xml version="1.0"?>\n', ""));
tune("a warning before it", `<br />\n<b>Warning</b>: include(x.php) in <b>/srv/x</b>\n${rss(items)}`);
tune("empty lines and a mark before it", `\n\n\ufeff${rss(items)}`);
held("a comment before the prolog", `<!-- generated -->\n${rss(items)}`);
held("under a page's DOCTYPE", `<!DOCTYPE html>\n${rss(items).replace('<?xml version="1.0"?>\n', "")}`);

// Broken
tune("no end", rss(items).replace("</channel></rss>", ""));
tune("cut off within the last item", rss(items).slice(0, -120), [wanted(0)]);
tune("items without end tags", rss(items.replaceAll("</item>", "")));
held("titles without end tags", rss(items.replaceAll("</title>", "")));
tune(
  "bare ampersands",
  rss(item(0, { title: "<title>Bread & butter & AT&T</title>", link: `<link>${SITE}/?a=1&b=2</link>` })),
  [wanted(0, { title: "Bread & butter & AT&T", url: `${SITE}/?a=1&b=2` })],
);
tune(
  "HTML not escaped",
  withBody((at) => `<description>${html(at)}<br></description>`),
);
held(
  "HTML not escaped, and not closed",
  withBody((at) => `<description><div><b>${escaped(wanted(at).text)}</div></description>`),
);
tune("HTML's entities", rss(item(0, { title: "<title>Caf&eacute;&nbsp;&ndash; open</title>" })), [
  wanted(0, { title: "Café – open" }),
]);
tune("control characters", rss(item(0, { title: "<title>Bell\u0007 and\u0000 form\u000c feed</title>" })), [
  wanted(0, { title: "Bell and form feed" }),
]);
held(
  "undeclared prefixes",
  withBody((at) => `<content:encoded><![CDATA[${html(at)}]]></content:encoded>`),
);
held("CDATA that is not closed", rss(item(0, { body: `<description><![CDATA[${html(0)}</description>` })), [wanted(0)]);
held(
  "a prefix for everything",
  atom(entry(0, content(0)) + entry(1, content(1)))
    .replaceAll(/<(\/?)(\w+)/g, "<$1a:$2")
    .replace("xmlns=", "xmlns:a="),
);

// Traps: no feeds
tune("a page", `<!DOCTYPE html><html><head><title>Home</title></head><body><p>Hello</p></body></html>`, "refused");
tune("nothing", "  \n", "refused");
held("words", "Service temporarily unavailable", "refused");
held(
  "a page with an element called feed",
  `<!DOCTYPE html><body><feed><item><title>x</title></item></feed></body>`,
  "refused",
);
held("JSON of another kind", '{"error":"not found"}', "refused");
