import { fold } from "../../../../../core/text/words/words.ts";
import type { EntityType } from "../../statements/vocabulary.ts";

/** What speaks for a type, and how much. */
export interface Sign {
  type: EntityType;
  weight: number;
  reason: string;
}

/** A name where it stands: what is before and behind it in its sentence. */
export interface Placed {
  text: string;
  /** Folded. */
  key: string;
  before: string;
  after: string;
}

/** Notes what speaks for a type. */
export type Say = (type: EntityType, weight: number, reason: string) => void;

/** The last words before a name, folded; commas and full stops at their ends left out. */
export const lastWords = (text: string, count: number): string[] =>
  text
    .trimEnd()
    .split(" ")
    .slice(-count)
    .map((word) => fold(word).replaceAll(/[.,]/g, ""));
export const lastWord = (text: string): string => lastWords(text, 1)[0] ?? "";

export const isAcronym = (text: string): boolean => /^(?:\p{Lu}\.?){2,6}s?$/u.test(text) && !/^[IVXLC]+$/.test(text);
