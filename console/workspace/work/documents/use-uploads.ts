import { useRef, useState } from "react";
import type { Data } from "../../../api/client.ts";
import { wordsOf } from "../../../api/hooks.ts";
import { readAgain } from "../../../api/queries.ts";
import { send } from "./sending.ts";

type Taken = Data<"POST /documents/upload">;
/** A file on its way, or how it went. */
export interface SentFile {
  key: number;
  name: string;
  /** From 0 to 1. */
  part: number;
  taken?: Taken;
  error?: string;
  stop?(): void;
}

/** Files that are sent one after the other, each with its progress. */
export function useUploads(formFor: (file: File) => FormData, documentId?: string) {
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const last = useRef(0);
  const line = useRef<Promise<void>>(Promise.resolve());
  const change = (key: number, news: Partial<SentFile>): void =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...news } : one)));

  async function upload(file: File, form: FormData, key: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return change(key, { error: "It was stopped." });
    const following = { signal, onProgress: (part: number) => change(key, { part }) };
    try {
      const { data } = documentId
        ? await send("POST /documents/{documentId}/versions", { documentId }, form, following)
        : await send("POST /documents/upload", {}, form, following);
      change(key, { part: 1, taken: data });
    } catch (error) {
      change(key, { error: `${file.name}: ${wordsOf(error)}` });
    } finally {
      await readAgain();
    }
  }

  function add(chosen: Iterable<File>): void {
    for (const file of chosen) {
      const key = ++last.current;
      const stopping = new AbortController();
      setFiles((all) => [...all, { key, name: file.name, part: 0, stop: () => stopping.abort() }]);
      // Read now: the choice of readers may change before the file's turn comes.
      const form = formFor(file);
      line.current = line.current.then(() => upload(file, form, key, stopping.signal));
    }
  }
  return { files, add, forget: (key: number) => setFiles((all) => all.filter((one) => one.key !== key)) };
}
