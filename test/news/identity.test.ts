import fc from "fast-check";
import { bands, canonicalUrl, contentHash, hammingDistance, NEAR, sameStory, simhash } from "../../services/news/articles/identity.ts";

it.each([
  ["https://Example.ORG:443/a/?utm_source=x&b=2&a=1#top", "https://example.org/a?a=1&b=2"],
  ["http://example.org/story/?fbclid=1", "http://example.org/story"],
  ["http://example.org//a//b/index.html", "http://example.org/a/b"],
  ["https://example.org/#!/story/7", "https://example.org/#!/story/7"],
  ["https://user:pass@example.org/", "https://example.org/"],
  ["not an address", "not an address"],
])("%s is %s", (given, expected) => expect(canonicalUrl(given)).toBe(expected));

it("is the same applied twice", () => {
  fc.assert(fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => expect(canonicalUrl(canonicalUrl(url))).toBe(canonicalUrl(url))));
});

const REPORT = "The harbour authority reopened the strait to cargo traffic on Friday after a two-day closure, its director said. At least forty vessels had been waiting at anchor when pilots returned to work. The closure began on Wednesday when a dredger sank in the main channel. Shipping insurers had raised their premiums during the closure, according to a brokerage. Officials expect the backlog to be cleared by Sunday evening, weather permitting.";
const OTHER = "Pilots of the strait went on strike on Monday over their hours. The union said that forty of its members had signed a petition. The harbour authority called the strike unlawful. Cargo traffic was diverted to the northern ports, where berths are scarce. Talks are to begin on Wednesday.";

it("tells copies from other reports of the same place", () => {
  const original = simhash(REPORT);
  expect(sameStory(original, simhash(`${REPORT.toUpperCase()}\n\n`))).toBe(true);
  expect(sameStory(original, simhash(REPORT.replace("Friday", "Saturday")))).toBe(hammingDistance(original, simhash(REPORT.replace("Friday", "Saturday"))) <= NEAR);
  expect(sameStory(original, simhash(OTHER))).toBe(false);
  expect(hammingDistance(original, simhash(OTHER))).toBeGreaterThan(12);
});

it("does not see case and white space", () => {
  fc.assert(fc.property(fc.lorem({ maxCount: 40 }), (text) => {
    expect(simhash(text.toUpperCase().replaceAll(" ", "\n  "))).toBe(simhash(text));
    expect(contentHash({ title: text, text: ` ${text.toUpperCase()}  ` })).toBe(contentHash({ title: text, text }));
  }));
});

it("bands find every fingerprint at most three bits away", () => {
  const bits = fc.uniqueArray(fc.nat(63), { minLength: 1, maxLength: NEAR });
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), bits, (value, flipped) => {
    const hex = (n: bigint) => n.toString(16).padStart(16, "0");
    const [a, b] = [hex(value), hex(flipped.reduce((n, bit) => n ^ (1n << BigInt(bit)), value))];
    expect(hammingDistance(a, b)).toBe(flipped.length);
    expect(bands(a).some((band) => bands(b).includes(band))).toBe(true);
    expect(sameStory(a, b)).toBe(true);
  }));
});
