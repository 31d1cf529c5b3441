import { lexicon } from "../../../core/text/lexicon.ts";
import { endsIn } from "../../../core/text/statements/ends.ts";
import { statementOf } from "../../../core/text/statements/statement.ts";
import { phraseIndex } from "../../../core/text/words/phrases.ts";
import { words } from "../../../core/text/words/words.ts";

const endOf = (text: string, axis: string): string | undefined =>
  endsIn(statementOf(text)).find((it) => it.axis === axis)?.end;

describe("ends that exclude each other", () => {
  it("tells what a sentence answers a question with, by the words of newspapers", () => {
    expect(endOf("The medieval bridge has been swept away.", "standing")).toBe("collapsed");
    expect(endOf("The bridge is still in place.", "standing")).toBe("standing");
    expect(endOf("The tower did not fall.", "standing")).toBe("standing");
  });

  it("turns an end that is denied to the other of two", () => {
    expect(endOf("The bridge has not collapsed, engineers said.", "standing")).toBe("standing");
  });

  it("counts only where what it is said of stands beside", () => {
    expect(endOf("Shares collapsed on Friday.", "standing")).toBeUndefined();
  });

  it("has no phrase at two ends of an axis, and none that begins with too few letters", () => {
    const twice = Object.entries(lexicon.ends.axes).flatMap(([axis, { ends }]) => {
      const all = Object.values(ends as Record<string, readonly string[]>).flat();
      return all.filter((phrase, at) => all.indexOf(phrase) !== at).map((phrase) => `${axis}: ${phrase}`);
    });
    expect(twice).toEqual([]);
  });
});

describe("phrases with a gap", () => {
  const index = phraseIndex({ refused: ["turn* … down", "said no"] });
  const found = (text: string) => index.find(text, words(text)).map(({ first, last }) => [first, last]);

  it("stand where up to four words are between", () => {
    expect(found("They turned the offer of the union down.")).toEqual([]);
    expect(found("They turned the last offer down.")).toEqual([[1, 5]]);
    expect(found("They turned down the offer.")).toEqual([[1, 2]]);
  });

  it("do not reach over the end of a sentence", () => {
    expect(found("They turned. Prices went down.")).toEqual([]);
  });
});
