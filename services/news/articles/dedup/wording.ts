import { isAscii } from "../../../../core/text/words/units.ts";
import { sha256 } from "../../../../core/ids.ts";

/** White space that is not one single blank; NFKC makes blanks of all other kinds. */
const IRREGULAR = ["  ", "\n", "\t", "\r", "\v", "\f", "\u1680", "\u2028", "\u2029", "\ufeff"];

/**
 * Case, compatibility forms and white space set aside; to look for irregular space is several times cheaper than to
 * replace every blank.
 */
export function normalized(text: string): string {
  const folded = (isAscii(text) ? text : text.normalize("NFKC")).toLowerCase().trim();
  return IRREGULAR.some((space) => folded.includes(space)) ? folded.replace(/\s+/g, " ") : folded;
}

export interface Wording {
  title: string;
  text: string;
}
/** Title and text as they are compared: normalised once for all that is made from them. */
export type Normalized = Readonly<Wording> & { readonly normalized: true };
export const normalizedWording = ({ title, text }: Wording): Normalized => ({
  title: normalized(title),
  text: normalized(text),
  normalized: true,
});
export const normalizedOf = (given: Wording | Normalized): Normalized =>
  "normalized" in given ? given : normalizedWording(given);

/**
 * SHA-256 of title and text, blind to case, white space and compatibility forms: tells a changed article from one sent
 * again.
 */
export function contentHash(given: Wording | Normalized): string {
  const { title, text } = normalizedOf(given);
  return sha256(`${title}\n${text}`);
}
