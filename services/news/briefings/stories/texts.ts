import type { BriefingArticle } from "../../articles/client.ts";

export const bodyOf = ({ text, summary }: BriefingArticle): string => (text.trim() === "" ? summary : text);

const SCANT_CHARACTERS = 200;
/** A post of a line or two gives the reader nothing more to look up. */
export const isScant = ({ text, summary }: BriefingArticle): boolean => (text || summary).length < SCANT_CHARACTERS;
