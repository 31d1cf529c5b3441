import { useState } from "react";
import { Refusal, type AskOptions } from "./client.ts";

const CHANGED =
  "Somebody changed it since you opened this. Copy what you wrote, close this, and write it into what stands there now.";

interface AsOpened {
  options: AskOptions;
  /** Says in words what hinders a change that came too late. */
  inTime<T>(act: Promise<T>): Promise<T>;
}

/** A change holds for the record as it was when its form was opened: refused where somebody else changed it since. */
export function useAsOpened(rev: number | undefined): AsOpened {
  const [opened] = useState(rev);
  return {
    options: opened === undefined ? {} : { headers: { "if-match": `"r${opened}"` } },
    inTime: (act) =>
      act.catch((error: unknown) => {
        const isLate = error instanceof Refusal && error.status === 412;
        throw isLate ? new Refusal(error.status, { code: error.code, message: CHANGED }) : error;
      }),
  };
}
