import { useSyncExternalStore } from "react";
import { Refusal } from "./client.ts";
import { lookAgainWhoIsHere } from "./queries.ts";

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

/** Acts that were refused because the session had ended. */
interface WaitingAct {
  back(): void;
  gone(): void;
}
let waitingActs: WaitingAct[] = [];

/** Gives up the act that waits for a proof: whoever comes next must not prove it. */
export const dropProof = (): void => pending?.givenUp();

/** Acts that waited for the person go on, or are given up. */
export function settleActs(how: (waiting: WaitingAct) => void): void {
  const settled = waitingActs;
  waitingActs = [];
  settled.forEach(how);
}

/** Resolves when the person whose session ended is back; an act can then be done after all. */
function signedInAgain(): Promise<void> {
  void lookAgainWhoIsHere();
  return new Promise((resolve, reject) => {
    waitingActs.push({
      back: resolve,
      gone: () => reject(new Error("Your session had ended; this was not done.")),
    });
  });
}

/**
 * Runs an act; where the API wants a fresh proof of the person, or their session has ended, asks for it and runs the
 * act again.
 */
export async function proveFirst<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "STEP_UP_REQUIRED") await prove();
    else if (error.status === 401 && error.code === "UNAUTHENTICATED") await signedInAgain();
    else throw error;
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
