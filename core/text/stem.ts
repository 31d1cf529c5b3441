import { stem as porter2 } from "porter2";

const ENGLISH = /^[a-z]{3,}$/;
/** The stem of a folded word. Keeps the first two letters, but for y that may become i: snippets rely on it. */
export const stem = (word: string): string => (ENGLISH.test(word) ? porter2(word) : word);
