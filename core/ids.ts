import { hash, hkdfSync, randomBytes, randomFillSync } from "node:crypto";
import { v7 } from "uuid";

/** Random bytes drawn many at a time: asking the system for sixteen costs as much as asking for four thousand. */
const POOL = Buffer.alloc(4_096);
let drawn = POOL.length;

function sixteen(): Uint8Array {
  if (drawn + 16 > POOL.length) {
    randomFillSync(POOL);
    drawn = 0;
  }
  return POOL.subarray(drawn, (drawn += 16));
}

/** UUIDv7 (RFC 9562): time-ordered, so that primary keys append instead of scatter. */
export const newId = (): string => v7({ random: sixteen() });

const BOOT = randomBytes(9).toString("base64url");
let counted = 0;

/**
 * Numbers a call between nodes: this process's random name and a count, by which a repetition is told cheaply. Never
 * shown outside.
 */
export const newCallId = (): string => `${BOOT}-${(++counted).toString(36)}`;

/** Names a request: 128 random bits, so that nobody guesses another's, nor counts by their own. */
export const newRequestId = (): string => (sixteen() as Buffer).toString("base64url");

/**
 * The same UUID for the same seed, every time: a repeated request under one idempotency key makes the record it made
 * before.
 */
export function derivedId(seed: string): string {
  // As text from the start: a Buffer in between would double the cost.
  const hex = hash("sha256", seed, "hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  // Version 8: custom (RFC 9562 §5.8).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * As `derivedId`, for a record made together with the record of this time-ordered id: it is stored beside what was made
 * at the same time, where a plain derived id would land on any page of the index. 74 bits come from the seed. With a
 * `place` (below 2^26), records of one `id` sort by their places, and the seed has 48 bits.
 */
export function derivedBeside(id: string, seed: string, place?: number): string {
  const derived = derivedId(seed);
  if (place !== undefined) {
    const above = (place >>> 14).toString(16).padStart(3, "0");
    const below = (0x8000 | (place & 0x3fff)).toString(16);
    return `${id.slice(0, 13)}-8${above}-${below}-${derived.slice(-12)}`;
  }
  return TIME_ORDERED.test(id) ? `${id.slice(0, 14)}7${derived.slice(15)}` : derived;
}
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Whether a text has the form of an id of a record (RFC 9562), in lower case as all are written. */
export const isUuid = (text: string): boolean => UUID.test(text);
const TIME_ORDERED = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

export const sha256 = (text: string | Uint8Array): string => hash("sha256", text, "hex");

/** A key for one purpose from the root secret (HKDF-SHA256, RFC 5869); knowing one tells nothing of another. */
export const derive = (secret: Uint8Array, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "signalmesh", purpose, bytes));
