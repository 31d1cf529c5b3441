import { fold } from "../../../../../core/text/words/words.ts";
import { headType, lists } from "./cues.ts";
import { lastWord } from "./signs.ts";

/** "Ivan Petrov of Northland": a person, and what they are of; where the second begins. */
export function personOf(text: string, before: string): { length: number; rest: number } | undefined {
  const at = text.indexOf(" of ");
  if (at < 0) return undefined;
  const rest = at + (text.startsWith(" of the ", at) ? 8 : 4);
  const parts = fold(text.slice(0, at)).split(" ");
  const own = text.slice(rest).split(" ").at(-1)!;
  // "Ian Carrow of the Aviation Police", never "the Sons of the Delta".
  const isOfBody = headType(fold(own)) !== undefined && parts.length === 2 && lastWord(before) !== "the";
  const isPerson = lists().first.has(parts[0]!) || lists().titles.has(lastWord(before)) || isOfBody;
  if (!isPerson || parts.length < 2 || parts.some((part) => headType(part))) return undefined;
  return { length: at, rest };
}
