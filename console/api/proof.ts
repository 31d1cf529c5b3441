import { useSyncExternalStore } from "react";
import { Refusal } from "./client.ts";

/** Somebody's act waits until they have proved who they are, or have given it up. */
export interface PendingProof {
  proved(): void;
  givenUp(): void;
}
let pending: PendingProof | undefined;
const watchers = new Set<() => void>();
function set(next: PendingProof | undefined): void {
  pending = next;
  watchers.forEach((tell) => tell());
}

const prove = (): Promise<void> =>
  new Promise((resolve, reject) => {
    pending?.givenUp();
    set({
      proved() {
        set(undefined);
        resolve();
      },
      givenUp() {
        set(undefined);
        reject(new Error("This act needs a fresh proof of who you are."));
      },
    });
  });

/** Runs an act; where the API wants a fresh proof of the person, asks for it and runs the act again. */
export async function proveFirst<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "STEP_UP_REQUIRED")) throw error;
    await prove();
    return act();
  }
}

/** The act that waits for a proof now. */
export const usePendingProof = (): PendingProof | undefined =>
  useSyncExternalStore(
    (tell) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    () => pending,
  );
