import { createHash } from "node:crypto";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { BadAddress, receiversOf, type Receiver } from "./unified.ts";

export { BadAddress } from "./unified.ts";

export type AddressKind = "p2pkh" | "p2sh" | "tex" | "sprout" | "sapling" | "unified";
/** Transparent test addresses look the same on the public test network and in regression tests. */
export type ZcashNetwork = "main" | "test" | "regtest";
/** A shielded pool that payouts are made from and to. */
export type Pool = "sapling" | "orchard";

export interface ZcashAddress {
  kind: AddressKind;
  networks: readonly ZcashNetwork[];
  /** What it can be paid through. A TEX address is a transparent one that accepts only transparent senders. */
  receivers: readonly (Receiver | "sprout")[];
  /** The address as it is sent to the wallet: bech32 in lower case. */
  text: string;
}

type Form = Omit<ZcashAddress, "text" | "receivers"> & { bytes: number };
const TESTS = ["test", "regtest"] as const;

/**
 * Two-byte versions of base58check (protocol specification §5.6.1.1 and §5.6.2.1). Keys have other versions, and are no
 * addresses.
 */
const VERSIONS: ReadonlyMap<number, Form> = new Map([
  [0x1cb8, { kind: "p2pkh", networks: ["main"], bytes: 20 }],
  [0x1cbd, { kind: "p2sh", networks: ["main"], bytes: 20 }],
  [0x1d25, { kind: "p2pkh", networks: TESTS, bytes: 20 }],
  [0x1cba, { kind: "p2sh", networks: TESTS, bytes: 20 }],
  [0x169a, { kind: "sprout", networks: ["main"], bytes: 64 }],
  [0x16b6, { kind: "sprout", networks: TESTS, bytes: 64 }],
]);

/**
 * Prefixes of bech32 (Sapling, protocol specification §5.6.3.1) and bech32m (TEX, ZIP 320; unified, ZIP 316 revision
 * 0).
 */
const PREFIXES: ReadonlyMap<string, Form & { code: typeof bech32 | typeof bech32m }> = new Map([
  ["zs", { kind: "sapling", networks: ["main"], bytes: 43, code: bech32 }],
  ["ztestsapling", { kind: "sapling", networks: ["test"], bytes: 43, code: bech32 }],
  ["zregtestsapling", { kind: "sapling", networks: ["regtest"], bytes: 43, code: bech32 }],
  ["tex", { kind: "tex", networks: ["main"], bytes: 20, code: bech32m }],
  ["textest", { kind: "tex", networks: ["test"], bytes: 20, code: bech32m }],
  ["texregtest", { kind: "tex", networks: ["regtest"], bytes: 20, code: bech32m }],
  ["u", { kind: "unified", networks: ["main"], bytes: 0, code: bech32m }],
  ["utest", { kind: "unified", networks: ["test"], bytes: 0, code: bech32m }],
  ["uregtest", { kind: "unified", networks: ["regtest"], bytes: 0, code: bech32m }],
]);

/**
 * Longer texts are not examined: a unified address of all known receivers has 213 characters, one with unknown ones may
 * be longer.
 */
const LONGEST_TEXT = 1_000;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();
const base58check = createBase58check(sha256);

/**
 * Parses any Zcash address by its whole encoding: checksum, length, network, and the receivers of a unified one. A
 * prefix alone proves nothing. Points on the curve are left to the wallet (`z_validateaddress`). Throws BadAddress,
 * which never repeats the text.
 */
export function readAddress(text: string): ZcashAddress {
  if (typeof text !== "string" || text.length > LONGEST_TEXT || !/^[0-9A-Za-z]+$/.test(text))
    throw new BadAddress("this is not an address");
  const separator = text.lastIndexOf("1");
  const form = separator > 0 ? PREFIXES.get(text.slice(0, separator).toLowerCase()) : undefined;
  return form ? bech(text.toLowerCase(), text, form) : base58(text);
}

function bech(
  lower: string,
  text: string,
  { code, kind, networks, bytes }: Form & { code: typeof bech32 | typeof bech32m },
): ZcashAddress {
  let prefix: string, payload: Uint8Array;
  try {
    const decoded = code.decode(text as `${string}1${string}`, LONGEST_TEXT);
    prefix = decoded.prefix.toLowerCase();
    payload = code.fromWords(decoded.words);
  } catch {
    throw new BadAddress(`this ${kind} address is damaged: its checksum does not fit`);
  }
  if (kind === "unified") return { kind, networks, receivers: receiversOf(payload, prefix), text: lower };
  if (payload.length !== bytes) throw new BadAddress(`this ${kind} address has ${payload.length} bytes, not ${bytes}`);
  return { kind, networks, receivers: [kind === "sapling" ? "sapling" : "p2pkh"], text: lower };
}

function base58(text: string): ZcashAddress {
  let payload: Uint8Array;
  try {
    payload = base58check.decode(text);
  } catch {
    throw new BadAddress("this is no address of a known form, or it is damaged: no checksum fits");
  }
  const form = VERSIONS.get((payload[0] ?? 0) * 256 + (payload[1] ?? 0));
  if (!form)
    throw new BadAddress("this is encoded like an address, but of no known kind (perhaps a key, or another currency)");
  if (payload.length !== form.bytes + 2)
    throw new BadAddress(`this ${form.kind} address has ${payload.length - 2} bytes, not ${form.bytes}`);
  return { kind: form.kind, networks: form.networks, receivers: [form.kind as "p2pkh" | "p2sh" | "sprout"], text };
}

export const isTransparent = ({ kind }: ZcashAddress): boolean => kind === "p2pkh" || kind === "p2sh" || kind === "tex";

/**
 * The pool into which a wallet pays this address: Orchard if possible, else Sapling; null where no shielded payment is
 * possible.
 */
export function poolOf({ receivers }: ZcashAddress): Pool | null {
  return receivers.includes("orchard") ? "orchard" : receivers.includes("sapling") ? "sapling" : null;
}

/**
 * Why the escrow will not pay this text, or null. Only a shielded receiver in the escrow's own pool, on its own
 * network, is accepted: payouts stay shielded within one pool, so that neither the receiver nor the amount shows
 * (FullPrivacy). @param from the escrow's shielded address
 */
export function payeeRefusal(text: string, from: ZcashAddress): string | null {
  let payee: ZcashAddress;
  try {
    payee = readAddress(text);
  } catch (error) {
    if (error instanceof BadAddress) return error.message;
    throw error;
  }
  const pool = poolOf(from);
  if (isTransparent(payee))
    return "a transparent address cannot be paid: everybody would see who was paid and how much";
  if (payee.kind === "sprout") return "a Sprout address cannot be paid: that pool is closed";
  if (!pool || !payee.receivers.includes(pool))
    return `the address has no ${pool ?? "shielded"} receiver, and payouts do not cross pools: the amount would show`;
  if (!payee.networks.some((network) => from.networks.includes(network)))
    return `the address is of another network than the escrow (${from.networks.join(", ")})`;
  if (payee.text === from.text) return "the address is the escrow's own";
  return null;
}
