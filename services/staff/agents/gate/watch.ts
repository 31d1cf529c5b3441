import type { Host } from "../../../../core/contract/endpoint.ts";
import { endOf, type Run } from "./gate.ts";

/** How long what was revoked, frozen or switched off goes on at the most, and one question of the stores. */
const LOOK_MS = 400;

/** What was under way was cut off, since nothing of its run would pass the gate any longer. */
export class Withdrawn extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Does something for a run that may take a while, and asks the stores meanwhile whether the run still may: a hint could
 * be lost. Rejects with Withdrawn as soon as it may not; work that ignores its signal is left behind.
 */
export async function underWatch<T>(host: Host, run: Run, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const withdrawn = Promise.withResolvers<never>();
  let isAsking = false;
  async function look(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    // A store that is away says nothing of the run.
    const end = await endOf(host, run).catch(() => null);
    isAsking = false;
    if (!end || over.signal.aborted) return;
    const reason = new Withdrawn(end.code, end.why);
    over.abort(reason);
    withdrawn.reject(reason);
  }
  const timer = setInterval(() => void look(), LOOK_MS);
  try {
    return await Promise.race([work(over.signal), withdrawn.promise]);
  } finally {
    clearInterval(timer);
  }
}
