import { useState } from "react";
import { Refusal, type AskOptions } from "./client.ts";

const CHANGED =
  "Somebody changed it since you opened this. Copy what you wrote, close this, and write it into what stands there now.";

interface AsOpened {
  options: AskOptions;
  /** Says in words what hinders a change that came too late. */
  inTime<T>(act: Promise<T>): Promise<T>;
}

const heldTo = (rev: number | undefined): AsOpened => ({
  options: rev === undefined ? {} : { headers: { "if-match": `"r${rev}"` } },
  inTime: (act) =>
    act.catch((error: unknown) => {
      const isLate = error instanceof Refusal && error.status === 412;
      throw isLate ? new Refusal(error.status, { code: error.code, message: CHANGED }) : error;
    }),
});

/** A change holds for the record as it was when its form was opened: refused where somebody else changed it since. */
export function useAsOpened(rev: number | undefined): AsOpened {
  const [opened] = useState(rev);
  return heldTo(opened);
}

export interface AsWritten extends AsOpened {
  /** Of the form: another one begins it anew. */
  key: number;
  noteWriting(): void;
  noteKept(): void;
}

/** The same for a form that stays on its page: what others change comes into it, until somebody writes in it. */
export function useAsWritten(rev: number): AsWritten {
  const [shown, setShown] = useState(rev);
  const [isWriting, setWriting] = useState(false);
  if (!isWriting && shown !== rev) setShown(rev);
  return { ...heldTo(shown), key: shown, noteWriting: () => setWriting(true), noteKept: () => setWriting(false) };
}
