import iconv from "iconv-lite";
import {
  adding,
  atom,
  base64,
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
  type FeedCase,
  wanted,
  withBody,
} from "./feed-documents.ts";
import { LAST } from "./feeds-written-last.ts";

const cases: FeedCase[] = [];
const tune = adding(cases, "tune");
const held = adding(cases, "held");

/* sound */
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

/* behind the end and before the beginning */
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

/* broken */
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

/* where the text stands */
tune(
  "Atom: Base64",
  atom(
    entry(0, `<content type="application/octet-stream">${base64(0)}</content>`) +
      entry(1, `<content type="application/octet-stream">\n ${base64(1)}\n</content>`),
  ),
);
tune(
  "Atom 0.3: Base64 by mode",
  atom(
    entry(0, `<content type="text/html" mode="base64">${base64(0)}</content>`),
    '<feed version="0.3" xmlns="http://purl.org/atom/ns#">',
  ),
  [wanted(0)],
);
held("Atom: Base64 summary", atom(entry(0, `<summary type="application/x-other">${base64(0)}</summary>`)), [wanted(0)]);
held(
  "Atom: a picture in Base64 is no text",
  atom(
    entry(
      0,
      `<content type="image/png">iVBORw0KGgoAAAANSUhEUgAAAAUA</content><summary type="html">${escaped(html(0))}</summary>`,
    ),
  ),
  [wanted(0)],
);
tune(
  "fullitem",
  withBody((at) => `<fullitem><![CDATA[${html(at)}]]></fullitem>`),
);
tune(
  "body of XHTML",
  withBody((at) => `<body xmlns="http://www.w3.org/1999/xhtml">${html(at)}</body>`),
);
held(
  "body without a namespace",
  withBody((at) => `<body><![CDATA[${html(at)}]]></body>`),
);
tune(
  "XHTML with a prefix",
  atom(
    entry(
      0,
      `<content type="xhtml" xmlns:h="http://www.w3.org/1999/xhtml"><h:div><h:p>${escaped(wanted(0).text)}</h:p></h:div></content>`,
    ),
  ),
  [wanted(0)],
);
held(
  "a div of XHTML in an item",
  withBody((at) => `<div xmlns="http://www.w3.org/1999/xhtml">${html(at)}</div>`),
);
tune(
  "MathML",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<math><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow></math>`)}</description>`,
  ),
  [0, 1].map((at) => wanted(at, { text: `${wanted(at).text} E=mc^2` })),
);
tune(
  "text in SVG",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<svg><title>Chart</title><desc>by Tool</desc><text>Up 4 %</text></svg>`)}</description>`,
  ),
  [0, 1].map((at) => wanted(at, { text: `${wanted(at).text} Up 4 %` })),
);
held(
  "a fraction in MathML",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<p>About <math><mfrac><mn>3</mn><mn>4</mn></mfrac><annotation encoding="TeX">\\frac34</annotation></math> of it.</p>`)}</description>`,
  ),
  [0, 1].map((at) => wanted(at, { text: `${wanted(at).text} About 3/4 of it.` })),
);
tune(
  "an object that is not closed",
  withBody((at) => `<description>${escaped(`<object classid="x">${html(at)}`)}</description>`),
);
held(
  "a video that is not closed",
  withBody((at) => `<description>${escaped(`<video src="x.mp4">${html(at)}`)}</description>`),
);
tune(
  "escaped twice",
  withBody((at) => `<description>${escaped(escaped(html(at)))}</description>`),
);
held(
  "the abstract and address of a CDF channel",
  `<CHANNEL HREF="${SITE}/"><TITLE>Gazette</TITLE><ITEM HREF="${wanted(0).url}"><TITLE>${wanted(0).title}</TITLE><ABSTRACT>${escaped(wanted(0).text)}</ABSTRACT></ITEM></CHANNEL>`,
  [wanted(0)],
);

/* titles */
tune(
  "a script in the title",
  rss(item(0, { title: `<title>${escaped(`Safe<script>alert(1)</script> words`)}</title>` })),
  [wanted(0, { title: "Safe words" })],
);
tune("tags in the title", rss(item(0, { title: `<title><![CDATA[<b>Bold</b> &amp; <i>new</i>]]></title>` })), [
  wanted(0, { title: "Bold & new" }),
]);
held(
  "a sign that is no tag in the title",
  rss(item(0, { title: "<title>Why 1 &lt; 2 and the &lt;foo&gt; element</title>" })),
  [wanted(0, { title: "Why 1 < 2 and the <foo> element" })],
);
held("a comment in the title", rss(item(0, { title: `<title>${escaped("Plain<!-- id 7 --> words")}</title>` })), [
  wanted(0, { title: "Plain words" }),
]);
held(
  "a script as the subject of the title",
  rss(item(0, { title: `<title>${escaped("The <script> element, explained")}</title>` })),
  [wanted(0, { title: "The <script> element, explained" })],
);

/* bytes */
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

/* addresses */
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

/* furniture of items */
tune(
  "a line that says where it appeared first",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<p>The post <a href="/x">X</a> appeared first on <a href="/">Gazette</a>.</p>`)}</description>`,
  ),
);
tune(
  "READ MORE",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<p><a href="/y">READ MORE: Another storm is coming</a></p>`)}</description>`,
  ),
);
held(
  "an invitation to a newsletter",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<p>Sign up for our morning newsletter to get stories in your inbox.</p>`)}</description>`,
  ),
);
held(
  "a teaser with a link to the rest",
  withBody(
    (at) =>
      `<description>${escaped(`<p>${escaped(wanted(at).text)} <a href="/x">Continue reading →</a></p>`)}</description>`,
  ),
);
held(
  "more than one is no pointer",
  withBody(
    () =>
      `<description>${escaped("<p>Read more than one report before you judge, she told the council on Friday.</p>")}</description>`,
  ),
  [0, 1].map((at) =>
    wanted(at, { text: "Read more than one report before you judge, she told the council on Friday." }),
  ),
);

/* identity */
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

/* traps: no feeds */
tune("a page", `<!DOCTYPE html><html><head><title>Home</title></head><body><p>Hello</p></body></html>`, "refused");
tune("nothing", "  \n", "refused");
held("words", "Service temporarily unavailable", "refused");
held(
  "a page with an element called feed",
  `<!DOCTYPE html><body><feed><item><title>x</title></item></feed></body>`,
  "refused",
);
held("JSON of another kind", '{"error":"not found"}', "refused");

export const FEEDS: readonly FeedCase[] = [...cases, ...LAST];
