import { createHash } from "node:crypto";
import { bech32, createBase58check } from "@scure/base";

const base58check = createBase58check((bytes: Uint8Array) => createHash("sha256").update(bytes).digest());

/** Chance that repeats: the same seed gives the same run (mulberry32). */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
  hex(bytes: number): string {
    return Buffer.from(this.bytes(bytes)).toString("hex");
  }

  uuid(): string {
    const hex = this.hex(16);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }

  /** A Sapling address of a regression-test network; its point on the curve is made up. */
  saplingAddress(): string {
    return bech32.encode("zregtestsapling", bech32.toWords(this.bytes(43)), 200);
  }
  /** A transparent address (P2PKH) of a test network. */
  transparentAddress(): string {
    return base58check.encode(Uint8Array.of(0x1d, 0x25, ...this.bytes(20)));
  }
}

export type AddressForm = "transparent" | "shielded" | null;

/**
 * What a node would take an address for. Only the forms the stand-in deals in; unified ones count as shielded unopened.
 */
export function formOf(address: string): AddressForm {
  if (/^u(?:test|regtest)?1[02-9ac-hj-np-z]{40,}$/.test(address)) return "shielded";
  try {
    const { prefix, words } = bech32.decode(address as `${string}1${string}`, 200);
    if (prefix.startsWith("z") && bech32.fromWords(words).length === 43) return "shielded";
  } catch {
    /* not bech32: perhaps base58check */
  }
  try {
    return base58check.decode(address).length === 22 ? "transparent" : null;
  } catch {
    return null;
  }
}
