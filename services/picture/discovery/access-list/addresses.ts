import ipaddr from "ipaddr.js";

/** An address as a number, told apart by its family; an IPv4 address in IPv6 clothes is what it is. */
export interface Numbered {
  family: 4 | 6;
  value: bigint;
}
/** All addresses from one to another, both included. */
export interface AddressRange {
  family: 4 | 6;
  from: bigint;
  to: bigint;
}

const valueOf = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** Undefined for what is no address in its usual form: no `1.2.3`, no `0x7f.1`. */
export function numbered(text: string): Numbered | undefined {
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  if (!isPlain || text.includes("%")) return undefined;
  const address = ipaddr.process(text);
  return { family: address.kind() === "ipv4" ? 4 : 6, value: valueOf(address.toByteArray()) };
}

export function addressText({ family, value }: Numbered): string {
  const bytes = Array.from({ length: family === 4 ? 4 : 16 }, (_, at, length = family === 4 ? 4 : 16) =>
    Number((value >> BigInt(8 * (length - 1 - at))) & 0xffn),
  );
  return ipaddr.fromByteArray(bytes).toString();
}

/** `10.1.0.0/16` as its first and last address; undefined for what is no network. */
export function networkOf(text: string): (AddressRange & { bits: number }) | undefined {
  const [address = "", prefix = "", ...more] = text.split("/");
  const base = numbered(address);
  if (!base || more.length || !/^\d{1,3}$/.test(prefix)) return undefined;
  const width = base.family === 4 ? 32 : 128;
  const bits = Number(prefix);
  if (bits > width || (base.family === 4) !== address.includes(".")) return undefined;
  const size = 1n << BigInt(width - bits);
  const from = base.value - (base.value % size);
  return { family: base.family, from, to: from + size - 1n, bits };
}

/** `10.0.0.5-10.0.0.9` as its ends; undefined for what is no range. */
export function rangeOf(text: string): AddressRange | undefined {
  const ends = text.split("-").map((end) => numbered(end.trim()));
  const [from, to] = ends;
  if (ends.length !== 2 || !from || !to || from.family !== to.family || from.value > to.value) return undefined;
  return { family: from.family, from: from.value, to: to.value };
}

export const holdsAddress = ({ family, from, to }: AddressRange, one: Numbered): boolean =>
  one.family === family && one.value >= from && one.value <= to;
