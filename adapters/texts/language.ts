/** Characters that are examined: from the beginning, where a summary may be in another language, and the middle. */
const LOOKED_AT = 4_000;
/** The language of shorter texts cannot be determined reliably. */
const FEWEST = 40;

/**
 * The language of a text, ISO 639-1; undefined where it is unclear. Its tables take 90 MB: never load it in a process
 * with other work.
 */
export async function languageOf(text: string): Promise<string | undefined> {
  if (text.length < FEWEST) return undefined;
  const { eld } = await import("eld/extrasmall");
  const middle = Math.max(LOOKED_AT, Math.floor(text.length / 2));
  const found = eld.detect(`${text.slice(0, LOOKED_AT)}\n${text.slice(middle, middle + LOOKED_AT)}`.toWellFormed());
  return found.isReliable() ? found.language || undefined : undefined;
}
