import { fold } from "../../../../core/text/words.ts";

const HEAD = 160;
const FOOT = 240;
const NAME = "(?<agency>\\p{Lu}[\\p{L}\\p{M}&.'’-]*(?: \\p{Lu}[\\p{L}\\p{M}&.'’-]*){0,3})";
/** "PORT ARVEN, Nov 12 (Meridian Wire) -", "Meridian Wire — ", "Source: Meridian Wire", "(Meridian Wire)" at the end. */
const FORMS = {
  head: [
    new RegExp(`^[^.\\n()]{0,60}\\(${NAME}\\)\\s*[-–—:]`, "u"),
    new RegExp(`^(?:By|From)\\s+${NAME}\\s*(?:\\n|[-–—:])`, "u"),
  ],
  foot: [
    new RegExp(
      `(?:^|[\\n.(—–-])\\s*(?:Source|Credit|Agency|Wire|With material from|Text)\\s*:\\s*${NAME}[.)\\s]*$`,
      "u",
    ),
    new RegExp(`[.!?"”]\\s*[(\\[—–-]+\\s*${NAME}\\s*[)\\]]?\\s*$`, "u"),
  ],
};

/** The agency that a text credits by its dateline or at its end, folded; undefined where it names none. */
export function creditOf(text: string): string | undefined {
  const given = text.trim();
  const [head, foot] = [given.slice(0, HEAD), given.slice(-FOOT)];
  for (const form of FORMS.head) {
    const found = form.exec(head)?.groups?.["agency"];
    if (found) return fold(found);
  }
  for (const form of FORMS.foot) {
    const found = form.exec(foot)?.groups?.["agency"];
    if (found) return fold(found);
  }
  return undefined;
}
