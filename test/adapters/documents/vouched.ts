import { createHash } from "node:crypto";

/** What a writer is to do. */
export interface Orders {
  /** Begins every id. */
  prefix: string;
  /** How many documents; absent: until it is killed. */
  writes?: number;
  /** How many writes wait at once. */
  writers: number;
  /** SQL to run on the connection first. */
  pragmas?: string;
  /** Nothing is brought to the disk. */
  careless?: boolean;
  /** Also adds one to this document's `value` for every write. */
  counter?: string;
}

/** A document whose parts vouch for one another: a torn one is recognised. */
export function vouched(id: string): { _id: string; tags: string[]; body: string; sum: string } {
  const body = id.repeat(1 + ((id.length * 7919 + Number(id.replace(/\D/g, "").slice(-3) || 0) * 31) % 400));
  return {
    _id: id,
    tags: [`t${body.length % 5}`, "all"],
    body,
    sum: createHash("sha256")
      .update(id + body)
      .digest("hex"),
  };
}
