import type { Clock } from "./clock.ts";
import type { Blobs } from "./records/blobs.ts";
import type { Documents } from "./records/documents.ts";

/**
 * Everything outside the process that services touch, one slot an adapter. Each adapter adds its slot here by
 * declaration merging (`declare module "../core/world.ts" { interface World { mail: Mailer } }`), so that core knows
 * none of them. Slots are opened lazily: a process that runs one area connects to what that area uses.
 */
export interface World {
  clock: Clock;
  documents: Documents;
  blobs: Blobs;
  /** Root of every derived key: 32 bytes; see `derive`. */
  secret: Buffer;
  /** Roots before it, newest first: they open what was sealed under them, and seal nothing any more. */
  formerSecrets: readonly Buffer[];
  /** Fingerprints of roots that the store was under, and that are not among them. */
  missingSecrets: readonly string[];
  /** Former roots that were not stolen: what was signed under them stays good. */
  trustedSecrets: readonly Buffer[];
  close(): Promise<void>;
}

/** The broker's node, as a holder of leases and of audit chains. */
export interface Node {
  nodeId: string;
}
