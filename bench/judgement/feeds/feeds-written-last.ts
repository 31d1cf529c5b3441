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
  rss,
  type FeedCase,
  wanted,
  withBody,
} from "./feed-documents.ts";

/** Written after all rules of the reader: each class of the other files once more, in another form. */
export const LAST: FeedCase[] = [];
const fresh = adding(LAST, "fresh");

const plainAtom = atom(entry(0, content(0)) + entry(1, content(1)));
fresh("behind Atom's end: a script with CDATA", `${plainAtom}<script>//<![CDATA[\nif (a < b && c) {}\n//]]></script>`);
fresh("behind the end: an element that is not closed", `${rss(items)}<div id="foot"><br>`);
fresh(
  "behind RDF's end: a form and a comment",
  `${rss(items)}<form action="/"><input name=q></form><!-- 12 queries -->`,
);
fresh("only line feeds within the end tag", rss(items).replace("</rss>", "</rss\n>"));
fresh(
  "Base64 in lines of 76, under text/html by mode",
  atom(
    entry(0, `<content type="text/html" mode="base64">${base64(0).replaceAll(/(.{76})/g, "$1\r\n")}</content>`),
    '<feed version="0.3" xmlns="http://purl.org/atom/ns#">',
  ),
  [wanted(0)],
);
fresh(
  "fullitem beside a short description",
  withBody(
    (at) =>
      `<description>${escaped(wanted(at).text.slice(0, 40))}…</description><fullitem>${escaped(html(at))}</fullitem>`,
  ),
);
fresh(
  "a body of XHTML beside a short description",
  withBody(
    (at) =>
      `<description>Short.</description><xhtml:body xmlns:xhtml="http://www.w3.org/1999/xhtml">${html(at)}</xhtml:body>`,
  ),
);
fresh(
  "a square root in MathML",
  withBody((at) => `<description>${escaped(`${html(at)}<math><mi>x</mi><mo>+</mo><mn>1</mn></math>`)}</description>`),
  [0, 1].map((at) => wanted(at, { text: `${wanted(at).text} x+1` })),
);
fresh(
  "C1 in a title of ISO-8859-1",
  iconv.encode(
    rss(item(1, { title: "<title>Costs \u0080 5 \u0096 no more</title>" })).replace(
      '"1.0"',
      '"1.0" encoding="iso-8859-1"',
    ),
    "latin1",
  ),
  [wanted(1, { title: "Costs € 5 – no more" })],
);
fresh(
  "a newsletter and a pointer behind the text",
  withBody(
    (at) =>
      `<description>${escaped(`${html(at)}<p><strong>READ MORE:</strong> <a href="/z">What happened before</a></p><p>Subscribe to our newsletter</p>`)}</description>`,
  ),
);
fresh(
  "a click's mark in the address",
  rss(item(0, { link: `<link>${wanted(0).url}?gclid=1&amp;mc_cid=2&amp;utm_id=3</link>` })),
  [wanted(0)],
);
fresh(
  "Shift_JIS by the prolog",
  iconv.encode(rss(item(1)).replace('"1.0"', '"1.0" encoding="Shift_JIS"'), "shift_jis"),
  [wanted(1)],
);
fresh("a page that speaks of RSS", "<html><body><p>Our RSS: <code>&lt;rss&gt;</code></p></body></html>", "refused");
fresh("an end alone", "</channel></rss>", "refused");
