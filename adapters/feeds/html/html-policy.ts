/**
 * What may stand in stored HTML. An allow-list: an element or attribute that is not named here does not get through.
 * There is no style, class or id, no SVG or MathML, nothing that loads by itself except pictures.
 */

/** Elements that are kept, with their attributes beside links and pictures. */
export const allowed: Record<string, readonly string[]> = {
  p: [],
  div: [],
  br: [],
  hr: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  blockquote: [],
  pre: [],
  figure: [],
  figcaption: [],
  details: [],
  summary: [],
  ul: [],
  ol: ["start", "reversed"],
  li: ["value"],
  dl: [],
  dt: [],
  dd: [],
  table: [],
  caption: [],
  thead: [],
  tbody: [],
  tfoot: [],
  tr: [],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
  a: ["title"],
  img: ["alt", "title"],
  b: [],
  strong: [],
  i: [],
  em: [],
  u: [],
  s: [],
  del: ["datetime"],
  ins: ["datetime"],
  mark: [],
  small: [],
  sub: [],
  sup: [],
  code: [],
  kbd: [],
  samp: [],
  var: [],
  q: [],
  cite: [],
  dfn: ["title"],
  abbr: ["title"],
  time: ["datetime"],
  bdi: ["dir"],
  bdo: ["dir"],
  ruby: [],
  rt: [],
  rp: [],
  wbr: [],
};

/**
 * Elements that are kept under another name: what matters of them is that they begin a new block, or that text is
 * struck out.
 */
export const renamed: Record<string, string> = {
  section: "div",
  article: "div",
  main: "div",
  header: "div",
  footer: "div",
  aside: "div",
  nav: "div",
  address: "div",
  center: "div",
  fieldset: "div",
  hgroup: "div",
  body: "div",
  strike: "s",
  tt: "code",
  acronym: "abbr",
  image: "img",
};

/**
 * Elements that go with all that is in them: code, forms, fallbacks for what is not kept, and what foreign
 * vocabularies say of themselves. Of other elements of SVG and MathML the text stays.
 */
export const dropped = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "head",
  "title",
  "iframe",
  "frame",
  "frameset",
  "noframes",
  "object",
  "embed",
  "applet",
  "noembed",
  "metadata",
  "desc",
  "defs",
  "annotation",
  "annotation-xml",
  "canvas",
  "audio",
  "video",
  "select",
  "button",
  "textarea",
  "datalist",
  "optgroup",
  "option",
  "xmp",
  "plaintext",
  "portal",
  "map",
  "dialog",
  "menu",
]);

export const voidElements = new Set(["br", "hr", "img", "wbr"]);

/** How much room an element takes around it in plain text: 1 a new line, 2 an empty line. */
export const breaks = new Map(
  Object.entries({
    p: 2,
    h1: 2,
    h2: 2,
    h3: 2,
    h4: 2,
    h5: 2,
    h6: 2,
    blockquote: 2,
    pre: 2,
    figure: 2,
    ul: 2,
    ol: 2,
    dl: 2,
    table: 2,
    hr: 2,
    div: 1,
    br: 1,
    li: 1,
    dt: 1,
    dd: 1,
    tr: 1,
    caption: 1,
    figcaption: 1,
    details: 1,
    summary: 1,
    text: 1,
  }),
);

/** What MathML says by position is a sign in plain text; it stands before each child but the first. */
export const between = new Map(Object.entries({ mfrac: "/", msup: "^", msub: "_", msubsup: "_" }));

/** Where pictures live that only count readers: a host, its subdomains included, and the beginning of a path. */
const trackers: [host: string, path: string][] = [
  ["feeds.feedburner.com", "/~r/"],
  ["feedsportal.com", "/"],
  ["pixel.wp.com", "/"],
  ["stats.wordpress.com", "/"],
  ["pixel.quantserve.com", "/"],
  ["doubleclick.net", "/"],
  ["google-analytics.com", "/"],
  ["scorecardresearch.com", "/"],
  ["facebook.com", "/tr"],
];

/** Few addresses name any of them: those that do not need no closer look. */
const suspicious =
  /feedburner|feedsportal|wp\.com|wordpress\.com|quantserve|doubleclick|google-analytics|scorecardresearch|facebook|matomo|piwik/i;

/** Whether a picture, by its absolute address, only counts readers. */
export function isTracker(url: string): boolean {
  if (!suspicious.test(url)) return false;
  const { hostname, pathname } = new URL(url);
  return (
    /\/(?:matomo|piwik)\.php$/i.test(pathname) ||
    trackers.some(([host, path]) => (hostname === host || hostname.endsWith(`.${host}`)) && pathname.startsWith(path))
  );
}
