import fc from "fast-check";
import { isBeyondNumbers, numbersIn } from "../../../core/text/statements/figures/numerals.ts";
import { statementOf } from "../../../core/text/statements/statement.ts";

const ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" ");
ONES.push("sixteen", "seventeen", "eighteen", "nineteen");
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

const belowHundred = (n: number): string =>
  n < 20 ? ONES[n]! : TENS[Math.floor(n / 10)]! + (n % 10 ? `-${ONES[n % 10]!}` : "");
function belowThousand(n: number, and: string): string {
  const [hundreds, rest] = [Math.floor(n / 100), n % 100];
  if (!hundreds) return belowHundred(rest);
  return `${ONES[hundreds]!} hundred${rest ? `${and} ${belowHundred(rest)}` : ""}`;
}
/** A whole number as it is written out; `and`: the British way. */
function spelled(n: number, and: string): string {
  const groups = [
    [1_000_000, " million"],
    [1_000, " thousand"],
  ] as const;
  let left = n;
  const parts: string[] = [];
  for (const [worth, name] of groups) {
    const count = Math.floor(left / worth);
    if (count) parts.push(belowThousand(count, and) + name);
    left %= worth;
  }
  if (left || !parts.length)
    parts.push((parts.length && left < 100 ? and.trimStart() + " " : "") + belowThousand(left, and));
  return parts.join(" ").replaceAll("  ", " ").trim();
}

describe("numbers in words", () => {
  it("are read as they were written, in the British and in the American way", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), fc.constantFrom(" and", ""), (n, and) => {
        const text = `Police counted ${spelled(n, and)} of them.`;
        expect([text, numbersIn(text).at(-1), numbersIn(text).length <= 2]).toEqual([text, n, true]);
      }),
    );
  });

  it("in digits are grouped by commas, and by blanks as other languages do", () => {
    expect(numbersIn("Le camp abrite 45 000 déplacés, 1\u202f250\u202f300 en tout, et 1 200 000 au pays.")).toEqual([
      45_000, 1_250_300, 1_200_000,
    ]);
    expect(numbersIn("Noch 190.000 Kunden, 1.250.000 im Land, 3.125 Prozent, 0.000")).toEqual([
      190_000, 1_250_000, 3.125, 0,
    ]);
    expect(numbersIn("In 2019 300 people came, 12 300 left, 1,500 stayed.")).toEqual([2_019, 300, 12, 300, 1_500]);
  });

  it("are two where two are meant", () => {
    expect(numbersIn("between one hundred and two hundred homes")).toEqual([1, 100, 2, 200]);
    expect(numbersIn("between one hundred and ninety homes")).toEqual([1, 100, 90]);
    expect(numbersIn("one thousand and one hundred euros each")).toEqual([1, 1_000, 1, 100]);
    expect(numbersIn("a hundred, twelve of them children")).toEqual([12]);
    expect(numbersIn("two dozen and three policemen")).toEqual([2, 24, 3]);
  });

  it("are none that are too large to be told from others, and such a text is known by that", () => {
    const [digits, more] = ["9".repeat(400), "9".repeat(305)];
    expect([numbersIn(`${digits} homes, 12 of them new`), isBeyondNumbers(`${digits} homes`)]).toEqual([[12], true]);
    expect([numbersIn(`${more} billion homes`).every(Number.isFinite), isBeyondNumbers(`${more} billion`)]).toEqual([
      true,
      true,
    ]);
    expect([numbersIn(more), isBeyondNumbers(more)]).toEqual([[Number(more)], false]);
  });
});

it.each([
  ["No more than 190 people came.", "under"],
  ["More than 190 people came.", "over"],
  ["No fewer than 190 people came.", "over"],
  ["Fewer than 190 people came.", "under"],
])("a limit is the one that begins first: %s", (text, bound) => {
  expect(statementOf(text).quantities[0]?.bound).toBe(bound);
});
