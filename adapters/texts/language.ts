/** Characters that are looked at: from the beginning, where a summary may be in another language, and the middle. */
const LOOKED_AT = 4_000;
/** Shorter texts tell no language for certain. */
const FEWEST = 40;

/**
 * The language of a text, ISO 639-1; undefined where nothing tells it. Its tables take 90 MB: never load it in a
 * process that has other work.
 */
export async function languageOf(text: string): Promise<string | undefined> {
  if (text.length < FEWEST) return undefined;
  const { eld } = await import("eld/extrasmall");
  const middle = Math.max(LOOKED_AT, Math.floor(text.length / 2));
  const found = eld.detect(`${text.slice(0, LOOKED_AT)}\n${text.slice(middle, middle + LOOKED_AT)}`.toWellFormed());
  return found.isReliable() ? found.language || undefined : undefined;
}
