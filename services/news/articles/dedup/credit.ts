import { fold } from "../../../../core/text/words/words.ts";

const HEAD = 160;
const FOOT = 240;
const NAME = "(?<agency>\\p{Lu}[\\p{L}\\p{M}&.'’-]*(?: \\p{Lu}[\\p{L}\\p{M}&.'’-]*){0,3})";
/** "PORT ARVEN, Nov 12 (Meridian Wire) -", "By Meridian Wire — ". */
const HEADS = [
  new RegExp(`^[^.\\n()]{0,60}\\(${NAME}\\)\\s{0,2}[-–—:]`, "u"),
  new RegExp(`^(?:By|From) ${NAME}\\s{0,2}[\\n:–—-]`, "u"),
];
/** "Source: Meridian Wire"; "(Meridian Wire)" and "— Meridian Wire" behind the last sentence. */
const NAMED = new RegExp(`^(?:(?:Source|Credit|Agency|Wire|With material from|Text): ?)?${NAME}$`, "u");
const SIGNS = /[([—–]/g;

/** The agency that a text credits by its dateline or at its end, folded; undefined where it names none. */
export function creditOf(text: string): string | undefined {
  const given = text.trim();
  const head = given.slice(0, HEAD);
  for (const form of HEADS) {
    const found = form.exec(head)?.groups?.["agency"];
    if (found) return fold(found);
  }
  const last = given.slice(-FOOT).split("\n").at(-1)!;
  const line = last.slice(0, endOf(last)).trim();
  const at = [...line.matchAll(SIGNS)].at(-1)?.index;
  const signed = at === undefined ? (line.includes(":") ? line : "") : line.slice(at + 1).trim();
  const found = NAMED.exec(signed)?.groups?.["agency"];
  return found && fold(found);
}

/** Where a line ends before its closing signs. */
function endOf(line: string): number {
  let end = line.length;
  while (end > 0 && ".)] ".includes(line[end - 1]!)) end--;
  return end;
}
