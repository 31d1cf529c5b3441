import fc from "fast-check";
import { Thoughts, withoutThoughts } from "../../../adapters/llm/wire/thoughts.ts";
import { tries } from "../../tries.ts";

// However a stream is cut, it shows what the whole answer would.

const streamed = (pieces: readonly string[]): string => {
  const thoughts = new Thoughts();
  return pieces.map((piece) => thoughts.push(piece)).join("") + thoughts.end();
};
const cutAt = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

it("leaves out thoughts of any length, whatever pieces they come in", () => {
  const thought = fc.stringMatching(/^[a-z <>/]{0,200}$/).filter((text) => !text.includes("</th"));
  fc.assert(
    fc.property(thought, fc.integer({ min: 1, max: 40 }), (text, size) => {
      const answer = `<think>${text}</think>Four boats.`;
      expect(streamed(cutAt(answer, size))).toBe(withoutThoughts(answer));
    }),
    { numRuns: tries(200) },
  );
});
