import fc from "fast-check";
import { ZEC_PATTERN, zatoshiOf, zecWords } from "../../console/news/escrow/amounts.ts";

// Money in the console: text that is exact, whatever its size.

it.each([
  ["1", "0.00000001 ZEC"],
  ["50000000", "0.5 ZEC"],
  ["100000000", "1 ZEC"],
  ["-150000000", "-1.5 ZEC"],
  ["0", "0 ZEC"],
  ["2100000000000000", "21,000,000 ZEC"],
  ["2099999999999999", "20,999,999.99999999 ZEC"],
])("%s zatoshi are %s", (zatoshi, words) => {
  expect(zecWords(zatoshi)).toBe(words);
});

it("what was typed in ZEC is as many zatoshi, there and back", () => {
  expect([zatoshiOf("0.5"), zatoshiOf(" 21000000 "), zatoshiOf("-0.00000777")]).toEqual([
    "50000000",
    "2100000000000000",
    "-777",
  ]);
  const taken = new RegExp(`^(?:${ZEC_PATTERN})$`);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }), (zatoshi) => {
      const typed = zecWords(String(zatoshi)).replace(" ZEC", "").replaceAll(",", "");
      expect(typed).toMatch(taken);
      expect(zatoshiOf(typed)).toBe(String(zatoshi));
    }),
  );
});
