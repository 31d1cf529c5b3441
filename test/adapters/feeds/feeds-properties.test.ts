import fc from "fast-check";
import { readdirSync } from "node:fs";
import { extractArticle } from "../../../adapters/feeds/html/article.ts";
import { decodeDocument } from "../../../adapters/feeds/charset.ts";
import { FeedError } from "../../../adapters/feeds/feed.ts";
import { withoutTracking } from "../../../adapters/feeds/html/links.ts";
import { parseFeed } from "../../../adapters/feeds/parse.ts";
import { about, fixture } from "../../fixtures/feeds/read.ts";

const url = "https://site.example/story";
const labels = ["utf-8", "utf-16", "windows-1255", "iso-2022-kr", "iso-2022-jp", "euc-kr", "gbk", "ibm855", "hz", "x"];
const fixtures = readdirSync(`${import.meta.dirname}/../../fixtures/feeds`)
  .filter((name) => /\.(xml|rdf|json|html)$/.test(name))
  .map(fixture);

/** Pieces of which feeds, pages and their mistakes are made. */
const piece = fc.constantFrom(
  ...'<rss>|</rss>|<channel>|</channel>|<item>|</item>|<feed xmlns="http://www.w3.org/2005/Atom">|</feed>|<entry>|</entry>'.split(
    "|",
  ),
  ...'<title>|</title>|<link>|</link>|<link href="/a?utm_source=x#xtor=1"/>|<br/>|<script>|</script>|<html>|<body>|<p>|</p>'.split(
    "|",
  ),
  ...'<content type="a/b">|</content>|QUJD|<object>|<math>|<mfrac>|<mn>1</mn>|</mfrac>|</math>|<svg>|</svg>|<![CDATA[|]]>'.split(
    "|",
  ),
  ...'<!DOCTYPE html>|<!--|-->|&#146;|&amp;lt;|\u0092|READ MORE: x|<a href="/y">z</a>|<ul>|<li>|</ul>|{"items":[|]}|\0|<x:'.split(
    "|",
  ),
);
const document = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string({ unit: "binary", maxLength: 9 })), {
  maxLength: 60,
});
/** A sound document with a part of it taken out, doubled or overwritten. */
const damaged = fc
  .tuple(fc.constantFrom(...fixtures), fc.nat(), fc.nat({ max: 200 }), fc.uint8Array({ maxLength: 30 }), fc.boolean())
  .map(([bytes, place, length, other, doubled]) => {
    const at = place % bytes.length;
    const rest = bytes.subarray(doubled ? Math.max(0, at - length) : at + length);
    return Buffer.concat([bytes.subarray(0, at), other, rest]);
  });
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  document.map((pieces) => Buffer.from(pieces.join(""))),
  document.map((pieces) => Buffer.from(`<rss>${pieces.join("")}</rss>${pieces.join("")}`)),
  damaged,
);

describe("whatever the bytes are", () => {
  it("a feed is read, or refused for a reason of the document's", () => {
    fc.assert(
      fc.property(anyBytes, fc.option(fc.constantFrom(...labels)), (bytes, label) => {
        try {
          const { items, warnings } = parseFeed(bytes, {
            ...about,
            ...(label && { contentType: `x; charset=${label}` }),
          });
          for (const { text, title } of items)
            expect([text.isWellFormed(), title.isWellFormed()]).toEqual([true, true]);
          expect(warnings.every((warning) => warning.length > 0)).toBe(true);
        } catch (error) {
          if (!(error instanceof FeedError)) throw error;
          expect([error.kind, error.message]).not.toEqual(["defect", expect.anything()]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("they become well-formed text without control characters", () => {
    fc.assert(
      fc.property(anyBytes, fc.constantFrom(...labels), (bytes, label) => {
        const { text } = decodeDocument(bytes, `text/html; charset=${label}`);
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\0-\x08\x80-\x9f]/);
      }),
      { numRuns: 300 },
    );
  });

  it("a page gives an article or none", () => {
    fc.assert(
      fc.property(document, (pieces) => {
        const inner = pieces.join("");
        const page = `<html><body><article><p>${"A sentence of the text. ".repeat(20)}</p>${inner}</article>${inner}`;
        const article = extractArticle(page, url);
        if (article) expect(article.text.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

it("an address without tracking is an address, and has none to lose", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.boolean(), (address, more) => {
      const place = address.split("#")[0]!;
      const whole = new URL(more ? `${place}${place.includes("?") ? "&" : "?"}utm_source=x` : address);
      const shown = withoutTracking(whole.href);
      expect(URL.canParse(shown)).toBe(true);
      expect(withoutTracking(shown)).toBe(shown);
      expect(shown).not.toContain("utm_source=x");
    }),
  );
});
