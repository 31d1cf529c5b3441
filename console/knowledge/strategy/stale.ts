import { Refusal } from "../../api/client.ts";

/** What another wrote meanwhile is not written over. */
export const unlessStale = <T>(kept: Promise<T>): Promise<T> =>
  kept.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== "STALE") throw error;
    throw new Error(
      "Somebody changed it since you opened it. Copy what you wrote, close this, and write it into what stands there now.",
    );
  });
export const asOf = ({ rev }: { rev: number }): { headers: Record<string, string> } => ({
  headers: { "if-match": `"r${rev}"` },
});
