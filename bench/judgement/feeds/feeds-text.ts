import {
  adding,
  atom,
  base64,
  entry,
  escaped,
  html,
  item,
  rss,
  SITE,
  wanted,
  withBody,
  type FeedCase,
} from "./feed-documents.ts";

/** Where the text of an item stands, its title, and what stands in it that is not the article. */
export const TEXT: FeedCase[] = [];
const tune = adding(TEXT, "tune");
const held = adding(TEXT, "held");

// Where the text stands
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

// Titles
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

// Furniture of items
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
