import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/canonical-json.ts";

const MODULUS = 1n << 256n;

/**
 * Counts what it is given and sums up the hashes of it, so that two stores that hold the same come to the same, in
 * whichever order each is read.
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
