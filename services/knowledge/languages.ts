import type { Host } from "../../core/contract/endpoint.ts";
import { languageOf } from "../../core/text/language.ts";
import type { Document } from "./documents/client.ts";

/** The language of the rules of extraction, review, contradiction and of names. */
const READ = "en";
/** A name can bring one word of another language into a statement. */
const FEWEST_WORDS = 2;
const names = new Intl.DisplayNames(["en"], { type: "language" });

/** "French (fr)"; of some texts only the language family or the script is known. */
function named(language: string): string {
  if (language === "slavic") return "a Slavic language";
  if (language.length === 2) return `${names.of(language) ?? language} (${language})`;
  return `a language in ${language[0]!.toUpperCase()}${language.slice(1)} script`;
}

/**
 * The name of a text's language if the rules do not read it; undefined if they do. `told`: the language that its reader
 * found.
 */
export function strangeLanguage(text: string, told?: string): string | undefined {
  const language = told ?? languageOf(text, undefined, FEWEST_WORDS);
  return language === READ ? undefined : named(language);
}

/** The same for a version, by its reader's finding; undefined where the rules read it, or it is unknown. */
export function strangeLanguageOf({ versions }: Document, version: number): string | undefined {
  const told = versions.find((one) => one.version === version)?.language;
  return told === undefined ? undefined : strangeLanguage("", told);
}

/** The notice shown beforehand to people who request `what`; undefined where rules or a model read the text. */
export function noticeOf(host: Host, language: string | undefined, what: string): string | undefined {
  return language === undefined || host.world.llm.configured ? undefined : unread(language, what);
}

/** Why rules alone found little. */
export const unread = (language: string, what: string): string =>
  `Its text is in ${language}, and the rules ${what} read English only; a language model, where one is ` +
  "configured, reads any language.";
