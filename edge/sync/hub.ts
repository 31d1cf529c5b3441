import type { RecordState } from "../../core/sync/merge.ts";
import type { ChangeAnswer } from "./batches.ts";
import type { HubAnswer } from "./link.ts";
import type { Values } from "../values.ts";

/** Half of the protocol: what the hub says, read as far as the node relies on it. */
export interface PushAnswer {
  lastSeq: number;
  answers: ChangeAnswer[];
  time: string;
}
export interface HubFields {
  entities: Values;
  time: string;
}
export interface Delta {
  reset: boolean;
  records: {
    entity: string;
    id: string;
    place: number;
    problemSetId?: string | null;
    compartments?: string[];
    state: RecordState;
  }[];
  tombstones: { entity: string; id: string; place: number; vector: Record<string, number> }[];
  purge: number[];
  cursor: string;
  upToDate: boolean;
  time: string;
}

/** The hub answered, and did not do it. */
export class HubRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly retryAfterMs: number | undefined;

  constructor({ status, body, retryAfterMs }: HubAnswer) {
    const error = body?.error ?? {};
    super(typeof error.message === "string" ? error.message : `The hub answered ${status}.`);
    this.name = "Refused";
    this.status = status;
    this.code = typeof error.code === "string" ? error.code : `HTTP_${status}`;
    this.details = error.details;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether it may well go by itself: the hub is busy, starts, or its person works in another mode for a while. */
  get passes(): boolean {
    return this.status >= 500 || this.status === 429 || (this.status === 409 && PASSING.has(this.code));
  }

  /**
   * Whether the hub itself could not read what was sent: the same again would be refused again. What stands between, as
   * a proxy, has no code of the hub's.
   */
  get isUnreadable(): boolean {
    return !this.code.startsWith("HTTP_") && [400, 413, 422].includes(this.status);
  }
}
const PASSING = new Set(["BUSY", "OTHER_MODE", "CONFLICT"]);

/** The data of an answer. Throws Refused. */
export function dataOf<T>(answer: HubAnswer): T {
  if (answer.status < 200 || answer.status >= 300 || answer.body?.data === undefined) throw new HubRefusal(answer);
  return answer.body.data as T;
}
