import { useSyncExternalStore } from "react";
import { momentInWords } from "./moment-words.ts";

const TICK_MS = 15_000;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function watch(tell: () => void): () => void {
  watchers.add(tell);
  timer ??= setInterval(() => watchers.forEach((one) => one()), TICK_MS);
  return () => {
    watchers.delete(tell);
    if (watchers.size) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A moment in words that stay true while a page is left open. */
export const useMomentInWords = (at: string): string => useSyncExternalStore(watch, () => momentInWords(new Date(at)));
