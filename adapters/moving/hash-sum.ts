import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/canonical-json.ts";

const MODULUS = 1n << 256n;

/**
 * Counts items and adds up their hashes, so that two stores with the same items get the same sum, in any order of
 * reading.
 */
export class HashSum {
  count = 0;
  #sum = 0n;

  add(value: unknown): void {
    const hash = createHash("sha256").update(canonicalJson(value)!).digest("hex");
    this.#sum = (this.#sum + BigInt(`0x${hash}`)) % MODULUS;
    this.count++;
  }

  get digest(): string {
    return this.#sum.toString(16).padStart(64, "0");
  }

  equals(other: HashSum): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }
}
