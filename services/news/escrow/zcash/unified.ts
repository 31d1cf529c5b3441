import { SHORTEST, unjumble } from "./f4jumble.ts";

/** What a unified address can be paid through. `unknown` is a typecode of a later standard: kept, never used. */
export type Receiver = "p2pkh" | "p2sh" | "sapling" | "orchard" | "unknown";

interface Kind {
  receiver: Exclude<Receiver, "unknown">;
  bytes: number;
}

/** Typecodes of ZIP 316, "Encoding of Unified Addresses". */
const KINDS: ReadonlyMap<number, Kind> = new Map([
  [0x00, { receiver: "p2pkh", bytes: 20 }],
  [0x01, { receiver: "p2sh", bytes: 20 }],
  [0x02, { receiver: "sapling", bytes: 43 }],
  [0x03, { receiver: "orchard", bytes: 43 }],
]);

const PADDING_BYTES = 16;
const LAST_TYPECODE = 0x02000000;
/**
 * Metadata that a wallet must understand or refuse (ZIP 316, "MUST-understand Typecodes"); not permitted in revision 0
 * at all.
 */
const mustUnderstand = (typecode: number): boolean => typecode >= 0xe0 && typecode <= 0xfc;
const isMetadata = (typecode: number): boolean => typecode >= 0xc0 && typecode <= 0xfc;

/** Why a text is no address, in words that may be shown. */
export class BadAddress extends Error {
  constructor(complaint: string) {
    super(complaint);
    this.name = "BadAddress";
  }
}

/** Bitcoin's compactSize, in its shortest form only, within ZIP 316's limit. */
function compactSize(bytes: Uint8Array, at: number): { value: number; next: number } {
  const first = bytes[at];
  if (first === undefined) throw new BadAddress("a unified address breaks off in the middle of a receiver");
  if (first < 0xfd) return { value: first, next: at + 1 };
  const width = first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
  if (width === 8 || at + 1 + width > bytes.length)
    throw new BadAddress("a unified address has a receiver of an impossible size");
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + 1, width);
  const value = width === 2 ? view.getUint16(0, true) : view.getUint32(0, true);
  const isShortest = value >= (width === 2 ? 0xfd : 0x10000);
  if (!isShortest || value > LAST_TYPECODE)
    throw new BadAddress("a unified address has a number that is not in its shortest form, or too large");
  return { value, next: at + 1 + width };
}

function withoutPadding(bytes: Uint8Array, prefix: string): Uint8Array {
  const padding = new Uint8Array(PADDING_BYTES);
  padding.set(new TextEncoder().encode(prefix));
  const start = bytes.length - PADDING_BYTES;
  if (padding.some((byte, at) => bytes[start + at] !== byte))
    throw new BadAddress("a unified address does not end in its own prefix: it is damaged");
  return bytes.subarray(0, start);
}

/**
 * Decodes the payload of a unified address, revision 0 (ZIP 316): undoes F4Jumble, checks the padding, and reads the
 * receivers by every rule for consumers: ascending typecodes, exact lengths, at most one transparent receiver, not only
 * transparent ones. Throws BadAddress. @param prefix the human-readable part (`u`, `utest`, `uregtest`), which the
 * padding repeats
 */
export function receiversOf(payload: Uint8Array, prefix: string): Receiver[] {
  if (payload.length < SHORTEST) throw new BadAddress("a unified address is too short to hold a receiver");
  const items = withoutPadding(unjumble(payload), prefix);
  const typecodes: number[] = [];
  for (let at = 0; at < items.length;) {
    const typecode = compactSize(items, at);
    const length = compactSize(items, typecode.next);
    if (length.next + length.value > items.length)
      throw new BadAddress("a unified address breaks off in the middle of a receiver");
    if (typecode.value <= (typecodes.at(-1) ?? -1))
      throw new BadAddress("the receivers of a unified address are doubled or out of order");
    const kind = KINDS.get(typecode.value);
    if (kind && kind.bytes !== length.value) {
      throw new BadAddress(
        `the ${kind.receiver} receiver of a unified address has ${length.value} bytes, not ${kind.bytes}`,
      );
    }
    if (mustUnderstand(typecode.value))
      throw new BadAddress("a unified address demands something this version does not understand");
    typecodes.push(typecode.value);
    at = length.next + length.value;
  }
  if (typecodes.includes(0x00) && typecodes.includes(0x01))
    throw new BadAddress("a unified address has two transparent receivers");
  const receivers = typecodes
    .filter((typecode) => !isMetadata(typecode))
    .map((typecode): Receiver => KINDS.get(typecode)?.receiver ?? "unknown");
  if (receivers.every((receiver) => receiver === "p2pkh" || receiver === "p2sh"))
    throw new BadAddress("a unified address has no shielded receiver");
  return receivers;
}
