import { limits } from "./feed.ts";

/**
 * Makes a written address absolute against `base`; undefined for what is no http or https address, or too long to be
 * one.
 */
export function absoluteUrl(written: string | undefined, base: string): string | undefined {
  const text = written?.trim();
  if (!text || text.length > limits.url) return undefined;
  // Publishers forget the scheme; resolved as it stands this would become a path on their own site.
  const url = /^www\.[^\s/]+\.[a-z]{2,}(?:[/?#]|$)/i.test(text) ? URL.parse(`https://${text}`) : URL.parse(text, base);
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url.href : undefined;
}

/** Resolves a chain of xml:base values against the base of the document. */
export function resolveBases(bases: readonly string[], base: string): string {
  return bases.reduce((outer, inner) => absoluteUrl(inner, outer) ?? outer, base);
}
