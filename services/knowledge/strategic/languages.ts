import type { Host } from "../../../core/contract/endpoint.ts";
import { languageOf } from "../../../core/text/language.ts";
import type { Document } from "../documents/client.ts";

/** What the rules of extraction, review and contradiction read. */
const READ = "en";
/** A name in a statement may bring one word of another language. */
const FEWEST_WORDS = 2;
const names = new Intl.DisplayNames(["en"], { type: "language" });

/** "French (fr)"; of some texts no more is known than their family, or their script. */
function named(language: string): string {
  if (language === "slavic") return "a Slavic language";
  if (language.length === 2) return `${names.of(language) ?? language} (${language})`;
  return `a language in ${language[0]!.toUpperCase()}${language.slice(1)} script`;
}

/** The language of a text that the rules do not read, by name; undefined where they do. `told`: what its reader found. */
export function strangeLanguage(text: string, told?: string): string | undefined {
  const language = told ?? languageOf(text, undefined, FEWEST_WORDS);
  return language === READ ? undefined : named(language);
}

/** Whoever reads a version says its language; undefined where the rules read it, or it is not known. */
export function strangeLanguageOf({ versions }: Document, version: number): string | undefined {
  const told = versions.find((one) => one.version === version)?.language;
  return told === undefined ? undefined : strangeLanguage("", told);
}

/** What whoever asks for `what` is told beforehand; undefined where rules or a model read the text. */
export function noticeOf(host: Host, language: string | undefined, what: string): string | undefined {
  return language === undefined || host.world.llm.configured ? undefined : unread(language, what);
}

/** Why rules alone brought little. */
export const unread = (language: string, what: string): string =>
  `Its text is in ${language}, and the rules ${what} read English only; a language model, where one is ` +
  "configured, reads any language.";
