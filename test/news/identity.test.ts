import fc from "fast-check";
import { canonicalUrl } from "../../services/news/articles/dedup/canonical-url.ts";
import { bands, CLOSE, fingerprint, NEAR, sameStory } from "../../services/news/articles/dedup/fingerprint.ts";
import { hammingDistance, simhash } from "../../services/news/articles/dedup/simhash.ts";
import { contentHash } from "../../services/news/articles/dedup/wording.ts";
import { edits, reports, type Report } from "../fixtures/feeds/reports.ts";

describe("the address of an article", () => {
  it.each([
    ["https://Example.ORG:443/a/?utm_source=x&b=2&a=1#top", "https://example.org/a?a=1&b=2"],
    ["http://example.org/story/?fbclid=1", "https://example.org/story"],
    ["http://example.org//a//b/index.html", "https://example.org/a/b"],
    ["http://example.org/a/index.html/", "https://example.org/a"],
    ["https://example.org/#!/story/7", "https://example.org/#!/story/7"],
    ["https://user:pass@example.org/", "https://example.org/"],
    ["http://example.org:8080/a", "http://example.org:8080/a"],
    ["https://www.example.org./a", "https://example.org/a"],
    ["https://m.example.org/a", "https://example.org/a"],
    ["https://en.m.example.org/a", "https://en.example.org/a"],
    ["https://amp.example.org/a.amp.html?amp=1", "https://example.org/a.html"],
    ["https://www.example.org/a/amp/", "https://example.org/a"],
    ["https://example-org.cdn.ampproject.org/c/s/www.example.org/a/amp", "https://example.org/a"],
    ["https://www.google.com/amp/s/example.org/a", "https://example.org/a"],
    ["mailto:desk@example.org", "mailto:desk@example.org"],
    ["not an address", "not an address"],
  ])("%s is %s", (given, expected) => expect(canonicalUrl(given)).toBe(expected));

  it.each([
    ["https://m.me/a", "https://me/a"],
    ["https://example.org/a?id=1", "https://example.org/a?id=2"],
    ["https://example.org/champ", "https://example.org/ch"],
    ["https://example.org/A", "https://example.org/a"],
    ["https://a.example.org/x", "https://b.example.org/x"],
  ])("%s is not %s", (one, other) => expect(canonicalUrl(one)).not.toBe(canonicalUrl(other)));

  it("is the same applied twice", () => {
    const part = fc.constantFrom(
      "amp",
      "index.html",
      "a.amp.html",
      "",
      "story",
      "m",
      "?utm_x=1",
      "&a=1",
      "%2F",
      "#!x",
      "#y",
      "..",
      "default.aspx",
    );
    const composed = fc
      .tuple(
        fc.constantFrom("http://", "https://"),
        fc.constantFrom(
          "www.m.example.org",
          "en.m.example.org",
          "amp.www.example.co.uk",
          "m.me",
          "x.cdn.ampproject.org/c/s/www.example.org",
          "m.google.com//amp/s/example.org",
          "www.google.com/amp/s/m.example.org",
        ),
        fc.array(part, { maxLength: 6 }),
      )
      .map(([scheme, host, parts]) => `${scheme}${host}/${parts.join("/")}`);
    fc.assert(
      fc.property(fc.oneof(composed, fc.webUrl({ withQueryParameters: true, withFragments: true })), (url) =>
        expect(canonicalUrl(canonicalUrl(url))).toBe(canonicalUrl(url)),
      ),
      { numRuns: 300 },
    );
  });
});

describe("the content of an article", () => {
  it("is blind to case, white space and compatibility forms, and to nothing else", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), (text) => {
        expect(simhash(text.toUpperCase().replaceAll(" ", "\n  "))).toBe(simhash(text));
        expect(contentHash({ title: text, text: ` ${text.toUpperCase().replaceAll(" ", "\u00a0\n")}  ` })).toBe(
          contentHash({ title: text, text }),
        );
      }),
    );
    expect(contentHash({ title: "ﬁle", text: "x" })).toBe(contentHash({ title: "file", text: "X" }));
    expect(contentHash({ title: "a b", text: "c" })).not.toBe(contentHash({ title: "a", text: "b c" }));
  });

  it("counts tokens of every script as the definition of a token does", () => {
    const token =
      /\p{N}+(?:[.,:]\p{N}+)*|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{M}]+/gu;
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom(
        " ",
        "harbour",
        "1,000.5",
        "3.",
        ".4",
        "12:30",
        "風評",
        "aあ",
        "ไทย๑๒",
        "e\u0301te",
        "²½",
        "😀",
        "\ud83d",
        "𝟙2",
        "a𐐀b",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
        (text) => {
          const normal = text.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " ");
          expect(fingerprint({ title: "", text }).split(".")[1]).toBe((normal.match(token) ?? []).length.toString(36));
          // A blank around each token changes no token, and puts astral signs, which are read otherwise, among the
          // others.
          const apart = (normal.match(token) ?? []).join(" ");
          expect(fingerprint({ title: "", text: apart }).split(".").slice(0, 3)).toEqual(
            fingerprint({ title: "", text }).split(".").slice(0, 3),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("has fingerprints that stay the same for ever: they are stored", () => {
    expect(simhash("")).toMatch(/^[0-9a-f]{16}$/);
    expect(simhash(reports["first earthquake"]!.text)).toBe("e6ec67ad5d9fda90");
    const fields = fingerprint(reports["first earthquake"]!).split(".");
    expect(fields.slice(0, 5).join(".")).toBe(
      "e6ec67ad5d9fda90.1z.0025d621025040140321427907725f41ef91480e53bea77d34c46009.74023c689a1849f8711f.cc6c",
    );
    expect(fields[5]!.slice(0, 40)).toBe("-l5uC-wlDc0MPKC2y4nu4GW5h4NXXs4YMAs59n-8");
    expect(fields.slice(6)).toEqual(["cc6c"]);
  });
});

describe("bands", () => {
  it("find every fingerprint at most three bits away", () => {
    const bits = fc.uniqueArray(fc.nat(63), { minLength: 1, maxLength: NEAR });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), bits, (value, flipped) => {
        const hex = (n: bigint) => n.toString(16).padStart(16, "0");
        const [a, b] = [hex(value), hex(flipped.reduce((n, bit) => n ^ (1n << BigInt(bit)), value))];
        expect(hammingDistance(a, b)).toBe(flipped.length);
        expect(bands(a)).toHaveLength(4);
        expect(bands(a).some((band) => bands(b).includes(band))).toBe(true);
        expect(sameStory(a, b)).toBe(true);
      }),
    );
  });

  it("the same letters at another place are another key", () =>
    expect(new Set(bands("0000000000000000")).size).toBe(4));
});

const prints = Object.fromEntries(Object.entries(reports).map(([name, report]) => [name, fingerprint(report)]));
const found = (a: string, b: string) => bands(a).some((key) => bands(b).includes(key));

describe("copies of a report", () => {
  const copies = Object.entries(reports).flatMap(([name, report]) =>
    Object.entries(edits).map(([edit, change]) => [name, edit, fingerprint(change(report))] as const),
  );

  it.each(copies)("%s, with %s, is found by the index and recognised", (name, _, copy) => {
    expect(found(prints[name]!, copy)).toBe(true);
    expect(sameStory(prints[name]!, copy)).toBe(true);
    expect(sameStory(copy, prints[name]!)).toBe(true);
  });

  it("could not all be found by the bands of simhashes alone: that is what the other keys are for", () => {
    const byBands = copies.filter(([name, , copy]) =>
      bands(prints[name]!.slice(0, 16)).some((band) => bands(copy.slice(0, 16)).includes(band)),
    );
    expect(byBands.length).toBeLessThan(copies.length * 0.8);
  });
});

describe("reports of different events", () => {
  const names = Object.keys(reports);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const));

  it.each(pairs)("%s and %s stay apart", (one, other) => {
    expect(sameStory(prints[one]!, prints[other]!)).toBe(false);
    // The threshold stands well below the nearest of them.
    expect(hammingDistance(prints[one]!, prints[other]!)).toBeGreaterThan(CLOSE + 6);
  });
});

describe("short items", () => {
  const same = (one: Report, other: Report) => sameStory(fingerprint(one), fingerprint(other));
  const titled = (title: string, text = ""): Report => ({ title, text });
  const teaser = "The harbour authority reopened the strait to cargo traffic on Friday.";

  it("are told by their titles", () => {
    const [one, other] = [
      titled("Strait reopens to cargo ships after two-day closure"),
      titled("Strait reopens to cargo ships after its two-day closure", teaser),
    ];
    expect(same(one, other)).toBe(true);
    expect(found(fingerprint(one), fingerprint(other))).toBe(true);
    expect(same(one, titled("STRAIT  REOPENS to cargo ships, after two-day closure", teaser))).toBe(true);
    expect(
      same(
        titled("Man charged with murder of neighbour in Leeds"),
        titled("Man charged with murder of neighbour in York"),
      ),
    ).toBe(false);
    expect(same(one, titled("Strait closes to cargo ships after collision"))).toBe(false);
    expect(same(reports["strait reopened"]!, titled(reports["strait reopened"]!.title, teaser))).toBe(true);
  });

  it("are found by them where one is cut to its first sentence", () => {
    const title = "Chip maker Meridian to build plant in Kell";
    const first =
      "Meridian will build a plant in Kell for 2.4 billion crowns and hire 1,800 people, it said on Monday.";
    const more = "The state pays a fifth. Work is to begin in spring, beside the old steel works by the river.";
    const [whole, cut] = [`${first} ${more}`, first].map((text) => fingerprint({ title, text })) as [string, string];
    expect(bands(whole).filter((band) => bands(cut).includes(band))).not.toEqual([]);
    expect(sameStory(whole, cut)).toBe(true);
  });

  it("that are issues of a series stay apart", () => {
    expect(same(titled("Earthquake of 5.2 shakes the islands"), titled("Earthquake of 6.1 shakes the islands"))).toBe(
      false,
    );
    expect(same(titled("Morning briefing for readers, 3 May"), titled("Morning briefing for readers, 4 May"))).toBe(
      false,
    );
  });

  it("of one pattern, filled in with other names, stay apart, as one whose headline was edited does not", () => {
    const result = (club: string, minute: number): Report => ({
      title: `${club} win 1-0 at home`,
      text:
        `${club} beat the visitors 1-0 on Saturday. The goal came in minute ${minute}. ` +
        "The coach said that he was pleased with the three points and the clean sheet.",
    });
    const print = (report: Report): string => fingerprint(report);
    expect(sameStory(print(result("Orlava United", 20)), print(result("Brenn Town", 23)))).toBe(false);
    const forecast = (place: string): Report => ({
      title: `Weather for ${place}: rain in the morning, clearing later, mild`,
      text: `Rain in the morning over ${place}, clearing later. Highs of 14 degrees, winds light from the west.`,
    });
    expect(sameStory(print(forecast("Orlava")), print(forecast("Tavira")))).toBe(false);
    const { text } = result("Orlava United", 20);
    const edited = { title: "Orlava United beat visitors at home", text: `${text} It was their fifth win.` };
    expect(sameStory(print(result("Orlava United", 20)), print(edited))).toBe(true);
    expect(
      sameStory(
        print({ title: "Orlava United win at home", text }),
        print({ title: "Orlava United prevail at home", text }),
      ),
    ).toBe(true);
  });

  it("with titles too short to tell stay apart", () => {
    expect(same(titled("Live"), titled("Live"))).toBe(false);
    expect(same(titled("News in brief"), titled("News in brief", teaser))).toBe(false);
    expect(bands(fingerprint(titled("Live")))).toEqual([]);
  });

  it("are not one because of what stands under all of them", () => {
    const notice = "Read the whole story on our website. ".repeat(2);
    expect(
      same(
        titled("Council approves tram line to the hospital", notice),
        titled("Pilots of the strait walk out", notice),
      ),
    ).toBe(false);
    const longer = `${notice} ${"This text is for subscribers, who pay for independent reporting from the waterfront and beyond. ".repeat(5)}`;
    expect(
      same(
        titled("Council approves tram line to the hospital", longer),
        titled("Pilots of the strait walk out", longer),
      ),
    ).toBe(false);
  });

  it("work in scripts without blanks", () => {
    const text =
      "川にかかる古い橋の修理が始まりました。工事は秋まで続き、車は通れません。市の担当者が発表しました。歩行者は仮の橋を渡ることができます。";
    expect(
      same(titled("古い橋の修理始まる", text), titled("橋の修理、秋まで", `${text}市民は不便を訴えています。`)),
    ).toBe(true);
    expect(same(titled("古い橋の修理始まる"), titled("新しい駅が開業した"))).toBe(false);
  });
});

it("every decision is the same from both sides, and nothing is unlike itself", () => {
  const report = fc.record({ title: fc.lorem({ maxCount: 8 }), text: fc.lorem({ maxCount: 80 }) });
  fc.assert(
    fc.property(report, report, (one, other) => {
      const [a, b] = [fingerprint(one), fingerprint(other)];
      expect(sameStory(a, b)).toBe(sameStory(b, a));
      expect(found(a, a) || bands(a).length === 0).toBe(true);
      if (one.text.split(" ").length > 60)
        expect(
          sameStory(a, fingerprint({ title: one.title.toUpperCase(), text: ` ${one.text.replaceAll(" ", "  ")}` })),
        ).toBe(true);
    }),
  );
});
