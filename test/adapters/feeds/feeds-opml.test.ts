import fc from "fast-check";
import { parseOpml } from "feedsmith";
import { readOpml, writeOpml, type OpmlSource } from "../../../adapters/feeds/opml.ts";
import { fixture } from "../../fixtures/feeds/read.ts";

describe("reading OPML", () => {
  it("takes sources out of nested outlines, with all they are filed under, what is nearest first", () => {
    expect(readOpml(fixture("opml-nested.opml").toString())).toEqual([
      { name: "Gazette & Co", url: "https://gazette.example/feed", categories: ["Local", "News"] },
      { name: "Station", url: "https://station.example/news.rdf", categories: ["News"] },
      { name: "Only a title", url: "http://old.example/rss" },
      {
        name: "https://nameless.example/feed",
        url: "https://nameless.example/feed",
        categories: ["Sky", "Science", "Other"],
      },
    ]);
  });

  it("reads broken documents as far as they go", () => {
    expect(readOpml(fixture("opml-broken.opml").toString())).toEqual([
      { name: "Cat & Co", url: "https://cats.example/?a=1&b=2", categories: ["Cats & Dogs"] },
      { name: "Unclosed", url: "https://unclosed.example/", categories: ["Cats & Dogs"] },
    ]);
  });

  it("refuses what is none, and what is beyond all measure", () => {
    expect(() => readOpml("<rss><channel/></rss>")).toThrow("The document is no OPML: it has no opml element.");
    expect(() => readOpml("")).toThrow("no opml element");
    expect(() => readOpml(`<opml><body>${"<outline text='x'>".repeat(1_000)}`)).toThrow("64 deep");
    expect(() =>
      readOpml(
        `<opml><body>${Array.from({ length: 10_001 }, (_, n) => `<outline xmlUrl="https://a.example/${n}"/>`).join("")}`,
      ),
    ).toThrow("10000 sources");
    expect(() => readOpml(`<opml>${" ".repeat(11 * 1024 * 1024)}`)).toThrow("10 MB");
  });

  it("expands no entities", () => {
    expect(
      readOpml(
        '<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/hostname">]><opml><body><outline text="&x;" xmlUrl="https://a.example/&x;"/></body></opml>',
      ),
    ).toEqual([{ name: "&x;", url: "https://a.example/&x;" }]);
  });
});

describe("writing OPML", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .map((text) => text.replace(/[\s\0-\x1f\x7f-\x9f\ufffe\uffff]+/g, " ").trim())
    .filter((text) => text !== "" && text.isWellFormed());
  const source = fc.record({
    name: word,
    url: fc.webUrl({ withQueryParameters: true }),
    categories: fc.option(fc.tuple(word), { nil: undefined }),
    fullText: fc.option(fc.boolean(), { nil: undefined }),
    active: fc.option(fc.boolean(), { nil: undefined }),
  });
  const byUrl = (sources: OpmlSource[]) =>
    sources
      .map(({ name, url, categories, fullText, active }) => ({ name, url, categories, fullText, active }))
      .sort((a, b) => (a.url < b.url ? -1 : 1));

  it("what is written is read back the same", () => {
    fc.assert(
      fc.property(fc.uniqueArray(source, { selector: ({ url }) => url, maxLength: 12 }), (sources) => {
        expect(byUrl(readOpml(writeOpml(sources)))).toEqual(byUrl(sources));
      }),
    );
  });

  it("other programs read it", () => {
    const xml = writeOpml(
      [
        { name: 'A & "B" <c>', url: "https://a.example/?x=1&y=2", categories: ["Tech"] },
        { name: "Loose", url: "https://b.example/" },
      ],
      "My sources",
    );
    expect(parseOpml(xml)).toMatchObject({
      head: { title: "My sources" },
      body: {
        outlines: [
          { text: "Tech", outlines: [{ text: 'A & "B" <c>', type: "rss", xmlUrl: "https://a.example/?x=1&y=2" }] },
          { text: "Loose", xmlUrl: "https://b.example/" },
        ],
      },
    });
    expect(readOpml(writeOpml([]))).toEqual([]);
  });
});
