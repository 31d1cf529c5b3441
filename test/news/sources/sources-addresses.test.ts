import "../../../core/contract/input/complaints.ts";
import { closedLiteral, feedKey, FeedUrl } from "../../../services/news/sources/addresses.ts";

it.each([
  ["http://example.org/feed", "https://example.org/feed/"],
  ["https://EXAMPLE.org:443/feed#top", "https://example.org/feed"],
  ["https://example.org", "https://example.org/"],
  ["https://example.org./rss?b=2&a=1", "https://example.org/rss?a=1&b=2"],
  ["https://example.org/rss?utm_source=x&id=4&fbclid=y", "https://example.org/rss?id=4"],
])("%s and %s are one feed", (one, other) => expect(feedKey(one)).toBe(feedKey(other)));

it.each([
  ["https://example.org/feed", "https://example.org/Feed"],
  ["https://example.org/rss?id=4", "https://example.org/rss?id=5"],
  ["https://example.org:8443/rss", "https://example.org/rss"],
  ["https://a.example.org/rss", "https://b.example.org/rss"],
])("%s and %s are two", (one, other) => expect(feedKey(one)).not.toBe(feedKey(other)));

it.each([
  ["example.org/feed", "must be a whole address"],
  ["ftp://example.org/feed", "must begin with http"],
  ["javascript:alert(1)", "must begin with http"],
  ["file:///etc/passwd", "must begin with http"],
  ["https://user:secret@example.org/feed", "must not carry a user name"],
  ["", "Must not be empty"],
  [`https://example.org/${"x".repeat(2_048)}`, "at most"],
])("%s is refused: %s", (url, message) => expect(FeedUrl.safeParse(url).error?.issues[0]?.message).toContain(message));

it("keeps an address as it was written", () =>
  expect(FeedUrl.parse("  https://Example.org/A?b=C ")).toBe("https://Example.org/A?b=C"));

it.each([
  "http://169.254.169.254/latest",
  "http://[fe80::1]/",
  "http://0.0.0.0/",
  "http://2852039166/",
  "http://0xA9FEA9FE/",
])("%s is closed whatever the settings", (url) => {
  expect(closedLiteral(url, true)).toMatch(/never fetched/);
});

it.each(["http://127.0.0.1/feed", "http://10.1.2.3/feed", "http://[::1]:8080/feed", "http://2130706433/feed"])(
  "%s is closed unless private feeds are allowed",
  (url) => {
    expect(closedLiteral(url, false)).toMatch(/ALLOW_PRIVATE_FEEDS/);
    expect(closedLiteral(url, true)).toBeUndefined();
  },
);

it("names are left to the moment they are resolved", () =>
  expect(closedLiteral("http://localhost/feed", false)).toBeUndefined());
