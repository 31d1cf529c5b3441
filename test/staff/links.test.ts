import fc from "fast-check";
import { Deltas } from "../../services/staff/deltas.ts";
import { citedNumbers, PlainText } from "../../services/staff/links.ts";

// What a model writes goes out as plain text, wherever its pieces are cut; and what is told in parts adds up to it.

const OURS = "https://news.example.org/a?b=1";
const plain = (pieces: readonly string[]): string => {
  const text = new PlainText([OURS], [1, 2]);
  return pieces.map((piece) => text.push(piece)).join("") + text.end();
};
/** Cuts a text behind these places. */
const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...at].map((from, n) => text.slice(from, at[n] ?? text.length));
};

describe("plain text", () => {
  it.each([
    [`See ${OURS}.`, `See ${OURS}.`],
    ["See https://evil.example/?q=secret, now", "See [link removed], now"],
    ["![x](https://evil.example/p.png?d=1)", "[x] ([link removed])"],
    ["!!![x](y)", "[x] (y)"],
    ["[here](//evil.example/a) and [there](evil.example/b)", "[here] ([link removed]) and [there] ([link removed])"],
    ['<img src="https://evil.example/a">', '‹img src="[link removed]">'],
    ["javascript:alert(1) data:text/html,x", "[link removed]) [link removed]"],
    ["[x]: /path", "[x] : /path"],
    ["User profile: typed data: and (a file:) stay", "User profile: typed data: and (a file:) stay"],
    ["blob:x and a-data:text/html,x go", "[link removed] and [link removed] go"],
    ["Mail a.b@evil.example today", "Mail [link removed] today"],
    ["Held [1], made up [7], held [2].", "Held [1], made up , held [2]."],
    ["See w[9]ww.evil.example and /[8]/evil.example", "See [link removed] and [link removed]"],
    ["a < b and b > c, 3/4, and/or, e.g. this", "a < b and b > c, 3/4, and/or, e.g. this"],
    ["hid\u200bden \u202eturned", "hidden turned"],
    [`${"x".repeat(1_200)} end`, "[…] end"],
    ["桥在 https://evil.example/桥 旁边", "桥在 [link removed]桥 旁边"],
  ])("%j is told as %j", (given, told) => {
    if (given.startsWith("javascript")) expect(plain([given])).not.toMatch(/javascript:|data:/);
    else expect(plain([given])).toBe(told);
  });

  it("is the same wherever the pieces are cut, and holds no link but ours", () => {
    const part = fc.oneof(
      fc.constantFrom(
        OURS,
        "https://evil.example/x",
        "![a](",
        "!",
        "](",
        "//e.org/",
        "www.e.org",
        "[1]",
        "[9]",
        "<img ",
        " ",
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.array(fc.nat(400), { maxLength: 8 }), (parts, places) => {
        const text = parts.join("").toWellFormed();
        const whole = plain([text]);
        // A model's pieces are whole characters.
        expect(plain(cut(text, places).map((piece) => piece)).toWellFormed()).toBe(whole);
        expect(whole.replaceAll(OURS, "")).not.toMatch(/:\/\/|!\[|\]\(|<img/);
        expect(citedNumbers(whole).every((n) => n === 1 || n === 2)).toBe(true);
      }),
    );
  });
});

describe("deltas", () => {
  it("add up to the text over any cuts of the connection, none longer than 256, none within a sign", () => {
    const writing = fc.array(fc.record({ text: fc.string({ unit: "grapheme", maxLength: 300 }), pause: fc.nat(60) }));
    fc.assert(
      fc.property(writing, fc.array(fc.nat(60), { maxLength: 6 }), (writes, cuts) => {
        const deltas = new Deltas();
        let now = 0;
        let stored = "";
        // What happened, in order: a part told, or the text as it was stored then, which history shows.
        const told: ({ offset: number; text: string } | { stored: string })[] = [];
        for (const { text, pause } of writes) {
          told.push(...deltas.push(text, now));
          stored += text;
          if (pause % 3 === 0) told.push({ stored });
          now += pause;
          told.push(...deltas.due(now));
        }
        told.push(...deltas.rest(now), { stored });
        const parts = told.filter((one) => "offset" in one);
        expect(parts.map(({ text }) => text).join("")).toBe(stored);
        expect(parts.every(({ text }) => text.length <= 256 && text.isWellFormed())).toBe(true);
        // A reader who is cut off loses parts, and asks for the history as soon as one does not fit what it has.
        let have = "";
        let known = "";
        for (const [at, one] of told.entries()) {
          if ("stored" in one) known = one.stored;
          else if (!cuts.includes(at)) {
            if (one.offset > have.length) have = known.length > have.length ? known : have;
            if (one.offset <= have.length) have += one.text.slice(have.length - one.offset);
          }
          expect(stored.startsWith(have)).toBe(true);
        }
        expect(known.length > have.length ? known : have).toBe(stored);
      }),
    );
  });
});
