import { seenOf, unseenIn } from "../../core/contract/input/names.ts";

describe("a name", () => {
  it.each([
    ["accents and punctuation", "Zoë O\u2019Neil\u2013Žižka (2nd)"],
    ["an accent as a mark of its own", "Zoe\u0308"],
    ["Persian, with a non-joiner", "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"],
    ["Malayalam, ending with a joiner", "\u0D28\u0D4D\u200D"],
    ["Hindi, with a joiner", "\u0915\u094D\u200D\u0937"],
    ["Khmer, with a break between words", "\u1780\u1798\u17D2\u1796\u200B\u1780\u17B6"],
    ["Mongolian, with a form of a letter", "\u182E\u1823\u180B"],
    ["Hebrew beside Latin, with a mark of direction", "\u05E9\u05DC\u05D5\u05DD (C++)\u200F"],
    ["an ideograph in the form that its bearer writes", "\u845B\u{E0100}\u57CE"],
    ["a family of emoji", "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}"],
    ["a heart and a key", "\u2764\uFE0F 1\uFE0F\u20E3"],
    ["the flag of a region", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"],
  ])("may be %s", (_, name) => {
    expect(unseenIn(name)).toBeUndefined();
    expect(seenOf(name)).toBe(name);
  });

  it.each([
    ["a zero-width space", "An\u200Bna", "U+200B", "Anna"],
    ["a joiner among Latin letters", "An\u200Dna", "U+200D", "Anna"],
    ["a mark of direction without a need", "Anna\u200F", "U+200F", "Anna"],
    ["an override of direction", "Anna \u202Efdp.exe", "U+202E", "Anna fdp.exe"],
    ["an isolate", "\u2067Anna\u2069", "U+2067", "Anna"],
    ["an override beside letters from the right", "\u05E9\u202D\u05DC", "U+202D", "\u05E9\u05DC"],
    ["a control", "An\u0000na", "U+0000", "An na"],
    ["a second line", "Anna\nAdministrator", "U+000A", "Anna Administrator"],
    ["a soft hyphen", "An\u00ADna", "U+00AD", "Anna"],
    ["a selector of a form that there is none of", "A\uFE0Fnna", "U+FE0F", "Anna"],
    ["a digit's selector without its key", "Team 1\uFE0F", "U+FE0F", "Team 1"],
    ["words in tags", "Anna\u{E0041}\u{E0042}", "U+E0041", "Anna"],
    ["a filler of Hangul", "Anna\u3164", "U+3164", "Anna"],
  ])("may not hold %s", (_, name, sign, seen) => {
    expect(unseenIn(name)).toContain(sign);
    expect(seenOf(name)).toBe(seen);
  });

  it.each(["\u200B", "\u3164\u3164", "\u2800", " \u00A0\u2003", "\u202E\u200F", "\u200D"])(
    "of which nothing is seen is empty",
    (name) => expect(unseenIn(name)).toBe("Must not be empty."),
  );
});
